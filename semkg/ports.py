"""What semkg asks of the world outside: a store, vector and lexical indexes, an embedder, a chat model, a clock.

Every port has a contract test class in `tests/contracts/`, which each adapter's tests inherit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pyoxigraph as ox

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """Shape (texts, dimension), rows of unit length."""


class GraphStore(Protocol):
    """An RDF 1.1 dataset with SPARQL 1.1, atomic commits and a commit counter."""

    @property
    def generation(self) -> int:
        """How many commits were acknowledged since the store was made."""
        ...

    @property
    def writable(self) -> bool: ...

    def commit(self, additions: Iterable[ox.Quad], removals: Iterable[ox.Quad] = ()) -> int:
        """Remove, then add, all or nothing and durably, and return the new generation.

        A quad in both is present afterwards. With no quads at all nothing is committed.

        Raises:
            StorageFull, StorageError, PermissionDenied.
        """
        ...

    def load(self, quads: Iterable[ox.Quad]) -> int:
        """Add a large number of quads in one atomic, durable step, and return the new generation."""
        ...

    def quads(
        self,
        subject: ox.NamedNode | None = None,
        predicate: ox.NamedNode | None = None,
        object: ox.NamedNode | ox.Literal | None = None,
        graph: ox.NamedNode | None = None,
    ) -> Iterator[ox.Quad]:
        """All quads that match; None matches anything. `graph=None` matches every graph."""
        ...

    def select(self, query: str, graphs: Sequence[ox.NamedNode] | None = None) -> ox.QuerySolutions:
        """The solutions of a trusted SELECT query; its default graph is the union of `graphs` (all, where None).

        Raises:
            BadQuery: it does not parse or is no SELECT.
        """
        ...

    def ask(self, query: str, graphs: Sequence[ox.NamedNode] | None = None) -> bool: ...

    def query(self, query: str, graphs: Sequence[ox.NamedNode] | None = None) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """Any trusted query form."""
        ...

    def backup(self, target: Path) -> None:
        """A consistent copy in a new folder.

        Raises:
            UsageError: `target` exists.
        """
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Hit:
    """A node found by an index, with a score that is larger for a better match."""

    node: str
    score: float


class VectorIndex(Protocol):
    """Nearest neighbours by cosine among the nodes of one type, keyed by IRI."""

    @property
    def generation(self) -> int:
        """The store generation that the index shows."""
        ...

    def __len__(self) -> int: ...

    def __contains__(self, node: str) -> bool: ...

    def nodes(self) -> Iterator[str]: ...

    def add(self, nodes: Sequence[str], vectors: Vectors) -> None:
        """Add or replace.

        Raises:
            ValueError: a vector is zero, not finite or of another dimension; nothing was added.
        """
        ...

    def remove(self, nodes: Iterable[str]) -> None: ...

    def search(self, vector: Vectors, limit: int) -> list[Hit]:
        """`vector`: shape (dimension,). Score: cosine similarity in [-1, 1]."""
        ...

    def vectors(self, nodes: Sequence[str]) -> Vectors:
        """The vectors of some nodes, in their order, as precise as the index keeps them; zeros for a node that is not in the index."""
        ...

    def save(self, generation: int) -> None:
        """Write the index and its manifest so that a crash leaves the old pair or the new one."""
        ...


class LexicalIndex(Protocol):
    """BM25 over chunk texts and labels, keyed by IRI."""

    @property
    def generation(self) -> int: ...

    def __len__(self) -> int: ...

    def nodes(self) -> Iterator[str]: ...

    def update(self, added: Iterable[tuple[str, str, str]], removed: Iterable[str], generation: int) -> None:
        """One transaction. `added`: (IRI, type, text)."""
        ...

    def search(self, text: str, limit: int, type: str | None = None) -> list[Hit]:
        """Any word of `text` counts, in any language; nothing in `text` is read as query syntax."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ModelId:
    """Which model made a vector: vectors of different ids are never compared."""

    name: str
    dimension: int

    def __str__(self) -> str:
        return f"{self.name} ({self.dimension}d)"


class Embedder(Protocol):
    """Texts to unit vectors."""

    @property
    def id(self) -> ModelId: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, unit length, finite.

        Raises:
            ModelUnavailable: the model cannot be loaded or reached, or gave something else than vectors.
        """
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is asked of a chat model; with `schema` (JSON Schema) the reply must be a JSON value that conforms to it."""

    messages: tuple[Message, ...]
    schema: Mapping[str, object] | None = None
    max_tokens: int = 512
    temperature: float = 0.0


class ChatModel(Protocol):
    """Anything that completes a conversation."""

    @property
    def name(self) -> str: ...

    def complete(self, request: ChatRequest) -> str:
        """The reply's text.

        Raises:
            ModelUnavailable: no usable reply within the bounds of time, bytes and retries.
        """
        ...

    def complete_many(self, requests: Sequence[ChatRequest]) -> list[str]:
        """Many at once, replies in the order of the requests."""
        ...


class Reranker(Protocol):
    """Says how well each of a few texts answers a question."""

    @property
    def name(self) -> str: ...

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One finite number a text, larger for a better answer.

        Raises:
            ModelUnavailable: the model cannot be loaded or reached, or gave something else than scores.
        """
        ...


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> datetime:
        """An aware time in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass(slots=True)
class FrozenClock:
    """A clock that stands still: for tests and for builds whose records must be equal to the byte."""

    time: datetime = field(default=datetime(2026, 1, 1, tzinfo=UTC))

    def now(self) -> datetime:
        return self.time


class Progress(Protocol):
    """Told how far long work is."""

    def start(self, stage: str, total: int | None) -> None: ...

    def advance(self, stage: str, steps: int = 1) -> None: ...

    def note(self, text: str) -> None:
        """A line for the person who waits."""
        ...


class Silence:
    """No progress."""

    def start(self, stage: str, total: int | None) -> None:
        pass

    def advance(self, stage: str, steps: int = 1) -> None:
        pass

    def note(self, text: str) -> None:
        pass
