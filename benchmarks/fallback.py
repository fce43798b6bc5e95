"""How far over its budget an answer comes when the graph stream hangs or fails, as JSON.

python benchmarks/fallback.py [--kg DIR] [--repeat 50] [--budget 0.2]

A stream that hangs waits in its thread until it is measured; one that fails raises at once, and its overrun is all the time of the answer.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

from semkg import KnowledgeGraph
from semkg.models import HashEmbedder
from semkg.retrieve.deep import Navigator
from semkg.retrieve.guided import GuidedWalk

DOCUMENTS = 200
STREAMS = {"fusion": GuidedWalk, "deep": Navigator}


def ring() -> KnowledgeGraph:
    """A graph in memory of some hundred documents, each about a place near the next one."""
    kg = KnowledgeGraph.in_memory(embedder=HashEmbedder())
    places = [f"Place {number}" for number in range(DOCUMENTS)]
    records = [
        {"title": here, "text": f"{here} lies near {there}.", "entities": [here, there], "triples": [[here, "near", there]]}
        for here, there in pairwise([*places, places[0]])
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ring.json"
        file.write_text(json.dumps(records), encoding="utf-8")
        kg.build_from_triples(file)
    return kg


@contextmanager
def hanging(mode: str) -> Iterator[None]:
    """A stream that waits until the block is over."""
    event = threading.Event()
    with patch.object(STREAMS[mode], "__call__", lambda *given: event.wait()):
        yield
    event.set()


@contextmanager
def failing(mode: str) -> Iterator[None]:
    """A stream that raises."""

    def fail(*given: object) -> None:
        raise RuntimeError("on purpose")

    with patch.object(STREAMS[mode], "__call__", fail):
        yield


def overruns(kg: KnowledgeGraph, mode: str, allowed: float, budget: float, repeat: int) -> list[float]:
    """Milliseconds over `allowed` seconds of some answers."""
    found = []
    titles = [row.title for row in kg.documents()]
    for number in range(repeat):
        question = f"What is near {titles[number % len(titles)]}?"
        started = time.perf_counter()
        results = kg.search(question, mode, settings={"budget": budget})
        found.append(1000 * (time.perf_counter() - started - allowed))
        assert results
        assert results.notes
    return found


def described(milliseconds: list[float]) -> dict[str, float]:
    ordered = sorted(milliseconds)
    return {
        "median": round(statistics.median(ordered), 2),
        "p90": round(ordered[int(0.9 * (len(ordered) - 1))], 2),
        "largest": round(ordered[-1], 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=50, help="answers of each kind")
    parser.add_argument("--budget", type=float, default=0.2, help="seconds that the graph stream is given")
    parser.add_argument("--kg", type=Path, help="measure on this graph instead of a small one in memory")
    given = parser.parse_args()
    kg = KnowledgeGraph.open(given.kg, read_only=True) if given.kg else ring()
    measured: dict[str, dict[str, object]] = {}
    for mode in STREAMS:
        kg.search("What is near?", mode)
        measured[mode] = {}
        for kind, faulty, allowed in (("hangs", hanging, given.budget), ("fails", failing, 0.0)):
            with faulty(mode):
                measured[mode][kind] = described(overruns(kg, mode, allowed, given.budget, given.repeat))
    print(json.dumps({"budget_ms": 1000 * given.budget, "repeat": given.repeat, "overrun_ms": measured}, indent=2))


if __name__ == "__main__":
    main()
