"""Two runs over the same questions: a paired bootstrap of the difference of a metric (Efron and Tibshirani 1993, chapters 13 and 16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from semkg.errors import BadInput, UsageError
from semkg.evaluate.runs import Run

CONFIDENCE = 0.95

_ROWS = 2**21
"""At most so many drawn values in memory at once."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much better the second run is.

    Attributes:
        first, second: the means of the two runs.
        difference: second minus first.
        low, high: the 95 % percentile interval of the difference.
        p_value: how often a difference at least as large, either way, comes about where there is none.
        wins, losses, ties: questions on which the second is better, worse, the same.
    """

    metric: str
    questions: int
    first: float
    second: float
    difference: float
    low: float
    high: float
    p_value: float
    wins: int
    losses: int
    ties: int
    samples: int
    seed: int


def compare(first: Run, second: Run, metric: str = "recall@5", samples: int = 10_000, seed: int = 0) -> Comparison:
    """Compare two runs question by question.

    Args:
        first: the base line.
        second: what is compared with it.
        metric: one that both measured for each question.
        samples: how many times the questions are drawn with replacement.
        seed: of the draws.

    Raises:
        BadInput: the runs asked different questions.
        UsageError: a run has no such metric.
    """
    one, other = _paired(first, second, metric)
    differences = [b - a for a, b in zip(one, other, strict=True)]
    low, high, p_value = paired_bootstrap(differences, samples, seed)
    return Comparison(
        metric=metric,
        questions=len(one),
        first=sum(one) / len(one),
        second=sum(other) / len(other),
        difference=sum(differences) / len(differences),
        low=low,
        high=high,
        p_value=p_value,
        wins=sum(value > 0 for value in differences),
        losses=sum(value < 0 for value in differences),
        ties=sum(value == 0 for value in differences),
        samples=samples,
        seed=seed,
    )


def paired_bootstrap(differences: Sequence[float], samples: int, seed: int) -> tuple[float, float, float]:
    """The percentile interval of the mean difference and the two-sided p-value under the shifted null distribution.

    Args:
        differences: one a question.
        samples: how many bootstrap samples.
        seed: of the draws.

    Raises:
        UsageError: there is nothing to draw from, or nothing is to be drawn.

    >>> paired_bootstrap([0.0, 0.0, 0.0], 100, 0)
    (0.0, 0.0, 1.0)
    """
    import numpy as np

    if not differences or samples < 1:
        raise UsageError("a comparison needs at least one question and one bootstrap sample: raise --samples")
    values = np.asarray(differences, np.float64)
    rng = np.random.default_rng(seed)
    batch = max(1, _ROWS // len(values))
    means = np.concatenate(
        [values[rng.integers(0, len(values), (min(batch, samples - done), len(values)))].mean(axis=1) for done in range(0, samples, batch)]
    )
    observed = float(values.mean())
    edge = (1 - CONFIDENCE) / 2
    low, high = (float(bound) for bound in np.quantile(means, (edge, 1 - edge)))
    # The observed sample counts as one draw, so that p is never 0 (Davison and Hinkley 1997, §4.2.3); the tolerance is for rounding.
    extreme = int((np.abs(means - observed) >= abs(observed) - 1e-12).sum())
    return low, high, (extreme + 1) / (samples + 1)


def _paired(first: Run, second: Run, metric: str) -> tuple[list[float], list[float]]:
    by_id = {question.id: question.metrics for question in second.per_question}
    same = {question.id for question in first.per_question} == by_id.keys()
    if not same or first.dataset.questions_sha256 != second.dataset.questions_sha256:
        raise BadInput(
            f"the runs asked different questions ({first.dataset.questions_file}, {len(first.per_question)}; "
            f"{second.dataset.questions_file}, {len(second.per_question)}): compare runs with the same file, --limit and --seed"
        )
    pairs = [
        (question.metrics[metric], by_id[question.id][metric])
        for question in first.per_question
        if metric in question.metrics and metric in by_id[question.id]
    ]
    if not pairs:
        shared = sorted(first.metrics.keys() & second.metrics.keys())
        raise UsageError(f"the runs have no metric {metric!r}: choose one of {', '.join(shared)}")
    return [one for one, _ in pairs], [other for _, other in pairs]
