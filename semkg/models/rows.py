"""What every embedder does with the rows that its model gives: they are checked and brought to unit length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from semkg.errors import ModelUnavailable
from semkg.ports import ModelId

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from semkg.ports import Vectors


def unit_rows(rows: NDArray[np.floating], texts: int, model: ModelId) -> Vectors:
    """The rows, of length 1.

    Args:
        rows: what the model gave.
        texts: how many it was given.
        model: for the shape and the message.

    Raises:
        ModelUnavailable: a row is missing, zero, not finite or of another dimension.
    """
    import numpy as np

    if rows.shape != (texts, model.dimension):
        raise ModelUnavailable(f"{model} gave numbers of shape {rows.shape} for {texts} texts: check which model answers under this name")
    # Squares of float32 leave its range long before its numbers do.
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise ModelUnavailable(f"{model} gave a vector that is zero or not finite: use another model, or look at its server's log")
    units: Vectors = (rows / lengths).astype(np.float32)
    return units


def embed_distinct(texts: Sequence[str], embed: Callable[[list[str]], Vectors], dimension: int) -> Vectors:
    """One row a text, where each different text is embedded once."""
    import numpy as np

    if not texts:
        return np.empty((0, dimension), np.float32)
    number = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    rows = embed(list(number))
    return rows if len(rows) == len(texts) else rows[[number[text] for text in texts]]
