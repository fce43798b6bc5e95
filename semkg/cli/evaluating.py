"""`evaluate`: benchmark datasets through the modes; tables, JSON, plots, comparisons, and a record in the graph."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semkg.cli.building import CHUNKERS
from semkg.cli.options import print_json, settings_given
from semkg.cli.progress import print_table, progress
from semkg.config import settings

if TYPE_CHECKING:
    from semkg import KnowledgeGraph
    from semkg.evaluate.datasets import Dataset
    from semkg.evaluate.runs import Plan, Run

F = Callable[..., Any]

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
OUT = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
COLUMNS = {
    "retrieval": ("recall@2", "recall@5", "recall@10", "ndcg@5", "ndcg@10", "mrr"),
    "answers": ("exact_match", "contained_match", "f1", "answered"),
    "qasper": ("recall@5", "recall@8", "retrieved_evidence_f1@5", "retrieved_evidence_f1@8", "answer_f1", "evidence_f1"),
}
"""Kind of run → the metrics of its table; the JSON form holds all."""


@click.group()
def evaluate() -> None:
    """Measure the graph on benchmark questions.

    The graph sees the corpus and the text of the questions; gold passages and answers are only compared with what it finds.
    """


def varied(function: F) -> F:
    """What is varied between runs, and what becomes of them."""
    for option in (
        click.option("--plot", "plot_to", type=click.Path(path_type=Path, dir_okay=False), help="Draw the runs: FILE.png, .pdf or .svg."),
        click.option("--quiet", "-q", is_flag=True, help="No progress and no remarks on standard error."),
        click.option("--json", "out", type=OUT, help="Write the runs as JSON to this file; - is standard output."),
        click.option("--kg", type=click.Path(path_type=Path), help="Folder of the knowledge graph [default: SEMKG_KG, then ./kg]."),
        click.option("--seed", type=int, default=0, show_default=True, help="Of the draw of questions."),
        click.option("--limit", type=click.IntRange(1), help="Ask only so many questions, drawn with the seed."),
        click.option("--set", "chosen", multiple=True, metavar="NAME=VALUE", help="A parameter of retrieval; may be repeated."),
        click.option(
            "--mode", "modes", multiple=True, default=("fusion",), show_default=True, help="How passages are found; may be repeated."
        ),
    ):
        function = option(function)

    @functools.wraps(function)
    def wrapped(
        modes: tuple[str, ...], chosen: tuple[str, ...], limit: int | None, seed: int, out: Path | None, plot_to: Path | None, **rest: Any
    ) -> None:
        plans = _plans(modes, chosen, limit, seed)
        _check_outputs(out, plot_to)
        runs: list[Run] = function(plans=plans, **rest)
        _deliver(runs, out, plot_to, quiet=rest["quiet"])

    return wrapped


def ranking(function: F) -> F:
    """`--depth`."""
    return click.option("--depth", type=click.IntRange(1, 500), default=20, show_default=True, help="How many documents are ranked.")(
        function
    )


def recorded(function: F) -> F:
    """`--record`."""
    return click.option("--record", is_flag=True, help="Record each run in the graph (DQV, PROV-O).")(function)


@evaluate.command()
@click.option("--dataset", help="One of the data folder (SEMKG_DATA): hotpotqa, 2wikimultihopqa, musique; instead of the two files.")
@click.option("--corpus", type=FILE, help="JSON list of passages with title and text.")
@click.option("--questions", type=FILE, help="JSON list of questions; gold: positions of passages in the corpus, from 0.")
@ranking
@recorded
@varied
def multihop(
    plans: list[Plan],
    dataset: str | None,
    corpus: Path | None,
    questions: Path | None,
    depth: int,
    kg: Path | None,
    record: bool,
    quiet: bool,
) -> list[Run]:
    """Recall, nDCG and MRR of the passages found for multi-hop questions.

    The graph is built from the corpus where the folder holds none yet.
    """
    return _retrieval(_deep(plans, depth), _dataset(dataset, corpus, questions), kg, record, quiet)


@evaluate.command()
@click.option("--corpus", type=FILE, help="OpenIE file: records with title, text, entities and triples [default: the one of SEMKG_DATA].")
@click.option("--questions", type=FILE, help="JSON list of questions [default: those of SEMKG_DATA].")
@click.option(
    "--reader",
    type=click.Choice(["triples", "embedded"]),
    default="triples",
    show_default=True,
    help="A new graph is built from the file's triples, or by the embedded reader from its texts.",
)
@ranking
@recorded
@varied
def openie(
    plans: list[Plan],
    corpus: Path | None,
    questions: Path | None,
    reader: str,
    depth: int,
    kg: Path | None,
    record: bool,
    quiet: bool,
) -> list[Run]:
    """As multihop, over a graph that is replayed from someone else's triples."""
    chosen = None if corpus or questions else "openie"
    return _retrieval(_deep(plans, depth), _dataset(chosen, corpus, questions), kg, record, quiet, triples=reader == "triples")


