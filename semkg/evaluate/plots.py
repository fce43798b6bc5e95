"""Plots of runs: recall over k by mode, and latency over the size of the graph; for a paper's column, in print and for the colour-blind.

Colours are those of Okabe and Ito (2008); lines differ by marker and dash too.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from semkg.config import write_atomically
from semkg.errors import Misconfigured, UsageError
from semkg.evaluate.runs import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = ("png", "pdf", "svg")

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":")

COLUMN_INCHES = 3.5
DPI = 300

_RECALL = re.compile(r"recall@(\d+)")


def plot(runs: Sequence[Run], path: Path) -> None:
    """Draw recall over k for each run, and beside it latency over size where the graphs differ in size.

    Args:
        runs: at least one that measured recall.
        path: of the image; its extension is the format, one of `FORMATS`.

    Raises:
        UsageError: there is nothing to draw, or no such format.
        Misconfigured: matplotlib is not installed.
        StorageFull, StorageError, PermissionDenied: the file cannot be written.
    """
    format = format_of(path)
    drawn = [run for run in runs if recall_curve(run)]
    grown = len({run.graph.chunks for run in runs}) > 1
    if not drawn and not grown:
        raise UsageError("there is nothing to draw: give runs that measured recall, or runs over graphs of different size")
    write_atomically(path, _image(drawn, runs if grown else (), format))


def format_of(path: Path) -> str:
    """The format of a plot by its file's extension.

    Raises:
        UsageError: there is no such format.
    """
    format = path.suffix.lower().lstrip(".")
    if format not in FORMATS:
        raise UsageError(f"{path}: plots are written as {', '.join(FORMATS)}: give the file one of these extensions")
    return format


def recall_curve(run: Run) -> list[tuple[int, float]]:
    """(k, recall@k) by k."""
    return sorted((int(match[1]), value) for name, value in run.metrics.items() if (match := _RECALL.fullmatch(name)))


def labels(runs: Sequence[Run]) -> list[str]:
    """What tells the runs apart: the mode, with the dataset, the settings and the size of the graph where they are needed."""
    parts = [[run.mode] for run in runs]
    if len({run.dataset.name for run in runs}) > 1:
        parts = [[run.dataset.name, *part] for run, part in zip(runs, parts, strict=True)]
    for name in sorted({name for run in runs for name in run.settings} - {"mode"}):
        if len({repr(run.settings.get(name)) for run in runs}) > 1:
            parts = [
                [*part, f"{name}={run.settings[name]}"] if run.settings.get(name) is not None else part
                for run, part in zip(runs, parts, strict=True)
            ]
    if len({run.graph.chunks for run in runs}) > 1 and len({tuple(part) for part in parts}) < len(parts):
        parts = [[*part, f"{run.graph.chunks:,} chunks"] for run, part in zip(runs, parts, strict=True)]
    return [", ".join(part) for part in parts]


def _image(by_k: Sequence[Run], by_size: Sequence[Run], format: str) -> bytes:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise Misconfigured('plots need matplotlib, which is not installed: pip install "semkg[plot]"') from error
    panels = bool(by_k) + bool(by_size)
    figure = Figure(figsize=(COLUMN_INCHES * panels, 2.8), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    axes = [figure.add_subplot(1, panels, number + 1) for number in range(panels)]
    if by_k:
        _draw_recall(axes[0], by_k)
    if by_size:
        _draw_latency(axes[-1], by_size)
    out = io.BytesIO()
    figure.savefig(out, format=format)
    return out.getvalue()


def _draw_recall(axes: Axes, runs: Sequence[Run]) -> None:
    for number, (run, label) in enumerate(zip(runs, labels(runs), strict=True)):
        curve = recall_curve(run)
        _line(axes, number, [k for k, _ in curve], [value for _, value in curve], label)
    cuts = sorted({k for run in runs for k, _ in recall_curve(run)})
    axes.set_xscale("log")
    axes.set_xticks(cuts, [str(k) for k in cuts])
    axes.minorticks_off()
    axes.set_ylim(0, 1.02)
    _name(axes, "k", "recall@k")


def _draw_latency(axes: Axes, runs: Sequence[Run]) -> None:
    for number, mode in enumerate(dict.fromkeys(run.mode for run in runs)):
        found = sorted((run.graph.chunks, run.latency_ms["median"], run.latency_ms["p99"]) for run in runs if run.mode == mode)
        sizes = [size for size, _, _ in found]
        _line(axes, number, sizes, [median for _, median, _ in found], f"{mode}, median")
        axes.plot(
            sizes, [p99 for _, _, p99 in found], color=COLOURS[number % len(COLOURS)], linestyle=":", linewidth=0.9, label=f"{mode}, p99"
        )
    sizes = sorted({run.graph.chunks for run in runs})
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    _name(axes, "chunks in the graph", "latency of a question (ms)")


def _line(axes: Axes, number: int, xs: Sequence[float], ys: Sequence[float], label: str) -> None:
    axes.plot(
        xs,
        ys,
        label=label,
        color=COLOURS[number % len(COLOURS)],
        marker=MARKERS[number % len(MARKERS)],
        linestyle=DASHES[number % len(DASHES)],
        linewidth=1.3,
        markersize=4,
    )


def _name(axes: Axes, x: str, y: str) -> None:
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3, linewidth=0.5)
    axes.legend(fontsize=7, frameon=False)
