"""The reading loop: sources in, a gated graph out, a batch of documents at a time (RAGA §3.3.3).

A batch is three commits: the documents with their chunks (Pending), the lease (BeingRead), the facts with the chunks' new state (Verified).
A build that was killed between two of them goes on with what is pending; one that finds everything read changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol, TypeVar

from pyoxigraph import NamedNode

from semkg.communities import Clustering
from semkg.config import KgConfig
from semkg.errors import Misconfigured
from semkg.graph import reads
from semkg.graph.lifecycle import Lifecycle
from semkg.graph.merge import Merger
from semkg.graph.texts import chunk_text
from semkg.graph.writer import Parts, Writer
from semkg.ids import Names
from semkg.ingest import Chunker, Fields, SourceProblem, SourceText, chunk, count_sources, read_sources
from semkg.model import Activity, Agent, ChangeSet, Chunk, Document, Entity, Outcome, Reading, ReadingState, SchemaTerm, Triplet
from semkg.ports import Progress, Silence
from semkg.vocab import SEMKG

BATCH_DOCUMENTS = 64
BATCH_CHARACTERS = 120_000
"""A batch ends at whichever comes first: enough texts for the embedder to be fast, few enough to lose little."""

STAGE = "reading"

Entry = tuple[Document, tuple[Chunk, ...]]


class Reader(Protocol):
    """Reads documents: what it finds in one is a function of that document alone."""

    @property
    def agent(self) -> Agent: ...

    def covers(self, document: Document) -> bool:
        """Whether this reader can read a document."""
        ...

    def read_many(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> Iterator[Reading]: ...


@dataclass(slots=True)
class BuildReport:
    """What a build did, counted as it goes. `problems` are the inputs that were not read, one by one."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    resumed: int = 0
    chunks: int = 0
    entities: int = 0
    reused: int = 0
    triplets: int = 0
    refused: int = 0
    merged: int = 0
    seconds: float = 0.0
    problems: list[SourceProblem] = field(default_factory=list)

    @property
    def documents(self) -> int:
        """How many were read in this build."""
        return self.new + self.changed + self.resumed

    @property
    def rate(self) -> float:
        """Chunks a second."""
        return self.chunks / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Work:
    """What one build hands from step to step."""

    run: Activity
    report: BuildReport
    progress: Progress
    taken: dict[NamedNode, str] = field(default_factory=dict)
    """Document → sha256, of what this build has taken up."""


