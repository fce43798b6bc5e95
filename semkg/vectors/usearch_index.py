"""Nearest neighbours by cosine: hierarchical navigable small worlds (Malkov and Yashunin 2018) by usearch, keyed by IRI.

The index is derived from `graph/vectors` (DESIGN §2, law 1). What cannot be trusted on disk is not opened: the index is then empty,
its generation is -1 and `problem` says why, and the caller fills it from the graph.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semkg.errors import Corrupt, SemkgError, StorageError, StorageFull, UsageError, translated_os_errors
from semkg.ports import Hit, ModelId
from semkg.vectors import codec
from semkg.vectors.manifest import IndexFiles, Manifest, sha256

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Keys = NDArray[np.uint64]

NOTHING = -1
"""The generation of an index that shows no state of the graph."""

EXACT = 2_000
"""Up to so many vectors every one is compared, which is exact and takes less than a millisecond."""

SPARE = 32
"""More neighbours than asked for are fetched, so that equally near ones at the end are cut by their IRIs and not by chance."""

_ATTEMPTS = 5


class UsearchIndex:
    """Implements `VectorIndex` with numbers of type bfloat16. Safe to share between threads."""

    def __init__(self, model: ModelId, files: IndexFiles | None = None, read_only: bool = False) -> None:
        """An empty index; see `open`."""
        self.model = model
        self.problem: str | None = None
        """What was wrong with the files on disk, where they were not used."""
        self._files = files
        self._read_only = read_only
        self._lock = threading.RLock()
        self._number = 0
        self._generation = NOTHING
        self._changed = False
        self._index = self._empty()
        self._keys: dict[str, int] = {}
        self._nodes: dict[int, str] = {}
        self._next = 0

    @classmethod
    def open(cls, path: Path | None, model: ModelId, read_only: bool = False) -> UsearchIndex:
        """Open the index whose manifest is `<path>.json`; without a path it lives in memory.

        Args:
            path: for example `index/chunk.usearch`; its folder exists.
            model: whose vectors are wanted.
            read_only: another process may be writing: touch no file.

        Raises:
            StorageError, PermissionDenied: a file cannot be read.
        """
        files = IndexFiles(path) if path else None
        opened = cls(model, files, read_only)
        if files:
            opened._open(files)
            if not read_only:
                files.clean(opened._number if opened.problem is None and opened._number else None)
        return opened

    @property
    def generation(self) -> int:
        return self._generation

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, node: str) -> bool:
        return node in self._keys

    def nodes(self) -> Iterator[str]:
        with self._lock:
            return iter(list(self._keys))

    def add(self, nodes: Sequence[str], vectors: Vectors) -> None:
        import numpy as np

        if vectors.shape != (len(nodes), self.model.dimension):
            raise ValueError(
                f"{len(nodes)} nodes of {self.model} need vectors of shape {len(nodes), self.model.dimension}, not {vectors.shape}"
            )
        if not nodes:
            return
        # The last vector of a node that is named twice counts.
        rows = {node: row for row, node in enumerate(nodes)}
        units = codec.unit(vectors)[list(rows.values())]
        with self._lock:
            self.remove(rows)
            keys = np.arange(self._next, self._next + len(rows), dtype=np.uint64)
            # One thread: the same calls give the same index, so the same question gets the same answer.
            self._index.add(keys, units, threads=1)
            self._name(zip(rows, keys.tolist(), strict=True))
            self._next += len(rows)
            self._changed = True

    def remove(self, nodes: Iterable[str]) -> None:
        import numpy as np

        with self._lock:
            gone = [self._keys[node] for node in dict.fromkeys(nodes) if node in self._keys]
            if not gone:
                return
            self._index.remove(np.array(gone, dtype=np.uint64))
            for key in gone:
                del self._keys[self._nodes.pop(key)]
            self._changed = True

    def search(self, vector: Vectors, limit: int) -> list[Hit]:
        if vector.shape != (self.model.dimension,):
            raise ValueError(f"a vector of {self.model} has shape {(self.model.dimension,)}, not {vector.shape}")
        query = codec.unit(vector[None, :])[0]
        with self._lock:
            if limit < 1 or not self._keys:
                return []
            exact = len(self._keys) <= EXACT
            found = self._index.search(query, len(self._keys) if exact else min(limit + SPARE, len(self._keys)), threads=1, exact=exact)
            nearest = limit + SPARE
            pairs = zip(found.keys[:nearest].tolist(), found.distances[:nearest].tolist(), strict=True)
            hits = [Hit(self._nodes[key], max(-1.0, min(1.0, 1.0 - distance))) for key, distance in pairs]
        return sorted(hits, key=lambda hit: (-hit.score, hit.node))[:limit]

    def vectors(self, nodes: Sequence[str]) -> Vectors:
        import numpy as np

        rows: Vectors = np.zeros((len(nodes), self.model.dimension), np.float32)
        with self._lock:
            known = [(row, self._keys[node]) for row, node in enumerate(nodes) if node in self._keys]
            if known:
                places, keys = (list(column) for column in zip(*known, strict=True))
                rows[places] = self._index.get(np.array(keys, dtype=np.uint64))
        return rows

    def save(self, generation: int) -> None:
        """Write the index and its manifest so that a crash leaves the old pair or the new one.

        Raises:
            StorageFull, StorageError, PermissionDenied: what was saved before is still there.
            UsageError: the index was opened for reading only.
        """
        with self._lock:
            if not self._changed and generation == self._generation:
                return
            if self._read_only:
                raise UsageError("this index was opened for reading only")
            if self._files:
                self._write(self._files, generation)
            self._generation = generation
            self._changed = False

    def _write(self, files: IndexFiles, generation: int) -> None:
        if self._next > 2 * len(self._keys):
            self._compact()
        number = self._number + 1
        path = files.index(number)
        try:
            self._index.save(str(path))
        except RuntimeError as error:
            raise _not_written(path, error, self._index.memory_usage) from error
        if path.stat().st_size != self._index.serialized_length:
            raise StorageError(f"{path} was not written whole: free some space and run the same command again")
        nodes_sha256 = files.write_nodes(number, self._keys)
        count, model = len(self._keys), self.model
        files.publish(Manifest(number, model.name, model.dimension, count, generation, sha256(path), nodes_sha256))
        self._number = number

    def _compact(self) -> None:
        """Build the index again without the holes that removed nodes leave."""
        import numpy as np

        nodes = list(self._keys)
        old, keys = np.array(list(self._keys.values()), dtype=np.uint64), np.arange(len(nodes), dtype=np.uint64)
        fresh = self._empty()
        if nodes:
            fresh.add(keys, np.stack(self._index.get(old)), threads=1)
        self._index, self._next = fresh, len(nodes)
        self._keys, self._nodes = {}, {}
        self._name(zip(nodes, keys.tolist(), strict=True))

    def _open(self, files: IndexFiles) -> None:
        """Load what is on disk; a writer in another process may replace the files meanwhile, so a reader looks again."""
        for attempt in range(_ATTEMPTS):
            manifest = None
            try:
                manifest = files.read()
                if manifest:
                    self._load(files, manifest)
            except Corrupt as problem:
                if attempt + 1 < _ATTEMPTS and _replaced(files, manifest):
                    continue
                self.problem = str(problem)
            return

    def _load(self, files: IndexFiles, manifest: Manifest) -> None:
        keys = files.check(manifest, self.model)
        index = self._empty()
        path = files.index(manifest.number)
        try:
            index.load(str(path))
        except RuntimeError as error:
            raise Corrupt(f"{path} cannot be loaded ({error})") from error
        if len(index) != len(keys) or index.ndim != self.model.dimension:
            raise Corrupt(f"{path} holds {len(index)} vectors of dimension {index.ndim}, not {len(keys)} of {self.model.dimension}")
        self._index = index
        self._name(keys.items())
        self._next = max(self._nodes, default=-1) + 1
        self._number = manifest.number
        self._generation = manifest.generation

    def _name(self, pairs: Iterable[tuple[str, int]]) -> None:
        for node, key in pairs:
            self._keys[node] = key
            self._nodes[key] = node

    def _empty(self) -> Any:  # usearch has no types
        from usearch.index import Index

        return Index(ndim=self.model.dimension, metric="cos", dtype="bf16")


def _not_written(path: Path, error: RuntimeError, size: int) -> SemkgError:
    """usearch does not say why it could not write; what it left is removed."""
    with translated_os_errors(path):
        full = shutil.disk_usage(path.parent).free < size
        path.unlink(missing_ok=True)
    if full:
        return StorageFull(f"no space left while writing {path}: free some space and run the same command again")
    return StorageError(f"{path} could not be written ({error}): check its owner and its permissions, then try again")


def _replaced(files: IndexFiles, manifest: Manifest | None) -> bool:
    try:
        return manifest is not None and files.read() != manifest
    except Corrupt:
        return False
