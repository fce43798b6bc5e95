"""Someone's own triples through the gate: the file becomes a document, each statement's line the evidence for it (DESIGN §2, law 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox

from semkg.ids import Names, clean_label
from semkg.model import Agent, ChangeSet, Chunk, Document, Entity, Evidence, Mention, ReadingState, SchemaTerm, Structure, TermKind, Triplet
from semkg.vocab import OWL, RDF, RDFS, SKOS

CHUNK_SIZE = 1200
CONFIDENCE = 1.0
LABELS = (
    SKOS.prefLabel,
    RDFS.label,
    ox.NamedNode("http://xmlns.com/foaf/0.1/name"),
    ox.NamedNode("http://schema.org/name"),
    ox.NamedNode("https://schema.org/name"),
)
KEPT = frozenset({SKOS.altLabel, SKOS.definition})
"""Predicates that every dataset knows without an entry in its schema."""

SCHEMA = frozenset({OWL.Class, RDFS.Class, OWL.ObjectProperty, OWL.DatatypeProperty, RDF.Property})


@dataclass(frozen=True, slots=True)
class Imported:
    """A document made of triples, with everything they say, ready for the writer."""

    document: Document
    chunks: tuple[Chunk, ...]
    changes: tuple[ChangeSet, ...]
    statements: int


@dataclass(slots=True)
class _Known:
    """What the triples say about their own nodes."""

    labels: dict[ox.NamedNode, str] = field(default_factory=dict)
    types: dict[ox.NamedNode, ox.NamedNode] = field(default_factory=dict)


def imported(quads: Iterable[ox.Quad], document: Document, names: Names, agent: Agent, activity: ox.NamedNode) -> Imported:
    """Turn triples into a document, its chunks, and one change set for each chunk.

    Labels (`skos:prefLabel`, `rdfs:label`, …) and classes (`rdf:type`) describe the entities; every other triple is a statement.

    Args:
        quads: any triples; blank nodes get IRIs of this document, named graphs are not looked at.
        document: the document that stands for the file.
        names: of the dataset.
        agent: who imports.
        activity: the import.
    """
    triples = sorted({_skolemised(quad, document, names) for quad in quads}, key=lambda triple: tuple(map(str, triple)))
    known = _described(triples)
    said = [triple for triple in triples if triple[1] not in LABELS and triple[1] != RDF.type]
    chunks = tuple(_chunks([_line(triple) for triple in said], document, names))
    changes = tuple(_change(chunk, said, known, names, agent, activity) for chunk in chunks)
    return Imported(document, tuple(chunk for chunk, _ in chunks), changes, len(said))


Triple = tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]


def _skolemised(quad: ox.Quad, document: Document, names: Names) -> Triple:
    def named(term: object) -> ox.NamedNode | ox.Literal:
        if isinstance(term, ox.BlankNode):
            return names.entity(f"node {term.value}", document.iri)
        return term  # type: ignore[return-value]  # RDF 1.1: what is no blank node is an IRI or a literal

    subject = named(quad.subject)
    return (subject if isinstance(subject, ox.NamedNode) else document.iri, quad.predicate, named(quad.object))


def _described(triples: Sequence[Triple]) -> _Known:
    known = _Known()
    for subject, predicate, object in triples:
        if predicate in LABELS and isinstance(object, ox.Literal):
            known.labels.setdefault(subject, clean_label(object.value))
        elif predicate == RDF.type and isinstance(object, ox.NamedNode) and object not in SCHEMA:
            known.types.setdefault(subject, object)
    return known


def _line(triple: Triple) -> str:
    return " ".join(map(str, triple)) + " ."


def _chunks(lines: Sequence[str], document: Document, names: Names) -> Iterator[tuple[Chunk, range]]:
    """Chunks of whole lines, each with the range of lines in it."""
    first, start, position = 0, 0, 0
    while first < len(lines):
        last, length = first, 0
        while last < len(lines) and (last == first or length + len(lines[last]) < CHUNK_SIZE):
            length += len(lines[last]) + 1
            last += 1
        text = "\n".join(lines[first:last])
        iri = names.chunk(document.iri, start, start + len(text), text)
        yield Chunk(iri, document.iri, text, start, start + len(text), position, Structure.CODE), range(first, last)
        first, start, position = last, start + len(text) + 1, position + 1


def _change(
    placed: tuple[Chunk, range], said: Sequence[Triple], known: _Known, names: Names, agent: Agent, activity: ox.NamedNode
) -> ChangeSet:
    chunk, lines = placed
    evidence: list[Evidence] = []
    triplets: list[Triplet] = []
    entities: dict[ox.NamedNode, Entity] = {}
    mentions: dict[tuple[ox.NamedNode, ox.NamedNode], Mention] = {}
    terms: dict[ox.NamedNode, SchemaTerm] = {}
    start = 0
    for number in lines:
        subject, predicate, object = said[number]
        line = _line(said[number])
        piece = Evidence(names.evidence(chunk.iri, start, start + len(line)), chunk.iri, start, start + len(line), line)
        start += len(line) + 1
        evidence.append(piece)
        triplets.append(
            Triplet(
                names.triplet(subject, predicate, object, chunk.iri),
                subject,
                predicate,
                object,
                chunk.iri,
                (piece.iri,),
                CONFIDENCE,
                activity=activity,
            )
        )
        for node in (subject, object):
            if isinstance(node, ox.NamedNode):
                entities[node] = _entity(node, known, names, terms)
                mentions[node, piece.iri] = Mention(node, piece.iri)
        if predicate not in KEPT:
            terms[predicate] = _property(predicate, object)
    return ChangeSet(
        entities=tuple(entities.values()),
        mentions=tuple(mentions.values()),
        evidence=tuple(evidence),
        triplets=tuple(triplets),
        terms=tuple(terms.values()),
        agents=(agent,),
        states=((chunk.iri, ReadingState.VERIFIED),),
    )


def _entity(node: ox.NamedNode, known: _Known, names: Names, terms: dict[ox.NamedNode, SchemaTerm]) -> Entity:
    type = known.types.get(node) or names.schema("Concept")
    terms[type] = SchemaTerm(type, TermKind.CLASS, _words(type))
    return Entity(node, known.labels.get(node) or _words(node), type, CONFIDENCE)


def _property(predicate: ox.NamedNode, object: ox.NamedNode | ox.Literal) -> SchemaTerm:
    words = _words(predicate)
    kind = TermKind.DATATYPE_PROPERTY if isinstance(object, ox.Literal) else TermKind.OBJECT_PROPERTY
    return SchemaTerm(predicate, kind, words, notation(words))


def notation(words: str) -> str:
    """The UPPER_SNAKE_CASE notation of a relation.

    >>> notation("born in")
    'BORN_IN'
    """
    parts = re.findall(r"[A-Za-z0-9]+", words)
    joined = "_".join(part.upper() for part in parts)
    return joined if joined and joined[0].isalpha() else f"P_{joined}".rstrip("_")


def _words(node: ox.NamedNode) -> str:
    """The local name of an IRI in words.

    >>> _words(ox.NamedNode("http://example.org/ns#bornInYear"))
    'born in year'
    """
    local = re.split(r"[#/:]", node.value.rstrip("#/"))[-1]
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", local.replace("_", " ").replace("-", " "))
    return " ".join(parted.split()).lower() if parted[:1].islower() else " ".join(parted.split()) or node.value
