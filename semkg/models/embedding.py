"""Embedders by their names, and the adapter for any model of sentence-transformers (Reimers and Gurevych 2019)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from semkg.config import PACKAGED_EMBEDDER, VARIABLES, Settings
from semkg.errors import Misconfigured, ModelUnavailable
from semkg.models.endpoint import endpoint
from semkg.models.endpoint_embedder import PREFIX as OPENAI_PREFIX
from semkg.models.endpoint_embedder import EndpointEmbedder
from semkg.models.hashing import PREFIX as HASHING_PREFIX
from semkg.models.hashing import HashEmbedder
from semkg.models.minilm import PackagedMiniLM
from semkg.models.rows import embed_distinct, unit_rows
from semkg.models.sentence_transformers_model import LazyModel
from semkg.ports import Embedder, ModelId

if TYPE_CHECKING:
    from semkg.ports import Vectors


class SentenceTransformerEmbedder:
    """Implements `Embedder` with any model that sentence-transformers can load. Loads on first use."""

    def __init__(self, name_or_path: str) -> None:
        """`name_or_path`: a name on the Hugging Face hub, or a folder."""
        self._name = name_or_path
        self._model = LazyModel("SentenceTransformer", name_or_path, f"the embedding model {name_or_path}", ModelUnavailable)

    @property
    def id(self) -> ModelId:
        """The model is loaded to know its dimension.

        Raises:
            ModelUnavailable, Misconfigured: it cannot be loaded.
        """
        return ModelId(self._name, int(self._model().get_embedding_dimension()))

    def embed(self, texts: Sequence[str]) -> Vectors:
        return embed_distinct(texts, self._embed, self.id.dimension)

    def _embed(self, texts: list[str]) -> Vectors:
        import numpy as np

        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        try:
            rows = self._model().encode(clean, show_progress_bar=False, convert_to_numpy=True)
        except (RuntimeError, ValueError) as error:
            raise ModelUnavailable(f"the embedding model {self._name} failed ({error}): try another one with SEMKG_EMBEDDER") from error
        return unit_rows(np.asarray(rows, np.float32), len(texts), self.id)


def embedder(name: str, settings: Settings) -> Embedder:
    """The embedder of this name; nothing is loaded yet.

    Args:
        name: `all-MiniLM-L6-v2` (packaged), `hashing-<dimension>`, `openai:<model>`, or a name or path for sentence-transformers.
        settings: where an endpoint is, and its key.

    Raises:
        Misconfigured: the name cannot be one, or an endpoint is not configured.

    >>> embedder("hashing-64", Settings()).id
    ModelId(name='hashing-64', dimension=64)
    """
    if not name or name == OPENAI_PREFIX:
        raise Misconfigured(f"{name!r} names no embedding model: write one in {VARIABLES['embedder']}, for example {PACKAGED_EMBEDDER}")
    for prefix, make in _TABLE.items():
        if name.startswith(prefix):
            return make(name, settings)
    return SentenceTransformerEmbedder(name)


def _packaged(name: str, settings: Settings) -> Embedder:
    return PackagedMiniLM() if name == PACKAGED_EMBEDDER else SentenceTransformerEmbedder(name)


def _hashing(name: str, settings: Settings) -> Embedder:
    dimension = name.removeprefix(HASHING_PREFIX)
    if not dimension.isascii() or not dimension.isdecimal():
        raise Misconfigured(f"{name!r} is no embedder: write {HASHING_PREFIX}<dimension>, for example {HASHING_PREFIX}256")
    return HashEmbedder(int(dimension))


def _openai(name: str, settings: Settings) -> Embedder:
    return EndpointEmbedder(endpoint(settings), name.removeprefix(OPENAI_PREFIX))


_TABLE: dict[str, Callable[[str, Settings], Embedder]] = {
    PACKAGED_EMBEDDER: _packaged,
    HASHING_PREFIX: _hashing,
    OPENAI_PREFIX: _openai,
}
"""How a name begins → what makes the embedder."""
