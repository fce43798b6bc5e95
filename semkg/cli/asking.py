"""`ask`, `search`, `show`, `why` and `query`: questions to the graph."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from semkg.cli.options import common, needs_graph, print_json, settings_given
from semkg.cli.progress import print_table

if TYPE_CHECKING:
    from semkg import KnowledgeGraph
    from semkg.agents.responder import Answer
    from semkg.provenance import Origin, Statement
    from semkg.retrieve import Passage

MODE = click.option("--mode", default="fusion", show_default=True, help="How passages are found: vector, lexical, kg, fusion or deep.")


@click.command()
@click.argument("question")
@MODE
@common
@needs_graph
def ask(graph: KnowledgeGraph, question: str, mode: str, as_json: bool, quiet: bool) -> None:
    """Answer a question with the facts and the words that the answer rests on.

    With a chat model configured (SEMKG_CHAT_MODEL, OPENAI_BASE_URL, OPENAI_API_KEY) the model answers from the same evidence.
    """
    answer = graph.ask(question, mode)
    if as_json:
        print_json(_answer(answer))
        return
    if not answer.known:
        click.echo("I do not know: the graph holds no fact that answers this.")
        if not quiet:
            for passage in answer.passages[:3]:
                click.echo(f"  perhaps in: {passage.title} — {_short(passage.text)}")
        return
    click.echo(answer.answer)
    if not quiet:
        for statement in answer.facts:
            click.echo(f"  fact: {statement.text}")
        for number, citation in enumerate(answer.citations, 1):
            click.echo(f"  [{number}] {citation.title}: “{citation.quote}”")


def _answer(answer: Answer) -> dict[str, object]:
    return {
        "question": answer.question,
        "answer": answer.answer,
        "known": answer.known,
        "confidence": answer.confidence,
        "citations": answer.citations,
        "facts": answer.facts,
        "passages": [_passage(passage) for passage in answer.passages],
        "answered_by": answer.answered_by,
    }


@click.command()
@click.argument("text")
@MODE
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many passages.")
@click.option("--type", "type_", default="Chunk", show_default=True, help="With --mode vector: Chunk, Entity, Triplet or HyperNode.")
@click.option("--document", default="", help="Only what belongs to this document: its IRI, source or title.")
@click.option("--run", default="", metavar="IRI", help="Only what this run read or made.")
@click.option("--set", "chosen", multiple=True, metavar="NAME=VALUE", help="A parameter of retrieval; may be repeated.")
@common
@needs_graph
def search(
    graph: KnowledgeGraph,
    text: str,
    mode: str,
    limit: int,
    type_: str,
    document: str,
    run: str,
    chosen: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Find the passages that fit best."""
    found = graph.search(text, mode, limit, filter=graph.filter(type_, document, run), settings=settings_given(chosen))
    if as_json:
        print_json({"results": [_passage(passage) for passage in found], "notes": found.notes})
        return
    for note in () if quiet else found.notes:
        click.echo(f"semkg: {note}", err=True)
    for rank, passage in enumerate(found, 1):
        told = ", ".join(f"{name} {place.rank}" for name, place in passage.streams.items())
        click.echo(f"{rank:>2}. {passage.title or passage.type}  ({told})")
        click.echo(f"    {_short(passage.text, 200)}")
        if passage.path and not quiet:
            click.echo(f"    because {' — '.join(map(str, passage.path))}")
    if not found and not quiet:
        click.echo("Nothing found.", err=True)


def _passage(passage: Passage) -> dict[str, object]:
    return {
        "iri": passage.iri,
        "type": passage.type,
        "score": passage.score,
        "text": passage.text,
        "start": passage.start,
        "end": passage.end,
        "document": {"iri": passage.document, "title": passage.title, "source": passage.source},
        "streams": passage.streams,
        "path": passage.path,
    }