class Builder:
    """Reads sources into the graph of one dataset."""

    def __init__(self, parts: Parts, writer: Writer, lifecycle: Lifecycle, merger: Merger, reader: Reader, config: KgConfig) -> None:
        self._parts = parts
        self._writer = writer
        self._lifecycle = lifecycle
        self._merger = merger
        self._reader = reader
        self._config = config
        self._chunker = _chunker(config)

    def build(self, sources: Sequence[str], fields: Fields, progress: Progress | None = None) -> BuildReport:
        """Read what is new or changed, finish what an earlier build left, resolve entities and cluster them.

        Raises:
            ModelUnavailable, StorageFull, StorageError, PermissionDenied: what was committed before stays.
        """
        work = self._begin(progress or Silence())
        left = reads.pending(self._parts.store, self._parts.layout)
        total = count_sources(sources, fields)
        work.progress.start(STAGE, None if total is None else total + len(left))
        for batch in _batches(self._unread(left)):
            self._read(batch, work)
            work.report.resumed += len(batch)
        for batch in _batches(self._changed(sources, fields, work)):
            self._lifecycle.enter(batch, self._reader.agent, work.run.iri)
            self._read(batch, work)
        self._finish(work)
        return work.report

    def _begin(self, progress: Progress) -> Work:
        started = self._parts.clock.now()
        iri = self._parts.names.activity("run", started.isoformat(), str(self._parts.store.generation))
        return Work(Activity(iri, SEMKG.Run, self._reader.agent.iri, started), BuildReport(), progress)

    def _finish(self, work: Work) -> None:
        work.progress.note("resolving entities")
        resolved = self._merger.resolve(work.run.iri)
        work.report.merged = len(resolved.merged)
        work.progress.note("clustering entities")
        Clustering(self._parts, self._writer).refresh(work.run.iri)
        ended = self._parts.clock.now()
        if work.report.documents:
            self._writer.apply(ChangeSet(agents=(self._reader.agent,), activities=(replace(work.run, ended=ended),)))
        work.report.seconds = (ended - (work.run.started or ended)).total_seconds()

    def _unread(self, documents: Iterable[NamedNode]) -> Iterator[Entry]:
        """Documents that an earlier build entered but did not read to the end; what this reader cannot read waits for another."""
        store, layout = self._parts.store, self._parts.layout
        for iri in documents:
            document = reads.document(store, layout, iri)
            if self._reader.covers(document):
                yield document, tuple(reads.chunks_of(store, layout, iri))

    def _changed(self, sources: Sequence[str], fields: Fields, work: Work) -> Iterator[Entry]:
        """What the sources hold that the graph does not."""
        for source in read_sources(sources, fields):
            if isinstance(source, SourceProblem):
                work.report.problems.append(source)
                work.progress.advance(STAGE)
                continue
            document = document_of(source, self._parts.names)
            read = work.taken.get(document.iri) or self._lifecycle.known(document.iri)
            if read == source.sha256:
                work.report.unchanged += 1
                work.progress.advance(STAGE)
                continue
            work.report.changed += read is not None
            work.report.new += read is None
            work.taken[document.iri] = source.sha256
            yield document, self._chunks(document, source)

    def _chunks(self, document: Document, source: SourceText) -> tuple[Chunk, ...]:
        config = self._config
        pieces = chunk(source.text, self._chunker, config.chunk_size, config.chunk_overlap, markdown=source.markdown)
        return tuple(
            Chunk(
                iri=self._parts.names.chunk(document.iri, piece.start, piece.end, chunk_text(document.title, piece.text)),
                document=document.iri,
                text=piece.text,
                start=piece.start,
                end=piece.end,
                position=position,
                structure=piece.structure,
                heading=piece.heading,
                overlap=piece.overlap,
            )
            for position, piece in enumerate(pieces)
        )

    def _read(self, batch: Sequence[Entry], work: Work) -> None:
        """Read one batch and commit what the gate lets through."""
        started = self._parts.clock.now()
        self._lifecycle.lease(chunk.iri for _, chunks in batch for chunk in chunks)
        readings = list(self._reader.read_many(batch))
        outcome = self._writer.apply(self._change(batch, readings, started, work.run))
        self._count(batch, readings, outcome, work.report)
        work.progress.advance(STAGE, len(batch))

    def _change(self, batch: Sequence[Entry], readings: Sequence[Reading], started: datetime, run: Activity) -> ChangeSet:
        agent = self._reader.agent
        ended = self._parts.clock.now()
        activities = [run]
        triplets: list[Triplet] = []
        for (document, _), reading in zip(batch, readings, strict=True):
            iri = self._parts.names.reading(document.iri, document.sha256, agent.iri)
            activities.append(Activity(iri, SEMKG.Reading, agent.iri, started, ended, (document.iri,), run.iri))
            triplets += (replace(triplet, activity=iri) for triplet in reading.triplets)
        return ChangeSet(
            entities=_unique(entity for reading in readings for entity in reading.entities),
            mentions=tuple(mention for reading in readings for mention in reading.mentions),
            evidence=tuple(piece for reading in readings for piece in reading.evidence),
            triplets=tuple(triplets),
            terms=_unique(term for reading in readings for term in reading.terms),
            agents=(agent,),
            activities=tuple(activities),
            topics=tuple((reading.document, reading.topic) for reading in readings if reading.topic),
            states=tuple((chunk.iri, ReadingState.VERIFIED) for _, chunks in batch for chunk in chunks),
        )

    def _count(self, batch: Sequence[Entry], readings: Sequence[Reading], outcome: Outcome, report: BuildReport) -> None:
        triplets = {triplet.iri for reading in readings for triplet in reading.triplets}
        created = set(outcome.created)
        report.chunks += sum(len(chunks) for _, chunks in batch)
        report.triplets += len(triplets & created)
        report.entities += len(created - triplets)
        report.reused += len(set(outcome.reused) - triplets)
        report.refused += len(outcome.refused)


def _chunker(config: KgConfig) -> Chunker:
    try:
        return Chunker(config.chunker)
    except ValueError as error:
        known = ", ".join(chunker.value for chunker in Chunker)
        raise Misconfigured(f"chunker = {config.chunker!r} in semkg.toml is unknown: choose one of {known}") from error


def document_of(source: SourceText, names: Names) -> Document:
    """The document that a source text becomes."""
    return Document(names.document(source.source), source.source, source.title, source.media_type, source.language, source.sha256)


def _batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    batch: list[Entry] = []
    characters = 0
    for entry in entries:
        batch.append(entry)
        characters += sum(len(chunk.text) for chunk in entry[1])
        if len(batch) >= BATCH_DOCUMENTS or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


T = TypeVar("T", Entity, SchemaTerm)


def _unique(values: Iterable[T]) -> tuple[T, ...]:
    """The first of each IRI: readings of different documents find the same entities and terms."""
    found: dict[NamedNode, T] = {}
    for value in values:
        found.setdefault(value.iri, value)
    return tuple(found.values())
