"""How latency, memory and recall change while the graph grows to 4 and 16 times its size.

    python benchmarks/growth.py --kg DIR --corpus FILE --questions FILE --times 1 4 16 --work DIR --json FILE --plot FILE

A larger graph is the graph in DIR with copies of all that it holds, in which every name is another: each capital letter stands for another
one, in texts, titles, labels and quotes alike, so that all offsets stay right and the words that are not names compete with those of the
original. The vectors of a copy are those of the original, turned by noise. The copies enter the store and the vector indexes in bulk, and
opening the graph brings the other indexes into step. A graph that lies in the working folder already is used as it is.

Each size is measured in a process of its own: latency of the modes fusion and vector, recall@5 over the original corpus, memory, and the
time to open.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import string
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import pyoxigraph as ox
from latency import embedder_of, latencies, resident_mb
from once import plan

from semkg import KnowledgeGraph
from semkg.config import read_config
from semkg.evaluate import evaluate_retrieval, read_dataset
from semkg.evaluate.datasets import limited
from semkg.evaluate.environment import machine, peak_memory_mb, versions
from semkg.evaluate.plots import COLOURS, COLUMN_INCHES, DPI, MARKERS
from semkg.graph.indexes import Kind
from semkg.graph.layout import Layout
from semkg.ids import Names
from semkg.ports import ModelId
from semkg.retrieve import adjacency_file, graph_index
from semkg.session.opening import INDEX, STORE
from semkg.store import OxigraphStore
from semkg.vectors import UsearchIndex, codec
from semkg.vocab import DCTERMS, SEMKG, XSD

if TYPE_CHECKING:
    from matplotlib.axes import Axes

P = ParamSpec("P")
T = TypeVar("T")

COPIED = ("corpus", "facts", "triplets", "provenance", "communities")
"""Named graphs of which the copies have their own part, beside the vectors; the schema is shared."""

RENAMED = ("document", "chunk", "entity", "evidence", "triplet", "activity", "hypernode")
"""Kinds of nodes that a copy has of its own."""

MODES = ("fusion", "vector")
MOST = len(string.ascii_uppercase)
BATCH = 20_000
LATIN = range(0xC0, 0x250)
"""Where the capital letters with accents are that have a plain one beneath."""


@dataclass(frozen=True)
class Copy:
    """The `number`-th copy of a graph, from 1. `root`: of the dataset's IRIs; `noise`: length of what is added to a vector of length 1."""

    number: int
    root: str
    noise: float
    seed: int

    def letters(self) -> dict[int, str]:
        """Capital letter → the one that stands for it: another in every copy."""
        ring = random.Random(self.seed).sample(string.ascii_uppercase, MOST)
        other = {letter: ring[(place + self.number) % MOST] for place, letter in enumerate(ring)}
        accented = ((code, unicodedata.normalize("NFD", chr(code))[0]) for code in LATIN)
        return {ord(letter): to for letter, to in other.items()} | {code: other[plain] for code, plain in accented if plain in other}

    def node(self, node: ox.NamedNode) -> ox.NamedNode:
        """Its IRI in the copy; what the copies share keeps its own."""
        kind = node.value[len(self.root) :].partition("/")[0] if node.value.startswith(self.root) else ""
        return ox.NamedNode(f"{node.value}-{self.number}") if kind in RENAMED else node

    def quads(self, found: Iterator[ox.Quad]) -> Iterator[ox.Quad]:
        """The quads of one named graph as the copy says them, without those about what the copies share."""
        letters = self.letters()
        for quad in found:
            if not isinstance(quad.subject, ox.NamedNode) or (subject := self.node(quad.subject)) == quad.subject:
                continue
            object = quad.object
            if isinstance(object, ox.NamedNode):
                object = self.node(object)
            elif quad.predicate == DCTERMS.source and isinstance(object, ox.Literal):
                object = ox.Literal(f"{object.value}-{self.number}")
            elif isinstance(object, ox.Literal) and object.datatype == XSD.string:
                object = ox.Literal(object.value.translate(letters))
            yield ox.Quad(subject, quad.predicate, object, quad.graph_name)

    def turned(self, found: Iterator[ox.Quad]) -> Iterator[ox.Quad]:
        """The quads of the vectors' graph; each vector in another direction nearby."""
        import numpy as np

        rng = np.random.default_rng([self.seed, self.number])
        while batch := list(islice(found, BATCH)):
            rows = [(quad, quad.object) for quad in batch if quad.predicate == SEMKG.embedding and isinstance(quad.object, ox.Literal)]
            vectors = codec.decode_many([literal.value for _, literal in rows])
            if len(rows):
                vectors = vectors + self.noise * codec.unit(rng.standard_normal(vectors.shape, np.float32))
            texts = codec.encode_many(vectors) if len(rows) else []
            for (quad, literal), text in zip(rows, texts, strict=True):
                if isinstance(quad.subject, ox.NamedNode):
                    yield ox.Quad(self.node(quad.subject), quad.predicate, ox.Literal(text, datatype=literal.datatype), quad.graph_name)