@evaluate.command()
@click.option("--questions", type=FILE, required=True, help="JSON list of questions with answer and aliases.")
@recorded
@varied
def answers(plans: list[Plan], questions: Path, kg: Path | None, record: bool, quiet: bool) -> list[Run]:
    """Exact match, sub-string match and F1 of the answers of `semkg ask`.

    With a chat model configured (SEMKG_CHAT_MODEL, OPENAI_BASE_URL, OPENAI_API_KEY) the model answers.
    """
    from semkg.evaluate.answering import evaluate_answers
    from semkg.evaluate.datasets import read_questions
    from semkg.evaluate.graphs import open_timed

    given = settings()
    file, asked = read_questions(questions)
    with open_timed(kg or given.kg, given, write=record) as graph, progress(quiet) as told:
        runs = [evaluate_answers(graph, file, asked, plan, progress=told) for plan in plans]
        _record(graph, runs, record)
    return runs


@evaluate.command()
@click.option("--papers", type=FILE, help="QASPER papers in columns, JSON [default: those of SEMKG_DATA].")
@click.option("--chunker", type=click.Choice(CHUNKERS), default="structural", show_default=True, help="How the papers are cut.")
@click.option("--size", type=click.IntRange(40), default=1200, show_default=True, help="Most code points in a chunk.")
@click.option("--answers", "with_answers", is_flag=True, help="Ask for answers, too: answer F1 and evidence F1.")
@varied
def qasper(plans: list[Plan], papers: Path | None, chunker: str, size: int, with_answers: bool, kg: Path | None, quiet: bool) -> list[Run]:
    """Evidence paragraphs and answers on QASPER, one graph a paper.

    The folder holds the papers as Markdown and a graph for each paper and each way of cutting; what is not there yet is built.
    """
    from semkg.evaluate.datasets import file_of, located
    from semkg.evaluate.papers import EVIDENCE_AT, Chunking, evaluate_papers
    from semkg.evaluate.qasper import read_papers

    given = settings()
    path = papers or located("qasper", given)[0]
    read, file, cut = read_papers(path), file_of(path), Chunking(chunker, size)
    with progress(quiet) as told:
        return [
            evaluate_papers(read, file, kg or given.kg, cut, plan, given, answers=with_answers, progress=told)
            for plan in _deep(plans, max(EVIDENCE_AT))
        ]


