"""The graph that a run asks: opened where it holds the corpus, else built from the corpus file and nothing else."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pyoxigraph as ox

from semkg.config import FILE, PACKAGED_EMBEDDER, KgConfig, Settings, read_config
from semkg.errors import BadInput
from semkg.evaluate.datasets import Corpus
from semkg.evaluate.latency import TimedEmbedder
from semkg.graph import reads
from semkg.models import embedder as embedder_named
from semkg.ports import Progress
from semkg.session import KnowledgeGraph
from semkg.vocab import DCTERMS


def graph_over(
    corpus: Corpus, folder: Path, given: Settings, *, write: bool = False, triples: bool = False, progress: Progress | None = None
) -> KnowledgeGraph:
    """Open the graph over a corpus; where `folder` holds none, or a build of this corpus that was stopped, build it first.

    Args:
        corpus: what it must hold.
        folder: of the knowledge graph.
        given: the settings; they name the embedding model of a new graph.
        write: open a finished graph for writing, too.
        triples: build from the triples that the corpus file itself holds (OpenIE), instead of reading its texts.
        progress: told how far a build is.

    Raises:
        BadInput: the graph holds something else than the corpus.
        Locked, Corrupt, Misconfigured, ModelUnavailable: see `KnowledgeGraph.open` and `build`.
    """
    if (folder / FILE).is_file():
        with ExitStack() as stack:
            graph = stack.enter_context(open_timed(folder, given, write=write))
            if is_over(graph, corpus):
                stack.pop_all()
                return graph
            held = _sources(graph)
        if held and not any(source.startswith(f"{_uri(corpus)}#") for source in held):
            raise BadInput(
                f"the graph in {folder} lacks passages of {corpus.file.path} and was built from something else: name another folder with "
                f"--kg, or add them with `semkg build {corpus.file.path} --kg {folder}`"
            )
    with ExitStack() as stack:
        graph = stack.enter_context(open_timed(folder, given, write=True))
        if triples:
            graph.build_from_triples(corpus.file.path, progress=progress)
        else:
            graph.build([corpus.file.path], progress=progress)
        stack.pop_all()
    return graph


def open_timed(folder: Path, given: Settings, *, write: bool, config: KgConfig | None = None) -> KnowledgeGraph:
    """Open a graph, or with `write` make one, whose embedder is timed.

    Raises:
        Locked, Corrupt, Misconfigured, ModelUnavailable: see `KnowledgeGraph.open`.
    """
    known = read_config(folder) if (folder / FILE).is_file() else config or KgConfig(embedder=given.embedder or PACKAGED_EMBEDDER)
    model = TimedEmbedder(embedder_named(known.embedder, given))
    return KnowledgeGraph.open(folder, create=write, read_only=not write, config=known, embedder=model, given=given)


def is_over(graph: KnowledgeGraph, corpus: Corpus) -> bool:
    """Whether the graph holds every passage of the corpus, read."""
    held = {fragment(source) for source in _sources(graph)}
    return corpus.positions.keys() <= held and not reads.pending(graph.parts.store, graph.parts.layout)


def fragment(source: str) -> str:
    """What identifies a record within its file, whatever the file's path: the part of a document's source after `#`.

    >>> fragment("file:///corpora/a.json#0f3c")
    '0f3c'
    """
    return source.rpartition("#")[2]


def _sources(graph: KnowledgeGraph) -> list[str]:
    found = graph.parts.store.quads(None, DCTERMS.source, None, graph.parts.layout.corpus)
    return [quad.object.value for quad in found if isinstance(quad.object, ox.Literal)]


def _uri(corpus: Corpus) -> str:
    return corpus.file.path.resolve().as_uri()
