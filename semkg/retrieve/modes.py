"""Retrieval modes: which streams run and how what they say becomes one ranking (RAGA §3.6).

`vector` and `lexical` ask one index, `kg` follows the canonical edges by property paths, `fusion` adds the votes of a guided walk through
the graph to what the vector and the lexical stream say, `deep` merges chained navigation with the vector candidates.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox

from semkg.errors import Misconfigured, ModelUnavailable, UsageError
from semkg.graph.indexes import Indexes, Kind
from semkg.graph.layout import Layout
from semkg.graph.reads import chunk as read_chunk
from semkg.graph.texts import texts_of, value
from semkg.ports import Embedder, GraphStore, Hit, Reranker
from semkg.retrieve.budget import Abandoned, within
from semkg.retrieve.deep import Navigator
from semkg.retrieve.filters import ANYTHING, Filter, allowed
from semkg.retrieve.graph_index import GraphIndex
from semkg.retrieve.guided import GuidedWalk
from semkg.retrieve.question import Linker, Question
from semkg.retrieve.results import Passage, Place, Results, Step
from semkg.retrieve.streams import StreamHit, Streams
from semkg.retrieve.tuning import DEFAULT, Tuning
from semkg.vocab import DCTERMS, OA, RDFS, SEMKG

RERANKED = 20
"""Best passages that a reranker orders anew."""


@dataclass(slots=True)
class Ranking:
    """What a mode found: nodes with their scores, the best first, what each stream says, and the paths of the graph."""

    scores: dict[str, float]
    streams: dict[str, list[StreamHit]] = field(default_factory=dict)
    paths: Callable[[str], tuple[Step, ...]] = lambda node: ()
    notes: tuple[str, ...] = ()

    @property
    def nodes(self) -> list[str]:
        return sorted(self.scores, key=lambda node: (-self.scores[node], node))


class Retriever:
    """Ranks evidence for questions."""

    def __init__(
        self,
        store: GraphStore,
        layout: Layout,
        indexes: Indexes,
        embedder: Embedder,
        graphs: GraphIndex | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        """`graphs`: what `fusion` and `deep` walk on; without one it is derived anew. `reranker`: orders the best passages anew."""
        self._store = store
        self._layout = layout
        self._indexes = indexes
        self._streams = Streams(store, layout, indexes)
        self._linker = Linker(store, layout, indexes, embedder)
        self._reranker = reranker
        self.graphs = graphs or GraphIndex(store, layout, indexes)
        """The adjacency that `fusion` and `deep` walk on."""
        self._walk = GuidedWalk(store, layout, indexes, self.graphs)
        self._navigate = Navigator(store, layout, indexes, self.graphs)

    def question(self, text: str) -> Question:
        """Embed a question.

        Raises:
            UsageError: there are no words in it.
        """
        if not text.strip():
            raise UsageError('the question is empty: ask something, for example `semkg ask "Who founded Acme?"`')
        return self._linker.question(text)

    def retrieve(
        self, question: Question, mode: str = "fusion", limit: int = 10, filter: Filter = ANYTHING, tuning: Tuning = DEFAULT
    ) -> Results:
        """The best `limit` passages that the filter lets pass.

        Raises:
            UsageError: there is no such mode, or it cannot search the filter's kind of node.
            NotFound: the filter names a document or a run that is not there.
        """
        if mode not in MODES:
            raise UsageError(f"there is no mode {mode!r}: choose one of {', '.join(MODES)}")
        if filter.kind is not Kind.CHUNK and mode != "vector":
            raise UsageError(f"the mode {mode} ranks passages: to search for a {filter.kind.value} use the mode vector")
        passing = None if filter.open else allowed(self._store, self._layout, filter)
        ranking = MODES[mode](self, Search(question, limit, filter.kind, passing, tuning))
        nodes = [node for node in ranking.nodes if passing is None or node in passing]
        nodes = self._reranked(question, nodes, filter.kind, ranking)[:limit]
        places = _places(ranking.streams, nodes)
        return Results(tuple(self._passage(node, filter.kind, ranking, places[node]) for node in nodes), ranking.notes)

    def vector(self, search: Search) -> Ranking:
        """Nearest nodes, scored 1 / (1 + ‖q − m‖₂) (RAGA §3.6.1, eq. 3)."""
        hits = [StreamHit(hit.node, 1 / (1 + math.sqrt(max(0.0, 2 - 2 * hit.score)))) for hit in self._nearest(search)]
        return _single("vector", hits)

    def lexical(self, search: Search) -> Ranking:
        """Passages that share words with the question."""
        return _single("lexical", self._streams.lexical(search.question, search.depth))

    def kg(self, search: Search) -> Ranking:
        """Passages that the canonical edges lead to."""
        return _single("kg", self._streams.kg(search.question, search.depth))

    def fusion(self, search: Search) -> Ranking:
        """The vector and the lexical stream, and the graph's votes; without them where it is too slow or fails."""
        tuning = search.tuning
        streams, base, unseen = self._base(search)
        try:
            guided = within(tuning.budget, lambda: self._walk(search.question, base, unseen, tuning))
        except Abandoned as reason:
            scores = fuse(streams, tuning.rank_constant) if tuning.reciprocal else base
            return Ranking(scores, streams, notes=(f"without the graph stream: {reason}",))
        streams["graph"] = [StreamHit(node, score) for node, score in guided.voted(tuning.candidates)]
        scores = fuse(streams, tuning.rank_constant) if tuning.reciprocal else dict(guided.ranking(search.depth))
        numbers = guided.adjacency.passage_numbers
        return Ranking(scores, streams, lambda node: guided.path(numbers[node]) if node in numbers else ())

    def deep(self, search: Search) -> Ranking:
        """Chained navigation merged with the vector candidates by score, each relative to its best."""
        nearest = {hit.node: hit.score for hit in self._nearest(search)}
        streams = {"vector": [StreamHit(node, score) for node, score in nearest.items()]}
        try:
            found = within(search.tuning.budget, lambda: self._navigate(search.question, search.depth))
        except Abandoned as reason:
            return Ranking(nearest, streams, notes=(f"without navigation: {reason}",))
        streams["graph"] = found
        paths = {hit.node: hit.path for hit in found}
        scores, _ = _blended([(nearest, 1.0), ({hit.node: hit.score for hit in found}, 1.0)], 0.0)
        # Where no cosine is above zero and nothing is named, the nearest passages are still the best there are.
        return Ranking(scores or nearest, streams, lambda node: paths.get(node, ()))

    def _base(self, search: Search) -> tuple[dict[str, list[StreamHit]], dict[str, float], float]:
        """The streams beside the graph, what they say together of each passage, and of one that none of them found."""
        tuning = search.tuning
        streams: dict[str, list[StreamHit]] = {}
        if tuning.vector:
            nearest = self._streams.nearest(search.question, tuning.candidates)
            streams["vector"] = [StreamHit(hit.node, max(hit.score, 0.0)) for hit in nearest]
        if tuning.lexical:
            streams["lexical"] = self._streams.lexical(search.question, tuning.candidates)
        weights = {"vector": tuning.vector, "lexical": tuning.lexical}
        weighted = [({hit.node: hit.score for hit in hits}, weights[name]) for name, hits in streams.items()]
        return streams, *_blended(weighted, tuning.unseen)

    def _nearest(self, search: Search) -> list[Hit]:
        index = self._indexes.vectors[search.kind]
        if search.passing is None:
            return index.search(search.question.vector, search.depth)
        # An index knows no filters: what may be found is few enough to compare with each.
        nodes = [node for node in sorted(search.passing) if node in index]
        cosines = (index.vectors(nodes) @ search.question.vector).tolist()
        return sorted((Hit(node, cosine) for node, cosine in zip(nodes, cosines, strict=True)), key=lambda hit: (-hit.score, hit.node))

    def _reranked(self, question: Question, nodes: list[str], kind: Kind, ranking: Ranking) -> list[str]:
        """The best of the nodes in the order of the reranker, which becomes a stream; as they are, with a note, where it fails."""
        if self._reranker is None or not nodes:
            return nodes
        first, rest = nodes[:RERANKED], nodes[RERANKED:]
        texts = self._texts(kind, first)
        try:
            scores = self._reranker.score(question.text, [texts[node] for node in first])
        except (ModelUnavailable, Misconfigured) as failure:
            ranking.notes = (*ranking.notes, f"without the reranker: {failure}")
            return nodes
        order = sorted(range(len(first)), key=lambda place: (-scores[place], place))
        ranking.streams["reranker"] = [StreamHit(first[place], scores[place]) for place in order]
        return [first[place] for place in order] + rest

    def _passage(self, node: str, kind: Kind, ranking: Ranking, places: Mapping[str, Place]) -> Passage:
        if kind is not Kind.CHUNK:
            return self._other(node, kind, ranking, places)
        chunk = read_chunk(self._store, self._layout, ox.NamedNode(node))
        return Passage(
            iri=node,
            score=ranking.scores[node],
            text=chunk.text,
            start=chunk.start,
            end=chunk.end,
            document=chunk.document.value,
            title=value(self._store, chunk.document, DCTERMS.title, self._layout.corpus),
            source=value(self._store, chunk.document, DCTERMS.source, self._layout.corpus),
            streams=places,
            path=ranking.paths(node),
        )

    def _other(self, node: str, kind: Kind, ranking: Ranking, places: Mapping[str, Place]) -> Passage:
        """An entity, a triplet with the document that says it, or a HyperNode."""
        text = self._texts(kind, [node])[node]
        document = self._document_of(node) if kind is Kind.TRIPLET else ""
        titled = ox.NamedNode(document) if document else None
        return Passage(
            iri=node,
            score=ranking.scores[node],
            text=text,
            start=0,
            end=0,
            document=document,
            title=value(self._store, titled, DCTERMS.title, self._layout.corpus) if titled else "",
            source=value(self._store, titled, DCTERMS.source, self._layout.corpus) if titled else "",
            streams=places,
            type=kind.value,
        )

    def _texts(self, kind: Kind, nodes: Sequence[str]) -> Mapping[str, str]:
        """What nodes say; a HyperNode, which has no text of its own, its label."""
        if kind is Kind.HYPERNODE:
            return {node: value(self._store, ox.NamedNode(node), RDFS.label, self._layout.communities) for node in nodes}
        return texts_of(self._store, self._layout, kind.value, nodes)

    def _document_of(self, triplet: str) -> str:
        evidence = value(self._store, ox.NamedNode(triplet), SEMKG.evidence, self._layout.triplets)
        chunk = value(self._store, ox.NamedNode(evidence), OA.hasSource, self._layout.triplets) if evidence else ""
        return value(self._store, ox.NamedNode(chunk), DCTERMS.isPartOf, self._layout.corpus) if chunk else ""


