"""A change set without what the gate refused, and without what depends on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pyoxigraph import NamedNode

from semkg.model import ChangeSet, Entity, Evidence, Mention, Triplet


def nodes_of(change: ChangeSet) -> dict[NamedNode, str]:
    """Everything that the change set brings, with a label for people."""
    labels = {entity.iri: entity.label for entity in change.entities}
    labels |= {triplet.iri: triplet.text or triplet.predicate.value for triplet in change.triplets}
    labels |= {piece.iri: piece.exact for piece in change.evidence}
    labels |= {chunk.iri: chunk.text[:60] for chunk in change.chunks}
    labels |= {document.iri: document.title for document in change.documents}
    labels |= {term.iri: term.label for term in change.terms}
    labels |= {activity.iri: activity.iri.value for activity in change.activities}
    return labels | {agent.iri: agent.label for agent in change.agents}


def without(change: ChangeSet, refused: Iterable[NamedNode]) -> ChangeSet:
    """The change set without `refused` and all that rests on it: nothing is left that points at what is gone."""
    gone = set(refused)
    gone |= {chunk.iri for chunk in change.chunks if chunk.iri in gone or chunk.document in gone}
    gone |= {document.iri for document in change.documents if document.topic in gone}
    gone |= {piece.iri for piece in change.evidence if piece.chunk in gone}
    gone |= {entity.iri for entity in change.entities if entity.type in gone}
    mentions = tuple(mention for mention in change.mentions if mention.entity not in gone and mention.evidence not in gone)
    triplets = _supported(change.triplets, gone)
    entities = _mentioned(change.entities, mentions, triplets, gone)
    triplets = _supported(triplets, {entity.iri for entity in change.entities} - {entity.iri for entity in entities} | gone)
    return replace(
        change,
        documents=tuple(document for document in change.documents if document.iri not in gone),
        chunks=tuple(chunk for chunk in change.chunks if chunk.iri not in gone),
        entities=entities,
        mentions=mentions,
        evidence=_used(change.evidence, mentions, triplets, gone),
        triplets=triplets,
        terms=tuple(term for term in change.terms if term.iri not in gone),
        agents=tuple(agent for agent in change.agents if agent.iri not in gone),
        activities=tuple(activity for activity in change.activities if activity.iri not in gone),
        topics=tuple((document, topic) for document, topic in change.topics if topic not in gone and document not in gone),
        states=tuple((chunk, state) for chunk, state in change.states if chunk not in gone),
    )


def _supported(triplets: Iterable[Triplet], gone: set[NamedNode]) -> tuple[Triplet, ...]:
    kept = []
    for triplet in triplets:
        ends = {triplet.iri, triplet.subject, triplet.predicate, triplet.object, triplet.activity}
        evidence = tuple(piece for piece in triplet.evidence if piece not in gone)
        if not ends & gone and evidence:
            kept.append(triplet if evidence == triplet.evidence else replace(triplet, evidence=evidence))
    return tuple(kept)


def _mentioned(
    entities: Iterable[Entity], mentions: Iterable[Mention], triplets: Iterable[Triplet], gone: set[NamedNode]
) -> tuple[Entity, ...]:
    named = {mention.entity for mention in mentions} | {end for triplet in triplets for end in (triplet.subject, triplet.object)}
    return tuple(entity for entity in entities if entity.iri in named and entity.iri not in gone)


def _used(
    evidence: Iterable[Evidence], mentions: Iterable[Mention], triplets: Iterable[Triplet], gone: set[NamedNode]
) -> tuple[Evidence, ...]:
    used = {mention.evidence for mention in mentions} | {piece for triplet in triplets for piece in triplet.evidence}
    return tuple(piece for piece in evidence if piece.iri in used and piece.iri not in gone)