@click.command()
@click.argument("name")
@common
@needs_graph
def show(graph: KnowledgeGraph, name: str, as_json: bool, quiet: bool) -> None:
    """Show an entity: its class, its names, and what is said about it.

    NAME is an IRI, a label or an alias.
    """
    card = graph.show(name)
    if as_json:
        print_json(card)
        return
    click.echo(f"{card.label}  ({card.type.rsplit('/', 1)[-1]})\n{card.iri}")
    for title, values in (("also known as", card.aliases), ("merged", card.merged), ("related", card.related), ("is", card.definitions)):
        if values:
            click.echo(f"  {title}: {'; '.join(values)}")
    for statement in card.statements[:50]:
        click.echo(f"  {statement.text}  [{statement.confidence:.2f}]")
    if not quiet:
        click.echo(f"  mentioned in {_counted(card.mentions, 'chunk')} of {_counted(len(card.documents), 'document')}", err=True)


@click.command()
@click.argument("name")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="At most so many statements.")
@common
@needs_graph
def why(graph: KnowledgeGraph, name: str, limit: int, as_json: bool, quiet: bool) -> None:
    """Show where a fact comes from: its words, their chunk and document, who read them and when.

    NAME is the IRI of a triplet, or an entity's IRI, label or alias.
    """
    statements = graph.why(name, limit)
    if as_json:
        print_json({"statements": statements})
        return
    for statement in statements:
        _lineage(statement)
    if not statements and not quiet:
        click.echo("Nothing is said about it.", err=True)


def _lineage(statement: Statement) -> None:
    click.echo(f"{statement.text}  [{statement.status}, confidence {statement.confidence:.2f}]\n  triplet   {statement.triplet}")
    for origin in statement.origins:
        before, quoted, after = _in_sentence(origin)
        click.echo(f"  evidence  {before}«{quoted}»{after}")
        click.echo(f"  chunk     {origin.chunk} [{origin.start}:{origin.end}]")
        click.echo(f"  document  {origin.title} ({origin.source})")
        if origin.activity:
            click.echo(f"  activity  {origin.activity_type} {origin.started} {origin.activity}\n  agent     {origin.agent}")


def _in_sentence(origin: Origin) -> tuple[str, str, str]:
    """The evidence with the rest of its sentence before and after it."""
    from semkg.ingest.sentences import sentence_around

    start, end = sentence_around(origin.text, origin.start, origin.end)
    parts = origin.text[start : origin.start], origin.exact, origin.text[origin.end : end]
    before, quoted, after = (part.replace("\n", " ") for part in parts)
    return before, quoted, after


@click.command()
@click.argument("file", type=click.File("r", encoding="utf-8"))
@common
@needs_graph
def query(graph: KnowledgeGraph, file: Iterable[str], as_json: bool, quiet: bool) -> None:
    """Run a SPARQL query from FILE (- for standard input) over the whole graph.

    SELECT gives a table or SPARQL JSON results, ASK true or false, CONSTRUCT and DESCRIBE N-Triples.
    """
    import pyoxigraph as ox

    from semkg.sparql.guard import checked

    # A query cannot be interrupted from Python; this process only reads, so the signal may simply end it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    result = graph.sparql(checked("".join(file)))
    if isinstance(result, ox.QuerySolutions) and not as_json:
        names = [variable.value for variable in result.variables]
        rows = [["" if (term := row[name]) is None else getattr(term, "value", str(term)) for name in names] for row in result]
        print_table(rows, names)
    elif isinstance(result, ox.QueryTriples):
        sys.stdout.buffer.write(result.serialize(format=ox.RdfFormat.N_TRIPLES) or b"")
    elif as_json:
        sys.stdout.buffer.write(result.serialize(format=ox.QueryResultsFormat.JSON) or b"")
        click.echo()
    else:
        click.echo(str(bool(result)).lower())


def _short(text: str, length: int = 110) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1].rsplit(" ", 1)[0] + " …"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
