"""What the commits of this process changed among mentions and triplets, for those who keep something derived from them in step."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import pyoxigraph as ox

from semkg.vocab import SEMKG

MANY = 100_000
"""With more nodes than this nothing is noted any more: reading everything anew is as fast."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Between two generations of the store."""

    chunks: frozenset[str]
    """Of which an entity is said to be mentioned in them, or no longer."""
    triplets: frozenset[str]
    """Whose status came, went or became another."""


class Ledger:
    """Follows the commits of one writer. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: int | None = None
        """The generation from which on everything is known; None where nobody asked to know, or it was too much."""
        self._until = 0
        self._chunks: set[str] = set()
        self._triplets: set[str] = set()

    def follow(self, generation: int) -> None:
        """Take note of what changes after the store's present generation; what changed before is forgotten."""
        with self._lock:
            self._since = self._until = generation
            self._chunks.clear()
            self._triplets.clear()

    def note(self, generation: int, additions: Sequence[ox.Quad], removals: Sequence[ox.Quad]) -> None:
        """Take note of the commit that made a generation."""
        with self._lock:
            if self._since is None:
                return
            if self._until != generation - 1:
                # Somebody else has written.
                self._since = None
                return
            self._until = generation
            for quad in chain(additions, removals):
                predicate = quad.predicate
                if predicate == SEMKG.mentionedIn:
                    self._chunks.add(quad.object.value)  # type: ignore[union-attr]  # an entity is mentioned in a chunk
                elif predicate == SEMKG.status:
                    self._triplets.add(quad.subject.value)  # type: ignore[union-attr]  # a triplet has an IRI
            if len(self._chunks) + len(self._triplets) > MANY:
                self._since = None

    def changes(self, since: int, until: int) -> Changes | None:
        """What changed from one generation to the store's own; None where that is not known."""
        with self._lock:
            if self._since is None or since < self._since or until != self._until:
                return None
            return Changes(frozenset(self._chunks), frozenset(self._triplets))
