"""From values to quads: how each class of the model is written in RDF (DESIGN §3). Reading them back is in `reads`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from urllib.parse import urldefrag

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.model import Activity, Agent, Chunk, Document, Entity, Evidence, Mention, ReadingState, Refusal, SchemaTerm, TermKind, Triplet
from semkg.ports import ModelId
from semkg.vocab import DCAT, DCTERMS, FOAF, OA, OWL, PROV, RDF, RDFS, SEMKG, SKOS, VS, XSD

Term = ox.NamedNode | ox.Literal


def integer(value: int) -> ox.Literal:
    return ox.Literal(str(value), datatype=XSD.integer)


def decimal(value: float) -> ox.Literal:
    """At most four digits after the point, in Oxigraph's canonical form.

    >>> decimal(0.9).value, decimal(1).value
    ('0.9', '1')
    """
    return ox.Literal(f"{value:.4f}".rstrip("0").rstrip("."), datatype=XSD.decimal)


def moment(time: datetime) -> ox.Literal:
    return ox.Literal(time.astimezone(UTC).isoformat().replace("+00:00", "Z"), datatype=XSD.dateTime)


@cache
def term(local: str) -> ox.NamedNode:
    """A term of semkg by its local name, for the enumerations of the model.

    >>> term("Verified").value
    'https://w3id.org/semkg/ns#Verified'
    """
    return SEMKG.terms()[local]


def document_quads(document: Document, layout: Layout) -> Iterator[ox.Quad]:
    def say(predicate: ox.NamedNode, value: Term) -> ox.Quad:
        return ox.Quad(document.iri, predicate, value, layout.corpus)

    yield say(RDF.type, DCAT.Resource)
    yield say(RDF.type, PROV.Entity)
    yield say(DCTERMS.title, ox.Literal(document.title))
    yield say(DCTERMS.source, ox.Literal(document.source))
    yield say(DCTERMS.format, ox.Literal(document.media_type))
    yield say(DCTERMS.language, ox.Literal(document.language))
    yield say(SEMKG.sha256, ox.Literal(document.sha256))
    if "//" in document.source:
        yield say(PROV.wasDerivedFrom, ox.NamedNode(urldefrag(document.source).url))
    if document.topic:
        yield topic_quad(document.iri, document.topic, layout)


def topic_quad(document: ox.NamedNode, topic: ox.NamedNode, layout: Layout) -> ox.Quad:
    return ox.Quad(document, FOAF.primaryTopic, topic, layout.corpus)


def chunk_quads(chunk: Chunk, layout: Layout, state: ReadingState = ReadingState.PENDING) -> Iterator[ox.Quad]:
    def say(predicate: ox.NamedNode, value: Term) -> ox.Quad:
        return ox.Quad(chunk.iri, predicate, value, layout.corpus)

    yield say(RDF.type, SEMKG.Chunk)
    yield say(RDF.type, PROV.Entity)
    yield say(DCTERMS.isPartOf, chunk.document)
    yield say(SEMKG.text, ox.Literal(chunk.text))
    yield say(SEMKG.start, integer(chunk.start))
    yield say(SEMKG.end, integer(chunk.end))
    yield say(SEMKG.overlap, integer(chunk.overlap))
    yield say(SEMKG.position, integer(chunk.position))
    yield say(SEMKG.structure, term(chunk.structure.value))
    if chunk.heading:
        yield say(SEMKG.heading, ox.Literal(chunk.heading))
    yield state_quad(chunk.iri, state, layout)


def state_quad(chunk: ox.NamedNode, state: ReadingState, layout: Layout) -> ox.Quad:
    return ox.Quad(chunk, SEMKG.readingState, term(state.value), layout.corpus)


def evidence_quads(evidence: Evidence, layout: Layout) -> Iterator[ox.Quad]:
    def say(predicate: ox.NamedNode, value: Term) -> ox.Quad:
        return ox.Quad(evidence.iri, predicate, value, layout.triplets)

    yield say(RDF.type, OA.TextQuoteSelector)
    yield say(RDF.type, OA.TextPositionSelector)
    yield say(OA.hasSource, evidence.chunk)
    yield say(OA.exact, ox.Literal(evidence.exact))
    yield say(OA.start, integer(evidence.start))
    yield say(OA.end, integer(evidence.end))


def entity_quads(entity: Entity, layout: Layout) -> Iterator[ox.Quad]:
    def say(predicate: ox.NamedNode, value: Term) -> ox.Quad:
        return ox.Quad(entity.iri, predicate, value, layout.facts)

    yield say(RDF.type, SEMKG.Entity)
    yield say(RDF.type, entity.type)
    yield say(SKOS.prefLabel, ox.Literal(entity.label))
    yield say(SEMKG.confidence, decimal(entity.confidence))


def mention_quads(mention: Mention, chunk: ox.NamedNode, layout: Layout) -> Iterator[ox.Quad]:
    yield mentioned_quad(mention.entity, chunk, layout)
    yield ox.Quad(mention.entity, SEMKG.evidence, mention.evidence, layout.facts)


def mentioned_quad(entity: ox.NamedNode, chunk: ox.NamedNode, layout: Layout) -> ox.Quad:
    return ox.Quad(entity, SEMKG.mentionedIn, chunk, layout.facts)


def triplet_quads(triplet: Triplet, layout: Layout) -> Iterator[ox.Quad]:
    def say(predicate: ox.NamedNode, value: Term) -> ox.Quad:
        return ox.Quad(triplet.iri, predicate, value, layout.triplets)

    yield say(RDF.type, SEMKG.Triplet)
    yield say(RDF.subject, triplet.subject)
    yield say(RDF.predicate, triplet.predicate)
    yield say(RDF.object, triplet.object)
    for evidence in triplet.evidence:
        yield say(SEMKG.evidence, evidence)
    yield say(SEMKG.confidence, decimal(triplet.confidence))
    yield say(SEMKG.status, term(triplet.status.value))
    yield say(SEMKG.votes, integer(triplet.votes))
    if triplet.activity:
        yield say(PROV.wasGeneratedBy, triplet.activity)


def schema_quads(schema: SchemaTerm, layout: Layout) -> Iterator[ox.Quad]:
    def say(predicate: ox.NamedNode, value: Term) -> ox.Quad:
        return ox.Quad(schema.iri, predicate, value, layout.schema)

    kinds = {
        TermKind.CLASS: OWL.Class,
        TermKind.OBJECT_PROPERTY: OWL.ObjectProperty,
        TermKind.DATATYPE_PROPERTY: OWL.DatatypeProperty,
    }
    yield say(RDF.type, kinds[schema.kind])
    yield say(RDFS.label, ox.Literal(schema.label))
    yield say(VS.term_status, ox.Literal(schema.status))
    if schema.notation:
        yield say(SKOS.notation, ox.Literal(schema.notation))
    for predicate, value in ((RDFS.domain, schema.domain), (RDFS.range, schema.range), (RDFS.subClassOf, schema.parent)):
        if value:
            yield say(predicate, value)


def agent_quads(agent: Agent, layout: Layout) -> Iterator[ox.Quad]:
    yield ox.Quad(agent.iri, RDF.type, PROV.Person if agent.person else PROV.SoftwareAgent, layout.provenance)
    yield ox.Quad(agent.iri, RDFS.label, ox.Literal(agent.label), layout.provenance)


def activity_quads(activity: Activity, layout: Layout) -> Iterator[ox.Quad]:
    def say(predicate: ox.NamedNode, value: Term) -> ox.Quad:
        return ox.Quad(activity.iri, predicate, value, layout.provenance)

    yield say(RDF.type, activity.type)
    yield say(PROV.wasAssociatedWith, activity.agent)
    if activity.started:
        yield say(PROV.startedAtTime, moment(activity.started))
    if activity.ended:
        yield say(PROV.endedAtTime, moment(activity.ended))
    for used in activity.used:
        yield say(PROV.used, used)
    if activity.informed_by:
        yield say(PROV.wasInformedBy, activity.informed_by)


def refusal_quads(refusal: Refusal, review: ox.NamedNode, report: ox.NamedNode, time: datetime, layout: Layout) -> Iterator[ox.Quad]:
    """A refused candidate as an item for review; its validation report is written by `quality`."""

    def say(predicate: ox.NamedNode, value: Term) -> ox.Quad:
        return ox.Quad(review, predicate, value, layout.reviews)

    yield say(RDF.type, SEMKG.Refusal)
    yield say(RDFS.label, ox.Literal(refusal.label))
    yield say(SEMKG.reason, ox.Literal(refusal.violations[0].message if refusal.violations else "refused with what it depends on"))
    yield say(DCTERMS.created, moment(time))
    yield say(PROV.wasDerivedFrom, report)


def vector_quad(node: ox.NamedNode, encoded: str, layout: Layout) -> ox.Quad:
    return ox.Quad(node, SEMKG.embedding, ox.Literal(encoded, datatype=SEMKG.float16Vector), layout.vectors)


def model_quads(model: ModelId, node: ox.NamedNode, layout: Layout) -> Iterator[ox.Quad]:
    """The description of the embedding model, beside the vectors it made."""
    yield ox.Quad(node, RDF.type, SEMKG.EmbeddingModel, layout.vectors)
    yield ox.Quad(node, SEMKG.modelName, ox.Literal(model.name), layout.vectors)
    yield ox.Quad(node, SEMKG.dimension, integer(model.dimension), layout.vectors)
