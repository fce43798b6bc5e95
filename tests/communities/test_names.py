"""Which names could be names of one thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.communities.names import comparable

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
