"""The parameters of retrieval: set once, for every collection of documents, by measuring on three benchmarks (docs/benchmarks.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from semkg.errors import UsageError

Setting = str | float | bool


@dataclass(frozen=True, slots=True)
class Tuning:
    """Weights are relative to the best passage of the vector or lexical stream, which has the score 1 there.

    An idea is switched off by the weight 0: that is how the ablation measures what it is worth.
    """

    candidates: int = 100
    """Passages that the vector and the lexical stream find (RAGA §3.6.1, k1)."""
    vector: float = 0.5
    lexical: float = 0.5
    unseen: float = 0.9
    """What a passage that a stream did not find counts there, as a share of the last one that it found."""

    subject: float = 1.6
    """Vote for the passages about what the question names."""
    subject_rarity: float = 0.5
    """How much less a subject counts that is spoken of everywhere: the exponent of its logarithmic frequency."""

    sources: int = 4
    """Best passages from which the walk takes its first step."""
    forward: float = 1.0
    """From a passage to those about what it speaks of."""
    forward_rarity: float = 0.8
    statement: float = 1.0
    """What the nearest statement of the passage about the subject says for the step, in cosines with the question."""
    wording: float = 1.0
    """What the question's words beside the subject's name say for it."""
    backward: float = 0.4
    """From a passage to those that speak of what it is about."""
    shared: float = 0.7
    """From a passage to those that mention the same entity."""
    shared_rarity: float = 0.3
    """How much less an entity that many passages mention counts: the exponent of their number."""
    shared_most: int = 35
    """Passages that mention an entity, at most, for it to lead anywhere."""

    sources_again: int = 5
    """Best passages after the first step from which the second is taken."""
    again: float = 0.5
    """What the second step counts beside the first; 0 leaves it out."""

    pagerank: float = 0.2
    """Weight of personalised PageRank, relative to the passage that it ranks first."""
    damping: float = 0.5
    """The share of a walker's weight that moves on at each step."""
    iterations: int = 6
    """Steps of PageRank: six lead three passages far, and what is further off gets less than a hundredth."""
    statements: int = 5
    """Statements nearest to the question whose entities PageRank starts from."""

    reciprocal: bool = False
    """Fuse the streams by reciprocal rank (RAGA §3.6.3, eq. 5) instead of by score."""
    rank_constant: int = 60
    """k of eq. 5."""

    budget: float = 1.0
    """Seconds that the graph stream may take before the answer goes without it."""

    def changed(self, given: Mapping[str, Setting]) -> Tuning:
        """The same parameters with some replaced, as numbers or as text.

        Raises:
            UsageError: there is no such parameter, or the value is not of its type or below zero.

        >>> Tuning().changed({"pagerank": "0"}).pagerank
        0.0
        """
        known = {field.name: type(field.default) for field in fields(Tuning)}
        for name in given:
            if name not in known:
                raise UsageError(f"there is no retrieval parameter {name!r}: choose among {', '.join(known)}")
        values: dict[str, Any] = {name: _as(known[name], name, value) for name, value in given.items()}
        return replace(self, **values)


def _as(kind: type, name: str, value: str | float | bool) -> object:
    text = str(value).strip().lower()
    if kind is bool:
        if text not in ("true", "false", "1", "0", "on", "off", "yes", "no"):
            raise UsageError(f"{name} must be true or false, not {value!r}")
        return text in ("true", "1", "on", "yes")
    try:
        number = float(text)
    except ValueError as error:
        raise UsageError(f"{name} must be a number, not {value!r}") from error
    if not 0 <= number < float("inf") or (kind is int and number != int(number)):
        raise UsageError(f"{name} must be {'a whole number' if kind is int else 'a number'} of at least 0, not {value!r}")
    return kind(number)


DEFAULT = Tuning()
