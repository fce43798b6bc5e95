"""What stands around an entity: read from the store where it is asked for, and kept as long as one clustering lasts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.graph.removal import OWN_PROPERTIES
from semkg.ports import GraphStore
from semkg.vectors import codec
from semkg.vocab import OWL, RDF, SEMKG, SKOS

if TYPE_CHECKING:
    from semkg.vectors.codec import Vector

Node = ox.NamedNode


@dataclass(frozen=True, slots=True)
class Said:
    """What the facts say of one entity by itself, before merges are followed."""

    label: str
    type: str
    confidence: float
    into: Node | None
    chunks: frozenset[Node]
    apart: frozenset[Node]
    """Entities that a person declared to be others (`owl:differentFrom`)."""
    linked: frozenset[Node]
    """The other ends of its canonical edges, in both directions."""
    merged: frozenset[Node]
    """The entities that were merged into it."""


class Surroundings:
    """A view of the graph of facts around some entities. It does not follow commits: make a new one after each."""

    def __init__(self, store: GraphStore, layout: Layout) -> None:
        self._store = store
        self._layout = layout
        self._said: dict[Node, Said | None] = {}
        self._cast: dict[Node, frozenset[Node]] = {}
        self._vectors: dict[Node, Vector | None] = {}

    def entities(self) -> list[Node]:
        """Every entity that is not merged into another."""
        found = self._store.quads(None, RDF.type, SEMKG.Entity, self._layout.facts)
        return self.canonical(quad.subject for quad in found if isinstance(quad.subject, Node))

    def canonical(self, nodes: Iterable[Node]) -> list[Node]:
        """The entities that stand for `nodes`, each once; what is no entity of the graph is left out."""
        return list(dict.fromkeys(node for found in nodes if (node := self._stands_for(found)) is not None))

    def _stands_for(self, node: Node) -> Node | None:
        said = self.said(node)
        return None if said is None else said.into or node

    def said(self, node: Node) -> Said | None:
        """What is said of a node, None where it is no entity."""
        if node not in self._said:
            self._said[node] = self._read(node)
        return self._said[node]

    def family(self, entity: Node) -> list[Node]:
        """A canonical entity and those merged into it, by IRI."""
        said = self.said(entity)
        return sorted({entity, *(said.merged if said else ())}, key=_iri)

    def chunks(self, entity: Node) -> frozenset[Node]:
        """Where an entity or one merged into it is mentioned."""
        return frozenset().union(*(said.chunks for node in self.family(entity) if (said := self.said(node))))

    def apart(self, entity: Node) -> frozenset[Node]:
        """What an entity, or one merged into it, was declared to differ from."""
        return frozenset().union(*(said.apart for node in self.family(entity) if (said := self.said(node))))

    def cast(self, chunk: Node) -> frozenset[Node]:
        """The canonical entities that a chunk mentions."""
        if chunk not in self._cast:
            found = self._store.quads(None, SEMKG.mentionedIn, chunk, self._layout.facts)
            self._cast[chunk] = frozenset(self.canonical(quad.subject for quad in found if isinstance(quad.subject, Node)))
        return self._cast[chunk]

    def neighbours(self, node: Node) -> frozenset[Node]:
        """The entities at the other ends of a canonical entity's edges."""
        said = self.said(node)
        return said.linked if said else frozenset()

    def vector(self, entity: Node) -> Vector | None:
        """The entity's own vector as the graph keeps it, which is the same whoever reads it."""
        if entity not in self._vectors:
            found = self._store.quads(entity, SEMKG.embedding, None, self._layout.vectors)
            texts = (quad.object.value for quad in found if isinstance(quad.object, ox.Literal))
            self._vectors[entity] = next(map(codec.decode, texts), None)
        return self._vectors[entity]

    def _read(self, node: Node) -> Said | None:
        values: dict[Node, list[Node]] = {}
        texts: dict[Node, str] = {}
        for quad in self._store.quads(node, None, None, self._layout.facts):
            if isinstance(quad.object, Node):
                values.setdefault(quad.predicate, []).append(quad.object)
            elif isinstance(quad.object, ox.Literal):
                texts[quad.predicate] = min(texts.get(quad.predicate, quad.object.value), quad.object.value)
        if SEMKG.Entity not in values.get(RDF.type, ()):
            return None
        pointing: dict[Node, list[Node]] = {}
        for quad in self._store.quads(None, None, node, self._layout.facts):
            if isinstance(quad.subject, Node):
                pointing.setdefault(quad.predicate, []).append(quad.subject)
        ends = {end for said in (values, pointing) for predicate in said.keys() - OWN_PROPERTIES for end in said[predicate]}
        return Said(
            label=texts.get(SKOS.prefLabel, ""),
            type=min((type.value for type in values[RDF.type] if type != SEMKG.Entity), default=""),
            confidence=float(texts.get(SEMKG.confidence, 0)),
            into=min(values.get(SEMKG.mergedInto, ()), key=_iri, default=None),
            chunks=frozenset(values.get(SEMKG.mentionedIn, ())),
            apart=frozenset(values.get(OWL.differentFrom, [])).union(pointing.get(OWL.differentFrom, [])),
            linked=frozenset(ends - {node}),
            merged=frozenset(pointing.get(SEMKG.mergedInto, [])),
        )


def _iri(node: Node) -> str:
    return node.value
