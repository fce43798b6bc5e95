"""`stats`, `validate`, `doctor`, `merge`, `unmerge` and `reembed`: looking after a graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from semkg.cli.options import common, needs_graph, needs_writable_graph, opened, print_json
from semkg.cli.progress import print_table, progress
from semkg.errors import BadInput, Corrupt, Misconfigured
from semkg.model import Conformance

if TYPE_CHECKING:
    from semkg import KnowledgeGraph
    from semkg.model import Report


@click.command()
@click.option("--documents", is_flag=True, help="List the documents instead.")
@common
@needs_graph
def stats(graph: KnowledgeGraph, documents: bool, as_json: bool, quiet: bool) -> None:
    """Count what is in the graph."""
    if documents:
        rows = graph.documents()
        print_json({"documents": rows}) if as_json else print_table(
            [(row.title, row.chunks, row.pending, row.source) for row in rows], ("title", "chunks", "unread", "source")
        )
        return
    found = graph.stats()
    if as_json:
        print_json(found)
        return
    facts = sum(found.triplets.values())
    print_table(
        [
            ("documents", found.documents),
            ("chunks", sum(found.chunks.values())),
            ("entities", found.entities),
            ("merged entities", found.merged),
            ("HyperNodes", found.hypernodes),
            ("triplets", facts),
            ("edges", found.edges),
            ("pieces of evidence", found.evidence),
            ("refusals", found.refused),
            ("commits", found.commits),
            ("quads", sum(found.quads.values())),
        ]
    )
    if not quiet:
        print_table(list(found.classes.items())[:15], ("class", "entities"))
        print_table(list(found.predicates.items())[:15], ("relation", "triplets"))


@click.command()
@common
@needs_graph
def validate(graph: KnowledgeGraph, as_json: bool, quiet: bool) -> None:
    """Check the whole graph against its SHACL shapes."""
    report = graph.validate()
    if as_json:
        print_json(report)
    elif not quiet:
        _print_report(report)
    if report.conformance is Conformance.VIOLATES:
        raise BadInput(f"the graph does not conform: {len(report.violations)} violations")
    if report.conformance is Conformance.UNCHECKED:
        raise Misconfigured(f"the graph was not checked: {report.reason}")


def _print_report(report: Report) -> None:
    click.echo(f"The graph {report.conformance.value}.")
    for violation in report.violations[:50]:
        click.echo(f"  {violation.focus.value}\n    {violation.message}")


@click.command()
@click.option("--accept-loss", is_flag=True, help="Go on with a store that lost acknowledged commits; build again afterwards.")
@common
def doctor(kg: Path | None, accept_loss: bool, as_json: bool, quiet: bool) -> None:
    """Check what must always hold, bring the indexes into step with the graph, and say what was done."""
    with opened(kg, write=True, quiet=True, accept_loss=accept_loss) as graph:
        diagnosis = graph.doctor()
    if as_json:
        print_json(
            {
                "healthy": diagnosis.healthy,
                "findings": diagnosis.findings,
                "repairs": diagnosis.repairs,
                "released": diagnosis.released,
                "report": diagnosis.report,
            }
        )
    elif not quiet:
        for repair in diagnosis.repairs:
            click.echo(f"repaired {repair.index}: +{repair.added} −{repair.removed}" + (f" ({repair.problem})" if repair.problem else ""))
        if diagnosis.released:
            click.echo(f"gave {diagnosis.released} chunks back to the queue that a dead process was reading")
        for finding in diagnosis.findings[:50]:
            click.echo(f"{finding.invariant}: {finding.node} {finding.message}")
        _print_report(diagnosis.report)
        click.echo("Healthy." if diagnosis.healthy else "Not healthy: see above.")
    if not diagnosis.healthy:
        raise Corrupt("the graph breaks what must always hold: restore a backup, or build it again in a new folder")


@click.command()
@click.argument("entity")
@click.argument("into")
@click.option("--because", default="declared", show_default=True, help="Why they are one; kept in the record.")
@common
@needs_writable_graph
def merge(graph: KnowledgeGraph, entity: str, into: str, because: str, as_json: bool, quiet: bool) -> None:
    """Declare ENTITY and INTO to be one thing. What was said stays as it is; the edges follow."""
    graph.merge(entity, into, because)
    if as_json:
        print_json({"merged": entity, "into": into})
    elif not quiet:
        click.echo(f"{entity} is now part of {into}; undo it with `semkg unmerge`.")


@click.command()
@click.argument("entity")
@common
@needs_writable_graph
def unmerge(graph: KnowledgeGraph, entity: str, as_json: bool, quiet: bool) -> None:
    """Undo a merge, for good: the rules will not merge the two again."""
    into = graph.unmerge(entity)
    if as_json:
        print_json({"unmerged": entity, "from": into})
    elif not quiet:
        click.echo(f"{entity} stands for itself again; it had been part of {into}.")


@click.command()
@click.argument("embedder")
@common
def reembed(kg: Path | None, embedder: str, as_json: bool, quiet: bool) -> None:
    """Change the embedding model: embed every node again with EMBEDDER.

    EMBEDDER is a sentence-transformers name or path, openai:MODEL for an endpoint, or hashing-384 for no model at all.
    """
    with opened(kg, write=True, quiet=quiet) as graph, progress(quiet) as told:
        count = graph.reembed(embedder, told)
    if as_json:
        print_json({"embedder": embedder, "nodes": count})
    elif not quiet:
        click.echo(f"{count:,} nodes have vectors of {embedder} now.")
