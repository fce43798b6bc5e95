"""Reading the graph back as values: documents with their chunks, entities by name, counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from semkg.graph.edges import canonical, members
from semkg.graph.layout import Layout
from semkg.graph.texts import value
from semkg.ids import normal_name
from semkg.model import Chunk, Document, ReadingState, Structure
from semkg.ports import GraphStore
from semkg.vocab import DCTERMS, FOAF, OA, RDF, SEMKG, SKOS


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in a list."""

    iri: str
    title: str
    source: str
    chunks: int
    pending: int


@dataclass(frozen=True, slots=True)
class Stats:
    """How much there is in a graph."""

    documents: int
    chunks: dict[str, int]
    """Reading state → chunks."""
    entities: int
    merged: int
    hypernodes: int
    triplets: dict[str, int]
    """Status → triplets."""
    edges: int
    evidence: int
    refused: int
    classes: dict[str, int]
    """Class → entities."""
    predicates: dict[str, int]
    """Predicate → triplets."""
    quads: dict[str, int]
    """Named graph → quads."""
    commits: int


def document(store: GraphStore, layout: Layout, iri: ox.NamedNode) -> Document:
    """A document as it was entered."""

    def of(predicate: ox.NamedNode) -> str:
        return value(store, iri, predicate, layout.corpus)

    topic = of(FOAF.primaryTopic)
    return Document(
        iri=iri,
        source=of(DCTERMS.source),
        title=of(DCTERMS.title),
        media_type=of(DCTERMS.format),
        language=of(DCTERMS.language),
        sha256=of(SEMKG.sha256),
        topic=ox.NamedNode(topic) if topic else None,
    )


def chunks_of(store: GraphStore, layout: Layout, iri: ox.NamedNode) -> list[Chunk]:
    """A document's chunks in their order."""
    found = (quad.subject for quad in store.quads(None, DCTERMS.isPartOf, iri, layout.corpus))
    return sorted((chunk(store, layout, node) for node in found if isinstance(node, ox.NamedNode)), key=lambda chunk: chunk.position)


def chunk(store: GraphStore, layout: Layout, iri: ox.NamedNode) -> Chunk:
    """A chunk as it was entered."""
    said = {quad.predicate: _text(quad.object) for quad in store.quads(iri, None, None, layout.corpus)}
    return Chunk(
        iri=iri,
        document=ox.NamedNode(said[DCTERMS.isPartOf]),
        text=said[SEMKG.text],
        start=int(said[SEMKG.start]),
        end=int(said[SEMKG.end]),
        position=int(said[SEMKG.position]),
        structure=Structure(_local(said[SEMKG.structure])),
        heading=said.get(SEMKG.heading, ""),
        overlap=int(said[SEMKG.overlap]),
    )


def pending(store: GraphStore, layout: Layout) -> list[ox.NamedNode]:
    """Documents with a chunk that nobody has read yet, in a stable order."""
    waiting = {
        part.object
        for state in (ReadingState.PENDING, ReadingState.BEING_READ)
        for quad in store.quads(None, SEMKG.readingState, SEMKG.terms()[state.value], layout.corpus)
        if isinstance(quad.subject, ox.NamedNode)
        for part in store.quads(quad.subject, DCTERMS.isPartOf, None, layout.corpus)
    }
    return sorted((node for node in waiting if isinstance(node, ox.NamedNode)), key=str)


def documents(store: GraphStore, layout: Layout) -> Iterator[DocumentRow]:
    """All documents by title."""
    chunks: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    for quad in store.quads(None, DCTERMS.isPartOf, None, layout.corpus):
        chunks[_text(quad.object)] += 1
    for node in pending(store, layout):
        waiting[node.value] += 1
    titles = sorted((_text(quad.object), _text(quad.subject)) for quad in store.quads(None, DCTERMS.title, None, layout.corpus))
    for title, iri in titles:
        source = value(store, ox.NamedNode(iri), DCTERMS.source, layout.corpus)
        yield DocumentRow(iri, title, source, chunks[iri], waiting[iri])