@evaluate.command()
@click.argument("first")
@click.argument("second")
@click.option("--metric", default="recall@5", show_default=True, help="What is compared.")
@click.option("--samples", type=click.IntRange(1), default=10_000, show_default=True, help="Bootstrap samples.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the samples.")
@click.option("--quiet", "-q", is_flag=True, help="No remarks.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def compare(first: str, second: str, metric: str, samples: int, seed: int, as_json: bool, quiet: bool) -> None:
    """Compare two runs over the same questions by a paired bootstrap.

    FIRST and SECOND are files that --json wrote; FILE#MODE chooses one of several runs.
    """
    from semkg.evaluate.comparison import compare as compared
    from semkg.evaluate.runs import read_run

    found = compared(read_run(first), read_run(second), metric, samples, seed)
    if as_json:
        print_json(found)
        return
    print_table(
        [
            (metric, f"{found.first:.4f} → {found.second:.4f}"),
            ("difference", f"{found.difference:+.4f}"),
            ("95 % interval", f"{found.low:+.4f} … {found.high:+.4f}"),
            ("p", f"{found.p_value:.4f}"),
            ("better, worse, same", f"{found.wins}, {found.losses}, {found.ties}"),
        ]
    )
    if not quiet:
        click.echo(f"{found.questions} questions, {found.samples:,} samples, seed {found.seed}", err=True)


@evaluate.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The image: FILE.png, .pdf or .svg.")
@click.option("--quiet", "-q", is_flag=True, help="No remarks.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def plot(files: tuple[Path, ...], out: Path, as_json: bool, quiet: bool) -> None:
    """Draw recall over k for each run in FILES, and latency over size where their graphs differ in size."""
    from semkg.evaluate.plots import plot as drawn
    from semkg.evaluate.runs import read_runs

    runs = [run for file in files for run in read_runs(file)]
    drawn(runs, out)
    if as_json:
        print_json({"file": out, "runs": len(runs)})
    elif not quiet:
        click.echo(f"Drew {len(runs)} runs to {out}.", err=True)


def _retrieval(plans: Sequence[Plan], dataset: Dataset, kg: Path | None, record: bool, quiet: bool, triples: bool = False) -> list[Run]:
    from semkg.evaluate.graphs import graph_over
    from semkg.evaluate.retrieval import evaluate_retrieval

    given = settings()
    with (
        progress(quiet) as told,
        graph_over(dataset.corpus, kg or given.kg, given, write=record, triples=triples, progress=told) as graph,
    ):
        runs = [evaluate_retrieval(graph, dataset, plan, told) for plan in plans]
        _record(graph, runs, record)
    return runs


def _dataset(name: str | None, corpus: Path | None, questions: Path | None) -> Dataset:
    from semkg.evaluate.datasets import located, read_dataset

    if name is not None and not corpus and not questions:
        return read_dataset(*located(name, settings()), name)
    if name is None and corpus and questions:
        return read_dataset(corpus, questions)
    raise click.UsageError("Name both --corpus and --questions, or a known --dataset alone.")


def _plans(modes: Sequence[str], chosen: Sequence[str], limit: int | None, seed: int) -> list[Plan]:
    from semkg.evaluate.runs import Plan

    values = settings_given(chosen)
    return [Plan(mode=mode, settings=values, limit=limit, seed=seed) for mode in dict.fromkeys(modes)]


def _deep(plans: Sequence[Plan], depth: int) -> list[Plan]:
    return [replace(plan, depth=depth) for plan in plans]


def _check_outputs(out: Path | None, plot_to: Path | None) -> None:
    """What would fail after a long run fails before it."""
    from semkg.evaluate.plots import format_of

    for path in (path for path in (out, plot_to) if path is not None and str(path) != "-"):
        if not path.resolve().parent.is_dir():
            raise click.UsageError(f"{path} cannot be written, because its folder does not exist: make it first.")
    if plot_to is not None:
        format_of(plot_to)


def _record(graph: KnowledgeGraph, runs: Sequence[Run], wanted: bool) -> None:
    if wanted:
        from semkg.evaluate.recording import record

        for run in runs:
            record(graph, run)


def _deliver(runs: Sequence[Run], out: Path | None, plot_to: Path | None, quiet: bool) -> None:
    """The table on standard output, unless the JSON goes there; then the files."""
    from semkg.evaluate.plots import plot as drawn
    from semkg.evaluate.runs import as_json, write_runs

    if str(out) == "-":
        click.echo(as_json(runs).decode(), nl=False)
    else:
        _print_runs(runs)
        if out is not None:
            write_runs(runs, out)
    if plot_to is not None:
        drawn(runs, plot_to)
    if not quiet:
        for path in (path for path in (out, plot_to) if path is not None and str(path) != "-"):
            click.echo(f"Wrote {path}.", err=True)


def _print_runs(runs: Sequence[Run]) -> None:
    columns = [name for name in COLUMNS[runs[0].task] if any(name in run.metrics for run in runs)]
    rows = [(run.mode, *(f"{run.metrics[name]:.3f}" if name in run.metrics else "" for name in columns), *_times(run)) for run in runs]
    first = runs[0]
    title = f"{first.dataset.name}: {first.dataset.questions} questions, {first.graph.chunks:,} chunks, {first.graph.triplets:,} triplets"
    print_table(rows, ("mode", *columns, "median ms", "p99 ms"), title)


def _times(run: Run) -> tuple[str, str]:
    return f"{run.latency_ms['median']:.1f}", f"{run.latency_ms['p99']:.1f}"
