"""The graph stream: a walk through the adjacency that the question guides.

What guides it is read here: which subjects the question names, which statements come near to it, and what the passages say beside the names
that they speak of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semkg.graph.indexes import Indexes, Kind
from semkg.graph.layout import Layout
from semkg.graph.texts import entity_label, value
from semkg.ids import normal_name
from semkg.ports import GraphStore
from semkg.retrieve.adjacency import NONE, Adjacency, row
from semkg.retrieve.graph_index import Closeness, Graph, GraphIndex
from semkg.retrieve.naming import words_of
from semkg.retrieve.question import Question, common_words
from semkg.retrieve.results import Step
from semkg.retrieve.stems import STOP, stems
from semkg.retrieve.tuning import Tuning
from semkg.retrieve.walk import Arrival, Relation, Seen, Walk, Walked, best
from semkg.vocab import DCTERMS, SEMKG

if TYPE_CHECKING:
    from semkg.retrieve.adjacency import Numbers
    from semkg.retrieve.walk import Scores

REMEMBERED = 2_000
"""Passages whose sentences and titles are kept."""

LONGEST_PATH = 4

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`words`: in the normal form of names, with a space at both ends."""

    words: str
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Guided:
    """What the walk found. `scores`: with what the other streams say; `votes`: without; both of shape (passages,)."""

    adjacency: Adjacency
    walked: Walked
    path: Callable[[int], tuple[Step, ...]]

    def ranking(self, count: int) -> list[tuple[str, float]]:
        """The best passages by IRI."""
        return self._listed(self.walked.scores, count)

    def voted(self, count: int) -> list[tuple[str, float]]:
        """The passages with the largest votes by IRI."""
        return [(node, score) for node, score in self._listed(self.walked.votes, count) if score > 0]

    def _listed(self, scores: Scores, count: int) -> list[tuple[str, float]]:
        return [(self.adjacency.passages[number], float(scores[number])) for number in best(scores, count).tolist()]


class GuidedWalk:
    """The graph stream of one dataset."""

    def __init__(self, store: GraphStore, layout: Layout, indexes: Indexes, graphs: GraphIndex) -> None:
        self._store = store
        self._layout = layout
        self._indexes = indexes
        self._graphs = graphs
        self._sentences = lru_cache(REMEMBERED)(self._read_sentences)
        self._titles = lru_cache(REMEMBERED)(self._read_title)

    def __call__(self, question: Question, base: Mapping[str, float], unseen: float, tuning: Tuning) -> Guided:
        """Walk from what the question names and from what the other streams found.

        Args:
            question: linked subjects and statements are looked up here.
            base: passage → what the other streams say of it.
            unseen: what they say of the others.
            tuning: the parameters.
        """
        graph = self._graphs.graph()
        guide = Guide(self._indexes, question, graph, self._sentences)
        seen = Seen(guide.base(base, unseen), guide.fit, guide.subjects, guide.words, guide.seeds(tuning))
        walked = Walk(graph.adjacency, seen, guide.nearness, tuning).walk(graph.transition if tuning.pagerank else None)
        return Guided(graph.adjacency, walked, lambda passage: self._path(graph.adjacency, walked, passage))

    def _read_sentences(self, chunk: str) -> tuple[Sentence, ...]:
        text = value(self._store, ox.NamedNode(chunk), SEMKG.text, self._layout.corpus)
        return tuple(Sentence(f" {' '.join(words_of(sentence))} ", frozenset(stems(sentence))) for sentence in _SENTENCE_END.split(text))

    def _path(self, adjacency: Adjacency, walked: Walked, passage: int) -> tuple[Step, ...]:
        """From the question to the passage, by the largest vote of each passage on the way."""
        steps: list[Step] = []
        place, met = passage, {passage}
        while len(steps) < LONGEST_PATH and (arrival := walked.arrival(place)):
            steps.append(self._step(adjacency, arrival))
            if arrival.source == NONE or arrival.source in met:
                break
            place = arrival.source
            met.add(place)
        return tuple(reversed(steps))

    def _step(self, adjacency: Adjacency, arrival: Arrival) -> Step:
        if arrival.relation is Relation.PAGERANK:
            return Step(arrival.relation.value, "")
        if arrival.relation is Relation.SHARED:
            entity = adjacency.entities[arrival.via]
            name, iri = entity_label(self._store, ox.NamedNode(entity), self._layout), entity
        else:
            name, iri = adjacency.names[arrival.via], ""
        if arrival.source == NONE:
            return Step(arrival.relation.value, name, iri)
        source = adjacency.passages[arrival.source]
        return Step(f"“{self._titles(source)}” {arrival.relation.value}", name, iri or source)

    def _read_title(self, chunk: str) -> str:
        document = value(self._store, ox.NamedNode(chunk), DCTERMS.isPartOf, self._layout.corpus)
        return value(self._store, ox.NamedNode(document), DCTERMS.title, self._layout.corpus) if document else ""