class Filling:
    """Fills the vector indexes of a graph while its store is being loaded: a thread an index, and one index a thread."""

    def __init__(self, folder: Path, model: ModelId) -> None:
        self._indexes = {kind: UsearchIndex.open(folder / f"{kind.value.lower()}.usearch", model) for kind in Kind}
        self._threads = {kind: ThreadPoolExecutor(1) for kind in Kind}
        self._jobs: list[Future[None]] = []

    def add(self, quads: Sequence[ox.Quad]) -> None:
        """Begin to add the vectors of one copy, when those of the copy before are in."""
        self._wait()
        texts: dict[Kind, dict[str, str]] = {kind: {} for kind in Kind}
        kinds = {kind.value.lower(): kind for kind in Kind}
        for quad in quads:
            if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.Literal):
                texts[kinds[quad.subject.value.split("/")[-2]]][quad.subject.value] = quad.object.value
        self._jobs = [self._threads[kind].submit(self._add, kind, found) for kind, found in texts.items() if found]

    def save(self, generation: int) -> None:
        self._wait()
        for kind, index in self._indexes.items():
            self._threads[kind].shutdown()
            index.save(generation)

    def _add(self, kind: Kind, texts: Mapping[str, str]) -> None:
        self._indexes[kind].add(list(texts), codec.decode_many(list(texts.values())))

    def _wait(self) -> None:
        for job in self._jobs:
            job.result()


