"""Deep retrieval: from the question's entities along the statements that fit it best, over HyperNodes where they bridge (RAGA §3.6).

Navigation is chained: each step starts from the entities that the last one reached and follows the statements about them that are nearest
to the question in meaning. What it finds is merged with the vector candidates by score.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pyoxigraph as ox

from semkg.graph.edges import canonical
from semkg.graph.indexes import Indexes, Kind
from semkg.graph.layout import Layout
from semkg.graph.texts import entity_label, texts_of
from semkg.ports import GraphStore
from semkg.retrieve.adjacency import NONE, Adjacency, row
from semkg.retrieve.graph_index import Closeness, GraphIndex
from semkg.retrieve.question import Question
from semkg.retrieve.results import Step
from semkg.retrieve.streams import StreamHit
from semkg.sparql import query

DEPTH = 3
"""Statements in a chain."""

BEAM = 12
"""Statements that are followed at each step."""

FAN_OUT = 200
"""Statements about one entity that are looked at."""

DECAY = 0.8
"""What a chain's weight is multiplied by at each statement."""

BRIDGED = 0.7
"""What it is multiplied by where a HyperNode bridges to another of its members."""

ABOUT = 1.0
MENTIONED = 0.3
"""What a passage about the entity that a chain reaches counts, and one that only mentions it, beside 1 for the statement's own passage."""

ABOUT_MOST = 5


@dataclass(frozen=True, slots=True)
class Chain:
    """How an entity was reached. `entity`: its number."""

    entity: int
    weight: float
    path: tuple[Step, ...]


class Navigator:
    """Chained navigation over one dataset."""

    def __init__(self, store: GraphStore, layout: Layout, indexes: Indexes, graphs: GraphIndex) -> None:
        self._store = store
        self._layout = layout
        self._indexes = indexes
        self._graphs = graphs

    def __call__(self, question: Question, limit: int) -> list[StreamHit]:
        """The passages that chains lead to, scored in [0, 1] relative to the best."""
        graph = self._graphs.graph()
        trip = _Trip(graph.adjacency, Closeness(graph.vectors, question.vector))
        frontier = self._bridged(self._start(question, graph.adjacency), graph.adjacency)
        used: set[int] = set()
        for _ in range(DEPTH):
            for chain in frontier:
                trip.arrive(chain)
            frontier = self._bridged(self._followed(frontier, question, graph.adjacency, used, trip), graph.adjacency)
        for chain in frontier:
            trip.arrive(chain)
        return trip.hits(limit)

    def _start(self, question: Question, adjacency: Adjacency) -> list[Chain]:
        chains = []
        for link in question.linked:
            number = adjacency.entity_numbers.get(link.entity.value)
            if number is not None:
                label = entity_label(self._store, link.entity, self._layout)
                chains.append(Chain(number, link.weight, (Step("the question names", label, link.entity.value),)))
        return chains

    def _bridged(self, chains: Iterable[Chain], adjacency: Adjacency) -> list[Chain]:
        """The chains, and for each entity those that share a HyperNode with it."""
        reached = {chain.entity: chain for chain in sorted(chains, key=lambda chain: chain.weight)}
        if not reached:
            return []
        entities = [ox.NamedNode(adjacency.entities[number]) for number in reached]
        found = dict(reached)
        for solution in self._store.select(query("retrieve/bridge-hypernodes").bind(entity=entities), [self._layout.communities]):
            entity, other = solution["entity"], solution["other"]
            if not isinstance(entity, ox.NamedNode) or not isinstance(other, ox.NamedNode):
                continue
            number = adjacency.entity_numbers.get(canonical(self._store, other, self._layout).value)
            if number is not None and number not in found:
                chain = reached[adjacency.entity_numbers[entity.value]]
                step = Step("shares a HyperNode with", entity_label(self._store, other, self._layout), other.value)
                found[number] = Chain(number, chain.weight * BRIDGED, (*chain.path, step))
        return list(found.values())

    def _followed(self, frontier: Iterable[Chain], question: Question, adjacency: Adjacency, used: set[int], trip: _Trip) -> list[Chain]:
        """The best statements about the entities of the frontier, and the entities that they lead to."""
        starts: dict[int, Chain] = {}
        for chain in frontier:
            for triplet in row(adjacency.triplets_of, chain.entity)[:FAN_OUT].tolist():
                if triplet not in used and (triplet not in starts or starts[triplet].weight < chain.weight):
                    starts[triplet] = chain
        nearest = self._nearest(question, adjacency, starts)
        texts = texts_of(self._store, self._layout, Kind.TRIPLET.value, [adjacency.triplets[triplet] for triplet, _ in nearest])
        chains = []
        for triplet, cosine in nearest:
            used.add(triplet)
            chain = starts[triplet]
            iri = adjacency.triplets[triplet]
            path = (*chain.path, Step("", texts[iri], iri))
            weight = chain.weight * DECAY * max(0.0, cosine)
            trip.say(int(adjacency.passage_of[triplet]), weight, path)
            ends = {int(adjacency.subject_of[triplet]), int(adjacency.object_of[triplet])} - {NONE, chain.entity}
            chains += [Chain(entity, weight, path) for entity in ends]
        return chains

    def _nearest(self, question: Question, adjacency: Adjacency, starts: Mapping[int, Chain]) -> list[tuple[int, float]]:
        triplets = sorted(starts)
        if not triplets:
            return []
        rows = self._indexes.vectors[Kind.TRIPLET].vectors([adjacency.triplets[triplet] for triplet in triplets])
        cosines = (rows @ question.vector).tolist()
        ranked = sorted(zip(triplets, cosines, strict=True), key=lambda item: (-item[1] * starts[item[0]].weight, item[0]))
        return ranked[:BEAM]


