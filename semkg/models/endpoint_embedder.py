"""Embeddings from an OpenAI-compatible server."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from semkg.models.endpoint import Endpoint, Unusable
from semkg.models.rows import embed_distinct, unit_rows
from semkg.ports import ModelId

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from semkg.ports import Vectors

PREFIX = "openai:"
BATCH = 256
MOST_BYTES = 64_000_000

_PROBE = "dimension"


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Embeddings(BaseModel):
    data: list[_Row]


class EndpointEmbedder:
    """Implements `Embedder`. The server is asked for one vector to learn the dimension, unless that is given."""

    def __init__(self, endpoint: Endpoint, model: str, dimension: int = 0) -> None:
        """`model`: as the server calls it; the embedder's own name is `openai:<model>`."""
        self._endpoint = endpoint
        self._model = model
        self._lock = threading.Lock()
        self._dimension = dimension

    @property
    def id(self) -> ModelId:
        with self._lock:
            self._dimension = self._dimension or self._rows([_PROBE]).shape[1]
            return ModelId(PREFIX + self._model, self._dimension)

    def embed(self, texts: Sequence[str]) -> Vectors:
        return embed_distinct(texts, self._embed, self.id.dimension)

    def _embed(self, texts: list[str]) -> Vectors:
        import numpy as np

        batches = (texts[start : start + BATCH] for start in range(0, len(texts), BATCH))
        return np.concatenate([unit_rows(self._rows(batch), len(batch), self.id) for batch in batches])

    def _rows(self, texts: list[str]) -> NDArray[np.float64]:
        # Servers refuse an empty text.
        clean = [(text if text.strip() else "-").encode("utf-8", "replace").decode("utf-8") for text in texts]
        parameters = {"model": self._model, "input": clean, "encoding_format": "float"}
        return self._endpoint.call("embeddings", parameters, lambda body: self._read(body, len(texts)), MOST_BYTES)

    def _read(self, body: bytes, texts: int) -> NDArray[np.float64]:
        import numpy as np

        where = f"{self._endpoint.base_url}, model {self._model}"
        try:
            rows = {row.index: row.embedding for row in _Embeddings.model_validate_json(body).data}
        except ValidationError as error:
            raise Unusable(f"{where} did not answer with embeddings: check that it serves an embedding model") from error
        if sorted(rows) != list(range(texts)):
            raise Unusable(f"{where} gave vectors for {len(rows)} of {texts} texts: look at the server's log")
        if len({len(row) for row in rows.values()}) != 1:
            raise Unusable(f"{where} gave vectors of different dimensions: look at the server's log")
        return np.array([rows[index] for index in range(texts)])
