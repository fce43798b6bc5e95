"""The derived indexes of a graph: kept in step with every commit, and filled again from the graph when they are not (DESIGN §2, law 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.graph.texts import texts_of
from semkg.ports import GraphStore, LexicalIndex, VectorIndex
from semkg.vectors import codec
from semkg.vocab import RDF, SEMKG

if TYPE_CHECKING:
    from semkg.ports import Vectors

BATCH = 10_000


class Kind(Enum):
    """The types of nodes that have a vector, each with an index of its own; the value is the class's local name."""

    CHUNK = "Chunk"
    ENTITY = "Entity"
    TRIPLET = "Triplet"
    HYPERNODE = "HyperNode"

    @property
    def type(self) -> ox.NamedNode:
        return SEMKG.terms()[self.value]

    def graph(self, layout: Layout) -> ox.NamedNode:
        """The named graph that holds the nodes of this kind."""
        return {
            Kind.CHUNK: layout.corpus,
            Kind.ENTITY: layout.facts,
            Kind.TRIPLET: layout.triplets,
            Kind.HYPERNODE: layout.communities,
        }[self]


EMBEDDED = (Kind.CHUNK, Kind.ENTITY, Kind.TRIPLET)
"""Kinds whose vectors are embeddings of texts; that of a HyperNode is made from those of its members (RAGA §3.1, eq. 2)."""

LEXICAL = (Kind.CHUNK, Kind.ENTITY)
"""Kinds whose texts can be searched by their words."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What bringing one index into step with the graph took."""

    index: str
    added: int
    removed: int
    problem: str = ""

    @property
    def changed(self) -> bool:
        return bool(self.added or self.removed or self.problem)


class Indexes:
    """One vector index a kind of node, and one lexical index."""

    def __init__(self, vectors: Mapping[Kind, VectorIndex], lexical: LexicalIndex, layout: Layout) -> None:
        self.vectors = vectors
        self.lexical = lexical
        self._layout = layout

    def apply(
        self,
        generation: int,
        added: Mapping[Kind, tuple[Sequence[str], Vectors]],
        texts: Mapping[Kind, Mapping[str, str]],
        removed: Sequence[str],
    ) -> None:
        """Follow one commit. `texts`: kind → IRI → text, for the lexical index."""
        for index in self.vectors.values():
            index.remove(node for node in removed if node in index)
        # A thread an index, and one index a thread: the indexes come out as they would one after the other.
        with ThreadPoolExecutor(max(len(added), 1)) as threads:
            for done in [threads.submit(self.vectors[kind].add, nodes, codec.kept(rows)) for kind, (nodes, rows) in added.items()]:
                done.result()
        rows = [(node, kind.value, text) for kind in LEXICAL for node, text in texts.get(kind, {}).items()]
        self.lexical.update(rows, removed, generation)

    def save(self, generation: int) -> None:
        """Write the vector indexes; the lexical index is on disk already."""
        # Most of it is writing and hashing files, during which other threads go on.
        with ThreadPoolExecutor(len(self.vectors)) as threads:
            for done in [threads.submit(index.save, generation) for index in self.vectors.values()]:
                done.result()

    def catch_up(self, store: GraphStore, thorough: bool = False) -> list[Repair]:
        """Bring every index into step with the graph, whatever it missed.

        Args:
            store: the truth.
            thorough: compare even where the generations agree.
        """
        repairs = [
            self._catch_up_vectors(kind, index, store)
            for kind, index in self.vectors.items()
            if thorough or index.generation != store.generation
        ]
        if thorough or self.lexical.generation != store.generation:
            repairs.append(self._catch_up_lexical(store))
        return repairs

    def _catch_up_vectors(self, kind: Kind, index: VectorIndex, store: GraphStore) -> Repair:
        wanted = _nodes(store, kind, self._layout)
        stale = [node for node in index.nodes() if node not in wanted]
        index.remove(stale)
        missing = [node for node in wanted if node not in index]
        added = 0
        for batch in _batches(missing):
            stored = _stored_vectors(store, batch, self._layout)
            if stored:
                index.add(list(stored), _rows(stored.values()))
            added += len(stored)
        return Repair(f"{kind.value} vectors", added, len(stale), getattr(index, "problem", None) or "")

    def _catch_up_lexical(self, store: GraphStore) -> Repair:
        known = set(self.lexical.nodes())
        wanted = {node: kind for kind in LEXICAL for node in _nodes(store, kind, self._layout)}
        stale = [node for node in known if node not in wanted]
        missing = [node for node in wanted if node not in known]
        # Until the last line the index says that it is behind, so that a crash in between does not make it pass for current.
        behind = self.lexical.generation
        self.lexical.update((), stale, behind)
        for batch in _batches(missing):
            for kind in LEXICAL:
                texts = texts_of(store, self._layout, kind.value, [node for node in batch if wanted[node] is kind])
                self.lexical.update([(node, kind.value, text) for node, text in texts.items()], (), behind)
        self.lexical.update((), (), store.generation)
        return Repair("words", len(missing), len(stale), getattr(self.lexical, "problem", None) or "")


def _nodes(store: GraphStore, kind: Kind, layout: Layout) -> dict[str, None]:
    """All nodes of a kind; a dictionary keeps the store's order, so that an index is always filled in the same order."""
    return {
        quad.subject.value: None
        for quad in store.quads(None, RDF.type, kind.type, kind.graph(layout))
        if isinstance(quad.subject, ox.NamedNode)
    }


def _stored_vectors(store: GraphStore, nodes: Iterable[str], layout: Layout) -> dict[str, str]:
    """IRI → encoded vector; one that cannot be decoded is left out here, and `checks` reports it."""
    return {
        node: quad.object.value
        for node in nodes
        for quad in store.quads(ox.NamedNode(node), SEMKG.embedding, None, layout.vectors)
        if isinstance(quad.object, ox.Literal) and _decodes(quad.object.value)
    }


def _decodes(encoded: str) -> bool:
    try:
        codec.decode(encoded)
    except ValueError:
        return False
    return True


def _rows(encoded: Iterable[str]) -> Vectors:
    return codec.decode_many(list(encoded))


def _batches(nodes: Sequence[str]) -> Iterable[list[str]]:
    rest = iter(nodes)
    while batch := list(islice(rest, BATCH)):
        yield batch
