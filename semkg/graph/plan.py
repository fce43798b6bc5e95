"""From a change set to the quads of one commit: what is new, what is there already, which edges follow (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pyoxigraph as ox

from semkg.graph import rdf, texts
from semkg.graph.edges import canonical
from semkg.graph.indexes import Kind
from semkg.graph.layout import Layout
from semkg.graph.removal import Removal
from semkg.model import ChangeSet, ReadingState, Status, Triplet
from semkg.ports import GraphStore
from semkg.vocab import DCTERMS, OA, PROV, RDF, RDFS, SEMKG


@dataclass(slots=True)
class Plan:
    """The quads of one commit, and what to embed. `texts`: kind → IRI → text; `fresh`: nodes of which the store says nothing."""

    additions: list[ox.Quad] = field(default_factory=list)
    removals: list[ox.Quad] = field(default_factory=list)
    created: list[ox.NamedNode] = field(default_factory=list)
    reused: list[ox.NamedNode] = field(default_factory=list)
    texts: dict[Kind, dict[str, str]] = field(default_factory=dict)
    fresh: set[ox.NamedNode] = field(default_factory=set)


class Planner:
    """Plans change sets against one store."""

    def __init__(self, store: GraphStore, layout: Layout) -> None:
        self._store = store
        self._layout = layout

    def plan(self, change: ChangeSet, removal: Removal) -> Plan:
        plan = Plan(additions=list(removal.additions), removals=list(removal.quads))
        self._corpus(change, removal, plan)
        self._records(change, plan)
        self._entities(change, removal, plan)
        self._evidence(change, removal, plan)
        self._triplets(change, removal, plan)
        self._states(change, plan)
        plan.additions = list(dict.fromkeys(plan.additions))
        return plan

    def _is(self, node: ox.NamedNode, type: ox.NamedNode, graph: ox.NamedNode, removal: Removal, plan: Plan) -> bool:
        """Whether the store holds a node of a type that stays."""
        if node in plan.fresh:
            return False
        if not any(True for _ in self._store.quads(node, None, None, None)):
            plan.fresh.add(node)
            return False
        return node not in removal.nodes and any(True for _ in self._store.quads(node, RDF.type, type, graph))

    def _corpus(self, change: ChangeSet, removal: Removal, plan: Plan) -> None:
        titles = {document.iri.value: document.title for document in change.documents}
        for document in change.documents:
            if not self._is(document.iri, PROV.Entity, self._layout.corpus, removal, plan):
                plan.additions += rdf.document_quads(document, self._layout)
                plan.created.append(document.iri)
        for chunk in change.chunks:
            if self._is(chunk.iri, SEMKG.Chunk, self._layout.corpus, removal, plan):
                continue
            plan.additions += rdf.chunk_quads(chunk, self._layout)
            plan.created.append(chunk.iri)
            title = titles.get(chunk.document.value) or texts.value(self._store, chunk.document, DCTERMS.title, self._layout.corpus)
            plan.texts.setdefault(Kind.CHUNK, {})[chunk.iri.value] = texts.chunk_text(title, chunk.text)

    def _records(self, change: ChangeSet, plan: Plan) -> None:
        """Terms, agents and activities: written once, and never changed by meeting them again."""
        for term in change.terms:
            if not any(True for _ in self._store.quads(term.iri, RDF.type, None, self._layout.schema)):
                plan.additions += rdf.schema_quads(term, self._layout)
        for agent in change.agents:
            if not any(True for _ in self._store.quads(agent.iri, RDFS.label, None, self._layout.provenance)):
                plan.additions += rdf.agent_quads(agent, self._layout)
        for activity in change.activities:
            # A document that comes back is read by the same activity again: the record of the last time counts.
            plan.removals += self._store.quads(activity.iri, None, None, self._layout.provenance)
            plan.additions += rdf.activity_quads(activity, self._layout)

    def _entities(self, change: ChangeSet, removal: Removal, plan: Plan) -> None:
        for entity in change.entities:
            if self._is(entity.iri, SEMKG.Entity, self._layout.facts, removal, plan):
                plan.reused.append(entity.iri)
                continue
            plan.additions += rdf.entity_quads(entity, self._layout)
            plan.created.append(entity.iri)
            plan.texts.setdefault(Kind.ENTITY, {})[entity.iri.value] = entity.label
        sources = {piece.iri: piece.chunk for piece in change.evidence}
        for mention in change.mentions:
            chunk = sources.get(mention.evidence) or self._source(mention.evidence)
            if chunk:
                plan.additions += rdf.mention_quads(mention, chunk, self._layout)
        for document, topic in change.topics:
            plan.additions.append(rdf.topic_quad(document, topic, self._layout))

    def _source(self, evidence: ox.NamedNode) -> ox.NamedNode | None:
        found = (quad.object for quad in self._store.quads(evidence, OA.hasSource, None, self._layout.triplets))
        return next((node for node in found if isinstance(node, ox.NamedNode)), None)

    def _evidence(self, change: ChangeSet, removal: Removal, plan: Plan) -> None:
        for piece in change.evidence:
            if not self._is(piece.iri, OA.TextQuoteSelector, self._layout.triplets, removal, plan):
                plan.additions += rdf.evidence_quads(piece, self._layout)

    def _triplets(self, change: ChangeSet, removal: Removal, plan: Plan) -> None:
        labels = {entity.iri: entity.label for entity in change.entities}
        words = {term.iri: term.label for term in change.terms}
        for triplet in change.triplets:
            # Whoever takes part in a statement is mentioned where it is made, be it by a pronoun or a title.
            plan.additions += [rdf.mentioned_quad(end, triplet.chunk, self._layout) for end in _ends(triplet)]
            if self._is(triplet.iri, SEMKG.Triplet, self._layout.triplets, removal, plan):
                plan.reused.append(triplet.iri)
                continue
            plan.additions += rdf.triplet_quads(triplet, self._layout)
            plan.created.append(triplet.iri)
            plan.texts.setdefault(Kind.TRIPLET, {})[triplet.iri.value] = self._statement(triplet, labels, words)
            if triplet.status is Status.ASSERTED:
                plan.additions.append(self._edge(triplet, removal))

    def _edge(self, triplet: Triplet, removal: Removal) -> ox.Quad:
        subject, object = (self._canonical(end, removal) for end in (triplet.subject, triplet.object))
        return ox.Quad(subject, triplet.predicate, object, self._layout.facts)  # type: ignore[arg-type]  # a subject is no literal

    def _canonical(self, end: ox.NamedNode | ox.Literal, removal: Removal) -> ox.NamedNode | ox.Literal:
        if isinstance(end, ox.Literal):
            return end
        found = canonical(self._store, end, self._layout)
        return end if found in removal.nodes else found

    def _statement(self, triplet: Triplet, labels: dict[ox.NamedNode, str], words: dict[ox.NamedNode, str]) -> str:
        def label(end: ox.NamedNode | ox.Literal) -> str:
            if isinstance(end, ox.Literal):
                return end.value
            return labels.get(end) or texts.entity_label(self._store, end, self._layout)

        predicate = words.get(triplet.predicate) or texts.predicate_label(self._store, triplet.predicate, self._layout)
        return texts.statement(label(triplet.subject), predicate, label(triplet.object))

    def _states(self, change: ChangeSet, plan: Plan) -> None:
        for chunk, state in change.states:
            plan.removals += self._old_state(chunk, state)
            plan.additions.append(rdf.state_quad(chunk, state, self._layout))

    def _old_state(self, chunk: ox.NamedNode, state: ReadingState) -> Iterator[ox.Quad]:
        leases = () if state is ReadingState.BEING_READ else (SEMKG.leaseHolder, SEMKG.leaseExpires)
        for predicate in (SEMKG.readingState, *leases):
            yield from self._store.quads(chunk, predicate, None, self._layout.corpus)


def _ends(triplet: Triplet) -> Iterable[ox.NamedNode]:
    return (end for end in (triplet.subject, triplet.object) if isinstance(end, ox.NamedNode))
