"""A question as the streams see it: its words, its vector, and the entities that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semkg.graph.edges import canonical
from semkg.graph.indexes import Indexes, Kind
from semkg.graph.layout import Layout
from semkg.ids import normal_name
from semkg.ports import Embedder, GraphStore
from semkg.vocab import SKOS

if TYPE_CHECKING:
    from semkg.ports import Vectors

NAMES = 60
"""How many entities the lexical index proposes for a question."""

NEAR = 0.75
"""Least cosine between a question and an entity's label for a link without a shared name."""


@dataclass(frozen=True, slots=True)
class Linked:
    """An entity that the question names, or comes close to naming. `words` is the part of the question, normalised."""

    entity: ox.NamedNode
    label: str
    words: str
    weight: float


@dataclass(frozen=True)
class Question:
    """`vector`: shape (dimension,), unit length. `linked`: the best first, looked up when it is asked for."""

    text: str
    vector: Vectors
    link: Callable[[], Sequence[Linked]]

    @cached_property
    def linked(self) -> tuple[Linked, ...]:
        return tuple(self.link())


class Linker:
    """Links a question to entities by name, and by embedding where no name is found."""

    def __init__(self, store: GraphStore, layout: Layout, indexes: Indexes, embedder: Embedder) -> None:
        self._store = store
        self._layout = layout
        self._indexes = indexes
        self._embedder = embedder

    def question(self, text: str) -> Question:
        vector: Vectors = self._embedder.embed([text])[0]
        return Question(text, vector, lambda: self.link(text, vector))

    def link(self, text: str, vector: Vectors) -> list[Linked]:
        """Entities whose name stands in the text, a longer name before one inside it; else the nearest by embedding."""
        words = f" {normal_name(text)} "
        common = common_words(text)
        named = [
            Linked(canonical(self._store, node, self._layout), name, normal_name(name), 1.0)
            for node, name in self._proposed(text)
            if normal_name(name) and f" {normal_name(name)} " in words and normal_name(name) not in common
        ]
        kept = _longest(named)
        return kept or self._near(vector)

    def _proposed(self, text: str) -> Iterable[tuple[ox.NamedNode, str]]:
        for hit in self._indexes.lexical.search(text, NAMES, type=Kind.ENTITY.value):
            node = ox.NamedNode(hit.node)
            for predicate in (SKOS.prefLabel, SKOS.altLabel):
                for quad in self._store.quads(node, predicate, None, self._layout.facts):
                    if isinstance(quad.object, ox.Literal):
                        yield node, quad.object.value

    def _near(self, vector: Vectors) -> list[Linked]:
        hits = self._indexes.vectors[Kind.ENTITY].search(vector, 3)
        found = (ox.NamedNode(hit.node) for hit in hits if hit.score >= NEAR)
        return [Linked(canonical(self._store, node, self._layout), "", "", NEAR) for node in found]


def common_words(text: str) -> frozenset[str]:
    """Words in lower case, where the question writes names with capitals: “the father of Ada” names no work called “Father”."""
    words = text.split()
    if not any(word[:1].isupper() for word in words[1:]):
        return frozenset()
    return frozenset(normal_name(word) for word in words if word[:1].islower())


def _longest(named: Iterable[Linked]) -> list[Linked]:
    """Without names that lie inside a longer one, and one link an entity."""
    kept: list[Linked] = []
    for link in sorted(named, key=lambda link: (-len(link.words), link.entity.value)):
        inside = any(f" {link.words} " in f" {other.words} " and link.words != other.words for other in kept)
        if not inside and all(link.entity != other.entity for other in kept):
            kept.append(link)
    return kept
