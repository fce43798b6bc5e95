"""`init`, `build` and `delete`: documents in and out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from semkg.cli.options import common, needs_writable_graph, opened, print_json
from semkg.cli.progress import print_table, progress
from semkg.config import KgConfig, settings

if TYPE_CHECKING:
    from semkg import KnowledgeGraph
    from semkg.agents.building import BuildReport

DEFAULTS = KgConfig()
CHUNKERS = ("structural", "paragraph", "semantic", "fixed_size", "sentence")


def _config(base: str, dataset: str, tenant: str, embedder: str, chunker: str, chunk_size: int, chunk_overlap: int) -> KgConfig:
    return KgConfig(
        base=base,
        tenant=tenant,
        dataset=dataset,
        embedder=embedder or settings().embedder or DEFAULTS.embedder,
        chunker=chunker,
        chunk_size=chunk_size,
        chunk_overlap=chunk_overlap,
    )


@click.command()
@click.option("--base", default=DEFAULTS.base, show_default=True, help="What the IRIs of this graph begin with.")
@click.option("--tenant", default=DEFAULTS.tenant, show_default=True, help="Part of the IRIs: whose graph it is.")
@click.option("--dataset", default=DEFAULTS.dataset, show_default=True, help="Part of the IRIs: which graph it is.")
@click.option(
    "--embedder", default="", help="Embedding model: a sentence-transformers name or path, or openai:MODEL [default: the packaged MiniLM]."
)
@click.option("--chunker", type=click.Choice(CHUNKERS), default=DEFAULTS.chunker, show_default=True, help="How documents are cut.")
@click.option("--chunk-size", type=click.IntRange(40), default=DEFAULTS.chunk_size, show_default=True, help="Most code points in a chunk.")
@click.option(
    "--chunk-overlap", type=click.IntRange(0), default=DEFAULTS.chunk_overlap, show_default=True, help="Overlap where a text must be split."
)
@common
def init(kg: Path | None, as_json: bool, quiet: bool, **chosen: str | int) -> None:
    """Make an empty knowledge graph.

    `semkg build` makes one with the defaults where there is none; use this to choose something else.
    """
    from semkg import KnowledgeGraph
    from semkg.config import FILE
    from semkg.errors import UsageError

    folder = kg or settings().kg
    if (folder / FILE).exists():
        raise UsageError(f"{folder} holds a knowledge graph already: choose another folder with --kg")
    with KnowledgeGraph.open(folder, create=True, config=_config(**chosen)):  # type: ignore[arg-type]  # click checked the types
        pass
    if as_json:
        print_json({"kg": str(folder)})
    elif not quiet:
        click.echo(f"Made an empty knowledge graph in {folder}. Next: semkg build SOURCE --kg {folder}")


@click.command()
@click.argument("sources", nargs=-1)
@click.option(
    "--title-field", default="title", show_default=True, help="JSON records: the field with the title; a dotted path may lead to it."
)
@click.option("--text-field", default="text", show_default=True, help="JSON records: the field with the text.")
@click.option("--id-field", default="", help="JSON records: the field that tells one record from another [default: the content].")
@click.option(
    "--triples",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Instead of SOURCE, a JSON or JSONL file of records with `entities` and `triples` that another extractor found.",
)
@common
def build(
    sources: tuple[str, ...],
    title_field: str,
    text_field: str,
    id_field: str,
    triples: Path | None,
    kg: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Read documents into the graph.

    SOURCE is a file, a folder, a glob pattern, a JSON or JSONL file of records, or - for standard input. What the graph
    holds unchanged is skipped, what has changed replaces its old version, and a build that was stopped goes on where it was.
    With --triples the records of a file become documents and their own triples are replayed; a row that cannot be used is reported.
    """
    from semkg.ingest import Fields

    if bool(sources) == bool(triples):
        raise click.UsageError(
            "SOURCE and --triples cannot be read in one call: make it two."
            if triples
            else "Missing argument 'SOURCE...': or give --triples."
        )
    fields = Fields(title_field, text_field, id_field)
    with opened(kg, write=True, create=True, quiet=quiet) as graph, progress(quiet) as told:
        report = graph.build_from_triples(triples, fields, told) if triples else graph.build(sources, fields, told)
    if as_json:
        print_json({**_table(report), "problems": report.problems})
    elif not quiet:
        print_table(_table(report).items())
    for problem in report.problems:
        click.echo(f"semkg: {problem.source}: {problem.message}", err=True)
    return report.problems[0].exit_code if report.problems else 0


def _table(report: BuildReport) -> dict[str, object]:
    return {
        "documents": report.documents,
        "new": report.new,
        "changed": report.changed,
        "resumed": report.resumed,
        "unchanged": report.unchanged,
        "not read": len(report.problems),
        "chunks": report.chunks,
        "entities": report.entities,
        "triplets": report.triplets,
        "refused": report.refused,
        "merged": report.merged,
        "seconds": round(report.seconds, 2),
        "chunks a second": round(report.rate, 1),
    }


@click.command()
@click.argument("document")
@common
@needs_writable_graph
def delete(graph: KnowledgeGraph, document: str, as_json: bool, quiet: bool) -> None:
    """Delete a document and exactly what only it supported.

    DOCUMENT is an IRI, a source, a path or a title. A receipt stays in the provenance.
    """
    receipt = graph.delete(document)
    if as_json:
        print_json(receipt)
    elif not quiet:
        rows = [(kind, count, receipt.kept[kind]) for kind, count in receipt.removed.items()]
        print_table(rows, ("", "removed", "kept"), f"Deleted {receipt.title or receipt.document}")
        click.echo(f"hash before  {receipt.hash_before}\nhash after   {receipt.hash_after}\nreceipt      {receipt.activity}")
