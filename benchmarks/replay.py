"""What indexing someone else's triples costs beside the embedding: time and memory of the gate, provenance, commits and indexes.

    python benchmarks/replay.py FILE [--kg DIR] [--embedder NAME] [--json OUT]

Builds a new graph with `KnowledgeGraph.build_from_triples` on disk and times the calls of the embedder by itself. Memory is the peak of the
process over its peak when the embedder had embedded every passage once. The graph stays in DIR.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from semkg import KnowledgeGraph
from semkg.config import KgConfig, settings
from semkg.ingest import SourceText, read_sources
from semkg.models import embedder as embedder_named
from semkg.ports import Embedder, ModelId

if TYPE_CHECKING:
    from semkg.ports import Vectors


class Timed:
    """An embedder that counts its seconds and texts."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.seconds = 0.0
        self.texts = 0

    @property
    def id(self) -> ModelId:
        return self._inner.id

    def embed(self, texts: Sequence[str]) -> Vectors:
        begun = time.perf_counter()
        try:
            return self._inner.embed(texts)
        finally:
            self.seconds += time.perf_counter() - begun
            self.texts += len(texts)


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(source: Path, folder: Path, name: str) -> dict[str, object]:
    """Build once, and tell what it took."""
    config = KgConfig(embedder=name)
    inner = embedder_named(name, settings())
    passages = [text.text for text in read_sources([str(source)]) if isinstance(text, SourceText)]
    inner.embed(passages)
    before, embedder = peak_mb(), Timed(inner)
    begun = time.perf_counter()
    with KnowledgeGraph.open(folder, create=True, config=config, embedder=embedder) as graph:
        report = graph.build_from_triples(source)
    seconds = time.perf_counter() - begun
    return {
        "passages": report.new,
        "entities": report.entities,
        "triplets": report.triplets,
        "refused": report.refused,
        "merged": report.merged,
        "rows_reported": len(report.problems),
        "texts_embedded": embedder.texts,
        "total_seconds": round(seconds, 2),
        "embedding_seconds": round(embedder.seconds, 2),
        "own_seconds": round(seconds - embedder.seconds, 2),
        "memory_over_embedder_mb": round(peak_mb() - before),
        "disk_mb": round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--kg", type=Path, help="a new folder for the graph, which is kept [default: a temporary one]")
    parser.add_argument("--embedder", default=KgConfig().embedder)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    folder = given.kg or Path(tempfile.mkdtemp(prefix="semkg-replay-")) / "kg"
    result = {"kg": str(folder), **measure(given.source, folder, given.embedder)}
    for name, value in result.items():
        print(f"{name:>25}  {value}")
    if given.json:
        given.json.write_text(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
