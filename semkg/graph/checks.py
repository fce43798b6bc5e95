"""What must always hold (DESIGN §6), checked on a graph as it is: for `semkg doctor` and for the tests after every fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from semkg.graph.indexes import Kind
from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.vectors import codec
from semkg.vocab import DCTERMS, OA, PROV, RDF, SEMKG


@dataclass(frozen=True, slots=True)
class Finding:
    """An invariant that does not hold. `node` is where."""

    invariant: str
    node: str
    message: str


def check(store: GraphStore, layout: Layout, dimension: int) -> Iterator[Finding]:
    """Everything that can be seen in the store itself: I1, I2, I3, I5 and I9. I4 is `quality.validate`.

    Args:
        store: the graph.
        layout: its named graphs.
        dimension: of the vectors.
    """
    yield from _vectors(store, layout, dimension)
    yield from _evidence(store, layout)
    yield from _leases(store, layout)
    yield from _whole_documents(store, layout)
    yield from _clusters(store, layout)


def _vectors(store: GraphStore, layout: Layout, dimension: int) -> Iterator[Finding]:
    """I1: every embeddable node has exactly one vector, and every vector its node."""
    nodes = {quad.subject for kind in Kind for quad in store.quads(None, RDF.type, kind.type, kind.graph(layout))}
    seen: set[object] = set()
    for quad in store.quads(None, SEMKG.embedding, None, layout.vectors):
        if quad.subject in seen:
            yield Finding("I1", str(quad.subject), "has more than one vector")
        seen.add(quad.subject)
        try:
            vector = codec.decode(quad.object.value) if isinstance(quad.object, ox.Literal) else None
        except ValueError as error:
            yield Finding("I1", str(quad.subject), f"has a vector that cannot be used: {error}")
            continue
        if vector is None or len(vector) != dimension:
            yield Finding("I1", str(quad.subject), f"has a vector that is not of dimension {dimension}")
    yield from (Finding("I1", str(node), "has no vector") for node in nodes - seen)
    yield from (Finding("I1", str(node), "is not in the graph, but has a vector") for node in seen - nodes)


def _evidence(store: GraphStore, layout: Layout) -> Iterator[Finding]:
    """I2: every triplet has evidence, and its text is in the chunk at its offsets."""
    with_evidence = {quad.subject for quad in store.quads(None, SEMKG.evidence, None, layout.triplets)}
    for quad in store.quads(None, RDF.type, SEMKG.Triplet, layout.triplets):
        if quad.subject not in with_evidence:
            yield Finding("I2", str(quad.subject), "is a statement without evidence")
    texts: dict[object, object] = {quad.subject: quad.object for quad in store.quads(None, SEMKG.text, None, layout.corpus)}
    for quad in store.quads(None, RDF.type, OA.TextQuoteSelector, layout.triplets):
        if not isinstance(quad.subject, ox.NamedNode):
            continue
        said = {about.predicate: about.object for about in store.quads(quad.subject, None, None, layout.triplets)}
        text, exact = texts.get(said.get(OA.hasSource)), said.get(OA.exact)
        start, end = (int(getattr(said.get(part), "value", -1)) for part in (OA.start, OA.end))
        if not isinstance(text, ox.Literal) or not isinstance(exact, ox.Literal) or start < 0 or text.value[start:end] != exact.value:
            yield Finding("I2", str(quad.subject), "quotes what its chunk does not say at this place")


def _leases(store: GraphStore, layout: Layout) -> Iterator[Finding]:
    """I3: no chunk is left being read by a dead process."""
    for quad in store.quads(None, SEMKG.readingState, SEMKG.BeingRead, layout.corpus):
        yield Finding("I3", str(quad.subject), "is marked as being read, and nobody reads it")


def _whole_documents(store: GraphStore, layout: Layout) -> Iterator[Finding]:
    """I5: every chunk belongs to a document that is there."""
    documents = {quad.subject for quad in store.quads(None, DCTERMS.source, None, layout.corpus)}
    for quad in store.quads(None, DCTERMS.isPartOf, None, layout.corpus):
        if quad.object not in documents:
            yield Finding("I5", str(quad.subject), "is part of a document that is not in the graph")


def _clusters(store: GraphStore, layout: Layout) -> Iterator[Finding]:
    """I9: what HyperNodes hold and rest on is in the graph."""
    for predicate, type, graph in ((PROV.hadMember, SEMKG.Entity, layout.facts), (SEMKG.hasEvidence, SEMKG.Chunk, layout.corpus)):
        there = {quad.subject for quad in store.quads(None, RDF.type, type, graph)}
        for node in store.quads(None, RDF.type, SEMKG.HyperNode, layout.communities):
            if isinstance(node.subject, ox.NamedNode):
                for quad in store.quads(node.subject, predicate, None, layout.communities):
                    if quad.object not in there:
                        yield Finding("I9", str(node.subject), f"points at {quad.object}, which is not in the graph")
