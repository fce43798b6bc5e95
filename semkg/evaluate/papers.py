"""Runs over QASPER: one graph a paper; which paragraphs the retrieved chunks bring, and how well the answers agree (RAGA §4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from semkg.agents.responder import Citation
from semkg.config import PACKAGED_EMBEDDER, KgConfig, Settings, write_atomically
from semkg.errors import translated_os_errors
from semkg.evaluate import metrics
from semkg.evaluate.datasets import DataFile, drawn
from semkg.evaluate.graphs import open_timed
from semkg.evaluate.latency import Stopwatch, timed
from semkg.evaluate.qasper import UNANSWERABLE, Paper, PaperQuestion, Span
from semkg.evaluate.retrieval import WARM_UP, search
from semkg.evaluate.runs import GraphRecord, Plan, QuestionResult, Run, Setting, completed, dataset_record, graph_record, together
from semkg.graph import reads
from semkg.ingest import SourceText, read_sources
from semkg.ports import Clock, Progress, Silence, SystemClock
from semkg.session import KnowledgeGraph

TASK = "qasper"
STAGE = "papers"

EVIDENCE_AT = (1, 3, 5, 8)
"""How many retrieved chunks are looked at."""

Result = tuple[QuestionResult, Stopwatch]


@dataclass(frozen=True, slots=True)
class Chunking:
    """How the papers are cut; `size` in code points."""

    chunker: str = "structural"
    size: int = 1200

    @property
    def folder(self) -> str:
        return f"{self.chunker}-{self.size}"

    def config(self, given: Settings) -> KgConfig:
        overlap = min(KgConfig().chunk_overlap, self.size // 10)
        embedder = given.embedder or PACKAGED_EMBEDDER
        return KgConfig(embedder=embedder, chunker=self.chunker, chunk_size=self.size, chunk_overlap=overlap)


def evaluate_papers(
    papers: Sequence[Paper],
    file: DataFile,
    folder: Path,
    chunking: Chunking,
    plan: Plan,
    given: Settings,
    *,
    answers: bool = False,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> Run:
    """Ask the graph of each paper the questions about it; graphs that are not there yet are built.

    Args:
        papers: with their questions.
        file: where they come from.
        folder: holds the papers as Markdown, and a graph for each paper and chunking.
        chunking: how the papers are cut.
        plan: mode, settings, limit (of all questions) and seed; a ranking holds paragraphs.
        given: the settings; with a chat model in them, the model answers.
        answers: ask for answers, too: answer F1, and the F1 of the paragraphs that the answer cites.
        progress: told after each paper.
        clock: the source of time.

    Raises:
        UsageError: there is no such mode or setting.
        Misconfigured: there is no such chunker.
        ModelUnavailable, StorageError and others: see `KnowledgeGraph.build`.
    """
    told, now = progress or Silence(), (clock or SystemClock()).now
    started = now()
    wanted = _drawn(papers, plan)
    told.start(f"{STAGE} ({plan.mode})", len(wanted))
    results: list[Result] = []
    graphs: list[GraphRecord] = []
    for paper, questions in wanted:
        source = _written(paper, folder)
        with _graph_of(source, folder / chunking.folder / paper.id, chunking.config(given), given) as graph:
            asked = _Asked(graph, plan, paper.spans(_text(source)), answers)
            results += (asked.ask(question) for question in questions)
            graphs.append(graph_record(graph))
        told.advance(f"{STAGE} ({plan.mode})")
    record = dataset_record("qasper", len(results), sum(len(paper.paragraphs) for paper, _ in wanted), file)
    cut: dict[str, Setting | None] = {"chunker": chunking.chunker, "chunk_size": chunking.size, "answers": answers}
    return completed(TASK, record, plan, results, together(graphs), started, now(), cut)


class _Asked:
    """One paper's graph, and where its paragraphs stand in the text that was cut."""

    def __init__(self, graph: KnowledgeGraph, plan: Plan, spans: Sequence[Sequence[Span]], answers: bool) -> None:
        self._graph = graph
        self._plan = plan
        self._spans = spans
        self._answers = answers
        search(graph, WARM_UP, plan, 1)

    def ask(self, question: PaperQuestion) -> Result:
        with timed(self._graph.parts.embedder) as watch:
            found = search(self._graph, question.text, self._plan, self._plan.depth)
        by_chunk = [self._paragraphs([(passage.start, passage.end)]) for passage in found]
        measured = evidence_metrics(by_chunk, [reference.evidence for reference in question.references], self._plan.depth)
        answer = ""
        if self._answers:
            answer, further = self._answered(question)
            measured |= further
        gold = sorted(set().union(*(reference.evidence for reference in question.references)))
        ranking = list(dict.fromkeys(number for numbers in by_chunk for number in numbers))
        return self._result(question, measured, watch, gold, ranking, answer), watch

    def _answered(self, question: PaperQuestion) -> tuple[str, dict[str, float]]:
        found = self._graph.ask(question.text, self._plan.mode)
        answer = found.answer if found.known else UNANSWERABLE
        cited = self._paragraphs(self._place(citation) for citation in found.citations)
        return answer, {
            "answer_f1": max(metrics.token_f1(answer, reference.answer) for reference in question.references),
            "evidence_f1": max(metrics.evidence_f1(cited, reference.evidence) for reference in question.references),
            "answered": float(found.known),
        }

    def _place(self, citation: Citation) -> Span:
        """Where a citation stands in the paper's text."""
        start = reads.chunk(self._graph.parts.store, self._graph.parts.layout, ox.NamedNode(citation.chunk)).start
        return start + citation.start, start + citation.end

    def _paragraphs(self, spans: Iterable[Span]) -> list[int]:
        """The paragraphs that some spans of the text overlap."""
        wanted = list(spans)
        return [
            number
            for number, spans in enumerate(self._spans)
            if any(start < last and first < end for first, last in spans for start, end in wanted)
        ]

    def _result(
        self, question: PaperQuestion, measured: dict[str, float], watch: Stopwatch, gold: list[int], ranking: list[int], answer: str
    ) -> QuestionResult:
        return QuestionResult(
            id=question.id,
            question=question.text,
            type=question.type,
            metrics=measured,
            latency_ms=round(watch.ms, 3),
            embedding_ms=round(watch.embedding_ms, 3),
            gold=tuple(gold),
            ranking=tuple(ranking),
            hits=tuple(place for place, number in enumerate(ranking, 1) if number in gold),
            answer=answer,
        )


