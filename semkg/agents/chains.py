"""Chains of facts from what a question names to what may answer it: a beam search over the canonical edges.

An edge is worth what its words have in common with the words of the question that no earlier edge of the chain has accounted for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import pyoxigraph as ox

from semkg.agents.asked import Asked, Wanted
from semkg.graph.layout import Layout
from semkg.graph.texts import entity_label, predicate_label
from semkg.ports import GraphStore
from semkg.retrieve.stems import stems
from semkg.sparql import query
from semkg.vocab import RDF, SEMKG, SKOS, XSD

DEPTH = 4
BEAM = 48
FAN_OUT = 200
"""Edges of one entity that are followed; of a hub's, those whose relation shares a word with the question."""

SCAN = 4000
"""Edges of one entity that are read, in the order of the store."""

STEP_COST = 0.12
KIND_BONUS = 0.3
NEAR = 0.45
"""Least cosine at which two words of different stems are taken for one relation."""

TIMES = frozenset({XSD.gYear, XSD.gYearMonth, XSD.date, XSD.dateTime})
NUMBERS = frozenset({XSD.integer, XSD.decimal, XSD.double})

Term = ox.NamedNode | ox.Literal


class Closeness(Protocol):
    """Cosine between two short texts."""

    def prepare(self, texts: Iterable[str]) -> None:
        """Embed many texts at once, before they are compared one by one."""
        ...

    def __call__(self, first: str, second: str) -> float: ...


@dataclass(frozen=True, slots=True)
class Edge:
    """A canonical edge, and the end of it that the chain goes on from."""

    subject: ox.NamedNode
    predicate: ox.NamedNode
    object: Term
    to: Term


@dataclass(frozen=True, slots=True)
class Chain:
    """Edges from `start`. `covered`: question words accounted for, each with how well."""

    start: ox.NamedNode
    edges: tuple[Edge, ...] = ()
    covered: tuple[tuple[str, float], ...] = ()
    score: float = 0.0

    @property
    def end(self) -> Term:
        return self.edges[-1].to if self.edges else self.start

    def visits(self, node: Term) -> bool:
        return node == self.start or any(edge.to == node for edge in self.edges)


class ChainSearch:
    """Searches one dataset's facts."""

    def __init__(self, store: GraphStore, layout: Layout, closeness: Closeness) -> None:
        self._store = store
        self._layout = layout
        self._closeness = closeness

    def chains(self, asked: Asked, starts: Sequence[ox.NamedNode]) -> list[Chain]:
        """Chains that end at something of the wanted kind, the best first; `score` is at most 1."""
        beam = [Chain(start) for start in starts]
        found: list[Chain] = []
        for _ in range(DEPTH):
            steps = [(chain, edge) for chain in beam for edge in self._edges(chain.end, asked.words) if not chain.visits(edge.to)]
            self._closeness.prepare([*asked.words, *{predicate_label(self._store, edge.predicate, self._layout) for _, edge in steps}])
            grown = [longer for chain, edge in steps if (longer := self._grow(chain, edge, asked))]
            beam = sorted(grown, key=_rank)[:BEAM]
            found += (chain for chain in grown if chain.end not in starts)
        best = [chain for chain in found if self.fits(chain.end, asked.wanted)]
        return sorted((self._scored(chain, asked) for chain in best), key=_rank)

    def fits(self, end: Term, wanted: Wanted) -> bool:
        """Is this the kind of thing that was asked for?"""
        if isinstance(end, ox.Literal):
            allowed = {Wanted.TIME: TIMES, Wanted.NUMBER: NUMBERS | TIMES}.get(wanted)
            return wanted is Wanted.ANY or (allowed is not None and end.datatype in allowed)
        kinds = {Wanted.PERSON: {"Person"}, Wanted.AGENT: {"Person", "Organization", "Group"}, Wanted.PLACE: {"Place", "Facility"}}.get(
            wanted
        )
        return wanted is Wanted.ANY or (kinds is not None and self._class(end) in kinds)

    def _scored(self, chain: Chain, asked: Asked) -> Chain:
        coverage = sum(weight for _, weight in chain.covered) / max(1, len(asked.words))
        return Chain(chain.start, chain.edges, chain.covered, min(1.0, coverage) - STEP_COST * (len(chain.edges) - 1))

    def _grow(self, chain: Chain, edge: Edge, asked: Asked) -> Chain | None:
        taken = {word for word, _ in chain.covered}
        gains = self._gains(edge, [word for word in asked.words if word not in taken])
        if not gains:
            # A step that the question does not ask for leads from anywhere to anywhere.
            return None
        worth = sum(weight for _, weight in gains) - STEP_COST
        return Chain(chain.start, (*chain.edges, edge), (*chain.covered, *gains), chain.score + worth)

    def _gains(self, edge: Edge, words: Iterable[str]) -> list[tuple[str, float]]:
        """The question's words that this edge accounts for: by its relation, or by what the thing at its end is."""
        label = predicate_label(self._store, edge.predicate, self._layout)
        relation = stems(label)
        kind = self._kind_words(edge.to)
        gains = []
        for word in words:
            if any(alike(word, other) for other in relation):
                gains.append((word, 1.0))
            elif word in kind:
                gains.append((word, KIND_BONUS * 2))
            elif (near := self._closeness(word, label)) >= NEAR:
                gains.append((word, near))
        return gains

    def _kind_words(self, node: Term) -> frozenset[str]:
        if isinstance(node, ox.Literal):
            return frozenset()
        definitions = " ".join(
            quad.object.value
            for quad in self._store.quads(node, SKOS.definition, None, self._layout.facts)
            if isinstance(quad.object, ox.Literal)
        )
        name = self._class(node)
        return frozenset(stems(f"{name} {KIND_WORDS.get(name, '')} {definitions} {entity_label(self._store, node, self._layout)}"))

    def _class(self, node: ox.NamedNode) -> str:
        types = (quad.object for quad in self._store.quads(node, RDF.type, None, self._layout.facts) if quad.object != SEMKG.Entity)
        return min((type.value.rsplit("/", 1)[-1].rsplit("#", 1)[-1] for type in types if isinstance(type, ox.NamedNode)), default="")

    def _edges(self, node: Term, words: Sequence[str]) -> list[Edge]:
        if isinstance(node, ox.Literal):
            return []
        rows = islice(self._store.select(query("retrieve/list-edges").bind(origin=node), [self._layout.facts]), SCAN)
        edges = sorted((Edge(row["s"], row["p"], row["o"], row["to"]) for row in rows), key=str)
        if len(edges) > FAN_OUT:
            fitting = {predicate for predicate in {edge.predicate for edge in edges} if self._shares(predicate, words)}
            edges = [edge for edge in edges if edge.predicate in fitting]
        return edges[:FAN_OUT]

    def _shares(self, predicate: ox.NamedNode, words: Sequence[str]) -> bool:
        relation = stems(predicate_label(self._store, predicate, self._layout))
        return any(alike(word, other) for word in words for other in relation)


KIND_WORDS = {"Organization": "company firm organisation institution", "Place": "town city village country", "Person": "man woman"}
"""What people call the things of a class."""


def alike(word: str, other: str) -> bool:
    """Are two stems forms of one word?

    >>> alike("observ", "observatory"), alike("found", "foundry")
    (True, True)
    """
    shared = min(len(word), len(other))
    return word == other or (shared >= 4 and (word.startswith(other) or other.startswith(word)))


def _rank(chain: Chain) -> tuple[float, int, str]:
    return (-chain.score, len(chain.edges), str(chain.end) + "".join(str(edge.predicate) for edge in chain.edges))
