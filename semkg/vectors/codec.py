"""Vectors as the text of a literal: base64 (RFC 4648, section 4) of little-endian IEEE 754 half-precision numbers, `semkg:float16Vector`.

Half precision keeps the cosine of two unit vectors of a few hundred dimensions to about 0.0005 and takes half the space.
"""

from __future__ import annotations

import binascii
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    """Shape (dimension,)."""
    Vectors = NDArray[np.float32]
    """Shape (vectors, dimension)."""

_HALF = "<f2"


def encode(vector: Vector) -> str:
    """One vector as text; its length is taken as 1.

    Raises:
        ValueError: it is not one-dimensional, is empty or zero, or holds a number that is not finite.

    >>> import numpy as np
    >>> encode(np.array([3.0, 4.0], dtype=np.float32))
    'zThmOg=='
    """
    if vector.ndim != 1:
        raise ValueError(f"a vector must be one-dimensional, not of shape {vector.shape}")
    return encode_many(vector[None, :])[0]


def decode(text: str) -> Vector:
    """The unit vector that a text stands for.

    Raises:
        ValueError: it is no base64 of half-precision numbers, is empty or zero, or holds a number that is not finite.

    >>> [round(float(number), 2) for number in decode("zThmOg==")]
    [0.6, 0.8]
    """
    row: Vector = decode_many([text])[0]
    return row


def encode_many(vectors: Vectors) -> list[str]:
    """Many vectors as texts, in order.

    Raises:
        ValueError: as for `encode`.
    """
    if vectors.ndim != 2:
        raise ValueError(f"vectors must have the shape (vectors, dimension), not {vectors.shape}")
    rows = unit(vectors).astype(_HALF)
    return [binascii.b2a_base64(row.data, newline=False).decode("ascii") for row in rows]


def decode_many(texts: Sequence[str]) -> Vectors:
    """Many texts as unit vectors, shape (texts, dimension); (0, 0) for no texts.

    Raises:
        ValueError: as for `decode`, or the dimensions differ.
    """
    import numpy as np

    if not texts:
        return np.empty((0, 0), np.float32)
    rows = [_bytes(text) for text in texts]
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise ValueError("the vectors are not all of one dimension")
    return unit(np.frombuffer(b"".join(rows), _HALF).reshape(len(rows), width // 2).astype(np.float32))


def kept(vectors: Vectors) -> Vectors:
    """The vectors as they are read back from their texts: an index of these is the one that is made from the graph again.

    Raises:
        ValueError: as for `unit`.
    """
    import numpy as np

    return unit(unit(vectors).astype(_HALF).astype(np.float32))


def unit(vectors: Vectors) -> Vectors:
    """The rows divided by their lengths.

    Raises:
        ValueError: a row is empty or zero or holds a number that is not finite.
    """
    import numpy as np

    if vectors.shape[1] == 0:
        raise ValueError("a vector without numbers has no direction")
    # The largest number first: the square of a large or small float32 is not one.
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    if not np.isfinite(largest).all():
        raise ValueError(f"vector {int(np.argmin(np.isfinite(largest)))} holds a number that is not finite")
    if not largest.all():
        raise ValueError(f"vector {int(np.argmin(largest))} is zero: it has no direction")
    scaled = (vectors / largest).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    units: Vectors = scaled / lengths[:, None]
    return units


def _bytes(text: str) -> bytes:
    try:
        found = binascii.a2b_base64(text, strict_mode=True)
    except ValueError as error:
        raise ValueError(f"{text[:20]!r} … is not base64: {error}") from error
    if not found or len(found) % 2:
        raise ValueError(f"{len(found)} bytes are no half-precision numbers")
    return found
