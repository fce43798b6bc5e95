"""What adding passages to a built graph costs beside building it, and whether the grown graph ranks as one that was built at once.

    python benchmarks/adding.py --build --corpus FILE --kg DIR [--added 100]
    python benchmarks/adding.py --corpus FILE --kg DIR --full DIR --questions FILE [--added 100] [--limit N] --json FILE

The first command builds the graph of all but the last passages with `semkg build` and keeps its time beside the folder. The second leaves
that graph as it is: it adds the last passages to a copy (loading the models, opening, building, closing, each timed by itself) and compares
the ranking of the copy with that of the graph over the whole corpus, question by question. `--build` with the options of the second does
both. Passages are compared by what identifies their records, since a document's IRI names its file.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from once import Remembering, opened, plan

from semkg import KnowledgeGraph
from semkg.config import KgConfig, read_config, settings
from semkg.evaluate import Dataset, Run, compare, evaluate_retrieval, read_dataset
from semkg.evaluate.environment import machine, versions
from semkg.evaluate.graphs import is_over
from semkg.extract import EmbeddedReader
from semkg.ids import Names
from semkg.model import Chunk, Document
from semkg.models import embedder as embedder_named
from semkg.ports import Embedder

DEPTHS = (5, 10)


def parts_of(corpus: Path, added: int) -> tuple[list[object], list[object]]:
    """The records of a corpus: all but the last, and the last."""
    records = json.loads(corpus.read_text(encoding="utf-8"))
    if not isinstance(records, list) or not 0 < added < len(records):
        sys.exit(f"{corpus} must be a JSON list of more than {added} records")
    return records[:-added], records[-added:]


def time_file(folder: Path) -> Path:
    """Where the time of the build is kept."""
    return folder.with_name(folder.name + ".build.json")


def build(records: Sequence[object], name: str, folder: Path) -> None:
    """Build a new graph in a process of its own and keep the seconds."""
    if folder.exists():
        sys.exit(f"{folder} exists already: name a new folder, or leave --build out")
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / name
        source.write_text(json.dumps(records), encoding="utf-8")
        begun = time.perf_counter()
        done = subprocess.run([sys.executable, "-m", "semkg", "build", str(source), "--kg", str(folder), "--quiet"], check=False)
    if done.returncode:
        sys.exit(f"semkg build ended with {done.returncode}")
    seconds = {"passages": len(records), "seconds": round(time.perf_counter() - begun, 2)}
    time_file(folder).write_text(json.dumps(seconds) + "\n", encoding="utf-8")


def add(records: Sequence[object], name: str, folder: Path) -> dict[str, float]:
    """Seconds of each part of adding records to a graph."""
    seconds: dict[str, float] = {}

    @contextmanager
    def part(name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        seconds[name] = round(time.perf_counter() - begun, 3)

    source = folder.with_name(name)
    source.write_text(json.dumps(records), encoding="utf-8")
    with part("loading_models"):
        reader, embedder = loaded(read_config(folder))
    with part("opening"):
        graph = KnowledgeGraph.open(folder, embedder=embedder)
    with part("building"):
        report = graph.build([source], reader=reader)
    with part("closing"):
        graph.close()
    if report.new != len(records):
        print(f"{len(records)} records gave {report.new} new documents: the others are repeated or hold no text", file=sys.stderr)
    return {**seconds, "total": round(sum(seconds.values()), 3)}


def loaded(config: KgConfig) -> tuple[EmbeddedReader, Embedder]:
    """The reader and the embedder of a graph, with their models in memory."""
    names, text = Names(config.base, config.tenant, config.dataset), "Grace Hopper wrote the first compiler in 1952."
    document = Document(names.document("warm-up"), "warm-up", "Warm-up", "text/plain", "en", "")
    reader, embedder = EmbeddedReader(names), embedder_named(config.embedder, settings())
    for _ in reader.read_many([(document, [Chunk(names.chunk(document.iri, 0, len(text), text), document.iri, text, 0, len(text), 0)])]):
        embedder.embed([text])
    return reader, embedder


def ranked(dataset: Dataset, folder: Path, limit: int | None, embedder: Embedder) -> Run:
    """The ranking of every question."""
    with opened(folder, settings(), embedder) as graph:
        if not is_over(graph, dataset.corpus):
            sys.exit(f"the graph in {folder} does not hold all of {dataset.corpus.file.path}")
        return evaluate_retrieval(graph, dataset, plan(limit))


def same(first: Run, second: Run, depth: int) -> float:
    """The share of questions with the same passages in the same order."""
    pairs = zip(first.per_question, second.per_question, strict=True)
    return round(sum(one.ranking[:depth] == other.ranking[:depth] for one, other in pairs) / len(first.per_question), 4)


def same_set(first: Run, second: Run, depth: int) -> float:
    """The share of questions with the same passages in any order."""
    pairs = zip(first.per_question, second.per_question, strict=True)
    return round(sum(set(one.ranking[:depth]) == set(other.ranking[:depth]) for one, other in pairs) / len(first.per_question), 4)


def compared(grown: Run, full: Run) -> dict[str, object]:
    """How like each other two graphs rank."""
    return {
        "questions": len(full.per_question),
        **{f"identical_top_{depth}": same(grown, full, depth) for depth in DEPTHS},
        **{f"same_passages_in_top_{depth}": same_set(grown, full, depth) for depth in DEPTHS},
        **{f"recall@{depth}": {"grown": grown.metrics[f"recall@{depth}"], "full": full.metrics[f"recall@{depth}"]} for depth in DEPTHS},
        "recall@5_difference": asdict(compare(full, grown)),
    }


def measure(given: argparse.Namespace, records: Sequence[object]) -> dict[str, object]:
    """Add to a copy, then compare it with the full graph."""
    dataset = read_dataset(given.corpus, given.questions)
    with tempfile.TemporaryDirectory(dir=given.work) as place:
        grown = Path(place) / "grown"
        shutil.copytree(given.kg, grown)
        seconds = add(records, given.corpus.name, grown)
        shared = Remembering(embedder_named(read_config(given.full).embedder, settings()))
        runs = [ranked(dataset, folder, given.limit, shared) for folder in (grown, given.full)]
    result = {"added": len(records), "adding_seconds": seconds, **build_time(given, seconds), "rankings": compared(*runs)}
    return {**result, "versions": versions(), "machine": asdict(machine())}


def build_time(given: argparse.Namespace, adding: Mapping[str, float]) -> dict[str, object]:
    """Seconds of the full build over those of adding; without a figure of its own, the build of all but the last passages stands for it."""
    kept = time_file(given.kg)
    full = given.full_seconds or (json.loads(kept.read_text(encoding="utf-8"))["seconds"] if kept.is_file() else None)
    if full is None:
        print(f"{kept} is missing: without --build or --full-seconds there is no ratio", file=sys.stderr)
        return {}
    without_models = adding["total"] - adding["loading_models"]
    return {
        "full_build_seconds": full,
        "full_over_adding": round(full / adding["total"], 1),
        "full_over_adding_without_loading_models": round(full / without_models, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--kg", type=Path, required=True, help="the graph of all but the last passages")
    parser.add_argument("--added", type=int, default=100)
    parser.add_argument("--build", action="store_true", help="build the graph of all but the last passages")
    parser.add_argument("--full", type=Path, help="the graph of all passages")
    parser.add_argument("--full-seconds", type=float, help="what its build took [default: what --build took]")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--limit", type=int, help="ask only so many questions, drawn with the seed 0")
    parser.add_argument("--work", type=Path, help="where the copy is made [default: the system's temporary folder]")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if bool(given.full) != bool(given.questions) or not (given.build or given.full):
        parser.error("give --build, or --full with --questions, or all three")
    before, last = parts_of(given.corpus, given.added)
    if given.build:
        build(before, given.corpus.name, given.kg)
    if not given.full:
        return
    result = measure(given, last)
    print(json.dumps(result, indent=2))
    if given.json:
        given.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
