"""Turns what a document says in its own names into the values of the graph, each thing and span once (DESIGN §3)."""

from __future__ import annotations

from pyoxigraph import Literal, NamedNode

from semkg.extract.classes import CONFIDENCE
from semkg.extract.discourse import Name
from semkg.extract.document import Findings
from semkg.extract.labels import acceptable
from semkg.extract.notation import in_words
from semkg.extract.passage import Statement
from semkg.ids import Names, camel
from semkg.model import Chunk, Document, Entity, Evidence, Mention, Reading, SchemaTerm, TermKind, Triplet
from semkg.vocab import SKOS

_STANDARD_WORDS = {SKOS.altLabel: "also known as", SKOS.definition: "is"}


def assemble(document: Document, findings: Findings, names: Names) -> Reading:
    """The reading of a document.

    Args:
        document: what was read.
        findings: what it says.
        names: makes the IRIs.
    """
    assembly = _Assembly(names)
    for name, chunk, start, end in findings.mentions:
        assembly.mention(name, chunk, start, end)
    for statement in findings.statements:
        assembly.statement(statement)
    topic = assembly.entities.get(findings.topic.resolved) if findings.topic else None
    return Reading(
        document=document.iri,
        entities=tuple(assembly.entities.values()),
        mentions=tuple(assembly.mentions.values()),
        evidence=tuple(assembly.evidence.values()),
        triplets=tuple(assembly.triplets.values()),
        terms=tuple(assembly.terms.values()),
        topic=topic.iri if topic else None,
    )


class _Assembly:
    """Collects values by their IRI; the first of several stays."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.entities: dict[Name, Entity] = {}
        self.mentions: dict[tuple[NamedNode, NamedNode], Mention] = {}
        self.evidence: dict[NamedNode, Evidence] = {}
        self.triplets: dict[NamedNode, Triplet] = {}
        self.terms: dict[NamedNode, SchemaTerm] = {}

    def entity(self, name: Name) -> Entity | None:
        """The entity of a name, None for a label that the gate would refuse."""
        name = name.resolved
        if name not in self.entities:
            if not acceptable(name.label):
                return None
            type = self._class(name.type)
            self.entities[name] = Entity(self.names.entity(name.label, type), name.label, type, CONFIDENCE[name.type])
        return self.entities[name]

    def mention(self, name: Name, chunk: Chunk, start: int, end: int) -> None:
        """Note the first mention of an entity in a chunk."""
        entity = self.entity(name)
        if entity and (entity.iri, chunk.iri) not in self.mentions:
            self.mentions[entity.iri, chunk.iri] = Mention(entity.iri, self._span(chunk, start, end).iri)

    def statement(self, statement: Statement) -> None:
        """Note a triplet, unless its ends turn out to be one thing or no names at all."""
        names = [name.resolved for name in (statement.subject, statement.object) if isinstance(name, Name)]
        if len(set(names)) < len(names) or not all(acceptable(name.label) for name in names):
            return
        if isinstance(statement.object, Literal) and statement.object.value == names[0].label:
            return
        for name in names:
            self.mention(name, statement.chunk, statement.start, statement.end)
        subject, *objects = [self.entities[name] for name in names]
        predicate, words = self._predicate(statement.relation, bool(objects))
        if isinstance(statement.object, Literal):
            self._triplet(statement, subject, predicate, statement.object, f"{subject.label} {words} {statement.words}")
        else:
            self._triplet(statement, subject, predicate, objects[0].iri, f"{subject.label} {words} {objects[0].label}")

    def _triplet(self, statement: Statement, subject: Entity, predicate: NamedNode, object: NamedNode | Literal, text: str) -> None:
        iri = self.names.triplet(subject.iri, predicate, object, statement.chunk.iri)
        if iri not in self.triplets:
            evidence = self._span(statement.chunk, statement.start, statement.end)
            self.triplets[iri] = Triplet(
                iri, subject.iri, predicate, object, statement.chunk.iri, (evidence.iri,), statement.confidence, text=text
            )

    def _span(self, chunk: Chunk, start: int, end: int) -> Evidence:
        iri = self.names.evidence(chunk.iri, start, end)
        if iri not in self.evidence:
            self.evidence[iri] = Evidence(iri, chunk.iri, start, end, chunk.text[start:end])
        return self.evidence[iri]

    def _class(self, label: str) -> NamedNode:
        iri = self.names.schema(label)
        self.terms.setdefault(iri, SchemaTerm(iri, TermKind.CLASS, label))
        return iri

    def _predicate(self, relation: str | NamedNode, between_things: bool) -> tuple[NamedNode, str]:
        """The property and its words; properties of standards need no term of the dataset."""
        if isinstance(relation, NamedNode):
            return relation, _STANDARD_WORDS[relation]
        iri, label = self.names.schema(camel(relation)), in_words(relation)
        kind = TermKind.OBJECT_PROPERTY if between_things else TermKind.DATATYPE_PROPERTY
        self.terms.setdefault(iri, SchemaTerm(iri, kind, label, notation=relation))
        return iri, label
