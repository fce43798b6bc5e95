"""How long a question takes, how much memory a loaded graph needs, and how long it takes from nothing to the first answer.

    python benchmarks/latency.py --kg DIR --questions FILE [--limit 500] [--repeat 5] --json FILE

One process, warm: median, 90th and 99th percentile of `search` with ten passages for each mode, with the embedding of the question and
without it (the time inside the embedder subtracted). Memory is the resident set with the embedding model alone, and with the graph after
all questions. The cold figures are wall-clock seconds of new Python processes that import semkg, open the graph for reading and search for
one question; from the second process on, the files of graph and model are in the page cache.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from semkg import KnowledgeGraph
from semkg.config import read_config, settings
from semkg.evaluate import read_questions
from semkg.evaluate.datasets import sample
from semkg.evaluate.environment import machine, peak_memory_mb, versions
from semkg.evaluate.latency import TimedEmbedder, summary, timed
from semkg.models import embedder as embedder_named

MODES = ("fusion", "vector", "lexical", "kg", "deep")
LIMIT = 10
WARM_UP = "What is this about?"
WARM_UPS = 10

FIRST_ANSWER = """
import sys
from semkg import KnowledgeGraph
with KnowledgeGraph.open(sys.argv[1], read_only=True) as graph:
    found = graph.search(sys.argv[2])
    sys.exit(0 if len(found) else 1)
"""


def resident_mb() -> float:
    """What this process holds in memory now, in MB of 2^20 bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1)


def embedder_of(folder: Path) -> TimedEmbedder:
    """The embedding model of a graph, loaded."""
    model = TimedEmbedder(embedder_named(read_config(folder).embedder, settings()))
    model.embed([WARM_UP])
    return model


def latencies(graph: KnowledgeGraph, texts: Sequence[str], modes: Sequence[str]) -> dict[str, Mapping[str, float]]:
    """Mode → median, p90, p99 and mean in milliseconds, and how many answers went without the graph stream, which has a time budget."""
    found: dict[str, Mapping[str, float]] = {}
    for mode in modes:
        for _ in range(WARM_UPS):
            graph.search(WARM_UP, mode, LIMIT)
        watches, without_graph = [], 0
        for text in texts:
            with timed(graph.parts.embedder) as watch:
                results = graph.search(text, mode, LIMIT)
            watches.append(watch)
            without_graph += bool(results.notes)
        found[mode] = {**summary(watches), "without_graph_stream": float(without_graph)}
    return found


def cold(folder: Path, question: str, repeat: int) -> list[float]:
    """Seconds from starting Python to the first answer, a new process each time."""
    seconds = []
    for _ in range(repeat):
        begun = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", FIRST_ANSWER, str(folder), question], check=False)
        seconds.append(round(time.perf_counter() - begun, 2))
        if done.returncode:
            sys.exit(f"the process that opens {folder} and asks ended with {done.returncode}")
    return seconds


def measure(folder: Path, texts: Sequence[str], repeat: int) -> dict[str, object]:
    """Everything about one graph."""
    first = cold(folder, texts[0], repeat)
    model = embedder_of(folder)
    alone = resident_mb()
    begun = time.perf_counter()
    with KnowledgeGraph.open(folder, read_only=True, embedder=model) as graph:
        opened = time.perf_counter() - begun
        graph.search(texts[0])
        answered = time.perf_counter() - begun
        found = latencies(graph, texts, MODES)
        loaded = resident_mb()
        chunks = sum(graph.stats().chunks.values())
    return {
        "kg": folder.name,
        "chunks": chunks,
        "questions": len(texts),
        "limit": LIMIT,
        "latency_ms": found,
        "memory_mb": {"embedder": alone, "with_graph": loaded, "graph": round(loaded - alone, 1), "peak": peak_memory_mb()},
        "warm_open_seconds": {"open": round(opened, 3), "first_answer": round(answered, 3)},
        "cold_first_answer_seconds": {"median": statistics.median(first) if first else None, "all": first},
        "versions": versions(),
        "machine": asdict(machine()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kg", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True, help="a JSON list of objects with the field question")
    parser.add_argument("--limit", type=int, default=500, help="questions, drawn with the seed 0")
    parser.add_argument("--repeat", type=int, default=5, help="cold starts")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    _, questions = read_questions(given.questions)
    texts = [question.text for question in sample(questions, given.limit, 0)]
    result = measure(given.kg, texts, given.repeat)
    print(json.dumps(result, indent=2))
    if given.json:
        given.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
