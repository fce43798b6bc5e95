"""What the walk needs of the graph, kept in step with the store: its adjacency, its transition matrix, the passages' vectors."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from semkg.graph.indexes import Indexes, Kind
from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.retrieve.adjacency import Adjacency
from semkg.retrieve.adjacency_file import load, save
from semkg.retrieve.derivation import derive
from semkg.retrieve.naming import NameTable
from semkg.retrieve.pagerank import transition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from semkg.ports import Vectors
    from semkg.retrieve.adjacency import Numbers
    from semkg.retrieve.walk import Scores

FILE = "adjacency.npz"
_HALF = 0.5


@dataclass(frozen=True)
class Graph:
    """The graph of one store generation. `vectors`: of the passages, half precision, shape (passages, dimension)."""

    adjacency: Adjacency
    vectors: NDArray[np.float16]

    @cached_property
    def transition(self) -> csr_array:
        return transition(self.adjacency)

    @cached_property
    def names(self) -> NameTable:
        return NameTable(self.adjacency.names)


class GraphIndex:
    """Gives the graph of the store's generation; derives it when it is another one than before. Safe to share between threads."""

    def __init__(self, store: GraphStore, layout: Layout, indexes: Indexes, folder: Path | None = None) -> None:
        """`folder`: where the derived indexes lie; None for a graph in memory."""
        self._store = store
        self._layout = layout
        self._indexes = indexes
        self._file = folder / FILE if folder else None
        self._graph: Graph | None = None
        self._lock = threading.Lock()

    def graph(self) -> Graph:
        """The graph as it is now.

        Raises:
            StorageError, PermissionDenied: the file cannot be read.
        """
        with self._lock:
            if self._graph is None or self._graph.adjacency.generation != self._store.generation:
                self._graph = self._load(self._graph.adjacency if self._graph else None)
            return self._graph

    def save(self) -> None:
        """Bring the adjacency into step with the store and write it, where it is not written yet.

        Raises:
            StorageFull, StorageError, PermissionDenied: what was saved before is still there.
        """
        if self._file:
            adjacency = self.graph().adjacency
            saved = load(self._file)
            if saved is None or saved.generation != adjacency.generation:
                save(adjacency, self._file)

    def _load(self, previous: Adjacency | None) -> Graph:
        import numpy as np

        adjacency = previous or (load(self._file) if self._file else None)
        if adjacency is None or adjacency.generation != self._store.generation:
            # One of a later generation belongs to a store that lost commits.
            stale = adjacency if adjacency and adjacency.generation < self._store.generation else None
            adjacency = derive(self._store, self._layout, stale)
        vectors = self._indexes.vectors[Kind.CHUNK].vectors(adjacency.passages)
        return Graph(adjacency, vectors.astype(np.float16))


class Closeness:
    """Cosine of passages with a question, computed for those that are asked about, once each."""

    def __init__(self, vectors: NDArray[np.float16], question: Vectors) -> None:
        import numpy as np

        self._vectors = vectors
        self._question = question
        self._known = np.full(len(vectors), np.nan, np.float32)

    def of(self, passages: Numbers) -> Scores:
        """Shape (passages,), in their order."""
        import numpy as np

        missing = passages[np.isnan(self._known[passages])]
        if len(missing):
            self._known[missing] = self._vectors[missing].astype(np.float32) @ self._question
        found: Scores = self._known[passages]
        return found

    def fit(self, passages: Numbers) -> Scores:
        """(1 + cosine) / 2."""
        fits: Scores = (1 + self.of(passages)) * _HALF
        return fits
