"""HyperNodes at the door of the room: found, written with evidence and vector, and in step with the facts after every change."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from semkg import KnowledgeGraph
from semkg.communities import Clustering, HyperNode, hypernodes, hypernodes_of, kinship
from semkg.errors import SemkgError
from semkg.graph.indexes import Kind
from semkg.model import Conformance
from semkg.models import HashEmbedder
from semkg.vectors import codec
from semkg.vocab import PROV, RDF, SEMKG
from tests.graph.worlds import AGENT, Said, entity, graph, tell

MEETING = "Ruth Holt met Jan Vale. Holt was late."
MET: list[Said] = [("Ruth Holt", "MET", "Jan Vale"), ("Holt", "KNEW", "Jan Vale")]


def clustered(*documents: tuple[str, str, list[Said]]) -> KnowledgeGraph:
    kg = graph()
    for source, text, facts in documents:
        tell(kg, source, text, facts)
    refresh(kg)
    return kg


def refresh(kg: KnowledgeGraph) -> int:
    kg._merger.resolve()
    return Clustering(kg.parts, kg.writer).refresh().looked_at


def found(kg: KnowledgeGraph) -> set[HyperNode]:
    return set(hypernodes(kg.parts.store, kg.parts.layout))


def from_scratch(kg: KnowledgeGraph) -> set[HyperNode]:
    """What clustering the whole graph gives."""
    kg.writer.touched.by_all()
    Clustering(kg.parts, kg.writer).refresh()
    return found(kg)


def labels(kg: KnowledgeGraph) -> set[frozenset[str]]:
    iris = {entity(label).iri: label for label in NAMES}
    return {frozenset(iris[member] for member in node.members) for node in found(kg)}


def test_entities_that_are_one_by_name_and_surroundings_are_a_hypernode() -> None:
    kg = clustered(("a", MEETING, MET))
    (node,) = found(kg)
    assert set(node.members) == {entity("Holt").iri, entity("Ruth Holt").iri}
    assert (node.label, node.confidence) == ("Ruth Holt", 0.9)
    assert [kg.parts.store.quads(chunk, RDF.type, SEMKG.Chunk, kg.parts.layout.corpus) for chunk in node.evidence]
    assert hypernodes_of(kg.parts.store, kg.parts.layout, entity("Holt").iri) == [node]
    assert hypernodes_of(kg.parts.store, kg.parts.layout, entity("Jan Vale").iri) == []


def test_the_same_names_far_apart_are_none() -> None:
    assert not found(clustered(("a", "Ruth Holt sang.", [("Ruth Holt", "MET", "Jan Vale")]), ("b", "Holt!", [("Holt", "MET", "Ida Hub")])))


def test_a_neighbour_in_common_brings_two_documents_together() -> None:
    kg = clustered(("a", "Ruth.", [("Ruth Holt", "MET", "Ida Hub")]), ("b", "Holt.", [("Holt", "MET", "Ida Hub")]))
    assert labels(kg) == {frozenset({"Ruth Holt", "Holt"})}


def test_a_neighbour_of_everybody_brings_nobody_together() -> None:
    crowd: list[Said] = [("Ida Hub", "MET", f"Guest Number {number}") for number in range(20)]
    kg = clustered(("a", "Ruth.", [("Ruth Holt", "MET", "Ida Hub")]), ("b", "Holt.", [("Holt", "MET", "Ida Hub")]), ("c", "All.", crowd))
    assert not found(kg)


def test_a_neighbour_that_becomes_one_of_everybody_takes_apart_whom_it_brought_together() -> None:
    kg = clustered(("a", "Ruth.", [("Ruth Holt", "MET", "Ida Hub")]), ("b", "Holt.", [("Holt", "MET", "Ida Hub")]))
    tell(kg, "c", "All.", CROWD)
    refresh(kg)
    assert not found(kg)
    kg.delete("c")
    assert labels(kg) == {frozenset({"Ruth Holt", "Holt"})}


def test_a_namesake_that_turns_out_to_be_somebody_else_frees_the_name() -> None:
    facts: list[Said] = [("Ruth Holt", "MET", "Sue Bell"), ("Holt", "MET", "Jan Vale"), ("Mia Holt", "MET", "Tom Dale")]
    kg = clustered(("a", "Three.", facts), ("b", "Hub.", [("Ida Hub", "MET", "Ann Fell")]))
    assert not found(kg)
    kg.merge(entity("Mia Holt").iri.value, "Ida Hub")
    assert labels(kg) == {frozenset({"Ruth Holt", "Holt"}), frozenset({"Mia Holt", "Ida Hub"})}
    kg.unmerge(entity("Mia Holt").iri.value)
    assert not found(kg)


TOGETHER: dict[str, list[Said]] = {
    "in a passage": [("Ruth Holt", "KNEW", "Tom Dale"), ("Holt", "KNEW", "Ann Fell")],
    "by a neighbour of the one": [("Ruth Holt", "MET", "Ida Hub")],
    "by a neighbour of the other": [("Holt", "MET", "Jan Vale")],
}


@pytest.mark.parametrize("facts", TOGETHER.values(), ids=TOGETHER)
def test_two_that_were_known_apart_are_brought_together(facts: list[Said]) -> None:
    kg = clustered(("a", "Ruth.", [("Ruth Holt", "MET", "Jan Vale")]), ("b", "Holt.", [("Holt", "MET", "Ida Hub")]))
    assert not found(kg)
    tell(kg, "c", "More. " + ". ".join(map(" ".join, facts)), facts)
    refresh(kg)
    assert frozenset({"Ruth Holt", "Holt"}) in labels(kg)
    assert found(kg) == from_scratch(kg)


def test_people_with_a_fact_between_them_are_two() -> None:
    assert not found(clustered(("a", "Ruth Holt is a daughter of Holt.", [("Ruth Holt", "CHILD_OF", "Holt")])))


def test_a_name_that_several_could_bear_is_nobodys() -> None:
    kg = clustered(("a", "Three.", [("Ruth Holt", "MET", "Jan Vale"), ("Mia Holt", "MET", "Jan Vale"), ("Holt", "MET", "Jan Vale")]))
    assert not found(kg)


def test_merged_entities_are_a_hypernode_by_themselves() -> None:
    kg = clustered(("a", "Ruth Holt and ruth holt.", [("Ruth Holt", "MET", "Jan Vale"), ("ruth holt", "KNEW", "Jan Vale")]))
    assert labels(kg) == {frozenset({"Ruth Holt", "ruth holt"})}
    kg.unmerge(entity("ruth holt").iri.value)
    assert not found(kg)


def test_what_a_person_declared_different_stays_apart() -> None:
    kg = clustered(("a", MEETING, MET))
    kg.merge("Holt", "Ruth Holt")
    assert labels(kg) == {frozenset({"Ruth Holt", "Holt"})}
    kg.unmerge(entity("Holt").iri.value)
    assert not found(kg)


def test_the_vector_is_the_weighted_centroid_of_the_members() -> None:
    kg = clustered(("a", MEETING, MET))
    (node,) = found(kg)
    (quad,) = kg.parts.store.quads(node.iri, SEMKG.embedding, None, kg.parts.layout.vectors)
    assert isinstance(quad.object, ox.Literal)
    mean = HashEmbedder().embed(["Holt", "Ruth Holt"]).mean(axis=0)
    assert np.allclose(codec.decode(quad.object.value), mean / np.linalg.norm(mean), atol=2e-3)
    hits = kg.parts.indexes.vectors[Kind.HYPERNODE].search(HashEmbedder().embed(["Ruth Holt"])[0], 5)
    assert [hit.node for hit in hits] == [node.iri.value]


def test_the_graph_with_hypernodes_conforms_and_records_who_made_them() -> None:
    kg = clustered(("a", MEETING, MET))
    assert kg.validate().conformance is Conformance.CONFORMS
    assert kg.doctor().healthy
    (node,) = found(kg)
    (made,) = kg.parts.store.quads(node.iri, PROV.wasGeneratedBy, None, kg.parts.layout.communities)
    assert isinstance(made.object, ox.NamedNode)
    assert any(True for _ in kg.parts.store.quads(made.object, RDF.type, SEMKG.Clustering, kg.parts.layout.provenance))


def test_clustering_again_without_a_change_does_nothing() -> None:
    kg = clustered(("a", MEETING, MET))
    before = kg.parts.store.generation
    assert refresh(kg) == 0
    assert kg.parts.store.generation == before


def test_a_change_far_away_looks_at_little() -> None:
    crowd = [(f"d{number}", f"Guest {number}.", [(f"Guest A{number}", "MET", f"Guest B{number}")]) for number in range(30)]
    kg = clustered(("a", MEETING, MET), *crowd)
    tell(kg, "b", "Holt left.", [("Holt", "LEFT", "Jan Vale")])
    assert 0 < refresh(kg) < 10


def test_deleting_a_document_leaves_no_member_and_no_evidence_behind() -> None:
    kg = clustered(("a", MEETING, MET), ("b", "Holt again.", [("Holt", "MET", "Jan Vale")]))
    kg.delete("b")
    assert kg.doctor().healthy
    assert labels(kg) == {frozenset({"Ruth Holt", "Holt"})}
    kg.delete("a")
    assert not found(kg)
    assert len(kg.parts.indexes.vectors[Kind.HYPERNODE]) == 0
    assert kg.doctor().healthy


def test_the_doctor_makes_a_lost_centroid_again() -> None:
    kg = clustered(("a", MEETING, MET))
    (node,) = found(kg)
    vectors = list(kg.parts.store.quads(node.iri, SEMKG.embedding, None, kg.parts.layout.vectors))
    kg.parts.store.commit((), vectors)
    diagnosis = kg.doctor()
    assert diagnosis.healthy
    assert [repair.index for repair in diagnosis.repairs] == ["HyperNode centroids"]
    assert list(kg.parts.store.quads(node.iri, SEMKG.embedding, None, kg.parts.layout.vectors)) == vectors


def test_a_process_that_died_before_clustering_leaves_it_to_the_next(tmp_path: Path) -> None:
    with KnowledgeGraph.open(tmp_path / "kg", create=True, embedder=HashEmbedder()) as kg:
        tell(kg, "a", MEETING, MET[:1])
        refresh(kg)
        tell(kg, "b", MEETING, MET)
    with KnowledgeGraph.open(tmp_path / "kg", embedder=HashEmbedder()) as kg:
        assert not found(kg)
        kg.build([])
        assert len(found(kg)) == 1
        assert kg.doctor().healthy


def test_an_export_brings_its_hypernodes_by_being_clustered_again(tmp_path: Path) -> None:
    kg = clustered(("a", MEETING, MET))
    with (tmp_path / "kg.trig").open("wb") as out:
        kg.export(out)
    other = graph()
    other.import_triples(tmp_path / "kg.trig")
    assert found(other) == found(kg)
    assert other.doctor().healthy


def test_another_embedder_clusters_again() -> None:
    kg = clustered(("a", MEETING, MET))
    kg.reembed("hashing-512")
    assert len(found(kg)) == 1
    assert kg.doctor().healthy


def test_stats_and_show_know_about_hypernodes() -> None:
    kg = clustered(("a", MEETING, MET))
    assert kg.stats().hypernodes == 1
    assert kg.show("Holt").related == ("Ruth Holt",)
    assert kg.show("Jan Vale").related == ()


NAMES = ("Holt", "Ruth Holt", "ruth holt", "R. Holt", "Mia Holt", "Jan Vale", "J. Vale", "Vale", "Ida Hub")
FACTS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(("MET", "KNEW")), st.sampled_from(NAMES)), min_size=1, max_size=3)
CROWD: list[Said] = [("Ida Hub", "MET", f"Guest Number {number}") for number in range(11)]
PREPARED: dict[str, list[Said]] = {
    "full name": [("Ruth Holt", "MET", "Ida Hub")],
    "surname": [("Holt", "MET", "Ida Hub")],
    "crowd": CROWD,
    "namesake": [("Mia Holt", "MET", "Ida Hub")],
    "initial": [("R. Holt", "MET", "Ida Hub")],
    "initial and surname": [("R. Holt", "MET", "Jan Vale"), ("Holt", "MET", "Jan Vale")],
    "spelling": [("ruth holt", "MET", "Jan Vale"), ("J. Vale", "KNEW", "Ida Hub")],
    "relative": [("Ruth Holt", "CHILD_OF", "Holt")],
}


class Histories(RuleBasedStateMachine):
    """After any history of documents, merges and deletions the HyperNodes are those that a full clustering gives."""

    @initialize()
    def begin(self) -> None:
        self.kg = graph()
        self.held: dict[str, tuple[str, list[Said]]] = {}
        self.declared = False
        self.wait = False

    @rule(name=st.sampled_from("xyz"), facts=FACTS)
    def tell(self, name: str, facts: list[Said]) -> None:
        self._tell(name, [fact for fact in facts if fact[0] != fact[2]])

    @rule(names=st.lists(st.sampled_from(sorted(PREPARED)), min_size=1, max_size=3, unique=True))
    def toggle(self, names: list[str]) -> None:
        for name in names:
            if name in self.held:
                self._delete(name)
            else:
                self._tell(name, PREPARED[name])

    def _tell(self, name: str, facts: list[Said]) -> None:
        text = ". ".join(" ".join(fact) for fact in facts) + f". {name}"
        self.held[name] = (text, facts)
        tell(self.kg, name, text, facts)

    @precondition(lambda self: self.held)
    @rule(number=st.integers(0, 100))
    def delete(self, number: int) -> None:
        self._delete(sorted(self.held)[number % len(self.held)])

    def _delete(self, name: str) -> None:
        del self.held[name]
        self.kg.delete(name)

    @rule(one=st.sampled_from(NAMES), other=st.sampled_from(NAMES))
    def merge(self, one: str, other: str) -> None:
        try:
            self.kg._merger.merge(entity(one).iri, entity(other).iri, AGENT, "a test")
        except SemkgError:
            return
        self.declared = True

    @rule(name=st.sampled_from(NAMES))
    def part(self, name: str) -> None:
        try:
            self.kg._merger.unmerge(entity(name).iri, AGENT)
        except SemkgError:
            return
        self.declared = True

    @rule()
    def let_changes_pile_up(self) -> None:
        self.wait = True

    @invariant()
    def the_clusters_are_those_of_a_full_clustering(self) -> None:
        if self.wait:
            self.wait = False
            return
        refresh(self.kg)
        kept = found(self.kg)
        assert from_scratch(self.kg) == kept

    @invariant()
    def nothing_dangles(self) -> None:
        held = {quad.subject for quad in self.kg.parts.store.quads(None, RDF.type, None, None)}
        assert all(node in held for hypernode in found(self.kg) for node in (*hypernode.members, *hypernode.evidence))

    def teardown(self) -> None:
        refresh(self.kg)
        assert self.kg.doctor().healthy
        if not self.declared:
            assert found(self.kg) == found(told(self.held))


def told(held: dict[str, tuple[str, list[Said]]]) -> KnowledgeGraph:
    fresh = graph()
    for name in random.Random(3).sample(sorted(held), len(held)):
        tell(fresh, name, *held[name])
    refresh(fresh)
    return fresh


class CrowdedHistories(Histories):
    """The same where few facts make a hub, and a few more an entity that belongs with nobody."""

    @initialize()
    def begin(self) -> None:
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(kinship, "HUB", 3)
        self.patch.setattr(kinship, "COMMON", 4)
        super().begin()

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            self.patch.undo()


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=30, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck))
TestCrowdedHistories = CrowdedHistories.TestCase
TestCrowdedHistories.settings = TestHistories.settings


@pytest.mark.parametrize("order", ["abc", "cba", "bca"])
def test_the_order_of_the_documents_does_not_matter(order: str) -> None:
    documents = {"a": (MEETING, MET), "b": ("R. Holt.", [("R. Holt", "MET", "Ida Hub")]), "c": ("Holt.", [("Holt", "MET", "Ida Hub")])}
    kg = clustered(*((name, *documents[name]) for name in order))
    assert found(kg) == found(clustered(*((name, *documents[name]) for name in "abc")))
    assert found(kg)