class _Trip:
    """What the chains of one question brought, passage by passage."""

    def __init__(self, adjacency: Adjacency, closeness: Closeness) -> None:
        self._adjacency = adjacency
        self._closeness = closeness
        self._scores: dict[int, float] = defaultdict(float)
        self._paths: dict[int, tuple[float, tuple[Step, ...]]] = {}

    def say(self, passage: int, weight: float, path: tuple[Step, ...]) -> None:
        """A passage says something that a chain is made of."""
        if passage == NONE or weight <= 0:
            return
        self._scores[passage] += weight
        if weight > self._paths.get(passage, (0.0, ()))[0]:
            self._paths[passage] = (weight, path)

    def arrive(self, chain: Chain) -> None:
        """A chain reached an entity: the passages about it count, and a little those that mention it."""
        import numpy as np

        adjacency = self._adjacency
        name = int(adjacency.name_of[chain.entity])
        about = row(adjacency.about, name) if name != NONE else np.empty(0, np.int32)
        fit = self._closeness.of(about)
        for passage in about[np.argsort(-fit, kind="stable")][:ABOUT_MOST].tolist():
            self.say(passage, chain.weight * ABOUT * self._fit(passage), chain.path)
        mentions = row(adjacency.mentions, chain.entity)
        if len(mentions) <= FAN_OUT:
            for passage in mentions.tolist():
                self.say(passage, chain.weight * MENTIONED * self._fit(passage) / np.sqrt(len(mentions)), chain.path)

    def hits(self, limit: int) -> list[StreamHit]:
        ranked = sorted(self._scores, key=lambda passage: (-self._scores[passage], passage))[:limit]
        largest = self._scores[ranked[0]] if ranked else 1.0
        return [
            StreamHit(self._adjacency.passages[passage], self._scores[passage] / largest, self._paths[passage][1]) for passage in ranked
        ]

    def _fit(self, passage: int) -> float:
        import numpy as np

        return float(1 + self._closeness.of(np.array([passage], np.int32))[0]) / 2
