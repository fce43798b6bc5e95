"""`export` and `import`: the graph in the standards' formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from semkg.cli.options import common, needs_graph, needs_writable_graph, print_json
from semkg.cli.progress import print_table

if TYPE_CHECKING:
    from semkg import KnowledgeGraph

FORMATS = click.Choice(["turtle", "trig", "nquads", "jsonld", "rdfxml", "provn", "provjson"])


@click.command()
@click.option("--format", "format", type=FORMATS, default="trig", show_default=True, help="turtle and rdfxml hold no named graphs.")
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file [default: standard output].")
@click.option("--graph", "graphs", multiple=True, help="Only this named graph: corpus, facts, triplets, provenance, schema, reviews, …")
@click.option("--vectors", is_flag=True, help="The vectors too.")
@common
@needs_graph
def export(
    graph: KnowledgeGraph, format: str, output: Path | None, graphs: tuple[str, ...], vectors: bool, as_json: bool, quiet: bool
) -> None:
    """Write the graph in a standard format. Equal graphs give equal files."""
    from semkg.errors import translated_os_errors

    if output is None:
        graph.export(sys.stdout.buffer, format, graphs, vectors)
        return
    scratch = output.with_name(output.name + ".part")
    with translated_os_errors(output):
        try:
            with scratch.open("wb") as stream:
                count = graph.export(stream, format, graphs, vectors)
            scratch.replace(output)
        finally:
            scratch.unlink(missing_ok=True)
    if as_json:
        print_json({"file": str(output), "quads": count})
    elif not quiet:
        click.echo(f"Wrote {count:,} quads to {output}.", err=True)


@click.command(name="import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--format", "format", type=FORMATS, help="[default: by the extension]")
@common
@needs_writable_graph
def import_(graph: KnowledgeGraph, file: Path, format: str | None, as_json: bool, quiet: bool) -> int:
    """Bring triples from FILE through the gate.

    An export of semkg is taken over as it is. Anyone else's triples become a document, each statement's line its evidence.
    """
    report = graph.import_triples(file, format)
    if as_json:
        print_json(report)
    elif not quiet:
        rows = [
            ("statements", report.statements),
            ("triplets", report.triplets),
            ("entities", report.entities),
            ("refused", len(report.refused)),
        ]
        print_table(rows, title="Restored an export" if report.restored else "Imported")
    for refusal in report.refused:
        reason = refusal.violations[0].message if refusal.violations else "what it depends on was refused"
        click.echo(f"semkg: refused {refusal.label!r}: {reason}", err=True)
    return 65 if report.refused else 0
