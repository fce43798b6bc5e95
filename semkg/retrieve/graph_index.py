"""What the walk needs of the graph, kept in step with the store: its adjacency, its transition matrix, the passages' vectors."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from semkg.graph.indexes import Indexes, Kind, Repair
from semkg.graph.layout import Layout
from semkg.graph.ledger import Ledger
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

    def __init__(
        self, store: GraphStore, layout: Layout, indexes: Indexes, folder: Path | None = None, ledger: Ledger | None = None
    ) -> None:
        """
        Args:
            store: the truth.
            layout: its named graphs.
            indexes: the vectors.
            folder: where the derived indexes lie; None for a graph in memory.
            ledger: of the writer to the store, which spares reading what did not change.
        """
        self._store = store
        self._layout = layout
        self._indexes = indexes
        self._ledger = ledger or Ledger()
        self._file = folder / FILE if folder else None
        self._adjacency: Adjacency | None = None
        self._graph: Graph | None = None
        self._saved: int | None = None
        self._lock = threading.RLock()

    def graph(self) -> Graph:
        """The graph as it is now.

        Raises:
            StorageError, PermissionDenied: the file cannot be read.
        """
        import numpy as np

        with self._lock:
            adjacency = self.adjacency()
            if self._graph is None or self._graph.adjacency is not adjacency:
                vectors = self._indexes.vectors[Kind.CHUNK].vectors(adjacency.passages)
                self._graph = Graph(adjacency, vectors.astype(np.float16))
            return self._graph

    def adjacency(self) -> Adjacency:
        """The adjacency as it is now.

        Raises:
            StorageError, PermissionDenied: the file cannot be read.
        """
        with self._lock:
            known = self._adjacency or self._read()
            if known is None or known.generation != self._store.generation:
                # One of a later generation belongs to a store that lost commits.
                stale = known if known and known.generation < self._store.generation else None
                changes = self._ledger.changes(stale.generation, self._store.generation) if stale else None
                known = derive(self._store, self._layout, stale, changes)
                self._ledger.follow(known.generation)
            self._adjacency = known
            return known

    def save(self) -> None:
        """Bring the adjacency into step with the store and write it, where it is not written yet.

        Raises:
            StorageFull, StorageError, PermissionDenied: what was saved before is still there.
        """
        with self._lock:
            if self._file and self._saved != self._store.generation:
                adjacency = self.adjacency()
                if self._saved != adjacency.generation:
                    save(adjacency, self._file)
                    self._saved = adjacency.generation

    def mend(self, write: bool) -> Repair | None:
        """Look at what lies on disk, and bring it into step with the store; None where nothing was to be done.

        Args:
            write: without it a file that is missing or behind is left alone, and only a damaged one is told of.

        Raises:
            StorageFull, StorageError, PermissionDenied.
        """
        if self._file is None:
            return None
        with self._lock:
            there = self._file.exists()
            self._adjacency = self._read()
            problem = f"{self._file} is damaged, of another version or of another graph" if there and self._adjacency is None else ""
            current = self._adjacency is not None and self._adjacency.generation == self._store.generation
            if current or not (write or problem) or not self._store.generation:
                return None
            if write:
                self.save()
            return Repair("adjacency", len(self.adjacency().passages), 0, problem)

    def _shows_these(self, adjacency: Adjacency) -> bool:
        """Whether it has the passages of this graph, not those of another with as many commits."""
        known = self._indexes.vectors[Kind.CHUNK]
        return len(known) == len(adjacency.passages) and all(passage in known for passage in adjacency.passages)

    def _read(self) -> Adjacency | None:
        found = load(self._file) if self._file else None
        if found and found.generation == self._store.generation and not self._shows_these(found):
            found = None
        self._saved = found.generation if found else None
        if found:
            self._ledger.follow(found.generation)
        return found


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
