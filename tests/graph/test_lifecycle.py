"""Documents come, change and go; what they alone supported goes with them, and merges can be undone."""

from __future__ import annotations

import random

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from semkg import KnowledgeGraph
from semkg.errors import BadInput, NotFound
from semkg.model import Conformance
from semkg.vocab import SEMKG
from tests.graph.worlds import AGENT, Said, document, edges, entity, graph, tell

DOCUMENTS: dict[str, tuple[str, list[Said]]] = {
    "a": ("Ada Lovelace worked with Charles Babbage.", [("Ada Lovelace", "WORKED_WITH", "Charles Babbage")]),
    "b": ("Charles Babbage taught Ada Lovelace and met Mary Somerville.", [("Charles Babbage", "MET", "Mary Somerville")]),
    "c": ("Ada Lovelace worked with Charles Babbage for years.", [("Ada Lovelace", "WORKED_WITH", "Charles Babbage")]),
    "d": ("ada lovelace met Mary Somerville.", [("ada lovelace", "MET", "Mary Somerville")]),
}


def told(names: str) -> KnowledgeGraph:
    kg = graph()
    for name in names:
        tell(kg, name, *DOCUMENTS[name])
    kg._merger.resolve()
    return kg


@pytest.mark.parametrize("order", ["abcd", "dcba", "bdac"])
def test_the_order_of_the_documents_does_not_matter(order: str) -> None:
    assert told(order).hash() == told("abcd").hash()


@pytest.mark.parametrize("gone", "abcd")
def test_deleting_a_document_leaves_what_a_graph_without_it_holds(gone: str) -> None:
    kg = told("abcd")
    receipt = kg.delete(gone)
    assert receipt.hash_after == kg.hash() == told("abcd".replace(gone, "")).hash()
    assert receipt.hash_before == told("abcd").hash()
    assert receipt.removed["documents"] == 1
    assert kg.doctor().healthy


@pytest.mark.parametrize("gone", "abcd")
def test_a_document_that_comes_back_gives_the_same_graph(gone: str) -> None:
    kg = told("abcd")
    before = kg.hash()
    kg.delete(gone)
    tell(kg, gone, *DOCUMENTS[gone])
    kg._merger.resolve()
    assert kg.hash() == before


def test_a_fact_that_two_documents_state_outlives_one_of_them() -> None:
    kg = told("ac")
    kg.delete("a")
    assert edges(kg) == {("Ada Lovelace", "WORKED_WITH", "Charles Babbage")}
    kg.delete("c")
    assert edges(kg) == set()


def test_a_receipt_stays_in_the_provenance() -> None:
    kg = told("ab")
    receipt = kg.delete("a")
    activity = ox.NamedNode(receipt.activity)
    said = {quad.predicate for quad in kg.parts.store.quads(activity, None, None, kg.parts.layout.provenance)}
    assert {SEMKG.removedCount, SEMKG.keptCount, SEMKG.hashBefore, SEMKG.hashAfter} <= said
    assert receipt.kept["entities"] == 1


def test_a_changed_document_replaces_what_only_its_old_version_said() -> None:
    kg = told("ab")
    tell(kg, "a", "Ada Lovelace met Luigi Menabrea.", [("Ada Lovelace", "MET", "Luigi Menabrea")])
    assert edges(kg) == {("Ada Lovelace", "MET", "Luigi Menabrea"), ("Charles Babbage", "MET", "Mary Somerville")}
    assert kg.doctor().healthy


def test_an_unknown_document_cannot_be_deleted() -> None:
    with pytest.raises(NotFound, match="no document"):
        told("a").delete("nowhere")


def test_spellings_are_merged_and_their_edges_follow() -> None:
    kg = told("abd")
    assert ("Ada Lovelace", "MET", "Mary Somerville") in edges(kg)
    assert kg.stats().merged == 1


def test_a_merge_that_is_undone_stays_undone() -> None:
    kg = told("abd")
    before = edges(kg)
    kg.unmerge(entity("ada lovelace").iri.value)
    apart = edges(kg)
    assert ("ada lovelace", "MET", "Mary Somerville") in apart
    assert apart != before
    kg._merger.resolve()
    assert edges(kg) == apart
    assert kg.validate().conformance is Conformance.CONFORMS


def test_a_person_can_merge_what_the_rules_do_not() -> None:
    kg = told("ab")
    kg.merge("Mary Somerville", "Ada Lovelace", "a test")
    assert ("Charles Babbage", "MET", "Ada Lovelace") in edges(kg)
    kg._merger.resolve()
    assert ("Charles Babbage", "MET", "Ada Lovelace") in edges(kg)
    with pytest.raises(BadInput, match="one entity already"):
        kg.merge("Mary Somerville", "Ada Lovelace")
    kg.unmerge(entity("Mary Somerville").iri.value)
    assert ("Charles Babbage", "MET", "Mary Somerville") in edges(kg)


def test_undoing_a_merge_that_never_was_is_an_error() -> None:
    with pytest.raises(BadInput, match="nothing to undo"):
        told("a").unmerge("Ada Lovelace")


def test_chunks_of_a_dead_reader_go_back_to_the_queue() -> None:
    kg = graph()
    made, chunk = document("a", "Ada.")
    kg._lifecycle.enter([(made, [chunk])], AGENT)
    kg._lifecycle.lease([chunk.iri])
    assert kg.stats().chunks == {"BeingRead": 1}
    assert kg._lifecycle.recover() == 1
    assert kg.stats().chunks == {"Pending": 1}


PEOPLE = ("Ann Lee", "ann lee", "The Ann Lee", "Bob Ray", "bob ray", "Cid Kay")


class Documents(RuleBasedStateMachine):
    """Any history of documents told, changed and deleted gives the graph of those that are left."""

    @initialize()
    def begin(self) -> None:
        self.kg = graph()
        self.held: dict[str, tuple[str, list[Said]]] = {}

    @rule(
        name=st.sampled_from("wxyz"),
        facts=st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(("MET", "KNEW")), st.sampled_from(PEOPLE)), max_size=3),
    )
    def tell(self, name: str, facts: list[Said]) -> None:
        kept = [fact for fact in facts if fact[0] != fact[2]]
        text = ". ".join(" ".join(fact) for fact in kept) + f". {name}"
        self.held[name] = (text, kept)
        tell(self.kg, name, text, kept)
        self.kg._merger.resolve()

    @precondition(lambda self: self.held)
    @rule(number=st.integers(0, 100))
    def delete(self, number: int) -> None:
        name = sorted(self.held)[number % len(self.held)]
        del self.held[name]
        self.kg.delete(name)

    @invariant()
    def the_graph_is_that_of_the_documents(self) -> None:
        fresh = graph()
        for name in random.Random(7).sample(sorted(self.held), len(self.held)):
            tell(fresh, name, *self.held[name])
        fresh._merger.resolve()
        assert self.kg.hash() == fresh.hash()

    def teardown(self) -> None:
        assert self.kg.doctor().healthy


TestDocuments = Documents.TestCase
TestDocuments.settings = settings(max_examples=12, stateful_step_count=6, deadline=None, suppress_health_check=list(HealthCheck))
