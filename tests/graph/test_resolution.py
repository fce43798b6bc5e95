"""Which entities are one: each rule with the case that it must leave alone, and independence of the order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.graph.naming import contested
from semkg.graph.resolution import Candidate, resolve

WORDS = st.lists(st.sampled_from(("J", "Jan", "Jo", "R", "Ruth", "Holt", "Vale", "of")), min_size=1, max_size=4).map(" ".join)

NEVER: frozenset[frozenset[str]] = frozenset()


def candidate(
    iri: str,
    label: str,
    type: str = "Person",
    aliases: tuple[str, ...] = (),
    documents: tuple[str, ...] = (),
    near: tuple[str, ...] = (),
    topic: bool = False,
) -> Candidate:
    return Candidate(iri, label, type, frozenset(aliases), frozenset(documents or (f"d-{iri}",)), frozenset(near), topic)


def merged(*candidates: Candidate, similarity: float = 0.9, apart: frozenset[frozenset[str]] = NEVER) -> dict[str, str]:
    found = resolve(candidates, lambda a, b: similarity, apart)
    return {member: into for member, (into, _) in found.items()}


def test_spellings_of_one_name_are_one_entity() -> None:
    assert merged(
        candidate("a", "The Beatles", "Group", topic=True), candidate("b", "Beatles", "Group"), candidate("c", "THE BEATLES", "Group")
    ) == {
        "b": "a",
        "c": "a",
    }


def test_accents_do_not_part_a_name() -> None:
    assert merged(candidate("a", "Émile Zola"), candidate("b", "Emile Zola")) != {}


def test_homonyms_of_different_classes_stay_apart() -> None:
    assert merged(candidate("a", "Paris", "Place"), candidate("b", "Paris", "Person")) == {}
    assert merged(candidate("a", "Louis Vuitton", "Person"), candidate("b", "Louis Vuitton", "Organization")) == {}


def test_a_class_that_was_mistaken_is_mended_where_the_surroundings_agree() -> None:
    assert merged(candidate("a", "Montclar", "Place", documents=("d",)), candidate("b", "Montclar", "Organization", documents=("d",))) != {}


def test_a_telling_name_is_enough_for_classes_that_are_easily_confused() -> None:
    assert merged(candidate("a", "Halden Observatory", "Organization"), candidate("b", "Halden Observatory", "Place")) != {}


def test_titles_with_different_qualifiers_stay_apart() -> None:
    first = candidate("a", "The Return (1916 film)", "Work", aliases=("The Return",), topic=True)
    second = candidate("b", "The Return (2003 film)", "Work", aliases=("The Return",), topic=True)
    assert merged(first, second) == {}


def test_an_alias_of_one_entity_alone_brings_in_its_mentions() -> None:
    owner = candidate("a", "Xawery Żuławski (director)", aliases=("Xawery Żuławski",), topic=True)
    assert merged(owner, candidate("b", "Xawery Zulawski")) == {"b": "a"}


def test_an_alias_that_two_claim_brings_in_nothing() -> None:
    first = candidate("a", "The Return (1916 film)", "Work", aliases=("The Return",), topic=True)
    second = candidate("b", "The Return (2003 film)", "Work", aliases=("The Return",), topic=True)
    assert merged(first, second, candidate("c", "The Return", "Work")) == {}


@pytest.mark.parametrize(("similarity", "documents", "expected"), [(0.9, ("d",), True), (0.5, ("d",), False), (0.9, (), False)])
def test_initials_need_likeness_and_common_surroundings(similarity: float, documents: tuple[str, ...], expected: bool) -> None:
    full = candidate("a", "John Ronald Reuel Tolkien", documents=documents)
    short = candidate("b", "J. R. R. Tolkien", documents=documents)
    assert bool(merged(full, short, similarity=similarity)) is expected


def test_another_first_name_is_another_person() -> None:
    assert merged(candidate("a", "Marie Curie", documents=("d",)), candidate("b", "Maria Salomea Curie", documents=("d",))) == {}


def test_what_a_person_declared_different_never_meets_again() -> None:
    pair = frozenset({frozenset({"a", "b"})})
    assert merged(candidate("a", "Ann Lee"), candidate("b", "Ann Lee "), apart=pair) == {}
    with_third = merged(candidate("a", "Ann Lee"), candidate("b", "Ann Lee "), candidate("c", "ann lee"), apart=pair)
    assert len(with_third) == 1


def test_the_canonical_entity_is_the_one_a_document_is_about() -> None:
    busy = candidate("a", "IBM", "Organization", documents=("1", "2", "3"))
    assert merged(busy, candidate("b", "Ibm", "Organization", topic=True)) == {"a": "b"}


LABELS = st.sampled_from(["Ann Lee", "Ann B. Lee", "A. Lee", "ann lee", "The Ann Lee", "Paris", "paris", "Lee"])


@given(
    st.lists(
        st.tuples(
            LABELS, st.sampled_from(["Person", "Place", "Organization"]), st.sets(LABELS, max_size=2), st.sets(st.sampled_from("123"))
        ),
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_candidates_does_not_matter(rows: list[tuple[str, str, set[str], set[str]]], shuffled: random.Random) -> None:
    pool = [candidate(f"e{number}", label, type, tuple(aliases), tuple(docs)) for number, (label, type, aliases, docs) in enumerate(rows)]
    expected = resolve(pool, lambda a, b: 0.8, NEVER)
    shuffled.shuffle(pool)
    assert resolve(pool, lambda a, b: 0.8, NEVER) == expected
    assert all(into not in expected for into, _ in expected.values()), "a merge points at a canonical entity"


@given(st.lists(st.tuples(WORDS, st.sampled_from(("Person", "Place", "Work")), st.lists(WORDS, max_size=2), st.booleans()), max_size=12))
def test_entities_whose_names_stand_alone_change_nothing(rows: list[tuple[str, str, list[str], bool]]) -> None:
    everyone = [
        candidate(f"e{number}", label, type, tuple(aliases), (f"d{number % 3}",), (f"e{(number + 1) % 12}",), topic)
        for number, (label, type, aliases, topic) in enumerate(rows)
    ]
    known = contested({one.iri: one.label for one in everyone}, {one.iri: one.aliases for one in everyone})
    assert merged(*(one for one in everyone if one.iri in known)) == merged(*everyone)


def test_a_crowd_of_names_is_tried_as_a_whole() -> None:
    labels = {f"e{number}": f"County N{number} Vale" for number in range(250)}
    assert contested(labels, {}) == labels.keys()
    assert contested(dict(list(labels.items())[:100]), {}) == set()
