"""Small worlds for the tests of the graph: documents that state facts, written through the one door without a reader."""

from __future__ import annotations

import hashlib

import pyoxigraph as ox

from semkg import KnowledgeGraph
from semkg.ids import Names, camel
from semkg.model import (
    Activity,
    Agent,
    ChangeSet,
    Chunk,
    Document,
    Entity,
    Evidence,
    Mention,
    Outcome,
    ReadingState,
    SchemaTerm,
    TermKind,
    Triplet,
)
from semkg.models import HashEmbedder
from semkg.ports import Embedder, FrozenClock
from semkg.vocab import SEMKG

NAMES = Names()
AGENT = Agent(NAMES.agent("tester", "1"), "a test")

Said = tuple[str, str, str]
"""(subject label, relation in UPPER_SNAKE_CASE, object label)"""


def graph(embedder: Embedder | None = None) -> KnowledgeGraph:
    return KnowledgeGraph.in_memory(embedder=embedder or HashEmbedder(), clock=FrozenClock())


def cls(name: str) -> ox.NamedNode:
    return NAMES.schema(name)


def entity(label: str, type: str = "Person") -> Entity:
    return Entity(NAMES.entity(label, cls(type)), label, cls(type), 0.9)


def document(source: str, text: str, title: str = "") -> tuple[Document, Chunk]:
    """A document of one chunk."""
    iri = NAMES.document(source)
    digest = hashlib.sha256(text.encode()).hexdigest()
    made = Document(iri, source, title or source, "text/plain", "en", digest)
    return made, Chunk(NAMES.chunk(iri, 0, len(text), text), iri, text, 0, len(text), 0)


def reading(made: Document, chunk: Chunk, facts: list[Said], types: dict[str, str] | None = None, activity: str = "") -> ChangeSet:
    """What a reader finds: the whole chunk is the evidence of every fact."""
    kinds = types or {}
    piece = Evidence(NAMES.evidence(chunk.iri, 0, len(chunk.text)), chunk.iri, 0, len(chunk.text), chunk.text)
    labels = {label for subject, _, object in facts for label in (subject, object)}
    entities = {label: entity(label, kinds.get(label, "Person")) for label in sorted(labels)}
    act = Activity(NAMES.reading(made.iri, made.sha256, AGENT.iri), SEMKG.Reading, AGENT.iri, used=(made.iri,))
    triplets = tuple(_triplet(entities[s], p, entities[o], chunk, piece, act.iri) for s, p, o in facts)
    notations = sorted({p for _, p, _ in facts})
    terms = [SchemaTerm(NAMES.schema(camel(n)), TermKind.OBJECT_PROPERTY, n.lower().replace("_", " "), n) for n in notations]
    terms += [SchemaTerm(type, TermKind.CLASS, type.value.rsplit("/", 1)[-1]) for type in {e.type for e in entities.values()}]
    return ChangeSet(
        entities=tuple(entities.values()),
        mentions=tuple(Mention(e.iri, piece.iri) for e in entities.values()),
        evidence=(piece,) if facts else (),
        triplets=triplets,
        terms=tuple(terms),
        agents=(AGENT,),
        activities=(act,),
        states=((chunk.iri, ReadingState.VERIFIED),),
    )


def _triplet(subject: Entity, notation: str, object: Entity, chunk: Chunk, piece: Evidence, activity: ox.NamedNode) -> Triplet:
    predicate = NAMES.schema(camel(notation))
    iri = NAMES.triplet(subject.iri, predicate, object.iri, chunk.iri)
    return Triplet(iri, subject.iri, predicate, object.iri, chunk.iri, (piece.iri,), 0.8, activity=activity)


def tell(kg: KnowledgeGraph, source: str, text: str, facts: list[Said], types: dict[str, str] | None = None) -> Outcome:
    """Enter a document and what it says; a source that was told before is replaced."""
    made, chunk = document(source, text)
    kg._lifecycle.enter([(made, [chunk])], AGENT)
    return kg.writer.apply(reading(made, chunk, facts, types))


def edges(kg: KnowledgeGraph) -> set[Said]:
    """The canonical edges between entities, by label."""
    query = """
        PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
        SELECT ?s ?p ?o { ?a ?r ?b . ?r skos:notation ?p . ?a skos:prefLabel ?s . ?b skos:prefLabel ?o }
    """
    rows = kg.sparql(query)
    assert isinstance(rows, ox.QuerySolutions)
    return {(str(row["s"].value), str(row["p"].value), str(row["o"].value)) for row in rows}
