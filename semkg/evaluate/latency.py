"""Times of questions in milliseconds, with the embedding of the question told apart."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from semkg.evaluate.metrics import mean
from semkg.ports import Embedder, ModelId

if TYPE_CHECKING:
    from semkg.ports import Vectors


@dataclass(slots=True)
class Stopwatch:
    """What one stretch of work took. `embedding_ms` is part of `ms`, and stays 0 with an embedder that is not timed."""

    ms: float = 0.0
    embedding_ms: float = 0.0


class TimedEmbedder:
    """Implements `Embedder`: another one, with the time spent in it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.ms = 0.0
        """Spent in it so far."""

    @property
    def id(self) -> ModelId:
        return self._embedder.id

    def embed(self, texts: Sequence[str]) -> Vectors:
        started = time.perf_counter()
        try:
            return self._embedder.embed(texts)
        finally:
            self.ms += 1000 * (time.perf_counter() - started)


@contextmanager
def timed(embedder: Embedder) -> Iterator[Stopwatch]:
    """Measure what happens inside, and how much of it `embedder` took where it is a `TimedEmbedder`."""
    watch = Stopwatch()
    before = embedder.ms if isinstance(embedder, TimedEmbedder) else 0.0
    started = time.perf_counter()
    try:
        yield watch
    finally:
        watch.ms = 1000 * (time.perf_counter() - started)
        watch.embedding_ms = embedder.ms - before if isinstance(embedder, TimedEmbedder) else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of all do not exceed (nearest rank); 0 of nothing.

    >>> percentile([4.0, 1.0, 3.0, 2.0], 0.5), percentile([1.0, 2.0], 0.99)
    (2.0, 2.0)
    """
    if not values:
        return 0.0
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def summary(watches: Sequence[Stopwatch]) -> Mapping[str, float]:
    """Median, 90th and 99th percentile and mean, all and without the embedding of the question, in milliseconds."""
    found: dict[str, float] = {}
    for suffix, values in (("", [w.ms for w in watches]), ("_without_embedding", [w.ms - w.embedding_ms for w in watches])):
        for name, share in (("median", 0.5), ("p90", 0.9), ("p99", 0.99)):
            found[name + suffix] = round(percentile(values, share), 3)
        found["mean" + suffix] = round(mean(values), 3)
    return found
