"""What resolution has to know of entities, read from the graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.graph.listing import stated_names, values
from semkg.graph.naming import Naming
from semkg.graph.resolution import Candidate
from semkg.ports import GraphStore
from semkg.vocab import DCTERMS, FOAF, RDF, SEMKG, SKOS


class Known:
    """The names of all entities, which are read at once, and what else there is to know of some.

    Aliases are those that the triplets state: what was said, not what earlier merges made of it.
    """

    def __init__(self, store: GraphStore, layout: Layout) -> None:
        self._store = store
        self._layout = layout
        self._labels = _labels(store, layout)
        self._aliases = _aliases(store, layout)
        self._document: dict[ox.NamedNode, str] = {}
        self.naming = Naming(self._labels, self._aliases)

    def candidates(self, entities: Iterable[str]) -> Iterator[Candidate]:
        """The entities as resolution sees them."""
        for iri in entities:
            node = ox.NamedNode(iri)
            yield Candidate(
                iri=iri,
                label=self._labels[iri],
                type=_local(min(_objects(self._store, node, RDF.type, self._layout.facts) - {SEMKG.Entity.value}, default="")),
                aliases=frozenset(self._aliases.get(iri, ())),
                documents=frozenset(self._documents(node)),
                neighbours=frozenset(_neighbours(self._store, node, self._layout)),
                topic=any(True for _ in self._store.quads(None, FOAF.primaryTopic, node, self._layout.corpus)),
            )

    def _documents(self, node: ox.NamedNode) -> Iterator[str]:
        for quad in self._store.quads(node, SEMKG.mentionedIn, None, self._layout.facts):
            if isinstance(quad.object, ox.NamedNode) and (found := self._document_of(quad.object)):
                yield found

    def _document_of(self, chunk: ox.NamedNode) -> str:
        if chunk not in self._document:
            self._document[chunk] = min(_objects(self._store, chunk, DCTERMS.isPartOf, self._layout.corpus), default="")
        return self._document[chunk]


def _labels(store: GraphStore, layout: Layout) -> dict[str, str]:
    """Entity → label, the first in order where there are several."""
    found: dict[str, str] = {}
    for node, label in values(store, SKOS.prefLabel, layout.facts):
        found[node] = min(label, found.get(node, label))
    return found


def _objects(store: GraphStore, node: ox.NamedNode, predicate: ox.NamedNode, graph: ox.NamedNode) -> set[str]:
    return {quad.object.value for quad in store.quads(node, predicate, None, graph)}  # type: ignore[union-attr]  # the graphs hold no quoted triples


def _aliases(store: GraphStore, layout: Layout) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for entity, alias in stated_names(store, layout):
        found[entity].add(alias)
    return found


def _neighbours(store: GraphStore, node: ox.NamedNode, layout: Layout) -> Iterator[str]:
    """The other ends of the triplets about a node, as they were stated."""
    for triplet in _subjects(store, RDF.object, node, layout.triplets):
        yield _subject_of(store, triplet, layout)
    for triplet in _subjects(store, RDF.subject, node, layout.triplets):
        for quad in store.quads(triplet, RDF.object, None, layout.triplets):
            if isinstance(quad.object, ox.NamedNode):
                yield quad.object.value


def _subjects(store: GraphStore, predicate: ox.NamedNode, object: ox.NamedNode, graph: ox.NamedNode) -> Iterator[ox.NamedNode]:
    for quad in store.quads(None, predicate, object, graph):
        if isinstance(quad.subject, ox.NamedNode):
            yield quad.subject


def _subject_of(store: GraphStore, triplet: ox.NamedNode, layout: Layout) -> str:
    return min(_objects(store, triplet, RDF.subject, layout.triplets), default="")


def _local(iri: str) -> str:
    return iri.rsplit("/", 1)[-1].rsplit("#", 1)[-1]