def evidence_metrics(by_chunk: Sequence[Sequence[int]], references: Sequence[frozenset[int]], depth: int = 8) -> dict[str, float]:
    """Recall and F1 of the paragraphs that the first k chunks bring, by the best annotator who quotes the text; nothing where none does.

    Args:
        by_chunk: the paragraphs that each chunk overlaps, the best chunk first.
        references: the paragraphs that each annotator quotes.
        depth: the largest k.

    >>> evidence_metrics([[4], [5, 6]], [frozenset({5})])["recall@3"]
    1.0
    """
    quoted = [evidence for evidence in references if evidence]
    if not quoted:
        return {}
    measured: dict[str, float] = {}
    for k in (k for k in EVIDENCE_AT if k <= depth):
        brought = [*dict.fromkeys(number for numbers in by_chunk[:k] for number in numbers)]
        measured[f"recall@{k}"] = max(metrics.recall(brought, evidence, len(brought)) for evidence in quoted)
        measured[f"retrieved_evidence_f1@{k}"] = max(metrics.evidence_f1(brought, evidence) for evidence in quoted)
    return measured


def _drawn(papers: Sequence[Paper], plan: Plan) -> list[tuple[Paper, list[PaperQuestion]]]:
    """The papers with those of their questions that the plan asks."""
    asked = [(paper, question) for paper in papers for question in paper.questions]
    found: dict[str, tuple[Paper, list[PaperQuestion]]] = {}
    for number in drawn(len(asked), plan.limit, plan.seed):
        paper, question = asked[number]
        found.setdefault(paper.id, (paper, []))[1].append(question)
    return list(found.values())


def _written(paper: Paper, folder: Path) -> Path:
    """The paper's Markdown file, written where it is not there as it should be."""
    path = folder / "papers" / f"{paper.id}.md"
    content = paper.markdown().encode("utf-8")
    with translated_os_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            write_atomically(path, content)
    return path


def _graph_of(source: Path, folder: Path, config: KgConfig, given: Settings) -> KnowledgeGraph:
    """The graph of a paper; one that holds the paper as it is gets nothing new."""
    with ExitStack() as stack:
        graph = stack.enter_context(open_timed(folder, given, write=True, config=config))
        graph.build([source])
        stack.pop_all()
    return graph


def _text(source: Path) -> str:
    """The text that is cut into chunks."""
    return next((found.text for found in read_sources([str(source)]) if isinstance(found, SourceText)), "")
