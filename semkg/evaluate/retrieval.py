"""Runs that ask for passages: recall@k, nDCG@k and MRR over the documents that `search` finds (multi-hop sets, OpenIE replay)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from semkg.evaluate import metrics
from semkg.evaluate.datasets import Dataset, Question, limited
from semkg.evaluate.graphs import fragment
from semkg.evaluate.latency import Stopwatch, timed
from semkg.evaluate.runs import Plan, QuestionResult, Run, completed, dataset_record, graph_record
from semkg.ports import Progress, Silence
from semkg.retrieve import Passage, Results
from semkg.session import KnowledgeGraph

TASK = "retrieval"
STAGE = "asking"

RECALL_AT = (1, 2, 3, 5, 10, 20)
NDCG_AT = (5, 10)

WARM_UP = "What is this about?"
"""Asked once before anything is measured, so that loading is not."""

SURPLUS = 1.25
"""How many more chunks are asked for than the mean document has, so that enough distinct documents remain."""

MOST_CHUNKS = 1000


def evaluate_retrieval(graph: KnowledgeGraph, dataset: Dataset, plan: Plan, progress: Progress | None = None) -> Run:
    """Ask a graph for the passages of every question and measure what it finds.

    Args:
        graph: built from the corpus of the dataset, see `graph_over`.
        dataset: whose questions are asked; the graph sees their text alone.
        plan: mode, settings, depth, limit and seed.
        progress: told after each question.

    Raises:
        UsageError: there is no such mode or setting.
    """
    told = progress or Silence()
    chosen = limited(dataset, plan.limit, plan.seed)
    positions = dataset.corpus.positions
    measured = graph_record(graph)
    limit = math.ceil(SURPLUS * plan.depth * max(1.0, measured.chunks / max(1, measured.documents)))
    started = graph.parts.clock.now()
    _, cold = ranked(graph, WARM_UP, plan, limit)
    told.start(f"{STAGE} ({plan.mode})", len(chosen.questions))
    results: list[tuple[QuestionResult, Stopwatch]] = []
    for question in chosen.questions:
        found, watch = ranked(graph, question.text, plan, limit)
        gold, places = _gold(question, dataset, positions), _places(found, positions)
        results.append((_result(question, gold, places, plan.depth, watch), watch))
        told.advance(f"{STAGE} ({plan.mode})")
    record = dataset_record(dataset.name, len(chosen.questions), len(dataset.corpus.keys), dataset.file, dataset.corpus.file)
    return completed(TASK, record, plan, results, measured, started, graph.parts.clock.now(), cold=cold)


def ranked(graph: KnowledgeGraph, text: str, plan: Plan, limit: int) -> tuple[list[Passage], Stopwatch]:
    """The best chunk of each of the best `plan.depth` documents, and how long the search took.

    Where the `limit` best chunks belong to fewer documents, more are asked for, and that time counts too.
    """
    with timed(graph.parts.embedder) as watch:
        while True:
            found = search(graph, text, plan, limit)
            best = distinct(found)
            if len(best) >= plan.depth or len(found) < limit or limit >= MOST_CHUNKS:
                break
            limit = min(2 * limit, MOST_CHUNKS)
    return best[: plan.depth], watch


def search(graph: KnowledgeGraph, text: str, plan: Plan, limit: int) -> Results:
    """`KnowledgeGraph.search` with the plan's mode and settings."""
    return graph.search(text, plan.mode, limit, settings=plan.settings)


def distinct(passages: Sequence[Passage]) -> list[Passage]:
    """The best passage of each document, in their order."""
    best: dict[str, Passage] = {}
    for passage in passages:
        best.setdefault(passage.document, passage)
    return list(best.values())


def ranking_metrics(ranking: Sequence[int | None], gold: Sequence[int], depth: int) -> dict[str, float]:
    """recall@k for `RECALL_AT` and ndcg@k for `NDCG_AT`, as far down as the ranking goes, and mrr.

    >>> ranking_metrics([3, 1], [1], depth=2)
    {'recall@1': 0.0, 'recall@2': 1.0, 'mrr': 0.5}
    """
    measured = {f"recall@{k}": metrics.recall(ranking, gold, k) for k in RECALL_AT if k <= depth}
    measured |= {f"ndcg@{k}": metrics.ndcg(ranking, gold, k) for k in NDCG_AT if k <= depth}
    return {**measured, "mrr": metrics.reciprocal_rank(ranking, gold)}


def _gold(question: Question, dataset: Dataset, positions: Mapping[str, int]) -> list[int]:
    """The first position of each gold passage: repeated passages are one document."""
    keys = (dataset.corpus.keys[position] for position in question.gold)
    return list(dict.fromkeys(positions[key] for key in keys if key is not None))


def _places(found: Sequence[Passage], positions: Mapping[str, int]) -> list[int | None]:
    """Positions in the corpus; a passage that came into the graph from two files counts once."""
    places: list[int | None] = []
    for passage in found:
        place = positions.get(fragment(passage.source))
        if place is None or place not in places:
            places.append(place)
    return places


def _result(question: Question, gold: Sequence[int], ranking: Sequence[int | None], depth: int, watch: Stopwatch) -> QuestionResult:
    return QuestionResult(
        id=question.id,
        question=question.text,
        type=question.type,
        metrics=ranking_metrics(ranking, gold, depth),
        latency_ms=round(watch.ms, 3),
        embedding_ms=round(watch.embedding_ms, 3),
        gold=tuple(gold),
        ranking=tuple(ranking),
        hits=tuple(place for place, position in enumerate(ranking, 1) if position in gold),
    )
