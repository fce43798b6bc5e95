"""The one door: what conforms enters in one commit, what does not is refused with its reason, and a failure leaves nothing behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from semkg.errors import ModelUnavailable
from semkg.graph.indexes import Kind
from semkg.model import Conformance, SchemaTerm, TermKind
from semkg.models import HashEmbedder
from semkg.ports import ModelId
from semkg.vocab import RDF, SEMKG, SH
from tests.graph.worlds import AGENT, NAMES, document, edges, entity, graph, reading, tell

if TYPE_CHECKING:
    from semkg.ports import Vectors

FACTS = [("Ada Lovelace", "WORKED_WITH", "Charles Babbage")]
TEXT = "Ada Lovelace worked with Charles Babbage."


def test_what_conforms_is_in_the_graph_with_its_edge_and_its_vectors() -> None:
    kg = graph()
    outcome = tell(kg, "a", TEXT, FACTS)
    assert outcome.refused == ()
    assert edges(kg) == set(FACTS)
    assert [len(kg.parts.indexes.vectors[kind]) for kind in Kind] == [1, 2, 1, 0]
    assert kg.doctor().healthy


def test_telling_the_same_again_changes_nothing() -> None:
    kg = graph()
    tell(kg, "a", TEXT, FACTS)
    made, chunk = document("a", TEXT)
    before = kg.parts.store.generation
    outcome = kg.writer.apply(replace(reading(made, chunk, FACTS), activities=()))
    assert outcome.commit == 0
    assert kg.parts.store.generation == before
    assert outcome.created == ()
    assert len(outcome.reused) == 3


def test_a_second_document_reuses_the_entity() -> None:
    kg = graph()
    tell(kg, "a", TEXT, FACTS)
    outcome = tell(kg, "b", "Ada Lovelace was taught by Mary Somerville.", [("Mary Somerville", "TAUGHT", "Ada Lovelace")])
    assert entity("Ada Lovelace").iri in outcome.reused
    assert kg.stats().entities == 3


def test_a_refused_entity_takes_its_statements_with_it_and_leaves_a_report() -> None:
    kg = graph()
    outcome = tell(kg, "a", TEXT, [*FACTS, ("Ada Lovelace", "WROTE", "def main(): return 1")])
    refused = {refusal.label for refusal in outcome.refused}
    assert "def main(): return 1" in refused
    assert edges(kg) == set(FACTS)
    reasons = [violation.message for refusal in outcome.refused for violation in refusal.violations]
    assert reasons
    assert all(reasons)
    assert kg.stats().refused == 1
    reports = list(kg.parts.store.quads(None, RDF.type, SH.ValidationReport, kg.parts.layout.reviews))
    assert len(reports) == 1
    assert kg.validate().conformance is Conformance.CONFORMS


def test_a_statement_without_evidence_does_not_enter() -> None:
    kg = graph()
    made, chunk = document("a", TEXT)
    kg._lifecycle.enter([(made, [chunk])], AGENT)
    change = reading(made, chunk, FACTS)
    outcome = kg.writer.apply(replace(change, triplets=tuple(replace(triplet, evidence=()) for triplet in change.triplets)))
    assert change.triplets[0].iri in {refusal.node for refusal in outcome.refused}
    assert edges(kg) == set()


def test_evidence_that_is_not_in_the_text_does_not_enter() -> None:
    kg = graph()
    made, chunk = document("a", TEXT)
    kg._lifecycle.enter([(made, [chunk])], AGENT)
    change = reading(made, chunk, FACTS)
    outcome = kg.writer.apply(replace(change, evidence=tuple(replace(piece, exact="Ada hated Babbage") for piece in change.evidence)))
    assert change.evidence[0].iri in {refusal.node for refusal in outcome.refused}
    assert kg.stats().triplets == {}
    assert kg.validate().conformance is Conformance.CONFORMS


def test_domain_and_range_are_kept() -> None:
    kg = graph()
    born = SchemaTerm(NAMES.schema("bornIn"), TermKind.OBJECT_PROPERTY, "born in", "BORN_IN", cls("Person"), cls("Place"), status="stable")
    made, chunk = document("a", "Ada Lovelace was born in London. Ada Lovelace was born in Charles Babbage.")
    kg._lifecycle.enter([(made, [chunk])], AGENT)
    facts = [("Ada Lovelace", "BORN_IN", "London"), ("Ada Lovelace", "BORN_IN", "Charles Babbage")]
    change = reading(made, chunk, facts, {"London": "Place"})
    outcome = kg.writer.apply(replace(change, terms=(born, *(term for term in change.terms if term.iri != born.iri))))
    assert edges(kg) == {("Ada Lovelace", "BORN_IN", "London")}
    assert any("London" not in refusal.label for refusal in outcome.refused)


def test_a_loop_needs_a_relation_that_may_loop() -> None:
    kg = graph()
    outcome = tell(kg, "a", TEXT, [("Ada Lovelace", "MARRIED", "Ada Lovelace")])
    assert edges(kg) == set()
    assert outcome.refused


class Failing(HashEmbedder):
    """Fails at the second call."""

    calls = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        if self.calls > 1:
            raise ModelUnavailable("the model is gone")
        return super().embed(texts)


def test_where_the_embedder_fails_nothing_of_the_change_set_is_in_the_graph() -> None:
    kg = graph(Failing())
    made, chunk = document("a", TEXT)
    kg._lifecycle.enter([(made, [chunk])], AGENT)
    before = kg.hash(), kg.parts.store.generation
    with pytest.raises(ModelUnavailable):
        kg.writer.apply(reading(made, chunk, FACTS))
    assert (kg.hash(), kg.parts.store.generation) == before
    assert kg.doctor().healthy


def test_every_vector_is_of_the_model_that_the_graph_names() -> None:
    kg = graph()
    tell(kg, "a", TEXT, FACTS)
    names = {
        quad.object.value
        for quad in kg.parts.store.quads(None, SEMKG.modelName, None, kg.parts.layout.vectors)
        if isinstance(quad.object, ox.Literal)
    }
    assert names == {kg.parts.embedder.id.name}
    assert ModelId(kg.parts.embedder.id.name, kg.parts.embedder.id.dimension) == kg.parts.embedder.id


def cls(name: str) -> ox.NamedNode:
    return NAMES.schema(name)
