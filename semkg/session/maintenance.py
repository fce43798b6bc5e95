"""Looking after a graph as a whole: validating, repairing, importing, embedding again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import pyoxigraph as ox

from semkg.agents.importing import Imported, imported
from semkg.communities import Clustering
from semkg.config import Settings, with_embedder, write_config
from semkg.errors import BadInput, UsageError, translated_os_errors
from semkg.export import Format, parse
from semkg.graph import checks, rdf, restore
from semkg.graph.checks import Finding
from semkg.graph.indexes import EMBEDDED, Indexes, Kind, Repair
from semkg.graph.layout import Layout
from semkg.graph.lifecycle import Lifecycle
from semkg.graph.merge import Merger
from semkg.graph.removal import removal_of
from semkg.graph.texts import texts_of
from semkg.graph.writer import Parts, Writer
from semkg.model import Activity, Agent, ChangeSet, Document, Refusal, Report
from semkg.models import embedder as embedder_named
from semkg.ports import Progress, Silence
from semkg.quality import Shapes, validate
from semkg.session import opening
from semkg.vectors import FtsIndex, UsearchIndex, codec
from semkg.vocab import RDF, SEMKG

BATCH = 1024


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the doctor found and did. `healthy`: nothing is left to mend."""

    findings: tuple[Finding, ...]
    repairs: tuple[Repair, ...]
    released: int
    report: Report

    @property
    def healthy(self) -> bool:
        return not self.findings and not self.report.violations and not self.report.reason


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `restored`: the file was an export of semkg and was taken over as it is."""

    statements: int
    triplets: int
    entities: int
    refused: tuple[Refusal, ...]
    restored: bool = False


def validate_all(parts: Parts) -> Report:
    """The whole graph against the shapes, without focus nodes."""
    return validate(parts.store, Shapes.packaged(), parts.layout.validated)


def doctor(opened: opening.Opened, lifecycle: Lifecycle, clustering: Clustering, before: Iterable[Repair]) -> Diagnosis:
    """Check the invariants, repair what is derived, and tell."""
    parts = opened.parts
    released = lifecycle.recover() if parts.store.writable else 0
    centroids = Repair("HyperNode centroids", clustering.mend() if parts.store.writable else 0, 0)
    found = [*before, centroids, *parts.indexes.catch_up(parts.store, thorough=True)]
    repairs = [repair for repair in found if repair.changed]
    if parts.store.writable and opened.folder:
        parts.indexes.save(parts.store.generation)
    findings = tuple(checks.check(parts.store, parts.layout, parts.embedder.id.dimension))
    return Diagnosis(findings, tuple(dict.fromkeys(repairs)), released, validate_all(parts))


def import_file(parts: Parts, writer: Writer, merger: Merger, path: Path, format: Format | str | None, agent: Agent) -> ImportReport:
    """An export of semkg is restored, anyone else's triples become a document of statements."""
    with translated_os_errors(path):
        content = path.read_bytes()
    with path.open("rb") as stream:
        quads = list(parse(stream, format_named(format) if format else format_of(path), path.resolve().as_uri()))
    if restore.is_export(quads):
        return _restored(parts, writer, quads)
    digest = hashlib.sha256(content).hexdigest()
    source = path.resolve().as_uri()
    document = Document(parts.names.document(source), source, path.stem, format_of(path).media_type, "und", digest)
    now = parts.clock.now()
    activity = Activity(parts.names.activity("import", source, digest), SEMKG.Import, agent.iri, now, now, (document.iri,))
    made = imported(quads, document, parts.names, agent, activity.iri)
    if not made.statements:
        raise BadInput(f"{path} holds no statements (labels and classes alone describe nothing): nothing was imported")
    return _admitted(parts, writer, merger, made, agent, activity)


def _admitted(parts: Parts, writer: Writer, merger: Merger, made: Imported, agent: Agent, activity: Activity) -> ImportReport:
    """Enter the document, then its statements chunk by chunk; importing the same file again changes nothing."""
    removal = removal_of(parts.store, parts.layout, [made.document.iri])
    writer.apply(ChangeSet(documents=(made.document,), chunks=made.chunks, agents=(agent,), activities=(activity,)), removal)
    outcomes = [writer.apply(change) for change in made.changes]
    merger.resolve(activity.iri)
    triplets = {triplet.iri for change in made.changes for triplet in change.triplets}
    created = [node for outcome in outcomes for node in outcome.created]
    kept = sum(node in triplets for node in created)
    refused = tuple(refusal for outcome in outcomes for refusal in outcome.refused)
    return ImportReport(made.statements, kept, len(created) - kept, refused)


