"""What retrieval gives: ranked evidence, with what each stream said of it and the path that led there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import overload


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stream ranks a passage, from 1, and the stream's own score."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a path: what was met, in words, and how. `iri` is empty where the step meets no node of the graph."""

    relation: str
    label: str
    iri: str = ""

    def __str__(self) -> str:
        return f"{self.relation} {self.label}".strip()


@dataclass(frozen=True, slots=True)
class Passage:
    """Ranked evidence: a chunk; with a filter by type an entity (its label), a triplet (its statement) or a HyperNode.

    Attributes:
        type: the local name of the node's class.
        start, end: code points of the document's text; 0 for what is no chunk.
        document: IRI, empty for what belongs to no single document; `title` and `source` are the document's.
        streams: stream → what it said; a stream that did not find the node is missing.
        path: how the graph led there, from the question on; empty where it did not.
    """

    iri: str
    score: float
    text: str
    start: int
    end: int
    document: str
    title: str
    source: str
    streams: Mapping[str, Place]
    path: tuple[Step, ...] = ()
    type: str = "Chunk"


@dataclass(frozen=True, slots=True)
class Results(Sequence[Passage]):
    """A ranking, the best first. `notes` tell what went otherwise than asked: a stream that was too slow, or failed."""

    passages: tuple[Passage, ...]
    notes: tuple[str, ...] = ()

    @overload
    def __getitem__(self, index: int) -> Passage: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Passage]: ...
    def __getitem__(self, index: int | slice) -> Passage | Sequence[Passage]:
        return self.passages[index]

    def __len__(self) -> int:
        return len(self.passages)
