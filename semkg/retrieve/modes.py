"""Retrieval modes: which streams run and how their rankings become one (RAGA §3.6).

A mode is a row of `MODES`; a new one joins by adding a row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from semkg.errors import UsageError
from semkg.graph.indexes import Indexes
from semkg.graph.layout import Layout
from semkg.graph.reads import chunk as read_chunk
from semkg.graph.texts import value
from semkg.ports import Embedder, GraphStore
from semkg.retrieve.question import Linker, Question
from semkg.retrieve.streams import StreamHit, Streams
from semkg.vocab import DCTERMS

RRF_K = 60
"""The constant of reciprocal rank fusion (RAGA §3.6.3)."""

Stream = Callable[[Streams, Question], list[StreamHit]]


@dataclass(frozen=True, slots=True)
class Mode:
    """The streams of a mode by name; with several, their ranks are fused."""

    name: str
    streams: Mapping[str, Stream]


MODES: Mapping[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode("vector", {"vector": Streams.vector}),
        Mode("lexical", {"lexical": Streams.lexical}),
        Mode("kg", {"graph": Streams.graph}),
        Mode("fusion", {"vector": Streams.vector, "lexical": Streams.lexical, "graph": Streams.graph}),
    )
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A ranked chunk. `streams`: stream → its rank there, from 1. `path`: how the graph led there."""

    iri: str
    score: float
    text: str
    start: int
    end: int
    document: str
    title: str
    source: str
    streams: Mapping[str, int]
    path: tuple[str, ...] = ()


class Retriever:
    """Ranks passages for questions."""

    def __init__(self, store: GraphStore, layout: Layout, indexes: Indexes, embedder: Embedder) -> None:
        self._store = store
        self._layout = layout
        self._streams = Streams(store, layout, indexes)
        self._linker = Linker(store, layout, indexes, embedder)

    def question(self, text: str) -> Question:
        """Embed a question and link it to entities.

        Raises:
            UsageError: there are no words in it.
        """
        if not text.strip():
            raise UsageError('the question is empty: ask something, for example `semkg ask "Who founded Acme?"`')
        return self._linker.question(text)

    def retrieve(self, question: Question, mode: str = "fusion", limit: int = 10) -> list[Passage]:
        """The best `limit` passages.

        Raises:
            UsageError: there is no such mode.
        """
        if mode not in MODES:
            raise UsageError(f"there is no mode {mode!r}: choose one of {', '.join(MODES)}")
        rankings = {name: stream(self._streams, question) for name, stream in MODES[mode].streams.items()}
        scores = fuse(rankings) if len(rankings) > 1 else {hit.node: hit.score for hits in rankings.values() for hit in hits}
        best = sorted(scores, key=lambda node: (-scores[node], node))[:limit]
        return [self._passage(node, scores[node], rankings) for node in best]

    def _passage(self, node: str, score: float, rankings: Mapping[str, Sequence[StreamHit]]) -> Passage:
        chunk = read_chunk(self._store, self._layout, ox.NamedNode(node))
        places = {name: rank for name, hits in rankings.items() for rank, hit in enumerate(hits, 1) if hit.node == node}
        paths = [hit.path for hits in rankings.values() for hit in hits if hit.node == node and hit.path]
        return Passage(
            iri=node,
            score=score,
            text=chunk.text,
            start=chunk.start,
            end=chunk.end,
            document=chunk.document.value,
            title=value(self._store, chunk.document, DCTERMS.title, self._layout.corpus),
            source=value(self._store, chunk.document, DCTERMS.source, self._layout.corpus),
            streams=places,
            path=paths[0] if paths else (),
        )


def fuse(rankings: Mapping[str, Sequence[StreamHit]], k: int = RRF_K) -> dict[str, float]:
    """Reciprocal rank fusion: Σ 1 / (k + rank) over the streams that found a node.

    >>> fuse({"a": [StreamHit("x", 9.0)], "b": [StreamHit("y", 1.0), StreamHit("x", 0.5)]}, k=0)
    {'x': 1.5, 'y': 1.0}
    """
    scores: dict[str, float] = defaultdict(float)
    for hits in rankings.values():
        for rank, hit in enumerate(hits, 1):
            scores[hit.node] += 1 / (k + rank)
    return dict(scores)
