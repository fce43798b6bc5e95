"""The adjacency is what the store says, and the same whether it is derived from nothing or from an earlier one."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from semkg import KnowledgeGraph
from semkg.errors import BadInput
from semkg.graph.ledger import Changes
from semkg.model import Status
from semkg.retrieve import derivation
from semkg.retrieve.adjacency import NONE, Adjacency
from semkg.retrieve.derivation import derive
from tests.graph.worlds import NAMES, graph
from tests.retrieve.worlds import Saying, enter, iri, same, standing

HOLT: Saying = ("Mira Holt met Jan Vale.", [("Mira Holt", "MET", "Jan Vale")])
VALE: Saying = ("Jan Vale knew the Quiet Lamp.", [("Jan Vale", "KNEW", "Quiet Lamp")])


def derived(kg: KnowledgeGraph, previous: Adjacency | None = None, changes: Changes | None = None) -> Adjacency:
    return derive(kg.parts.store, kg.parts.layout, previous, changes)


def found(made: Adjacency, text: str, kg: KnowledgeGraph) -> set[str]:
    """Names that stand in the passage with this text."""
    (chunk,) = (passage for passage in made.passages if kg.parts.store.ask(f'ASK {{ <{passage}> ?p "{text}" }}'))
    return {name for passage, name in standing(made.found, made.passages, made.names) if passage == chunk}


def test_an_empty_graph_has_an_empty_adjacency() -> None:
    kg = graph()
    made = derived(kg)
    assert (made.passages, made.entities, made.triplets, made.names, made.edges) == ((), (), (), (), 0)
    same(derived(kg, made), made)


def test_a_passage_mentions_states_and_speaks_of_what_others_are_about() -> None:
    kg = graph()
    _, (holt,) = enter(kg, "holt", [HOLT], "Mira Holt", "Mira Holt")
    _, (vale,) = enter(kg, "vale", [VALE], "Jan Vale", "Jan Vale")
    made = derived(kg)
    assert made.passages == tuple(sorted((holt.iri.value, vale.iri.value)))
    assert made.names == ("jan vale", "mira holt")
    assert standing(made.mentions, made.entities, made.passages) == {
        (iri("Mira Holt"), holt.iri.value),
        (iri("Jan Vale"), holt.iri.value),
        (iri("Jan Vale"), vale.iri.value),
        (iri("Quiet Lamp"), vale.iri.value),
    }
    assert standing(made.about, made.names, made.passages) == {("mira holt", holt.iri.value), ("jan vale", vale.iri.value)}
    assert standing(made.speaks, made.passages, made.names) == {(holt.iri.value, "jan vale")}
    ends = {(made.entities[s], made.entities[o]) for s, o in zip(made.subject_of, made.object_of, strict=True)}
    assert ends == {(iri("Mira Holt"), iri("Jan Vale")), (iri("Jan Vale"), iri("Quiet Lamp"))}
    assert {made.passages[number] for number in made.passage_of} == {holt.iri.value, vale.iri.value}
    assert [made.names[number] if number != NONE else "" for number in made.name_of] == [
        {iri("Mira Holt"): "mira holt", iri("Jan Vale"): "jan vale"}.get(entity, "") for entity in made.entities
    ]


def test_all_chunks_of_a_document_are_about_its_subject() -> None:
    kg = graph()
    _, chunks = enter(kg, "holt", [HOLT, VALE, ("Nothing else.", [])], "Mira Holt", "Mira Holt")
    made = derived(kg)
    assert standing(made.about, made.names, made.passages) == {("mira holt", chunk.iri.value) for chunk in chunks}


def test_a_document_without_a_topic_is_found_by_its_title_alone() -> None:
    kg = graph()
    enter(kg, "lamp", [VALE], "Quiet Lamp")
    made = derived(kg)
    assert made.names == ("quiet lamp",)
    assert set(made.name_of.tolist()) == {NONE}
    assert made.speaks.nnz == 0, "a passage does not speak of what it is about"


def test_several_documents_share_a_name() -> None:
    kg = graph()
    chunks = [enter(kg, source, [(f"Of {source}.", [])], title)[1][0] for source, title in (("a", "Alien (film)"), ("b", "Alien (game)"))]
    made = derived(kg)
    assert made.names == ("alien", "alien film", "alien game")
    assert standing(made.about, made.names, made.passages) >= {("alien", chunk.iri.value) for chunk in chunks}


@pytest.mark.parametrize(
    ("title", "text", "name"),
    [
        ("José Ñandú", "They met JOSE NANDU there.", "jose nandu"),
        ("Øre of Łódź", "In the Ore of Lodz.", "ore of lodz"),
        ("R&amp;D Lab", "At the R&D Lab.", "r d lab"),
        ("AC&#47;DC", "A record of AC/DC.", "ac dc"),
        ("The Lamp", "A lamp.", "lamp"),
        ("Alien (film)", "She saw Alien.", "alien"),
        ("(Untitled)", "It was untitled.", "untitled"),
        ("東京 Tower", "The 東京 tower.", "東京 tower"),
    ],
)
def test_a_name_is_found_in_any_of_its_forms(title: str, text: str, name: str) -> None:
    kg = graph()
    enter(kg, "subject", [("Something.", [])], title)
    enter(kg, "speaker", [(text, [])], "Unlikely Speaker")
    assert found(derived(kg), text, kg) == {name}


@pytest.mark.parametrize("title", ["A", "Q", "(A)", "…", "It", "one two three four five six seven eight nine ten eleven twelve thirteen"])
def test_a_name_that_stands_everywhere_or_nowhere_is_not_looked_for(title: str) -> None:
    kg = graph()
    enter(kg, "subject", [(f"{title} is a title.", [])], title)
    assert derived(kg).names == ()


def test_the_longest_name_at_a_place_counts() -> None:
    kg = graph()
    for title in ("New York", "York", "New York City"):
        enter(kg, title, [(f"Of {title.lower()[::-1]}.", [])], title)
    text = "From New York City to York."
    enter(kg, "trip", [(text, [])], "Trip")
    assert found(derived(kg), text, kg) == {"new york city", "york"}


@pytest.mark.parametrize("gone", ["New York", "New York City", "York"])
def test_a_shorter_name_is_found_where_a_longer_one_went_and_the_other_way_round(gone: str) -> None:
    kg = graph()
    for title in ("New York", "York", "New York City"):
        enter(kg, title, [(f"Of {title.lower()[::-1]}.", [])], title)
    enter(kg, "trip", [("From New York City to York.", [])], "Trip")
    before = derived(kg)
    kg.delete(gone)
    after = derived(kg, before)
    same(after, derived(kg))
    assert gone.lower() not in found(after, "From New York City to York.", kg)
    same(derived(kg, derived(kg, after)), after)
    enter(kg, gone, [("Back.", [])], gone)
    same(derived(kg, after), derived(kg))


def test_an_alias_of_several_words_names_a_subject() -> None:
    kg = graph()
    enter(kg, "holt", [HOLT], "Mira Holt", "Mira Holt", aliases=["The Lamp Lady", "Lampy"])
    assert derived(kg).names == ("lamp lady", "mira holt")


@pytest.mark.parametrize("status", [Status.STAGED, Status.RETRACTED])
def test_what_is_not_asserted_is_left_out(status: Status) -> None:
    kg = graph()
    enter(kg, "holt", [HOLT], status=status)
    enter(kg, "vale", [VALE])
    made = derived(kg)
    assert len(made.triplets) == 1
    assert made.entities[made.subject_of[0]] == iri("Jan Vale")


def test_a_literal_is_no_end_of_a_triplet() -> None:
    kg = graph()
    enter(kg, "holt", [HOLT], "Mira Holt", "Mira Holt", aliases=["Lamp Lady"])
    made = derived(kg)
    assert sorted(made.object_of.tolist()).count(NONE) == 1
    assert NONE not in made.subject_of


def test_what_was_merged_counts_for_the_one_that_it_was_merged_into() -> None:
    kg = graph()
    _, (holt,) = enter(kg, "holt", [HOLT], "Mira Holt", "Mira Holt")
    _, (other,) = enter(kg, "other", [("M. Holt knew Ida.", [("M. Holt", "KNEW", "Ida")])], "M. Holt", "M. Holt")
    before = derived(kg)
    kg.merge(iri("M. Holt"), iri("Mira Holt"))
    after = derived(kg, before)
    same(after, derived(kg))
    assert iri("M. Holt") in before.entities
    mentioned = standing(after.mentions, after.entities, after.passages)
    assert {(iri("Mira Holt"), holt.iri.value), (iri("Mira Holt"), other.iri.value)} <= mentioned
    assert iri("M. Holt") not in {entity for entity, _ in mentioned}
    about = standing(after.about, after.names, after.passages)
    assert {(name, chunk.iri.value) for name in ("m holt", "mira holt") for chunk in (holt, other)} <= about
    kg.unmerge(iri("M. Holt"))
    back = derived(kg, after)
    same(back, derived(kg))
    assert standing(back.mentions, back.entities, back.passages) == standing(before.mentions, before.entities, before.passages)


LABELS = ("Mira Holt", "M. Holt", "Holt", "Jan Vale", "José Ñandú", "Alien (film)", "New York", "York", "New York City", "Quiet Lamp")
SOURCES = tuple("abcd")

labels = st.sampled_from(LABELS)
facts = st.lists(st.tuples(labels, st.sampled_from(["MET", "KNEW"]), labels).filter(lambda fact: fact[0] != fact[2]), max_size=2)
texts = st.lists(st.sampled_from([*LABELS, "Jose Nandu", "alien", "new", "and", "city", "Lamp Lady"]), min_size=1, max_size=6).map(" ".join)
sayings = st.lists(st.tuples(texts, facts), min_size=1, max_size=3, unique_by=lambda saying: saying[0])


def test_what_is_read_at_once_is_what_is_looked_up_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    kg = graph()
    enter(kg, "holt", [HOLT], "Mira Holt", "Mira Holt")
    enter(kg, "vale", [VALE], "Jan Vale", "Jan Vale")
    kg.merge(iri("Quiet Lamp"), iri("Mira Holt"))
    expected = derived(kg)
    assert set(expected.passage_of.tolist()) == {0, 1}
    monkeypatch.setattr(derivation, "FEW", 0)
    same(derived(kg), expected)


class Histories(RuleBasedStateMachine):
    """Documents come, change and go, entities are merged and unmerged: every adjacency can be derived from every earlier one."""

    @initialize()
    def nothing(self) -> None:
        self.kg = graph()
        self.earlier = [derived(self.kg)]
        self.kg.writer.ledger.follow(self.kg.parts.store.generation)

    @rule(
        source=st.sampled_from(SOURCES),
        says=sayings,
        title=st.sampled_from(["", *LABELS]),
        about=st.booleans(),
        alias=st.sampled_from(["Lamp Lady", "New York", "Lampy"]),
        status=st.sampled_from([Status.ASSERTED, Status.ASSERTED, Status.STAGED]),
    )
    def tell(self, source: str, says: list[Saying], title: str, about: bool, alias: str, status: Status) -> None:
        first = says[0][1]
        enter(self.kg, source, says, title, first[0][0] if about and first else "", [alias], status=status)

    @rule(source=st.sampled_from(SOURCES))
    def forget(self, source: str) -> None:
        with contextlib.suppress(BadInput):
            self.kg.delete(NAMES.document(source).value)

    @rule(one=labels, other=labels)
    def merge(self, one: str, other: str) -> None:
        with contextlib.suppress(BadInput):
            self.kg.merge(iri(one), iri(other))

    @rule(label=labels)
    def unmerge(self, label: str) -> None:
        with contextlib.suppress(BadInput):
            self.kg.unmerge(iri(label))

    @rule()
    def resolve(self) -> None:
        self.kg._merger.resolve()

    @invariant()
    def every_earlier_adjacency_leads_to_the_same(self) -> None:
        whole = derived(self.kg)
        for earlier in self.earlier:
            same(derived(self.kg, earlier), whole)
            changes = self.kg.writer.ledger.changes(earlier.generation, self.kg.parts.store.generation)
            assert changes is not None
            same(derived(self.kg, earlier, changes), whole)
        self.earlier = [self.earlier[0], *self.earlier[-2:], whole]

    @invariant()
    def the_numbers_agree_with_each_other(self) -> None:
        made = self.earlier[-1]
        for keys in (made.passages, made.entities, made.triplets, made.names):
            assert all(one < other for one, other in itertools.pairwise(keys))
        assert not made.speaks.multiply(made.subjects).nnz
        assert set(made.passage_of.tolist()) <= set(range(len(made.passages)))
        assert not set(made.subject_of.tolist()) - set(range(len(made.entities)))


Histories.TestCase.settings = settings(
    max_examples=40, stateful_step_count=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
TestHistories = Histories.TestCase
