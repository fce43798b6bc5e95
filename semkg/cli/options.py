"""Options that every command shares, and the two ways of printing a result."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semkg.config import settings

if TYPE_CHECKING:
    from semkg import KnowledgeGraph

F = Callable[..., Any]


def common(function: F) -> F:
    """`--kg`, `--json` and `--quiet`."""
    for option in (
        click.option("--quiet", "-q", is_flag=True, help="No progress and no remarks on standard error."),
        click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
        click.option("--kg", type=click.Path(path_type=Path), help="Folder of the knowledge graph [default: SEMKG_KG, then ./kg]."),
    ):
        function = option(function)
    return function


def opened(kg: Path | None, *, write: bool = False, create: bool = False, quiet: bool = True, accept_loss: bool = False) -> KnowledgeGraph:
    """Open the knowledge graph that a command is about, and tell what had to be repaired."""
    from semkg import KnowledgeGraph

    graph = KnowledgeGraph.open(kg or settings().kg, create=create, read_only=not write, accept_loss=accept_loss)
    if not quiet:
        for repair in graph.repairs:
            told = f": {repair.problem}" if repair.problem else ""
            click.echo(f"semkg: brought {repair.index} into step with the graph (+{repair.added} −{repair.removed}){told}", err=True)
    return graph


def as_value(result: object) -> object:
    """A result as plain JSON values.

    >>> as_value({"a": (1, 2)})
    {'a': [1, 2]}
    """
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return {field.name: as_value(getattr(result, field.name)) for field in dataclasses.fields(result)}
    if isinstance(result, Mapping):
        return {str(key): as_value(value) for key, value in result.items()}
    if isinstance(result, list | tuple | set | frozenset):
        return [as_value(item) for item in result]
    if isinstance(result, Enum):
        return result.value
    if isinstance(result, str | int | float | bool) or result is None:
        return result
    return getattr(result, "value", str(result))


def print_json(result: object) -> None:
    click.echo(json.dumps(as_value(result), ensure_ascii=False, indent=2))


def settings_given(chosen: Iterable[str]) -> dict[str, str | float | bool]:
    """What `--set NAME=VALUE` gave: `["damping=0.5"]` → {"damping": 0.5}; what is no JSON number or truth value is a text."""
    return dict(map(_setting, chosen))


def _setting(text: str) -> tuple[str, str | float | bool]:
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise click.UsageError(f"--set takes NAME=VALUE, not {text!r}.")
    try:
        parsed = json.loads(value)
    except json.JSONDecodeError:
        return name, value
    return name, parsed if isinstance(parsed, bool | int | float | str) else value


def needs_graph(function: F) -> F:
    """Close the graph that a command works with, whatever happens. The command gets it as its first argument `graph`."""

    @functools.wraps(function)
    def wrapped(kg: Path | None, **options: Any) -> Any:
        with opened(kg, quiet=bool(options.get("quiet"))) as graph:
            return function(graph=graph, **options)

    return wrapped


def needs_writable_graph(function: F) -> F:
    """As `needs_graph`, for commands that change the graph."""

    @functools.wraps(function)
    def wrapped(kg: Path | None, **options: Any) -> Any:
        with opened(kg, write=True, quiet=bool(options.get("quiet"))) as graph:
            return function(graph=graph, **options)

    return wrapped
