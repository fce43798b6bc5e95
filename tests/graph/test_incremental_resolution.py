"""Resolution looks only at what was touched, and finds what looking at the whole graph finds (DESIGN §2, law 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from semkg import KnowledgeGraph
from semkg.communities import Clustering
from semkg.errors import SemkgError
from semkg.graph.edges import merges
from semkg.graph.naming import Naming
from semkg.graph.resolution import Candidate, resolve
from semkg.model import Triplet
from semkg.models import HashEmbedder
from semkg.vocab import SKOS
from tests.graph.worlds import AGENT, NAMES, Said, document, entity, graph, reading, tell

Merges = dict[ox.NamedNode, ox.NamedNode]

KINDS = {"Halden": "Place", "halden": "Organization", "HALDEN": "Work", "The Halden": "Place"}
PEOPLE = ("Ann Lee", "ann lee", "Ann B. Lee", "A. Lee", "A. B. Lee", "Ann Beth Lee", "Bob Ray", "bob ray", "B. Ray", "Al")
LABELS = (*PEOPLE, *KINDS)


def node(label: str) -> ox.NamedNode:
    return entity(label, KINDS.get(label, "Person")).iri


def state(kg: KnowledgeGraph, source: str, facts: list[Said], aliases: Sequence[tuple[str, str]] = (), topic: str = "") -> None:
    """Enter a document about `topic` that states facts, and other names of entities."""
    text = ". ".join(" ".join(fact) for fact in facts) + f". {source} {aliases} {topic}"
    made, chunk = document(source, text)
    kg._lifecycle.enter([(made, [chunk])], AGENT)
    read = reading(made, chunk, facts, KINDS)
    stated = {mention.entity for mention in read.mentions}
    said = [(node(label), ox.Literal(alias)) for label, alias in aliases if node(label) in stated]
    more = [
        Triplet(
            NAMES.triplet(subject, SKOS.altLabel, alias, chunk.iri), subject, SKOS.altLabel, alias, chunk.iri, (read.evidence[0].iri,), 0.8
        )
        for subject, alias in dict.fromkeys(said)
    ]
    more = [replace(triplet, activity=read.activities[0].iri) for triplet in more]
    kg.writer.apply(replace(read, triplets=(*read.triplets, *more), topics=((made.iri, node(topic)),) if topic else ()))


def merged(kg: KnowledgeGraph) -> Merges:
    return merges(kg.parts.store, kg.parts.layout)


def of_everybody(kg: KnowledgeGraph) -> Merges:
    """What resolving all entities of the same graph gives."""
    twin = graph()
    twin.parts.store.load([quad for named in kg.parts.layout.all for quad in kg.parts.store.quads(graph=named)])
    twin.writer.touched.by_all()
    twin._merger.resolve()
    return merged(twin)


def looked_at(kg: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch) -> list[Candidate]:
    """The candidates of the next resolution."""
    seen: list[Candidate] = []

    def listening(found, similarity, apart):  # type: ignore[no-untyped-def]  # the signature of `resolve`
        pool = list(found)
        seen.extend(pool)
        return resolve(pool, similarity, apart)

    monkeypatch.setattr("semkg.graph.merge.resolve", listening)
    kg._merger.resolve()
    return seen


def test_what_nobody_spoke_of_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kg = graph()
    tell(kg, "a", "Ann.", [("Ann Lee", "MET", "ann lee")])
    kg._merger.resolve()
    tell(kg, "b", "Bob.", [("Bob Ray", "MET", "bob ray")])
    assert {candidate.label for candidate in looked_at(kg, monkeypatch)} == {"Bob Ray", "bob ray"}
    assert merged(kg) == of_everybody(kg)
    assert len(merged(kg)) == 2


def test_a_resolution_after_which_nothing_changed_reads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    kg = graph()
    tell(kg, "a", "Ann.", [("Ann Lee", "MET", "ann lee")])
    kg._merger.resolve()
    before = kg.parts.store.generation
    assert looked_at(kg, monkeypatch) == []
    assert kg.parts.store.generation == before


def test_another_process_goes_on_where_one_resolved_and_clustered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with KnowledgeGraph.open(tmp_path / "kg", create=True, embedder=HashEmbedder()) as kg:
        tell(kg, "a", "Ann.", [("Ann Lee", "MET", "ann lee")])
        kg.build([])
    with KnowledgeGraph.open(tmp_path / "kg", embedder=HashEmbedder()) as kg:
        tell(kg, "b", "Bob.", [("Bob Ray", "MET", "bob ray")])
        assert {candidate.label for candidate in looked_at(kg, monkeypatch)} == {"Bob Ray", "bob ray"}


@pytest.mark.parametrize("clusters", [False, True])
def test_a_process_that_died_before_it_resolved_leaves_all_to_the_next(tmp_path: Path, clusters: bool) -> None:
    with KnowledgeGraph.open(tmp_path / "kg", create=True, embedder=HashEmbedder()) as kg:
        tell(kg, "a", "Cid.", [("Bob Ray", "MET", "Al")])
        kg.build([])
        tell(kg, "b", "Ann.", [("Ann Lee", "MET", "ann lee")])
        if clusters:
            Clustering(kg.parts, kg.writer).refresh()
    with KnowledgeGraph.open(tmp_path / "kg", embedder=HashEmbedder()) as kg:
        tell(kg, "c", "Bob.", [("Bob Ray", "KNEW", "Al")])
        kg.build([])
        assert len(merged(kg)) == 1
        assert kg.doctor().healthy


def test_a_second_claim_to_an_alias_takes_a_merge_apart() -> None:
    kg = graph()
    state(kg, "a", [("Ann Lee", "MET", "Bob Ray")], [("Ann Lee", "Al")])
    state(kg, "b", [("Al", "MET", "bob ray")])
    kg._merger.resolve()
    assert node("Al") in {end for pair in merged(kg).items() for end in pair}
    state(kg, "c", [("B. Ray", "MET", "Ann B. Lee")], [("B. Ray", "Al")])
    kg._merger.resolve()
    assert node("Al") not in merged(kg)
    assert merged(kg) == of_everybody(kg)
    kg.delete("c")
    assert node("Al") in {end for pair in merged(kg).items() for end in pair}
    assert merged(kg) == of_everybody(kg)


def test_a_name_that_is_gone_is_followed_to_those_it_was_taken_for() -> None:
    labels = {"e1": "Ann Beth Lee", "e2": "Bob Ray", "e3": "Ann Lee"}
    naming = Naming(labels, {"e3": ["Al"]})
    assert naming.around([], ["A. B. Lee"]).around == {"e1", "e3"}
    assert naming.around([], ["al"]).around == {"e1", "e3"}
    assert naming.around(["e2"], []).around == {"e2"}
    assert naming.around(["e2"], [], [("e2", "e1")]).contested == {"e1", "e3"}


def test_what_somebody_merged_stays_merged_when_the_rules_choose_another_name() -> None:
    kg = graph()
    state(kg, "u", [("Ann Lee", "MET", "Ann B. Lee")])
    kg._merger.resolve()
    state(kg, "w", [("Ann Lee", "MET", "A. Lee")])
    kg._merger.merge(node("A. Lee"), node("Ann Lee"), AGENT, "a test")
    assert set(merged(kg).values()) == {node("Ann B. Lee")}
    kg._merger.resolve()
    assert set(merged(kg).values()) == {node("Ann Lee")}
    assert merged(kg)[node("A. Lee")] == node("Ann Lee")
    assert merged(kg) == of_everybody(kg)
    kg._merger.unmerge(node("A. Lee"), AGENT)
    kg._merger.resolve()
    assert node("A. Lee") not in merged(kg)


def test_what_somebody_parted_lets_the_rules_look_again() -> None:
    kg = graph()
    state(kg, "v", [("Ann Lee", "MET", "Ann B. Lee")])
    state(kg, "u", [("Ann Lee", "MET", "Ann Beth Lee")])
    kg._merger.resolve()
    kg._merger.unmerge(node("Ann B. Lee"), AGENT)
    Clustering(kg.parts, kg.writer).refresh()
    assert not kg.writer.touched.current()
    expected = of_everybody(kg)
    assert expected != merged(kg)
    kg._merger.resolve()
    assert merged(kg) == expected


FACTS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(("MET", "KNEW")), st.sampled_from(LABELS)), min_size=1, max_size=3)
ALIASES = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(("Al", "ann lee", "B. Ray", "Halden"))), max_size=2)


class Histories(RuleBasedStateMachine):
    """After any history of documents and decisions the merges are those that resolving all entities would give."""

    @initialize()
    def begin(self) -> None:
        self.kg = graph()
        self.held: set[str] = set()

    @rule(name=st.sampled_from("uvwxyz"), facts=FACTS, aliases=ALIASES, topic=st.sampled_from(("", "", *LABELS)))
    def tell(self, name: str, facts: list[Said], aliases: list[tuple[str, str]], topic: str) -> None:
        kept = [fact for fact in facts if fact[0] != fact[2]]
        spoken_of = {label for subject, _, object in kept for label in (subject, object)}
        self.held.add(name)
        state(self.kg, name, kept, aliases if kept else [], topic if topic in spoken_of else "")

    @precondition(lambda self: self.held)
    @rule(number=st.integers(0, 100))
    def delete(self, number: int) -> None:
        name = sorted(self.held)[number % len(self.held)]
        self.held.remove(name)
        self.kg.delete(name)

    @rule(one=st.sampled_from(LABELS), other=st.sampled_from(LABELS), part=st.booleans())
    def decide(self, one: str, other: str, part: bool) -> None:
        try:
            if part:
                self.kg._merger.unmerge(node(one), AGENT)
            else:
                self.kg._merger.merge(node(one), node(other), AGENT, "a test")
        except SemkgError:
            return

    @rule()
    def cluster(self) -> None:
        Clustering(self.kg.parts, self.kg.writer).refresh()

    @rule()
    def resolve(self) -> None:
        expected = of_everybody(self.kg)
        self.kg._merger.resolve()
        assert merged(self.kg) == expected

    @invariant()
    def the_mark_stands_only_where_all_is_resolved(self) -> None:
        if self.kg.writer.touched.current():
            assert merged(self.kg) == of_everybody(self.kg)

    def teardown(self) -> None:
        self.resolve()
        assert self.kg.doctor().healthy


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=25, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck))
