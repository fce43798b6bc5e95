"""What goes when documents go: exactly what only they support (DESIGN §6, I9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import pyoxigraph as ox

from semkg.graph.edges import edge_changes, merges
from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.vocab import DCTERMS, OA, OWL, PROV, RDF, SEMKG, SKOS


@dataclass(frozen=True, slots=True)
class Removal:
    """Quads that go, quads that take their place, and the nodes that are gone altogether."""

    quads: tuple[ox.Quad, ...] = ()
    additions: tuple[ox.Quad, ...] = ()
    nodes: frozenset[ox.NamedNode] = frozenset()
    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Kind of node → (removed, kept although the documents spoke of them)."""


NOTHING = Removal()

OWN_PROPERTIES = frozenset(
    {RDF.type, SKOS.prefLabel, SEMKG.confidence, SEMKG.mentionedIn, SEMKG.evidence, SEMKG.mergedInto, OWL.differentFrom}
)
"""What the graph of facts says about an entity itself; all its other quads are edges, which follow the triplets."""

UNSTABLE = ox.Literal("unstable")


def removal_of(store: GraphStore, layout: Layout, documents: Iterable[ox.NamedNode]) -> Removal:
    """Everything that only these documents support, as one change."""
    gone_documents = set(documents)
    chunks = {chunk for document in gone_documents for chunk in _subjects(store, DCTERMS.isPartOf, document, layout.corpus)}
    evidence = {node for chunk in chunks for node in _subjects(store, OA.hasSource, chunk, layout.triplets)}
    said = {node for piece in evidence for node in _subjects(store, SEMKG.evidence, piece, layout.triplets)}
    triplets = frozenset(node for node in said if not _others(store, node, SEMKG.evidence, evidence, layout.triplets))
    spoken_of = {node for chunk in chunks for node in _subjects(store, SEMKG.mentionedIn, chunk, layout.facts)}
    entities = {node for node in spoken_of if not _others(store, node, SEMKG.mentionedIn, chunks, layout.facts)}

    quads = [quad for node in (*gone_documents, *chunks) for quad in store.quads(node, None, None, layout.corpus)]
    quads += [quad for node in (*evidence, *triplets) for quad in store.quads(node, None, None, layout.triplets)]
    for graph, predicate, targets in (
        (layout.triplets, SEMKG.evidence, evidence),
        (layout.facts, SEMKG.evidence, evidence),
        (layout.facts, SEMKG.mentionedIn, chunks),
    ):
        quads += [quad for target in targets for quad in store.quads(None, predicate, target, graph)]
    merged, more = _entity_quads(store, layout, entities)
    added, edges = edge_changes(store, layout, merged, _merged_away(store, layout, merged), triplets)
    clusters = _clusters(store, layout, entities, chunks)
    quads += [quad for node in clusters for quad in store.quads(node, None, None, layout.communities)]
    nodes = frozenset(gone_documents | chunks | evidence | triplets | entities | clusters)
    quads += [*more, *edges, *_vectors(store, layout, nodes)]
    quads += _unused_terms(store, layout, triplets, entities)
    return Removal(
        quads=tuple(dict.fromkeys(quads)),
        additions=tuple(added),
        nodes=nodes,
        counts={
            "documents": (len(gone_documents), 0),
            "chunks": (len(chunks), 0),
            "entities": (len(entities), len(spoken_of) - len(entities)),
            "triplets": (len(triplets), len(said) - len(triplets)),
        },
    )


def _subjects(store: GraphStore, predicate: ox.NamedNode, object: ox.NamedNode, graph: ox.NamedNode) -> list[ox.NamedNode]:
    return [quad.subject for quad in store.quads(None, predicate, object, graph) if isinstance(quad.subject, ox.NamedNode)]


def _others(store: GraphStore, node: ox.NamedNode, predicate: ox.NamedNode, gone: set[ox.NamedNode], graph: ox.NamedNode) -> bool:
    return any(quad.object not in gone for quad in store.quads(node, predicate, None, graph))


def _entity_quads(store: GraphStore, layout: Layout, entities: set[ox.NamedNode]) -> tuple[dict[ox.NamedNode, ox.NamedNode], list[ox.Quad]]:
    """The merges that are left, and the quads that say what the entities themselves are."""
    left = {merged: into for merged, into in merges(store, layout).items() if merged not in entities and into not in entities}
    own = [quad for node in entities for quad in store.quads(node, None, None, layout.facts) if quad.predicate in OWN_PROPERTIES]
    own += [quad for node in entities for quad in store.quads(None, SEMKG.mergedInto, node, layout.facts)]
    own += [quad for node in entities for quad in store.quads(None, OWL.differentFrom, node, layout.facts)]
    return left, own


def _clusters(store: GraphStore, layout: Layout, entities: set[ox.NamedNode], chunks: set[ox.NamedNode]) -> set[ox.NamedNode]:
    """HyperNodes that hold or rest on what goes; clustering makes anew what is left of them."""
    pointing = {node for entity in entities for node in _subjects(store, PROV.hadMember, entity, layout.communities)}
    pointing |= {node for chunk in chunks for node in _subjects(store, SEMKG.hasEvidence, chunk, layout.communities)}
    return {node for node in pointing if any(True for _ in store.quads(node, RDF.type, SEMKG.HyperNode, layout.communities))}


def _merged_away(store: GraphStore, layout: Layout, left: dict[ox.NamedNode, ox.NamedNode]) -> set[ox.NamedNode]:
    return {merged for merged, into in merges(store, layout).items() if left.get(merged) != into}


def _vectors(store: GraphStore, layout: Layout, nodes: Iterable[ox.NamedNode]) -> list[ox.Quad]:
    return [quad for node in nodes for quad in store.quads(node, SEMKG.embedding, None, layout.vectors)]


def _unused_terms(store: GraphStore, layout: Layout, triplets: frozenset[ox.NamedNode], entities: set[ox.NamedNode]) -> list[ox.Quad]:
    """Schema terms that were only proposed, and that nothing uses any more."""
    predicates = {quad.object for node in triplets for quad in store.quads(node, RDF.predicate, None, layout.triplets)}
    classes = {quad.object for node in entities for quad in store.quads(node, RDF.type, None, layout.facts)}
    unused = [
        term
        for terms, use, gone, graph in (
            (predicates, RDF.predicate, set(triplets), layout.triplets),
            (classes, RDF.type, entities, layout.facts),
        )
        for term in terms
        if isinstance(term, ox.NamedNode) and all(quad.subject in gone for quad in store.quads(None, use, term, graph))
    ]
    described = [list(store.quads(term, None, None, layout.schema)) for term in unused]
    return [quad for quads in described if any(quad.object == UNSTABLE for quad in quads) for quad in quads]