def _restored(parts: Parts, writer: Writer, quads: Sequence[ox.Quad]) -> ImportReport:
    routed = restore.routed(quads, parts.layout)
    writer.restore(routed)

    def count(kind: Kind) -> int:
        return sum(quad.predicate == RDF.type and quad.object == kind.type for quad in routed)

    return ImportReport(count(Kind.TRIPLET), count(Kind.TRIPLET), count(Kind.ENTITY), (), restored=True)


def reembed(opened: opening.Opened, name: str, given: Settings, progress: Progress | None) -> opening.Opened:
    """Embed every node with another model and put the vectors in place of the old ones in one commit.

    HyperNodes rest on the old vectors and go: the next clustering makes them anew.
    """
    parts, told = opened.parts, progress or Silence()
    model = embedder_named(name, given)
    wanted = [(kind, node) for kind in EMBEDDED for node in _nodes(parts, kind)]
    told.start("embedding", len(wanted))
    quads = list(rdf.model_quads(model.id, parts.names.agent(model.id.name, str(model.id.dimension)), parts.layout))
    for batch in _batches(wanted):
        texts = {
            node: text
            for kind in EMBEDDED
            for node, text in texts_of(parts.store, parts.layout, kind.value, [n for k, n in batch if k is kind]).items()
        }
        rows = codec.encode_many(model.embed(list(texts.values())))
        quads += (rdf.vector_quad(ox.NamedNode(node), encoded, parts.layout) for node, encoded in zip(texts, rows, strict=True))
        told.advance("embedding", len(batch))
    # The graph names its model, so a crash after this commit and before the next line leaves nothing that contradicts it.
    parts.store.commit(quads, [*parts.store.quads(graph=parts.layout.vectors), *restore.derived(parts.store, parts.layout)])
    config = with_embedder(opened.config, model.id.name, model.id.dimension)
    if opened.folder:
        write_config(opened.folder, config)
        parts.indexes.lexical.close()
        indexes = opening.open_indexes(opened.folder / opening.INDEX, model.id, parts.layout, parts.store, read_only=False)
    else:
        indexes = Indexes({kind: UsearchIndex.open(None, model.id) for kind in Kind}, FtsIndex.open(None), parts.layout)
    indexes.catch_up(parts.store, thorough=True)
    if opened.folder:
        indexes.save(parts.store.generation)
    return replace(opened, config=config, parts=replace(parts, embedder=model, indexes=indexes))


def _nodes(parts: Parts, kind: Kind) -> list[str]:
    found = parts.store.quads(None, RDF.type, kind.type, kind.graph(parts.layout))
    return [quad.subject.value for quad in found if isinstance(quad.subject, ox.NamedNode)]


def _batches(wanted: Sequence[tuple[Kind, str]]) -> Iterator[list[tuple[Kind, str]]]:
    rest = iter(wanted)
    while batch := list(islice(rest, BATCH)):
        yield batch


def chosen_graphs(layout: Layout, names: Sequence[str], vectors: bool) -> list[ox.NamedNode]:
    """Named graphs by their short names; by default all but the vectors.

    Raises:
        UsageError: there is no such graph.
    """
    known = layout.by_name
    if unknown := [name for name in names if name not in known]:
        raise UsageError(f"there is no graph {', '.join(unknown)}: choose from {', '.join(known)}")
    chosen = [known[name] for name in names] or list(layout.validated)
    return [*chosen, layout.vectors] if vectors and layout.vectors not in chosen else chosen


def format_named(format: Format | str) -> Format:
    """A format by its name.

    Raises:
        UsageError: there is no such format.
    """
    try:
        return Format(format)
    except ValueError as error:
        raise UsageError(f"there is no format {format!r}: choose one of {', '.join(known.value for known in Format)}") from error


def format_of(path: Path) -> Format:
    """The format of a file by its extension.

    Raises:
        UsageError: the extension says nothing.
    """
    for format in Format:
        if path.suffix.lower().lstrip(".") in (format.extension.lstrip("."), *OTHER_EXTENSIONS.get(format, ())):
            return format
    raise UsageError(f"{path}: the extension does not tell the format: say it with --format")


OTHER_EXTENSIONS = {Format.TURTLE: ("nt", "n3"), Format.RDFXML: ("xml", "owl"), Format.JSONLD: ("json",)}