class Guide:
    """What one question says about one graph."""

    def __init__(self, indexes: Indexes, question: Question, graph: Graph, sentences: Callable[[str], Sequence[Sentence]]) -> None:
        self._indexes = indexes
        self._question = question
        self._graph = graph
        self._sentences = sentences
        self._closeness = Closeness(graph.vectors, question.vector)
        self._statements: dict[int, dict[int, float]] = {}
        self.subjects = self._named()
        self.words = self._other_words()

    def base(self, found: Mapping[str, float], unseen: float) -> Scores:
        """What the other streams say, by passage number."""
        import numpy as np

        adjacency = self._graph.adjacency
        scores = np.full(len(adjacency.passages), unseen, np.float32)
        for node, score in found.items():
            number = adjacency.passage_numbers.get(node)
            if number is not None:
                scores[number] = score
        return scores

    def fit(self, passages: Numbers) -> Scores:
        """(1 + cosine) / 2."""
        return self._closeness.fit(passages)

    def seeds(self, tuning: Tuning) -> list[tuple[int, float]]:
        """The entities of the statements nearest to the question, the rarer the heavier (HippoRAG 2's seeding by facts)."""
        if not tuning.pagerank:
            return []
        adjacency = self._graph.adjacency
        seeds: list[tuple[int, float]] = []
        for hit in self._indexes.vectors[Kind.TRIPLET].search(self._question.vector, tuning.statements):
            triplet = adjacency.triplet_numbers.get(hit.node)
            ends = () if triplet is None else (int(adjacency.subject_of[triplet]), int(adjacency.object_of[triplet]))
            seeds += [(entity, max(hit.score, 0.0) / max(1, len(row(adjacency.mentions, entity)))) for entity in ends if entity != NONE]
        return [(entity, weight) for entity, weight in seeds if weight > 0]

    def nearness(self, passage: int, name: int) -> tuple[float, float]:
        """See `walk.Nearness`."""
        return self._statements_about(passage).get(name, 0.0), self._wording(passage, name)

    def _named(self) -> tuple[int, ...]:
        common = common_words(self._question.text)
        found = self._graph.names.find(words_of(self._question.text))
        kept = (each.name for each in found if each.end - each.start > 1 or not (each.name in common or each.name in STOP))
        return tuple(dict.fromkeys(self._graph.adjacency.name_numbers[name] for name in kept))

    def _other_words(self) -> frozenset[str]:
        rest = f" {normal_name(self._question.text)} "
        for name in self.subjects:
            rest = rest.replace(f" {self._graph.adjacency.names[name]} ", " ")
        return frozenset(stems(rest))

    def _statements_about(self, passage: int) -> Mapping[int, float]:
        """Name → the largest cosine of a statement of the passage about what bears it."""
        known = self._statements.get(passage)
        if known is None:
            known = self._statements[passage] = self._compared(passage)
        return known

    def _compared(self, passage: int) -> dict[int, float]:
        adjacency = self._graph.adjacency
        about = [
            (int(triplet), int(adjacency.name_of[entity]))
            for triplet in row(adjacency.triplets_in, passage)
            for entity in (adjacency.subject_of[triplet], adjacency.object_of[triplet])
            if entity != NONE and adjacency.name_of[entity] != NONE
        ]
        triplets = list(dict.fromkeys(triplet for triplet, _ in about))
        if not triplets:
            return {}
        rows = self._indexes.vectors[Kind.TRIPLET].vectors([adjacency.triplets[triplet] for triplet in triplets])
        cosine = dict(zip(triplets, (rows @ self._question.vector).tolist(), strict=True))
        nearest: dict[int, float] = {}
        for triplet, name in about:
            nearest[name] = max(nearest.get(name, 0.0), cosine[triplet])
        return nearest

    def _wording(self, passage: int, name: int) -> float:
        """The share of the question's other words in the passage's best sentence that bears the name."""
        if not self.words:
            return 0.0
        wanted = f" {self._graph.adjacency.names[name]} "
        shares = (
            len(self.words & sentence.stems) / len(self.words)
            for sentence in self._sentences(self._graph.adjacency.passages[passage])
            if wanted in sentence.words
        )
        return max(shares, default=0.0)