def grow(source: Path, before: Path, folder: Path, numbers: Sequence[int], noise: float, seed: int) -> float:
    """Make a larger graph from a smaller one and the copies with these numbers; the seconds that it took."""
    begun = time.perf_counter()
    unfinished = folder.with_name(folder.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(before, unfinished)
    config = read_config(source)
    names = Names(config.base, config.tenant, config.dataset)
    graphs = Layout.of(names).by_name
    original, target = OxigraphStore.open_read_only(source / STORE), OxigraphStore.open(unfinished / STORE)
    filling = Filling(unfinished / INDEX, ModelId(config.embedder, config.dimension))
    for number in numbers:
        copy = Copy(number, names.root, noise, seed)
        vectors = list(copy.turned(original.quads(graph=graphs["vectors"])))
        filling.add(vectors)
        target.load(vectors)
        for name in COPIED:
            target.load(copy.quads(original.quads(graph=graphs[name])))
        print(f"{folder.name}: copy {number} loaded, {time.perf_counter() - begun:.0f} s", file=sys.stderr)
    if numbers:
        filling.save(target.generation)
    target.close()
    index(unfinished)
    unfinished.rename(folder)
    return round(time.perf_counter() - begun, 1)


def index(folder: Path) -> None:
    """Bring the indexes and the adjacency of a graph into step with its store."""
    with KnowledgeGraph.open(folder, embedder=embedder_of(folder)) as graph:
        parts = graph.parts
        graph_index.GraphIndex(parts.store, parts.layout, parts.indexes, folder / INDEX).save()


def grown(source: Path, work: Path, times: Sequence[int], noise: float, seed: int) -> dict[int, tuple[Path, float]]:
    """Times → the graph of that size, and the seconds that making it took (0 where it was there)."""
    work.mkdir(parents=True, exist_ok=True)
    found: dict[int, tuple[Path, float]] = {}
    before, copies = source, 1
    for size in times:
        folder = work / f"{size}x"
        numbers = range(copies, size)
        # A process of its own: what filling the indexes took is free again before anything is measured.
        seconds = 0.0 if folder.exists() else apart(grow, source, before, folder, [*numbers], noise, seed)
        found[size] = (folder, seconds)
        before, copies = folder, size
    return found


def measure(folder: Path, corpus: Path, questions: Path, limit: int) -> dict[str, object]:
    """Ask one graph."""
    dataset = limited(read_dataset(corpus, questions), limit, 0)
    texts = [question.text for question in dataset.questions]
    model = embedder_of(folder)
    alone, begun = resident_mb(), time.perf_counter()
    with KnowledgeGraph.open(folder, read_only=True, embedder=model) as graph:
        opened = time.perf_counter() - begun
        graph.search(texts[0])
        answered = time.perf_counter() - begun
        latency = latencies(graph, texts, MODES)
        loaded, peak = resident_mb(), peak_memory_mb()
        recall = {mode: evaluate_retrieval(graph, dataset, plan(None, mode)).metrics["recall@5"] for mode in MODES}
        vectors = {kind.value: len(index) for kind, index in graph.parts.indexes.vectors.items()}
    adjacency = adjacency_file.load(folder / INDEX / graph_index.FILE)
    return {
        "passages": vectors["Chunk"],
        "vectors": vectors,
        "adjacency_edges": adjacency.edges if adjacency else None,
        "questions": len(texts),
        "latency_ms": latency,
        "recall@5": recall,
        "memory_mb": {"embedder": alone, "with_graph": loaded, "graph": round(loaded - alone, 1), "peak": peak},
        "open_seconds": round(opened, 2),
        "first_answer_seconds": round(answered, 2),
        "disk_mb": round(sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20),
    }


def draw(sizes: Sequence[Mapping[str, object]], path: Path) -> None:
    """Latency over the number of passages, with the embedding of the question and without it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(2 * COLUMN_INCHES, 2.8), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    with_embedding, without = figure.subplots(1, 2, sharey=True)
    panel(with_embedding, sizes, "", "with the question's embedding")
    panel(without, sizes, "_without_embedding", "without it")
    with_embedding.set_ylabel("latency of a question (ms)")
    handles, labels = without.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), fontsize=7, frameon=False)
    figure.savefig(path)


def panel(axes: Axes, sizes: Sequence[Mapping[str, object]], suffix: str, title: str) -> None:
    from matplotlib.ticker import LogLocator

    passages = [int(str(size["passages"])) for size in sizes]
    for number, mode in enumerate(MODES):
        colour, marker = COLOURS[number], MARKERS[number]
        for figure, style in (("median", "-"), ("p99", ":")):
            heights = [figure_of(size, mode, figure + suffix) for size in sizes]
            axes.plot(passages, heights, style, color=colour, marker=marker, markersize=4, linewidth=1.3, label=f"{mode}, {figure}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(passages, [f"{count:,}" for count in passages])
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.set_xlabel("passages in the graph")
    axes.set_title(title, fontsize=9)
    axes.grid(alpha=0.3, linewidth=0.5)


def figure_of(size: Mapping[str, object], mode: str, name: str) -> float:
    latency = size["latency_ms"]
    if not isinstance(latency, Mapping):
        raise TypeError(f"latency_ms holds no figures by mode but {latency!r}")
    return float(latency[mode][name])


def apart(job: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """The result of a job in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(job, *args, **named).result()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kg", type=Path, required=True, help="the graph of the corpus; it is only read")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--times", type=int, nargs="+", default=[1, 4, 16], help=f"sizes beside 1, at most {MOST}")
    parser.add_argument("--limit", type=int, default=200, help="questions, drawn with the seed 0")
    parser.add_argument("--noise", type=float, default=0.5, help="added to the vectors of copies, which have the length 1")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=Path, required=True, help="where the larger graphs are made and kept")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path, help="png, pdf or svg")
    given = parser.parse_args()
    times = sorted({1, *given.times})
    if times[0] < 1 or times[-1] > MOST:
        parser.error(f"--times must be between 1 and {MOST}: there are no more letters to rename with")
    sizes = [
        {"times": size, "made_in_seconds": seconds, **apart(measure, folder, given.corpus, given.questions, given.limit)}
        for size, (folder, seconds) in grown(given.kg, given.work, times, given.noise, given.seed).items()
    ]
    result = {"sizes": sizes, "noise": given.noise, "seed": given.seed, "versions": versions(), "machine": asdict(machine())}
    print(json.dumps(result, indent=2))
    if given.json:
        given.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    if given.plot:
        draw(sizes, given.plot)


if __name__ == "__main__":
    main()