def entities_named(store: GraphStore, layout: Layout, name: str) -> list[ox.NamedNode]:
    """Canonical entities with this label or alias: as it is written, else by its normal form among `names`."""
    literal = ox.Literal(name)
    found = [
        quad.subject
        for predicate in (SKOS.prefLabel, SKOS.altLabel)
        for quad in store.quads(None, predicate, literal, layout.facts)
        if isinstance(quad.subject, ox.NamedNode)
    ]
    return list(dict.fromkeys(canonical(store, node, layout) for node in found))


@dataclass(frozen=True, slots=True)
class Named:
    """An entity under one of its names."""

    entity: ox.NamedNode
    name: str


def names(store: GraphStore, layout: Layout) -> Iterator[Named]:
    """Every label and alias, with the canonical entity that bears it."""
    for predicate in (SKOS.prefLabel, SKOS.altLabel):
        for quad in store.quads(None, predicate, None, layout.facts):
            if isinstance(quad.subject, ox.NamedNode):
                yield Named(canonical(store, quad.subject, layout), _text(quad.object))


def by_normal_name(named: Iterable[Named]) -> dict[str, list[ox.NamedNode]]:
    """Normal form of a name → the canonical entities that bear it."""
    found: dict[str, dict[ox.NamedNode, None]] = {}
    for item in named:
        found.setdefault(normal_name(item.name), {})[item.entity] = None
    return {name: list(entities) for name, entities in found.items()}


def mentions(store: GraphStore, layout: Layout, entity: ox.NamedNode) -> list[ox.NamedNode]:
    """The chunks that mention an entity or one merged into it."""
    found = (
        quad.object for member in members(store, entity, layout) for quad in store.quads(member, SEMKG.mentionedIn, None, layout.facts)
    )
    return list(dict.fromkeys(node for node in found if isinstance(node, ox.NamedNode)))


def stats(store: GraphStore, layout: Layout) -> Stats:
    """Counts by one scan of each named graph."""
    states = Counter(_local(_text(quad.object)) for quad in store.quads(None, SEMKG.readingState, None, layout.corpus))
    statuses = Counter(_local(_text(quad.object)) for quad in store.quads(None, SEMKG.status, None, layout.triplets))
    classes = Counter(_local(_text(quad.object)) for quad in store.quads(None, RDF.type, None, layout.facts))
    predicates = Counter(_local(_text(quad.object)) for quad in store.quads(None, RDF.predicate, None, layout.triplets))
    used = {quad.object for quad in store.quads(None, RDF.predicate, None, layout.triplets)}
    quads = {_local(graph.value): sum(1 for _ in store.quads(graph=graph)) for graph in layout.all}
    return Stats(
        documents=_count(store, DCTERMS.source, None, layout.corpus),
        chunks=dict(states.most_common()),
        entities=classes.pop("Entity", 0),
        merged=_count(store, SEMKG.mergedInto, None, layout.facts),
        hypernodes=_count(store, RDF.type, SEMKG.HyperNode, layout.communities),
        triplets=dict(statuses.most_common()),
        edges=sum(_count(store, node, None, layout.facts) for node in used if isinstance(node, ox.NamedNode)),
        evidence=_count(store, OA.exact, None, layout.triplets),
        refused=_count(store, RDF.type, SEMKG.Refusal, layout.reviews),
        classes=dict(classes.most_common()),
        predicates=dict(predicates.most_common()),
        quads=quads,
        commits=store.generation,
    )


def _count(store: GraphStore, predicate: ox.NamedNode, object: ox.NamedNode | None, graph: ox.NamedNode) -> int:
    return sum(1 for _ in store.quads(None, predicate, object, graph))


def _text(term: object) -> str:
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else ""


def _local(iri: str) -> str:
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]