@dataclass(frozen=True, slots=True)
class Search:
    """What a mode is asked. `passing`: the nodes that may be found, None for all."""

    question: Question
    limit: int
    kind: Kind
    passing: frozenset[str] | None
    tuning: Tuning

    @property
    def depth(self) -> int:
        """How many nodes a stream must find: all of them where a filter will leave most of them out."""
        return max(self.tuning.candidates, self.limit) if self.passing is None else 1_000_000


MODES: Mapping[str, Callable[[Retriever, Search], Ranking]] = {
    "vector": Retriever.vector,
    "lexical": Retriever.lexical,
    "kg": Retriever.kg,
    "fusion": Retriever.fusion,
    "deep": Retriever.deep,
}


def fuse(rankings: Mapping[str, Sequence[StreamHit]], k: int = DEFAULT.rank_constant) -> dict[str, float]:
    """Reciprocal rank fusion (RAGA §3.6.3, eq. 5): Σ 1 / (k + rank) over the streams that found a node.

    >>> fuse({"a": [StreamHit("x", 9.0)], "b": [StreamHit("y", 1.0), StreamHit("x", 0.5)]}, k=0)
    {'x': 1.5, 'y': 1.0}
    """
    scores: dict[str, float] = defaultdict(float)
    for hits in rankings.values():
        for rank, hit in enumerate(hits, 1):
            scores[hit.node] += 1 / (k + rank)
    return dict(scores)


