"""Graphs for comparing rankings: opened for reading, with an embedder that embeds each question once, however often it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from semkg import KnowledgeGraph
from semkg.config import Settings, read_config
from semkg.evaluate import Plan
from semkg.evaluate.runs import Setting
from semkg.models import embedder as embedder_named
from semkg.ports import Embedder, ModelId

if TYPE_CHECKING:
    from semkg.ports import Vectors

PATIENCE = 600.0
"""Seconds that the graph stream may take: a ranking must not depend on what else the machine does."""

DEPTH = 10


class Remembering:
    """Implements `Embedder`: another one, with every text that it embedded kept."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    @property
    def id(self) -> ModelId:
        return self._embedder.id

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        if new := [text for text in dict.fromkeys(texts) if text not in self._known]:
            self._known |= zip(new, self._embedder.embed(new), strict=True)
        return np.stack([self._known[text] for text in texts])


def opened(folder: Path, given: Settings, embedder: Embedder | None = None) -> KnowledgeGraph:
    """The graph in a folder, for reading; `embedder`: one that another graph shares."""
    model = embedder or Remembering(embedder_named(read_config(folder).embedder, given))
    return KnowledgeGraph.open(folder, read_only=True, embedder=model, given=given)


def plan(limit: int | None, mode: str = "fusion", settings: Mapping[str, Setting] | None = None) -> Plan:
    """Ask for ten passages, with all the time that the graph stream needs."""
    return Plan(mode=mode, settings={"budget": PATIENCE, **(settings or {})}, depth=DEPTH, limit=limit)
