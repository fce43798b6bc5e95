"""What every adapter of the `Embedder` port must do; its tests inherit this class."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from semkg.ports import Embedder

TEXTS = ["Ida Halden designed the observatory.", "a lamp", "", " ", "天文台は山の上", "word " * 1000, "\ud800 \x00", "a lamp"]


class EmbedderContract:
    """Inherit, and give a fixture `make` that returns an embedder. `tolerance`: how far two vectors of one text may be apart."""

    tolerance = 1e-5

    def test_there_is_one_unit_vector_a_text_whatever_the_text(self, make: Callable[[], Embedder]) -> None:
        rows = make().embed(TEXTS)
        assert rows.shape == (len(TEXTS), make().id.dimension)
        assert rows.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)

    def test_no_texts_give_no_rows(self, make: Callable[[], Embedder]) -> None:
        embedder = make()
        assert embedder.embed([]).shape == (0, embedder.id.dimension)

    def test_equal_texts_have_equal_vectors(self, make: Callable[[], Embedder]) -> None:
        rows = make().embed(TEXTS)
        np.testing.assert_array_equal(rows[1], rows[-1])

    def test_a_vector_does_not_depend_on_what_it_is_embedded_with(self, make: Callable[[], Embedder]) -> None:
        embedder = make()
        together = embedder.embed(TEXTS)
        for text, row in zip(TEXTS, together, strict=True):
            np.testing.assert_allclose(embedder.embed([text])[0], row, atol=self.tolerance)

    def test_the_id_is_stable(self, make: Callable[[], Embedder]) -> None:
        embedder = make()
        before = embedder.id
        embedder.embed(["a lamp"])
        assert embedder.id == before == make().id
