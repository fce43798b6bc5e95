"""The life of documents and chunks: enter, be read, change, go (RAGA §3.3.3; DESIGN §3)."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import pyoxigraph as ox

from semkg.errors import NotFound
from semkg.graph import rdf
from semkg.graph.canonical import canonical_hash
from semkg.graph.merge import Merger
from semkg.graph.removal import NOTHING, removal_of
from semkg.graph.texts import value
from semkg.graph.writer import Parts, Writer
from semkg.model import Activity, Agent, ChangeSet, Chunk, Document, Outcome, ReadingState
from semkg.vocab import DCTERMS, RDFS, SEMKG, XSD

LEASE = timedelta(minutes=30)
"""How long a reader may take for one batch of chunks before another may take them over."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a deletion did. `removed` and `kept`: kind of node → count; the hashes are canonical (RDFC-1.0)."""

    document: str
    title: str
    activity: str
    removed: dict[str, int]
    kept: dict[str, int]
    hash_before: str
    hash_after: str


class Lifecycle:
    """Documents in and out, through the one door."""

    def __init__(self, parts: Parts, writer: Writer, merger: Merger) -> None:
        self._parts = parts
        self._writer = writer
        self._merger = merger

    def known(self, document: ox.NamedNode) -> str | None:
        """The sha256 of the text of a document as it was entered; None for one that is not there."""
        return value(self._parts.store, document, SEMKG.sha256, self._parts.layout.corpus) or None

    def enter(self, documents: Sequence[tuple[Document, Sequence[Chunk]]], agent: Agent, run: ox.NamedNode | None = None) -> Outcome:
        """Put documents with their chunks (Pending) into the corpus; one that was there in another version is replaced.

        What only the old version supported goes in the same commit.
        """
        replaced = [document.iri for document, _ in documents if self.known(document.iri)]
        removal = removal_of(self._parts.store, self._parts.layout, replaced) if replaced else NOTHING
        activities = [self._deletion(iri, agent, run) for iri in replaced]
        change = ChangeSet(
            documents=tuple(document for document, _ in documents),
            chunks=tuple(chunk for _, chunks in documents for chunk in chunks),
            agents=(agent,) if activities else (),
            activities=tuple(activities),
        )
        return self._writer.apply(change, removal)

    def lease(self, chunks: Iterable[ox.NamedNode]) -> None:
        """Mark chunks as being read by this process."""
        layout = self._parts.layout
        holder = ox.Literal(f"{socket.gethostname()}:{os.getpid()}")
        expires = rdf.moment(self._parts.clock.now() + LEASE)
        added: list[ox.Quad] = []
        removed: list[ox.Quad] = []
        for chunk in chunks:
            removed += self._state(chunk)
            added.append(rdf.state_quad(chunk, ReadingState.BEING_READ, layout))
            added.append(ox.Quad(chunk, SEMKG.leaseHolder, holder, layout.corpus))
            added.append(ox.Quad(chunk, SEMKG.leaseExpires, expires, layout.corpus))
        if added:
            self._writer.rewrite(added, removed)

    def recover(self) -> int:
        """Give chunks that a dead process was reading back to the queue; returns how many.

        Only the process that holds the store's lock calls this, so whoever holds a lease in it is dead.
        """
        layout, store = self._parts.layout, self._parts.store
        stuck = [
            quad.subject
            for quad in store.quads(None, SEMKG.readingState, SEMKG.BeingRead, layout.corpus)
            if isinstance(quad.subject, ox.NamedNode)
        ]
        removed = [quad for chunk in stuck for quad in self._state(chunk)]
        if stuck:
            self._writer.rewrite([rdf.state_quad(chunk, ReadingState.PENDING, layout) for chunk in stuck], removed)
        return len(stuck)

    def _state(self, chunk: ox.NamedNode) -> list[ox.Quad]:
        """A chunk's reading state and lease."""
        predicates = (SEMKG.readingState, SEMKG.leaseHolder, SEMKG.leaseExpires)
        return [quad for predicate in predicates for quad in self._parts.store.quads(chunk, predicate, None, self._parts.layout.corpus)]

    def delete(self, document: ox.NamedNode, agent: Agent) -> Receipt:
        """Delete a document and exactly what only it supported, and keep a receipt in the provenance.

        Raises:
            NotFound: the graph holds no such document.
        """
        store, layout = self._parts.store, self._parts.layout
        if not self.known(document):
            raise NotFound(f"{document.value} is no document of this graph: `semkg stats --documents` lists them")
        title = next(
            (
                quad.object.value
                for quad in store.quads(document, DCTERMS.title, None, layout.corpus)
                if isinstance(quad.object, ox.Literal)
            ),
            "",
        )
        before = canonical_hash(store, layout)
        removal = removal_of(store, layout, [document])
        activity = self._deletion(document, agent, None)
        self._writer.apply(ChangeSet(agents=(agent,), activities=(activity,)), removal)
        self._merger.resolve(activity.iri)
        after = canonical_hash(store, layout)
        removed = {kind: gone for kind, (gone, _) in removal.counts.items()}
        kept = {kind: left for kind, (_, left) in removal.counts.items()}
        receipt = Receipt(document.value, title, activity.iri.value, removed, kept, before, after)
        self._writer.rewrite(_receipt_quads(receipt, layout.provenance), [])
        return receipt

    def _deletion(self, document: ox.NamedNode, agent: Agent, run: ox.NamedNode | None) -> Activity:
        now = self._parts.clock.now()
        iri = self._parts.names.activity("deletion", document.value, now.isoformat(), str(self._parts.store.generation))
        return Activity(iri, SEMKG.Deletion, agent.iri, now, now, (document,), run)


def _receipt_quads(receipt: Receipt, graph: ox.NamedNode) -> list[ox.Quad]:
    activity = ox.NamedNode(receipt.activity)
    said: list[tuple[ox.NamedNode, ox.Literal]] = [
        (SEMKG.removedCount, rdf.integer(sum(receipt.removed.values()))),
        (SEMKG.keptCount, rdf.integer(sum(receipt.kept.values()))),
        (SEMKG.hashBefore, ox.Literal(receipt.hash_before, datatype=XSD.string)),
        (SEMKG.hashAfter, ox.Literal(receipt.hash_after, datatype=XSD.string)),
        (RDFS.label, ox.Literal(f"Deletion of {receipt.title or receipt.document}")),
    ]
    return [ox.Quad(activity, predicate, value, graph) for predicate, value in said]
