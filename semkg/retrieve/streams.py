"""The streams of RAGA §3.6 that ask an index or the store: each takes a question and ranks passages by one kind of closeness."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import pyoxigraph as ox

from semkg.graph.indexes import Indexes, Kind
from semkg.graph.layout import Layout
from semkg.graph.reads import mentions
from semkg.graph.texts import entity_label, predicate_label
from semkg.ports import GraphStore, Hit
from semkg.retrieve.question import Question
from semkg.retrieve.results import Step
from semkg.sparql import query
from semkg.vocab import DCTERMS, FOAF, SEMKG

RECALL = 100
"""Candidates of a stream (RAGA §3.6.1, k1)."""

DECAY = 0.5
"""What an entity's weight is multiplied by at each hop."""

FAN_OUT = 60
"""Most neighbours that one entity passes its weight to; an entity with more is no specific link."""

HOPS = 2

ABOUT = 2.0
"""How much more a passage about an entity counts than one that mentions it."""

FRONTIER = 120
PASSAGES = 300


@dataclass(frozen=True, slots=True)
class StreamHit:
    """A node found by one stream, and how the graph led there."""

    node: str
    score: float
    path: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity with the weight that arrived at it and the edges it came along."""

    weight: float
    path: tuple[ox.NamedNode, ...]


class Streams:
    """Vector, lexical and property-path stream over one dataset."""

    def __init__(self, store: GraphStore, layout: Layout, indexes: Indexes) -> None:
        self._store = store
        self._layout = layout
        self._indexes = indexes

    def nearest(self, question: Question, limit: int = RECALL, kind: Kind = Kind.CHUNK) -> list[Hit]:
        """Nearest nodes of a kind, by cosine."""
        return self._indexes.vectors[kind].search(question.vector, limit)

    def lexical(self, question: Question, limit: int = RECALL) -> list[StreamHit]:
        """Passages that share words with the question, by BM25."""
        return [StreamHit(hit.node, hit.score) for hit in self._indexes.lexical.search(question.text, limit, type=Kind.CHUNK.value)]

    def kg(self, question: Question, limit: int = RECALL) -> list[StreamHit]:
        """Passages that mention, or are about, entities within two hops of those that the question names (RAGA §3.6.2, eq. 4)."""
        reached = {link.entity: Reached(link.weight, (link.entity,)) for link in question.linked}
        frontier = dict(reached)
        for _ in range(HOPS):
            frontier = self._hop(frontier, reached)
            reached |= frontier
        scores: dict[str, float] = defaultdict(float)
        arrivals: dict[str, Reached] = {}
        for entity, arrived in reached.items():
            for chunk, share in self._passages(entity).items():
                scores[chunk] += arrived.weight * share
                if chunk not in arrivals or arrived.weight > arrivals[chunk].weight:
                    arrivals[chunk] = arrived
        best = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))[:PASSAGES]
        closeness = self._closeness(question, best)
        ranked = sorted((-scores[chunk] * closeness[chunk], chunk) for chunk in best)[:limit]
        return [StreamHit(chunk, -score, self.in_words(arrivals[chunk].path)) for score, chunk in ranked]

    def _hop(self, frontier: Mapping[ox.NamedNode, Reached], known: Mapping[ox.NamedNode, Reached]) -> dict[ox.NamedNode, Reached]:
        strongest = sorted(frontier, key=lambda node: (-frontier[node].weight, node.value))[:FRONTIER]
        if not strongest:
            return {}
        neighbours: dict[ox.NamedNode, list[ox.NamedNode]] = defaultdict(list)
        for solution in self._store.select(query("retrieve/expand-hop").bind(origin=strongest), [self._layout.facts]):
            origin, to = solution["origin"], solution["to"]
            if isinstance(origin, ox.NamedNode) and isinstance(to, ox.NamedNode):
                neighbours[origin].append(to)
        found: dict[ox.NamedNode, Reached] = {}
        for origin, near in neighbours.items():
            weight = frontier[origin].weight * DECAY / math.sqrt(len(near))
            for to in near if len(near) <= FAN_OUT else ():
                if to not in known and weight > found.get(to, Reached(0.0, ())).weight:
                    found[to] = Reached(weight, (*frontier[origin].path, to))
        return found

    def in_words(self, path: tuple[ox.NamedNode, ...]) -> tuple[Step, ...]:
        """Entities, each with the relation that leads there; the first is one that the question names."""
        steps = [Step("the question names", entity_label(self._store, path[0], self._layout), path[0].value)]
        for origin, to in pairwise(path):
            ends = ((origin, to), (to, origin))
            edges = sorted((quad.predicate for s, o in ends for quad in self._store.quads(s, None, o, self._layout.facts)), key=str)
            relation = predicate_label(self._store, edges[0], self._layout) if edges else ""
            steps.append(Step(relation, entity_label(self._store, to, self._layout), to.value))
        return tuple(steps)

    def _passages(self, entity: ox.NamedNode) -> dict[str, float]:
        """Passage → the entity's share in it: less for an entity that is mentioned everywhere."""
        chunks = mentions(self._store, self._layout, entity)
        share = 1 / (1 + math.log(max(1, len(chunks))))
        about = self._documents_about(entity)
        return {chunk.value: share * (ABOUT if self._document(chunk) in about else 1.0) for chunk in chunks[: PASSAGES * 2]}

    def _documents_about(self, entity: ox.NamedNode) -> set[ox.NamedNode]:
        found = {quad.subject for quad in self._store.quads(None, FOAF.primaryTopic, entity, self._layout.corpus)}
        for quad in self._store.quads(None, SEMKG.mergedInto, entity, self._layout.facts):
            if isinstance(quad.subject, ox.NamedNode):
                found |= {about.subject for about in self._store.quads(None, FOAF.primaryTopic, quad.subject, self._layout.corpus)}
        return {node for node in found if isinstance(node, ox.NamedNode)}

    def _document(self, chunk: ox.NamedNode) -> ox.NamedNode | None:
        found = (quad.object for quad in self._store.quads(chunk, DCTERMS.isPartOf, None, self._layout.corpus))
        return next((node for node in found if isinstance(node, ox.NamedNode)), None)

    def _closeness(self, question: Question, chunks: Iterable[str]) -> dict[str, float]:
        """A light semantic filter: (1 + cosine) / 2 of each passage with the question."""
        nodes = list(chunks)
        cosines = self._indexes.vectors[Kind.CHUNK].vectors(nodes) @ question.vector
        return {node: (1 + float(cosine)) / 2 for node, cosine in zip(nodes, cosines, strict=True)}
