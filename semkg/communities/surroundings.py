"""What stands around an entity: read from the store where it is asked for, and kept as long as one clustering lasts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semkg.graph.edges import merges
from semkg.graph.layout import Layout
from semkg.graph.removal import OWN_PROPERTIES
from semkg.ports import GraphStore
from semkg.vectors import codec
from semkg.vocab import OWL, RDF, SEMKG, SKOS

if TYPE_CHECKING:
    from semkg.vectors.codec import Vector

Node = ox.NamedNode
Found = frozenset[Node]


class Surroundings:
    """A view of the graph of facts around some entities. It does not follow commits: make a new one after each.

    What may be long is read up to a limit: of what has more, only that is known.
    """

    def __init__(self, store: GraphStore, layout: Layout) -> None:
        self._store = store
        self._layout = layout
        self._labels: dict[Node, str] = {}
        self._types: dict[Node, str] = {}
        self._stands_for: dict[Node, Node | None] = {}
        self._families: dict[Node, tuple[Node, ...]] = {}
        self._casts: dict[Node, Found] = {}
        self._vectors: dict[Node, Vector | None] = {}
        self._links = _Bounded(self._read_links)
        self._chunks = _Bounded(self._read_chunks)

    def entities(self) -> list[Node]:
        """Every entity that is not merged into another."""
        return self.canonical(self._subjects(RDF.type, SEMKG.Entity))

    def canonical(self, nodes: Iterable[Node]) -> list[Node]:
        """The entities that stand for `nodes`, each once; what is no entity of the graph is left out."""
        return list(dict.fromkeys(node for found in nodes if (node := self._canonical(found)) is not None))

    def label(self, node: Node) -> str:
        """An entity's label; empty for what is no entity."""
        if node not in self._labels:
            self._labels[node] = min(self._texts(node, SKOS.prefLabel), default="")
        return self._labels[node]

    def type(self, node: Node) -> str:
        """The IRI of an entity's own class."""
        if node not in self._types:
            self._types[node] = min((type.value for type in self._objects(node, RDF.type) if type != SEMKG.Entity), default="")
        return self._types[node]

    def confidence(self, node: Node) -> float:
        return float(min(self._texts(node, SEMKG.confidence), default="0"))

    def family(self, entity: Node) -> tuple[Node, ...]:
        """A canonical entity and those merged into it, by IRI."""
        if entity not in self._families:
            self._families[entity] = tuple(sorted({entity, *self._merged.get(entity, ())}, key=lambda node: node.value))
        return self._families[entity]

    def apart(self, entity: Node) -> Found:
        """The canonical entities that an entity, or one merged into it, was declared to differ from (`owl:differentFrom`)."""
        ends = (chain(self._objects(node, OWL.differentFrom), self._subjects(OWL.differentFrom, node)) for node in self.family(entity))
        return frozenset(self.canonical(chain.from_iterable(ends)))

    def links(self, node: Node, limit: int) -> Found | None:
        """What stands at the other ends of a canonical entity's edges, in both directions; None for more than `limit`."""
        return self._links.get(node, limit)

    def chunks(self, node: Node, limit: int) -> Found | None:
        """Where a canonical entity or one merged into it is mentioned; None for more than `limit`."""
        return self._chunks.get(node, limit)

    def mentions(self, node: Node) -> list[Node]:
        """Where the very entity is mentioned."""
        return list(self._objects(node, SEMKG.mentionedIn))

    def cast(self, chunk: Node) -> Found:
        """The canonical entities that a chunk mentions."""
        if chunk not in self._casts:
            self._casts[chunk] = frozenset(self.canonical(self._subjects(SEMKG.mentionedIn, chunk)))
        return self._casts[chunk]

    def vector(self, entity: Node) -> Vector | None:
        """The entity's own vector as the graph keeps it, which is the same whoever reads it."""
        if entity not in self._vectors:
            found = self._store.quads(entity, SEMKG.embedding, None, self._layout.vectors)
            texts = (quad.object.value for quad in found if isinstance(quad.object, ox.Literal))
            self._vectors[entity] = next(map(codec.decode, texts), None)
        return self._vectors[entity]

    @cached_property
    def _merges(self) -> dict[Node, Node]:
        # Few entities are merged: reading all merges at once is cheaper than asking at each entity that is met.
        return merges(self._store, self._layout)

    @cached_property
    def _merged(self) -> dict[Node, list[Node]]:
        found: dict[Node, list[Node]] = defaultdict(list)
        for member, into in self._merges.items():
            found[into].append(member)
        return dict(found)

    def _canonical(self, node: Node) -> Node | None:
        if node not in self._stands_for:
            into = self._merges.get(node, node)
            self._stands_for[node] = into if self.label(into) else None
        return self._stands_for[node]

    def _read_chunks(self, entity: Node) -> Iterator[Node]:
        return chain.from_iterable(self._objects(node, SEMKG.mentionedIn) for node in self.family(entity))

    def _read_links(self, node: Node) -> Iterator[Node]:
        # Those that point at it first: what has many edges mostly has them from others, and is mentioned often besides.
        for quad in self._store.quads(None, None, node, self._layout.facts):
            if quad.predicate not in OWN_PROPERTIES and isinstance(quad.subject, Node) and quad.subject != node:
                yield quad.subject
        for quad in self._store.quads(node, None, None, self._layout.facts):
            if isinstance(quad.object, Node) and quad.predicate not in OWN_PROPERTIES and quad.object != node:
                yield quad.object

    def _objects(self, node: Node, predicate: Node) -> Iterator[Node]:
        return (quad.object for quad in self._store.quads(node, predicate, None, self._layout.facts) if isinstance(quad.object, Node))

    def _subjects(self, predicate: Node, object: Node) -> Iterator[Node]:
        return (quad.subject for quad in self._store.quads(None, predicate, object, self._layout.facts) if isinstance(quad.subject, Node))

    def _texts(self, node: Node, predicate: Node) -> Iterator[str]:
        found = self._store.quads(node, predicate, None, self._layout.facts)
        return (quad.object.value for quad in found if isinstance(quad.object, ox.Literal))


class _Bounded:
    """Node → what was found for it, or how much was read before there was too much."""

    def __init__(self, read: Callable[[Node], Iterator[Node]]) -> None:
        self._read = read
        self._known: dict[Node, Found | int] = {}

    def get(self, node: Node, limit: int) -> Found | None:
        known = self._known.get(node)
        if known is None or (isinstance(known, int) and known < limit):
            known = self._known[node] = self._up_to(node, limit)
        return None if isinstance(known, int) or len(known) > limit else known

    def _up_to(self, node: Node, limit: int) -> Found | int:
        found: set[Node] = set()
        for end in self._read(node):
            found.add(end)
            if len(found) > limit:
                return limit
        return frozenset(found)
