"""What a run is: one dataset, one graph, one mode, its switches, and what came out for every question; how it is kept as JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pyoxigraph as ox
from pydantic import BaseModel, TypeAdapter, ValidationError

from semkg.config import write_atomically
from semkg.errors import BadInput, UsageError
from semkg.evaluate.datasets import DataFile, content_of, told
from semkg.evaluate.environment import Machine, machine, peak_memory_mb, versions
from semkg.evaluate.latency import Stopwatch, summary
from semkg.evaluate.metrics import mean
from semkg.graph.indexes import Kind
from semkg.session import KnowledgeGraph
from semkg.sparql import query
from semkg.vocab import DCTERMS

Setting = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Plan:
    """What is varied between runs.

    Attributes:
        mode: how passages are found.
        settings: parameters of retrieval that differ from their defaults, by name.
        depth: how many distinct documents (or chunks, where a document is the whole paper) a ranking holds at most.
        limit: ask only so many questions, drawn with the seed.
        seed: of everything that is drawn.
    """

    mode: str = "fusion"
    settings: Mapping[str, Setting] = field(default_factory=dict)
    depth: int = 20
    limit: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class DatasetRecord:
    """Which questions over which corpus. The checksums tell whether two runs can be compared."""

    name: str
    questions: int
    passages: int
    questions_file: str
    questions_sha256: str
    corpus_file: str = ""
    corpus_sha256: str = ""


@dataclass(frozen=True, slots=True)
class GraphRecord:
    """What the graph was made of. `commits`: its generation; `readers`: who read its documents."""

    documents: int
    chunks: int
    entities: int
    triplets: int
    commits: int
    embedder: str
    readers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """What came out for one question.

    Attributes:
        gold: positions of the gold passages (or paragraphs).
        ranking: positions of what was found, the best first; None for a document that is not of the corpus.
        hits: the places of the gold passages in the ranking, from 1.
        answer: what was answered; empty where nothing was, or where only passages were asked for.
    """

    id: str
    question: str
    type: str
    metrics: Mapping[str, float]
    latency_ms: float
    embedding_ms: float
    gold: tuple[int, ...] = ()
    ranking: tuple[int | None, ...] = ()
    hits: tuple[int, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `metrics` are means over the questions; times are milliseconds, `memory_mb` is the process's peak."""

    task: str
    dataset: DatasetRecord
    mode: str
    settings: Mapping[str, Setting | None]
    seed: int
    metrics: Mapping[str, float]
    metrics_by_type: Mapping[str, Mapping[str, float]]
    latency_ms: Mapping[str, float]
    graph: GraphRecord
    memory_mb: float
    versions: Mapping[str, str]
    machine: Machine
    started: datetime
    ended: datetime
    per_question: tuple[QuestionResult, ...]


class Runs(BaseModel):
    """Several runs in one file."""

    runs: list[Run]


def completed(
    task: str,
    dataset: DatasetRecord,
    plan: Plan,
    results: Sequence[tuple[QuestionResult, Stopwatch]],
    graph: GraphRecord,
    started: datetime,
    ended: datetime,
    chosen: Mapping[str, Setting | None] | None = None,
    cold: Stopwatch | None = None,
) -> Run:
    """A run from the results of its questions. `chosen`: what else was chosen; `cold`: the first, unmeasured question."""
    questions = tuple(result for result, _ in results)
    latency = dict(summary([watch for _, watch in results]))
    if cold:
        latency["first"] = round(cold.ms, 3)
    return Run(
        task=task,
        dataset=dataset,
        mode=plan.mode,
        settings={"mode": plan.mode, "depth": plan.depth, "limit": plan.limit, **(chosen or {}), **plan.settings},
        seed=plan.seed,
        metrics=means([question.metrics for question in questions]),
        metrics_by_type=_by_type(questions),
        latency_ms=latency,
        graph=graph,
        memory_mb=peak_memory_mb(),
        versions=versions(),
        machine=machine(),
        started=started,
        ended=ended,
        per_question=questions,
    )


