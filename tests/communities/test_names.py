"""Which names could be names of one thing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semkg.communities.names import comparable, may_be_one, name_of
from semkg.communities.namesakes import Namesakes, asked, filed

LABELS = st.lists(
    st.sampled_from(("J.", "Jo", "Ruth", "Holt", "of", "Vale", "II", "I", "King", "UN", "(film)", ",")), min_size=1, max_size=5
).map(" ".join)

PEOPLE = [
    ("Holt", "Ruth Holt"),
    ("R. Holt", "Ruth Holt"),
    ("Ruth Holt", "Ruth A. Holt"),
    ("Ruth of Vale", "Ruth of Vale in Utah"),
    ("Ruth Holt", "Sir Ruth Holt"),
    ("Ruth", "Ruth of Vale"),
    ("Ruth Holt", "Ruth Holt, Duchess of Vale"),
    ("Ruth Holt", "Ruth Holt (painter)"),
    ("Van Holt", "VanHolt"),
]
OTHER_PEOPLE = [
    ("Ruth Holt", "Ruth Ann Holt"),
    ("Ruth Holt", "Ruth Holt Vale"),
    ("Ruth Ann Holt", "Ruth Mary Holt"),
    ("Ruth Holt I", "Ruth Holt II"),
    ("Ruth Holt", "Ruth Holt Jr."),
    ("Duke of Vale", "Simon, Duke of Vale"),
    ("Ann", "Ruth Ann Holt"),
    ("George Holt", "Henry George Holt"),
    ("R. Ann Holt", "Ruth Holt"),
    ("Vale", "Ruth of Vale"),
    ("Ruth Holt", "Ruth Holt and Jan Vale"),
    ("Shah Abbas I", "Shah Ismail"),
    ("Ruth Holt (painter)", "Ruth Holt (singer)"),
]
THINGS = [
    ("UN", "United Nations"),
    ("U.S.A.", "United States of America"),
    ("Mira", "Mira (film)"),
    ("Eagle Pass, Utah", "Eagle Pass"),
    ("Holt Press", "Holt Press Ltd"),
    ("Holt Castle", "Holt Castle in Vale"),
    ("Spider-Man", "Spiderman"),
]
OTHER_THINGS = [
    ("Mira (film)", "Mira (ship)"),
    ("House", "House of Holt"),
    ("Vale", "University of Vale"),
    ("Vale", "New Vale"),
    ("Mira", "Mira II"),
    ("Vale", "Vale Airport"),
    ("Holt", "Holt and Sons"),
    ("UN", "Upper Vale"),
]


@pytest.mark.parametrize(("short", "long"), PEOPLE)
def test_a_person_is_known_by_a_shorter_name(short: str, long: str) -> None:
    assert comparable(short, long, person=True)


@pytest.mark.parametrize(("one", "other"), OTHER_PEOPLE)
def test_what_tells_people_apart_keeps_their_names_apart(one: str, other: str) -> None:
    assert not comparable(one, other, person=True)


@pytest.mark.parametrize(("short", "long"), THINGS)
def test_a_thing_is_known_by_an_acronym_or_without_what_is_added(short: str, long: str) -> None:
    assert comparable(short, long)


@pytest.mark.parametrize(("one", "other"), OTHER_THINGS)
def test_a_part_or_a_neighbour_is_another_thing(one: str, other: str) -> None:
    assert not comparable(one, other)


@given(LABELS, LABELS, st.booleans())
def test_the_order_of_two_names_does_not_matter(one: str, other: str, person: bool) -> None:
    assert comparable(one, other, person) == comparable(other, one, person)


@settings(max_examples=300)
@given(LABELS, LABELS, st.booleans())
def test_names_of_one_thing_are_filed_where_the_other_is_looked_for(first: str, second: str, person: bool) -> None:
    one, other = name_of(first), name_of(second)
    if may_be_one(one, other, person):
        assert filed(one, person) & asked(other, person)
        assert filed(other, person) & asked(one, person)


@given(st.lists(LABELS, min_size=1, max_size=6), st.booleans())
def test_whoever_may_have_a_namesake_is_told_from_all_others(labels: list[str], person: bool) -> None:
    names = [name_of(label) for label in labels]
    namesakes = Namesakes(("group", name, person) for name in names)
    for place, name in enumerate(names):
        others = [*names[:place], *names[place + 1 :]]
        assert namesakes.may_have("group", name, person) == any(other is name or may_be_one(name, other, person) for other in others)
        assert not namesakes.may_have("another group", name, person)
