"""A knowledge graph on disk (DESIGN §5): one folder with `store/`, `index/`, `cache/` and `semkg.toml`; how its parts are opened."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from semkg.config import FILE, KgConfig, Settings, read_config, with_embedder, write_config
from semkg.errors import Misconfigured, UsageError, translated_os_errors
from semkg.graph.indexes import Indexes, Kind, Repair
from semkg.graph.layout import Layout
from semkg.graph.writer import Parts
from semkg.ids import Names
from semkg.models import embedder as embedder_named
from semkg.ports import Clock, Embedder, GraphStore, ModelId
from semkg.quality import Gate, Shapes
from semkg.store import OxigraphStore
from semkg.vectors import FtsIndex, UsearchIndex
from semkg.vocab import RDF, SEMKG

STORE, INDEX, CACHE = "store", "index", "cache"


@dataclass(frozen=True, slots=True)
class Opened:
    """The parts of one knowledge graph, and what was repaired to open it."""

    parts: Parts
    config: KgConfig
    folder: Path | None
    repairs: tuple[Repair, ...]


def create(folder: Path, config: KgConfig) -> None:
    """Make an empty knowledge graph.

    Raises:
        UsageError: the folder holds one already, or holds something else.
    """
    if (folder / FILE).exists():
        raise UsageError(f"{folder} holds a knowledge graph already: open it, or choose another folder")
    if folder.exists() and any(path.name != CACHE for path in folder.iterdir()):
        raise UsageError(f"{folder} is not empty and holds no knowledge graph: choose an empty or a new folder")
    with translated_os_errors(folder):
        for part in (folder, folder / INDEX, folder / CACHE):
            part.mkdir(parents=True, exist_ok=True)
    write_config(folder, config)


def open_folder(folder: Path, settings: Settings, clock: Clock, embedder: Embedder | None, read_only: bool, accept_loss: bool) -> Opened:
    """Open a knowledge graph on disk and bring its indexes into step with the graph.

    Raises:
        Misconfigured: there is none, or its embedding model is another one than `embedder`.
        Locked, Corrupt, StorageError: see `OxigraphStore.open`.
    """
    config = read_config(folder)
    store = OxigraphStore.open_read_only(folder / STORE) if read_only else OxigraphStore.open(folder / STORE, accept_loss)
    names = Names(config.base, config.tenant, config.dataset)
    layout = Layout.of(names)
    config = _as_recorded(store, layout, config)
    model = embedder or embedder_named(config.embedder, settings)
    if str(model.id) != str(ModelId(config.embedder, config.dimension)):
        store.close()
        raise Misconfigured(
            f"{folder} holds vectors of {config.embedder} ({config.dimension}d), not of {model.id}: use that model, or run `semkg reembed`"
        )
    indexes = open_indexes(folder / INDEX, model.id, layout, store, read_only)
    parts = Parts(store, names, layout, Gate(Shapes.packaged()), model, indexes, clock)
    repairs = [repair for repair in indexes.catch_up(store) if repair.changed]
    if not read_only:
        indexes.save(store.generation)
    return Opened(parts, config, folder, tuple(repairs))


def open_memory(settings: Settings, clock: Clock, embedder: Embedder | None, config: KgConfig) -> Opened:
    """An empty knowledge graph that lives as long as the object."""
    model = embedder or embedder_named(config.embedder, settings)
    names = Names(config.base, config.tenant, config.dataset)
    layout = Layout.of(names)
    store = OxigraphStore.in_memory()
    vectors = {kind: UsearchIndex.open(None, model.id) for kind in Kind}
    indexes = Indexes(vectors, FtsIndex.open(None), layout)
    parts = Parts(store, names, layout, Gate(Shapes.packaged()), model, indexes, clock)
    return Opened(parts, with_embedder(config, model.id.name, model.id.dimension), None, ())


def open_indexes(folder: Path, model: ModelId, layout: Layout, store: GraphStore, read_only: bool) -> Indexes:
    """The derived indexes in `folder`; a reader that finds the lexical index behind fills one of its own in memory."""
    with translated_os_errors(folder):
        folder.mkdir(exist_ok=True)
    with ThreadPoolExecutor(len(Kind)) as threads:
        files = [folder / f"{kind.value.lower()}.usearch" for kind in Kind]
        vectors = dict(zip(Kind, threads.map(lambda file: UsearchIndex.open(file, model, read_only), files), strict=True))
    lexical = FtsIndex.open(folder / "lexical.sqlite", read_only)
    if read_only and lexical.generation != store.generation:
        lexical.close()
        lexical = FtsIndex.open(None)
    return Indexes(vectors, lexical, layout)


def _as_recorded(store: GraphStore, layout: Layout, config: KgConfig) -> KgConfig:
    """The configuration with the embedding model that the graph itself names: the graph is the truth."""
    for quad in store.quads(None, RDF.type, SEMKG.EmbeddingModel, layout.vectors):
        if isinstance(quad.subject, ox.NamedNode):
            said = {about.predicate: about.object for about in store.quads(quad.subject, None, None, layout.vectors)}
            name, dimension = said.get(SEMKG.modelName), said.get(SEMKG.dimension)
            if isinstance(name, ox.Literal) and isinstance(dimension, ox.Literal):
                return with_embedder(config, name.value, int(dimension.value))
    return config
