"""An embedder without a model: words and their character trigrams, hashed into a few hundred buckets (Weinberger et al. 2009).

Weak but real: texts that share words or parts of words are close. It needs nothing but numpy and gives the same vectors everywhere.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from semkg.errors import Misconfigured
from semkg.ids import normal_name
from semkg.models.rows import embed_distinct, unit_rows
from semkg.ports import ModelId

if TYPE_CHECKING:
    from semkg.ports import Vectors

PREFIX = "hashing-"
LEAST, MOST = 16, 4096

_WHOLE_WORD = 2.0
"""How much more a whole word counts than one of its trigrams."""


class HashEmbedder:
    """Implements `Embedder`.

    >>> near, far = HashEmbedder().embed(["river bridge", "bridges", "opera"])[1:] @ HashEmbedder().embed(["river bridge"])[0]
    >>> bool(near > far)
    True
    """

    def __init__(self, dimension: int = 256) -> None:
        """`dimension`: the number of buckets.

        Raises:
            Misconfigured: there would be too few or too many.
        """
        if not LEAST <= dimension <= MOST:
            raise Misconfigured(f"{PREFIX}{dimension} must have between {LEAST} and {MOST} dimensions")
        self._id = ModelId(f"{PREFIX}{dimension}", dimension)

    @property
    def id(self) -> ModelId:
        return self._id

    def embed(self, texts: Sequence[str]) -> Vectors:
        return embed_distinct(texts, self._embed, self._id.dimension)

    def _embed(self, texts: list[str]) -> Vectors:
        import numpy as np

        rows = np.zeros((len(texts), self._id.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(text):
                code = crc32(feature.encode("utf-8", "replace"))
                # The lowest bit is the sign, so that features which share a bucket cancel out on average.
                row[(code >> 1) % len(row)] += weight if code & 1 else -weight
        # A text without a word still has a vector.
        rows[~rows.any(axis=1), 0] = 1.0
        return unit_rows(rows, len(texts), self._id)


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word, count in Counter(normal_name(text).split()).items():
        weight = 1 + math.log(count)
        yield word, _WHOLE_WORD * weight
        padded = f"<{word}>"
        yield from ((padded[start : start + 3], weight) for start in range(len(padded) - 2))
