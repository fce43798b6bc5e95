"""The values that move between rooms: documents, chunks, entities, evidence, triplets, change sets (DESIGN §3).

All are frozen. Terms are pyoxigraph's `NamedNode` and `Literal`. Offsets count Unicode code points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from pyoxigraph import Literal, NamedNode

type_ = type
Term = NamedNode | Literal


class Structure(Enum):
    """What kind of text a chunk is (RAGA §3.1, `struct`); the value is the term's local name."""

    HEADING = "Heading"
    BODY = "Body"
    LIST_ITEM = "ListItem"
    CODE = "Code"
    TABLE = "Table"


class ReadingState(Enum):
    """The life of a chunk (RAGA §3.3.3); the value is the term's local name."""

    PENDING = "Pending"
    BEING_READ = "BeingRead"
    VERIFIED = "Verified"
    ARCHIVED = "Archived"
    FAILED = "Failed"


class Status(Enum):
    """The life of a triplet; only an asserted one has an edge in the graph of facts."""

    STAGED = "Staged"
    ASSERTED = "Asserted"
    RETRACTED = "Retracted"


class TermKind(Enum):
    """What a schema term is; the value is the local name in OWL."""

    CLASS = "Class"
    OBJECT_PROPERTY = "ObjectProperty"
    DATATYPE_PROPERTY = "DatatypeProperty"


@dataclass(frozen=True, slots=True)
class Document:
    """One source text. `source` is its identity: a file's URI, with `#id` for a record of a JSON file."""

    iri: NamedNode
    source: str
    title: str
    media_type: str
    language: str
    sha256: str
    topic: NamedNode | None = None
    """The entity that the document is about (`foaf:primaryTopic`)."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document's text: `document_text[start:end] == text`."""

    iri: NamedNode
    document: NamedNode
    text: str
    start: int
    end: int
    position: int
    structure: Structure = Structure.BODY
    heading: str = ""
    """The headings above the chunk, outermost first, joined by ` › `."""
    overlap: int = 0
    """How many code points at its beginning the chunk shares with the one before."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of a chunk: `chunk_text[start:end] == exact` (Web Annotation's text quote and text position)."""

    iri: NamedNode
    chunk: NamedNode
    start: int
    end: int
    exact: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing with one label and one class; synonyms meet by a recorded merge."""

    iri: NamedNode
    label: str
    type: NamedNode
    confidence: float


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity is mentioned in a chunk, at a piece of evidence."""

    entity: NamedNode
    evidence: NamedNode


@dataclass(frozen=True, slots=True)
class Triplet:
    """A statement as one chunk makes it, with the evidence for it (at least one piece)."""

    iri: NamedNode
    subject: NamedNode
    predicate: NamedNode
    object: Term
    chunk: NamedNode
    evidence: tuple[NamedNode, ...]
    confidence: float
    status: Status = Status.ASSERTED
    votes: int = 1
    text: str = ""
    """The statement in words, `subject label, predicate label, object label`: what is embedded."""
    activity: NamedNode | None = None
    """The activity that made it (`prov:wasGeneratedBy`)."""


@dataclass(frozen=True, slots=True)
class SchemaTerm:
    """A class or property of the dataset; relations carry an UPPER_SNAKE_CASE notation."""

    iri: NamedNode
    kind: TermKind
    label: str
    notation: str = ""
    domain: NamedNode | None = None
    range: NamedNode | None = None
    parent: NamedNode | None = None
    status: str = "unstable"


@dataclass(frozen=True, slots=True)
class Agent:
    """Who did something: a reader, a model, a person."""

    iri: NamedNode
    label: str
    person: bool = False


@dataclass(frozen=True, slots=True)
class Activity:
    """One operation (PROV-O): one activity an operation, not one a triple."""

    iri: NamedNode
    type: NamedNode
    agent: NamedNode
    started: datetime | None = None
    ended: datetime | None = None
    used: tuple[NamedNode, ...] = ()
    informed_by: NamedNode | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader found in one document: the candidates that a change set brings to the gate."""

    document: NamedNode
    entities: tuple[Entity, ...] = ()
    mentions: tuple[Mention, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    triplets: tuple[Triplet, ...] = ()
    terms: tuple[SchemaTerm, ...] = ()
    topic: NamedNode | None = None


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What is to enter the graph in one commit. Nothing in it is trusted: the gate decides."""

    documents: tuple[Document, ...] = ()
    chunks: tuple[Chunk, ...] = ()
    entities: tuple[Entity, ...] = ()
    mentions: tuple[Mention, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    triplets: tuple[Triplet, ...] = ()
    terms: tuple[SchemaTerm, ...] = ()
    agents: tuple[Agent, ...] = ()
    activities: tuple[Activity, ...] = ()
    topics: tuple[tuple[NamedNode, NamedNode], ...] = ()
    """(document, entity) pairs."""
    states: tuple[tuple[NamedNode, ReadingState], ...] = ()
    """The new reading state of chunks that are in the graph already."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One result of a SHACL validation (SHACL §3.6.2)."""

    focus: NamedNode
    path: str
    value: str
    component: str
    shape: str
    message: str


class Conformance(Enum):
    """Three different answers."""

    CONFORMS = "conforms"
    VIOLATES = "does not conform"
    UNCHECKED = "was not checked"


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a validation; `reason` says why something was not checked."""

    conformance: Conformance
    violations: tuple[Violation, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What the gate turned away, and why."""

    node: NamedNode
    label: str
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one change set did. The tuples hold IRIs; `commit` is the store's commit number, 0 where nothing changed."""

    commit: int = 0
    created: tuple[NamedNode, ...] = ()
    reused: tuple[NamedNode, ...] = ()
    removed: tuple[NamedNode, ...] = ()
    merged: tuple[tuple[NamedNode, NamedNode], ...] = ()
    refused: tuple[Refusal, ...] = field(default=())
