"""The words of each passage as hashes: enough to tell which texts cannot hold a name, without reading them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from semkg.retrieve.adjacency import Hashes


def hashed(words: Iterable[str]) -> Hashes:
    """The hashes of the different words, sorted."""
    import numpy as np

    return np.unique(np.array([crc32(word.encode("utf-8")) for word in set(words)], np.uint32))


def joined(passages: Sequence[Hashes]) -> tuple[Hashes, NDArray[np.int64]]:
    """The hashes of many passages in one array, and where those of each begin and the last ones end; shapes (hashes,), (passages + 1,)."""
    import numpy as np

    starts = np.zeros(len(passages) + 1, np.int64)
    np.cumsum([len(hashes) for hashes in passages], out=starts[1:])
    return (np.concatenate(passages) if passages else np.zeros(0, np.uint32)), starts


def holders(words: Hashes, starts: NDArray[np.int64], names: Iterable[str]) -> set[int]:
    """The numbers of all passages that have every word of one of the names; others may be among them, since hashes collide."""
    import numpy as np

    order = np.argsort(words, kind="stable")
    ordered, passages = words[order], np.repeat(np.arange(len(starts) - 1), np.diff(starts))[order]

    def with_word(word: str) -> NDArray[np.int64]:
        hash = np.uint32(crc32(word.encode("utf-8")))
        return passages[np.searchsorted(ordered, hash, "left") : np.searchsorted(ordered, hash, "right")]

    # A passage has a word once.
    both = partial(np.intersect1d, assume_unique=True)
    found: set[int] = set()
    for name in names:
        found.update(reduce(both, map(with_word, set(name.split()))).tolist())
    return found
