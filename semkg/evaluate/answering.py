"""Runs that ask for answers: exact match, sub-string match and token F1 of `KnowledgeGraph.ask` against gold answers and aliases."""

from __future__ import annotations

from collections.abc import Sequence

from semkg.errors import BadInput
from semkg.evaluate import metrics
from semkg.evaluate.datasets import DataFile, Question, sample
from semkg.evaluate.latency import Stopwatch, timed
from semkg.evaluate.runs import Plan, QuestionResult, Run, completed, dataset_record, graph_record
from semkg.ports import Progress, Silence
from semkg.session import KnowledgeGraph

TASK = "answers"
STAGE = "answering"


def evaluate_answers(
    graph: KnowledgeGraph, file: DataFile, questions: Sequence[Question], plan: Plan, name: str = "", progress: Progress | None = None
) -> Run:
    """Ask a graph for the answer to every question; with a chat model configured the model answers.

    Args:
        graph: sees the questions' texts alone.
        file: where the questions come from.
        questions: with their gold answers and aliases.
        plan: mode, limit and seed.
        name: of the dataset, by default the file's name up to its first point.
        progress: told after each question.

    Raises:
        BadInput: a question has no gold answer.
        ModelUnavailable: the chat model gives no usable reply.
        UsageError: there is no such mode.
    """
    told = progress or Silence()
    chosen = sample(questions, plan.limit, plan.seed)
    if without := [question.id for question in chosen if not question.answers]:
        raise BadInput(f"{file.path}: question {without[0]} has no gold answer: give one in the field answer")
    started = graph.parts.clock.now()
    graph.search(chosen[0].text, plan.mode, 1)
    told.start(STAGE, len(chosen))
    results: list[tuple[QuestionResult, Stopwatch]] = []
    speakers: dict[str, None] = {}
    for question in chosen:
        with timed(graph.parts.embedder) as watch:
            answer = graph.ask(question.text, plan.mode)
        speakers[answer.answered_by] = None
        results.append((_result(question, answer.answer, answer.known, watch), watch))
        told.advance(STAGE)
    record = dataset_record(name or file.name.partition(".")[0], len(chosen), 0, file)
    by = {"answered_by": ", ".join(speakers)}
    return completed(TASK, record, plan, results, graph_record(graph), started, graph.parts.clock.now(), by)


def answer_metrics(answer: str, references: Sequence[str]) -> dict[str, float]:
    """The best over the references, each metric by itself.

    >>> answer_metrics("the Eiffel Tower", ["La tour Eiffel", "Eiffel Tower"])
    {'exact_match': 1.0, 'contained_match': 1.0, 'f1': 1.0}
    """
    return {
        "exact_match": max(metrics.exact_match(answer, reference) for reference in references),
        "contained_match": max(metrics.contained_match(answer, reference) for reference in references),
        "f1": max(metrics.answer_f1(answer, reference) for reference in references),
    }


def _result(question: Question, answer: str, known: bool, watch: Stopwatch) -> QuestionResult:
    return QuestionResult(
        id=question.id,
        question=question.text,
        type=question.type,
        metrics={**answer_metrics(answer, question.answers), "answered": float(known)},
        latency_ms=round(watch.ms, 3),
        embedding_ms=round(watch.embedding_ms, 3),
        answer=answer,
    )
