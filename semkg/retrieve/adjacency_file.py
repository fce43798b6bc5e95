"""The adjacency on disk: numpy's own format behind the sha256 of what follows. A file that is not whole is as good as none."""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semkg.config import write_atomically
from semkg.errors import translated_os_errors
from semkg.retrieve.adjacency import Adjacency

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

FORMAT = 3
"""Raised whenever another version of semkg would derive something else from the same graph."""

_TEXTS = ("passages", "entities", "triplets", "names", "merged")
_MATRICES = ("found", "about", "speaks", "mentions")
_NUMBERS = ("words", "word_starts", "name_of", "subject_of", "object_of", "passage_of")
_DIGEST = 32


def save(adjacency: Adjacency, path: Path) -> None:
    """Write it so that a crash leaves the old file or the new one.

    Raises:
        StorageFull, StorageError, PermissionDenied.
    """
    import numpy as np

    arrays: dict[str, NDArray[np.generic]] = {"state": np.array([FORMAT, adjacency.generation], np.int64)}
    for name in _TEXTS:
        arrays[name] = np.frombuffer("\n".join(getattr(adjacency, name)).encode("utf-8"), np.uint8)
    for name in _MATRICES:
        matrix = getattr(adjacency, name)
        arrays |= {f"{name}.columns": matrix.indices, f"{name}.starts": matrix.indptr, f"{name}.shape": np.array(matrix.shape, np.int64)}
    for name in _NUMBERS:
        arrays[name] = getattr(adjacency, name)
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    content = buffer.getvalue()
    write_atomically(path, hashlib.sha256(content).digest() + content)


def load(path: Path) -> Adjacency | None:
    """What was saved; None where there is nothing, or nothing that can be trusted.

    Raises:
        StorageError, PermissionDenied: the file cannot be read.
    """
    with translated_os_errors(path):
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
    if hashlib.sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
        return None
    try:
        return _read(content[_DIGEST:])
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile):
        # Whole, but not as this version writes it.
        return None


def _read(content: bytes) -> Adjacency | None:
    import numpy as np

    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        format, generation = arrays["state"].tolist()
        if format != FORMAT:
            return None
        fields: dict[str, Any] = {name: _lines(arrays[name]) for name in _TEXTS}
        fields |= {name: _matrix(arrays, name) for name in _MATRICES}
        fields |= {name: arrays[name] for name in _NUMBERS}
        return Adjacency(generation=generation, **fields)


def _lines(encoded: NDArray[np.uint8]) -> tuple[str, ...]:
    return tuple(encoded.tobytes().decode("utf-8").split("\n")) if len(encoded) else ()


def _matrix(arrays: np.lib.npyio.NpzFile, name: str) -> csr_array:
    import numpy as np
    from scipy.sparse import csr_array

    columns, starts, shape = arrays[f"{name}.columns"], arrays[f"{name}.starts"], arrays[f"{name}.shape"]
    return csr_array((np.ones(len(columns), np.float32), columns, starts), shape=tuple(shape.tolist()))