def _blended(weighted: Sequence[tuple[Mapping[str, float], float]], unseen: float) -> tuple[dict[str, float], float]:
    """Weighted sum of scores, each relative to the largest of its stream; the second value is that of a node that none of them found.

    Args:
        weighted: (node → score, weight), a pair a stream.
        unseen: what a node that a stream did not find counts there, as a share of its last.
    """
    scores: dict[str, float] = defaultdict(float)
    floor = 0.0
    for found, weight in weighted:
        largest = max(found.values(), default=0.0)
        if largest <= 0:
            continue
        least = unseen * min(found.values()) / largest
        floor += weight * least
        for node, score in found.items():
            scores[node] += weight * (score / largest - least)
    return {node: score + floor for node, score in scores.items()}, floor


def _single(name: str, hits: list[StreamHit]) -> Ranking:
    paths = {hit.node: hit.path for hit in hits}
    return Ranking({hit.node: hit.score for hit in hits}, {name: hits}, lambda node: paths.get(node, ()))


def _places(streams: Mapping[str, Sequence[StreamHit]], nodes: Sequence[str]) -> dict[str, dict[str, Place]]:
    """Node → stream → its place there."""
    places: dict[str, dict[str, Place]] = {node: {} for node in nodes}
    for name, hits in streams.items():
        for rank, hit in enumerate(hits, 1):
            if hit.node in places:
                places[hit.node][name] = Place(rank, hit.score)
    return places