def means(measured: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each metric over the questions that have it.

    >>> means([{"f1": 1.0}, {"f1": 0.0, "evidence_f1": 0.5}])
    {'f1': 0.5, 'evidence_f1': 0.5}
    """
    values: dict[str, list[float]] = defaultdict(list)
    for metrics in measured:
        for name, value in metrics.items():
            values[name].append(value)
    return {name: round(mean(found), 6) for name, found in values.items()}


def _by_type(questions: Sequence[QuestionResult]) -> dict[str, dict[str, float]]:
    groups: dict[str, list[Mapping[str, float]]] = defaultdict(list)
    for question in questions:
        if question.type:
            groups[question.type].append(question.metrics)
    return {type: {"questions": len(found), **means(found)} for type, found in sorted(groups.items())}


def dataset_record(name: str, asked: int, passages: int, questions: DataFile, corpus: DataFile | None = None) -> DatasetRecord:
    """How a run names its dataset: files by name and content, never by path."""
    of_corpus = (corpus.name, corpus.sha256) if corpus else ("", "")
    return DatasetRecord(name, asked, passages, questions.name, questions.sha256, *of_corpus)


def graph_record(graph: KnowledgeGraph) -> GraphRecord:
    """How a run names a graph: its size by its indexes, its embedding model, its readers."""
    store, layout = graph.parts.store, graph.parts.layout
    documents = sum(1 for _ in store.quads(None, DCTERMS.source, None, layout.corpus))
    vectors = graph.parts.indexes.vectors
    rows = store.select(query("evaluate/list-readers").text, [layout.provenance])
    return GraphRecord(
        documents=documents,
        chunks=len(vectors[Kind.CHUNK]),
        entities=len(vectors[Kind.ENTITY]),
        triplets=len(vectors[Kind.TRIPLET]),
        commits=store.generation,
        embedder=graph.parts.embedder.id.name,
        readers=tuple(label.value for row in rows if isinstance(label := row["label"], ox.Literal)),
    )


def together(sizes: Sequence[GraphRecord]) -> GraphRecord:
    """Several graphs as one."""
    return GraphRecord(
        documents=sum(size.documents for size in sizes),
        chunks=sum(size.chunks for size in sizes),
        entities=sum(size.entities for size in sizes),
        triplets=sum(size.triplets for size in sizes),
        commits=sum(size.commits for size in sizes),
        embedder=", ".join(sorted({size.embedder for size in sizes})),
        readers=tuple(sorted({reader for size in sizes for reader in size.readers})),
    )


def as_json(runs: Sequence[Run]) -> bytes:
    """One run as itself, several as `{"runs": […]}`."""
    if len(runs) == 1:
        return TypeAdapter(Run).dump_json(runs[0], indent=2) + b"\n"
    return Runs(runs=list(runs)).model_dump_json(indent=2).encode() + b"\n"


def write_runs(runs: Sequence[Run], path: Path) -> None:
    """Keep runs in a file; a crash leaves the whole old file or the whole new one.

    Raises:
        StorageFull, StorageError, PermissionDenied: the file cannot be written.
    """
    write_atomically(path, as_json(runs))


def read_runs(path: Path) -> tuple[Run, ...]:
    """The runs of a file.

    Raises:
        BadInput: it holds no runs of `semkg evaluate`.
        StorageError, PermissionDenied: it cannot be read.
    """
    content = content_of(path)
    try:
        return _validated(content)
    except ValidationError as error:
        raise BadInput(f"{path} holds no runs of semkg evaluate ({told(error)}): give a file that --json wrote") from error


def _validated(content: bytes) -> tuple[Run, ...]:
    found = TypeAdapter(Runs | Run).validate_json(content)
    return tuple(found.runs) if isinstance(found, Runs) else (found,)


def read_run(place: str) -> Run:
    """One run: `FILE`, or `FILE#MODE` where the file holds several.

    Raises:
        UsageError: the file holds several runs and none, or more than one, is chosen.
        BadInput, StorageError, PermissionDenied: see `read_runs`.
    """
    path, _, mode = place.partition("#")
    runs = [run for run in read_runs(Path(path)) if not mode or run.mode == mode]
    if len(runs) != 1:
        held = ", ".join(run.mode for run in read_runs(Path(path)))
        raise UsageError(f"{place} stands for {len(runs)} runs, not one: choose by the mode, {path}#MODE (it holds {held})")
    return runs[0]
