"""Progress bars and tables on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from semkg.ports import Progress, Silence

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


class TerminalProgress:
    """The `Progress` port on standard error."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def start(self, stage: str, total: int | None) -> None:
        self._tasks[stage] = self._bars.add_task(stage, total=total)

    def advance(self, stage: str, steps: int = 1) -> None:
        if stage in self._tasks:
            self._bars.advance(self._tasks[stage], steps)

    def note(self, text: str) -> None:
        self._bars.console.print(f"  {text} …", style="dim", highlight=False)


@contextmanager
def progress(quiet: bool) -> Iterator[Progress]:
    """Progress for one long piece of work; none where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield Silence()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        yield TerminalProgress(bars)


def print_table(rows: Iterable[Sequence[object]], header: Sequence[str] = (), title: str = "") -> None:
    """A small table on standard output; the first column is left, numbers are right."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=title or None, box=box.SIMPLE, show_header=bool(header), title_justify="left", pad_edge=False)
    shown = [[_shown(cell) for cell in row] for row in rows]
    width = max((len(row) for row in shown), default=len(header))
    for number in range(width):
        numeric = bool(shown) and all(_is_number(row[number]) for row in shown if number < len(row))
        table.add_column(header[number] if number < len(header) else "", justify="right" if numeric else "left", overflow="fold")
    for row in shown:
        table.add_row(*map(escape, row))
    Console().print(table)


def _shown(cell: object) -> str:
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return str(cell)
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.2f}"


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "", 1).lstrip("-").isdigit()
