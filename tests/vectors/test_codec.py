from __future__ import annotations

import base64
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from semkg.vectors import codec

numbers = st.floats(-(2.0**100), 2.0**100, width=32, allow_subnormal=False)
matrices = arrays.arrays(np.float32, st.tuples(st.integers(1, 4), st.integers(1, 40)), elements=numbers).filter(
    lambda rows: bool(rows.any(axis=1).all())
)


@given(matrices)
def test_decoding_gives_the_direction_that_was_encoded(rows: codec.Vectors) -> None:
    decoded = codec.decode_many(codec.encode_many(rows))
    wide = rows.astype(np.float64)
    expected = wide / np.linalg.norm(wide, axis=1, keepdims=True)
    np.testing.assert_allclose(decoded, expected, atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(decoded, axis=1), 1, atol=1e-5)


@given(matrices)
def test_one_by_one_and_together_are_the_same(rows: codec.Vectors) -> None:
    encoded = codec.encode_many(rows)
    assert encoded == [codec.encode(row) for row in rows]
    for text, row in zip(encoded, codec.decode_many(encoded), strict=True):
        np.testing.assert_array_equal(codec.decode(text), row)


@given(matrices)
def test_encoding_what_was_decoded_changes_no_cosine(rows: codec.Vectors) -> None:
    once = codec.decode_many(codec.encode_many(rows))
    np.testing.assert_allclose(codec.decode_many(codec.encode_many(once)), once, atol=1e-3)


def test_the_text_is_base64_of_little_endian_half_precision_numbers() -> None:
    assert struct.unpack("<2e", base64.b64decode(codec.encode(np.array([3, 4], np.float32)))) == pytest.approx((0.6, 0.8), abs=1e-3)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 0.0])
def test_a_vector_that_is_zero_or_not_finite_is_not_encoded(value: float) -> None:
    with pytest.raises(ValueError, match="vector 1"):
        codec.encode_many(np.array([[1, 2], [value, value]], np.float32))


@pytest.mark.parametrize("shape", [(2, 0), (3,), (1, 2, 3)])
def test_only_rows_of_numbers_are_encoded(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"shape|direction"):
        codec.encode_many(np.ones(shape, np.float32))


def test_one_vector_is_not_a_matrix() -> None:
    with pytest.raises(ValueError, match="one-dimensional"):
        codec.encode(np.ones((2, 2), np.float32))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "zT",
        "zTxm Og==",
        "not base64!",
        "żółw",
        "zTxmOg==zTxmOg==",
        base64.b64encode(b"\x00").decode(),
        base64.b64encode(struct.pack("<2e", 0, 0)).decode(),
        base64.b64encode(struct.pack("<2e", float("nan"), 1)).decode(),
        base64.b64encode(struct.pack("<2e", float("inf"), 1)).decode(),
    ],
)
def test_a_text_that_is_no_vector_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"base64|numbers|finite|direction|bytes"):
        codec.decode(text)


def test_texts_of_different_dimensions_are_refused() -> None:
    with pytest.raises(ValueError, match="dimension"):
        codec.decode_many([codec.encode(np.ones(size, np.float32)) for size in (2, 3)])


def test_no_texts_give_no_rows() -> None:
    assert codec.decode_many([]).shape == (0, 0)
    assert codec.encode_many(np.empty((0, 4), np.float32)) == []
