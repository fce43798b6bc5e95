"""`KnowledgeGraph`: everything a program does with a knowledge graph, through one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import pyoxigraph as ox

from semkg.agents.building import Builder, BuildReport, Reader
from semkg.agents.responder import Answer, ModelResponder, Responder
from semkg.communities import Clustering
from semkg.config import FILE, PACKAGED_EMBEDDER, KgConfig, Settings, settings, with_embedder
from semkg.errors import UsageError
from semkg.export import Format, export
from semkg.extract import EmbeddedReader, ReplayingReader, read_recordings
from semkg.graph import reads
from semkg.graph.canonical import canonical_hash
from semkg.graph.indexes import Kind
from semkg.graph.lifecycle import Lifecycle, Receipt
from semkg.graph.merge import Merger
from semkg.graph.writer import Parts, Writer
from semkg.ingest import Fields
from semkg.model import Agent, Report
from semkg.models import chat_model
from semkg.models import embedder as embedder_named
from semkg.models import reranker as reranker_named
from semkg.ports import Clock, Embedder, Progress, SystemClock
from semkg.provenance import Statement, statements_about, trace
from semkg.retrieve import ANYTHING, DEFAULT, Filter, GraphIndex, Results, Retriever, Setting
from semkg.session import maintenance, opening
from semkg.session.cards import Card, card_of
from semkg.session.collector import seldom_collected
from semkg.session.lookup import document_named, entity_named, node_of, very_entity_named
from semkg.session.maintenance import Diagnosis, ImportReport
from semkg.vocab import RDF, SEMKG


class KnowledgeGraph:
    """A knowledge graph, on disk or in memory.

    >>> from semkg.models import HashEmbedder
    >>> kg = KnowledgeGraph.in_memory(embedder=HashEmbedder())
    >>> kg.stats().documents
    0
    """

    def __init__(self, opened: opening.Opened, given: Settings) -> None:
        self._opened = opened
        self._settings = given
        self.repairs = opened.repairs
        """What had to be repaired to open it."""
        self.parts: Parts = opened.parts
        """Store, names, gate, embedder, indexes and clock: what tools and further agents are built on."""
        self.writer = Writer(opened.parts)
        """The one door."""
        self._merger = Merger(opened.parts, self.writer)
        self._lifecycle = Lifecycle(opened.parts, self.writer, self._merger)
        self._clustering = Clustering(opened.parts, self.writer)
        if opened.parts.store.writable:
            self._lifecycle.recover()
        repair = self._graphs.mend(write=opened.parts.store.writable)
        self.repairs += (repair,) if repair else ()

    # --- opening -----------------------------------------------------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        folder: Path | str | None = None,
        *,
        create: bool = False,
        read_only: bool = False,
        config: KgConfig | None = None,
        embedder: Embedder | None = None,
        clock: Clock | None = None,
        given: Settings | None = None,
        accept_loss: bool = False,
    ) -> KnowledgeGraph:
        """Open the knowledge graph in a folder.

        Args:
            folder: where it is; by default the setting SEMKG_KG, then `./kg`.
            create: make one if there is none.
            read_only: see the graph as it is now, beside a process that writes.
            config: for a new graph.
            embedder: instead of the one that the configuration names.
            clock: the source of time.
            given: settings instead of the environment's.
            accept_loss: open a store that lost acknowledged commits.

        Raises:
            Misconfigured: there is no knowledge graph, or it needs another embedding model.
            Locked: another process writes to it.
            Corrupt: files are damaged or missing.
        """
        known = given or settings()
        path = Path(folder) if folder is not None else known.kg
        if create and not (path / FILE).exists():
            fresh = config or KgConfig(embedder=known.embedder or PACKAGED_EMBEDDER)
            model = embedder.id if embedder else embedder_named(fresh.embedder, known).id
            opening.create(path, with_embedder(fresh, model.name, model.dimension))
        return cls(opening.open_folder(path, known, clock or SystemClock(), embedder, read_only, accept_loss), known)

    @classmethod
    def in_memory(
        cls, *, config: KgConfig | None = None, embedder: Embedder | None = None, clock: Clock | None = None, given: Settings | None = None
    ) -> KnowledgeGraph:
        """An empty knowledge graph that is gone with this object."""
        known = given or settings()
        return cls(opening.open_memory(known, clock or SystemClock(), embedder, config or KgConfig()), known)

    def close(self) -> None:
        """Save the indexes and free the store's lock."""
        if self.parts.store.writable and self._opened.folder:
            self._save()
        self.parts.indexes.lexical.close()
        self.parts.store.close()

    def __enter__(self) -> KnowledgeGraph:
        return self

    def __exit__(self, type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # --- writing -----------------------------------------------------------------------------------------------------------------

    def build(
        self, sources: Sequence[str | Path], fields: Fields | None = None, progress: Progress | None = None, reader: Reader | None = None
    ) -> BuildReport:
        """Read documents into the graph; what is there unchanged is skipped, what has changed replaces its old version.

        Args:
            sources: files, folders, globs, JSON or JSONL files, `-` for standard input.
            fields: which fields of a JSON record are its title, text and id.
            progress: told how far it is.
            reader: instead of the embedded reader.

        Raises:
            ModelUnavailable, StorageFull, StorageError, PermissionDenied: everything committed before stays, and the same call goes on.
        """
        builder = Builder(self.parts, self.writer, self._lifecycle, self._merger, reader or self._reader, self._opened.config)
        with seldom_collected():
            report = builder.build([str(source) for source in sources], fields or Fields(), progress)
            self._save()
        return report

    def build_from_triples(self, path: Path | str, fields: Fields | None = None, progress: Progress | None = None) -> BuildReport:
        """Build from what another extractor found: the records of `path` become documents, their own triples what was read in them.

        A record is an object with `entities`, a list of names, and `triples`, a list of `[subject, relation, object]`, beside its title and
        text (the OpenIE format of HippoRAG). A row that cannot be used is one of the report's problems, the others enter through the gate.

        Args:
            path: a JSON or JSON Lines file.
            fields: which fields of a record are its title, text and id.
            progress: told how far it is.

        Raises:
            BadInput: the file holds no such records.
            ModelUnavailable, StorageFull, StorageError, PermissionDenied: as `build`.
        """
        with seldom_collected():
            recordings = read_recordings(Path(path), fields or Fields())
            reader = ReplayingReader(self.parts.names, recordings.by_source)
            report = self.build([path], fields, progress, reader)
        report.problems += recordings.problems
        return report

    def delete(self, document: str, agent: Agent | None = None) -> Receipt:
        """Delete a document, named by its IRI, source or title, with exactly what only it supported.

        Raises:
            NotFound: there is no such document, or several have this title.
        """
        receipt = self._lifecycle.delete(document_named(self.parts, document), agent or self.person())
        self._clustering.refresh(ox.NamedNode(receipt.activity))
        return receipt

    def merge(self, entity: str, into: str, basis: str = "declared", agent: Agent | None = None) -> None:
        """Declare two entities to be one.

        Raises:
            NotFound: one of them is not in the graph.
            BadInput: they are one already.
        """
        self._merger.merge(very_entity_named(self.parts, entity), entity_named(self.parts, into), agent or self.person(), basis)
        self._settle()

    def unmerge(self, entity: str, agent: Agent | None = None) -> str:
        """Undo a merge, for good; returns the IRI of the entity that it had been merged into.

        Raises:
            NotFound, BadInput: there is no such entity, or it is not merged.
        """
        into = self._merger.unmerge(very_entity_named(self.parts, entity), agent or self.person())
        self._settle()
        return into.value

    def import_triples(self, path: Path | str, format: Format | str | None = None) -> ImportReport:
        """Bring someone's own triples, or an export of semkg, through the gate.

        Raises:
            BadInput: the file cannot be read, or an export of semkg does not conform.
        """
        with seldom_collected():
            report = maintenance.import_file(self.parts, self.writer, self._merger, Path(path), format, self.person())
            self._clustering.refresh()
        return report

    def reembed(self, embedder: str, progress: Progress | None = None) -> int:
        """Change the embedding model: embed every node again; returns how many.

        Raises:
            ModelUnavailable: the new model fails; the graph keeps the vectors it has.
        """
        self._opened = maintenance.reembed(self._opened, embedder, self._settings, progress)
        self.parts = self._opened.parts
        self.writer = Writer(self.parts)
        self._merger = Merger(self.parts, self.writer)
        self._lifecycle = Lifecycle(self.parts, self.writer, self._merger)
        self._clustering = Clustering(self.parts, self.writer)
        self._clustering.refresh()
        for part in ("_graphs", "_retriever", "_responder"):
            self.__dict__.pop(part, None)
        return sum(len(index) for index in self.parts.indexes.vectors.values())

    def doctor(self) -> Diagnosis:
        """Check what must always hold, bring the indexes into step with the graph, and tell what was done."""
        return maintenance.doctor(self._opened, self._lifecycle, self._clustering, self.repairs)

    # --- reading -----------------------------------------------------------------------------------------------------------------

    def ask(self, question: str, mode: str = "fusion") -> Answer:
        """Answer a question from the graph, or say that it does not know.

        With a chat model configured the model answers from the same evidence.

        Raises:
            UsageError: the question is empty or the mode unknown.
            ModelUnavailable: the configured chat model gives no usable reply.
        """
        folder = self._opened.folder
        chat = chat_model(self._settings, folder / opening.CACHE if folder else None)
        if chat is None:
            return self._responder.answer(question, mode)
        return ModelResponder(self._responder, chat, self._settings.evidence).answer(question, mode)

    def search(
        self, text: str, mode: str = "fusion", limit: int = 10, *, filter: Filter = ANYTHING, settings: Mapping[str, Setting] | None = None
    ) -> Results:
        """The passages that fit best.

        Args:
            text: a question, or words.
            mode: `vector`, `lexical`, `kg`, `fusion` or `deep`.
            limit: at most so many.
            filter: of which document or run, and in the mode `vector` of which type of node.
            settings: parameters of retrieval (`Tuning`) that differ from the default.

        Raises:
            UsageError: there is nothing to search for, or the mode or a setting is unknown.
            NotFound: the filter names a document or a run that is not there.
            Misconfigured: the chat model is to rerank, and none is configured.
        """
        tuning = DEFAULT.changed(settings) if settings else DEFAULT
        return self._retriever.retrieve(self._retriever.question(text), mode, limit, filter, tuning)

    def sparql(self, query: str) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """A SPARQL query over all named graphs of the dataset but the vectors.

        Raises:
            BadQuery: it does not parse.
        """
        return self.parts.store.query(query, self.parts.layout.validated)

    def filter(self, type: str = "Chunk", document: str = "", run: str = "") -> Filter:
        """What a search may find.

        Args:
            type: the class of the nodes: `Chunk`, `Entity`, `Triplet` or `HyperNode`.
            document: its IRI, source or title; empty for any.
            run: its IRI; empty for any.

        Raises:
            NotFound: there is no such document.
            UsageError: there is no such type.
        """
        try:
            kind = Kind(type)
        except ValueError as error:
            raise UsageError(f"there is no type {type!r}: choose one of {', '.join(kind.value for kind in Kind)}") from error
        return Filter(kind, document_named(self.parts, document).value if document else "", run)

    def show(self, name: str) -> Card:
        """An entity by its IRI, label or alias, with what is said about it.

        Raises:
            NotFound: there is none; the message names the nearest.
        """
        return card_of(self.parts, entity_named(self.parts, name))

    def why(self, name: str, limit: int = 20) -> list[Statement]:
        """The lineage of a statement, or of what is said about an entity: triplet → evidence → chunk → document → activity → agent.

        Args:
            name: the IRI of a triplet, or an entity's IRI, label or alias.
            limit: at most so many statements.

        Raises:
            NotFound: there is no such thing.
        """
        store, layout = self.parts.store, self.parts.layout
        node = node_of(name)
        if node and any(True for _ in store.quads(node, RDF.type, SEMKG.Triplet, layout.triplets)):
            return trace(store, [node], layout.validated)
        return trace(store, statements_about(store, entity_named(self.parts, name), layout.validated)[:limit], layout.validated)

    def documents(self) -> list[reads.DocumentRow]:
        """All documents by title."""
        return list(reads.documents(self.parts.store, self.parts.layout))

    def stats(self) -> reads.Stats:
        """How much there is of everything."""
        return reads.stats(self.parts.store, self.parts.layout)

    def validate(self) -> Report:
        """Check the whole graph against the shapes."""
        return maintenance.validate_all(self.parts)

    def hash(self) -> str:
        """The canonical hash of the content (RDFC-1.0, sha256): equal for equal knowledge."""
        return canonical_hash(self.parts.store, self.parts.layout)

    def export(self, out: BinaryIO, format: Format | str = Format.TRIG, graphs: Sequence[str] = (), vectors: bool = False) -> int:
        """Write the graph, or some of its named graphs (`facts`, `triplets`, …); returns the number of quads.

        Raises:
            UsageError: there is no such graph or format.
        """
        chosen = maintenance.chosen_graphs(self.parts.layout, graphs, vectors)
        return export(self.parts.store, out, maintenance.format_named(format), self.parts.names, chosen)

    def person(self) -> Agent:
        """Whoever uses this program."""
        return Agent(self.parts.names.agent("person", "local"), "the user of this knowledge graph", person=True)

    def _settle(self) -> None:
        """Let the rules and the clusters follow what somebody decided."""
        self._merger.resolve()
        self._clustering.refresh()

    def _save(self) -> None:
        """Bring the indexes on disk into step; the vectors, most of which is writing and hashing, while the adjacency is derived."""
        with ThreadPoolExecutor(1) as thread:
            saved = thread.submit(self.parts.indexes.save, self.parts.store.generation)
            self._graphs.save()
        saved.result()

    # --- parts -------------------------------------------------------------------------------------------------------------------

    @cached_property
    def _reader(self) -> EmbeddedReader:
        return EmbeddedReader(self.parts.names)

    @cached_property
    def _graphs(self) -> GraphIndex:
        folder, parts = self._opened.folder, self.parts
        return GraphIndex(parts.store, parts.layout, parts.indexes, folder / opening.INDEX if folder else None, self.writer.ledger)

    @cached_property
    def _retriever(self) -> Retriever:
        folder, parts = self._opened.folder, self.parts
        reranker = reranker_named(self._settings, folder / opening.CACHE if folder else None)
        return Retriever(parts.store, parts.layout, parts.indexes, parts.embedder, self._graphs, reranker)

    @cached_property
    def _responder(self) -> Responder:
        return Responder(self.parts.store, self.parts.layout, self.parts.indexes, self.parts.embedder, self._retriever)
