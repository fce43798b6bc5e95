"""Names in texts: the first and longest, as comparing with every name would find."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semkg.retrieve.naming import LONGEST, Found, NameTable, variants, words_of

words = st.lists(st.sampled_from("abc"), max_size=12)
names = st.sets(st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(" ".join), max_size=8)


def compared(names: set[str], text: Sequence[str]) -> list[Found]:
    """From left to right: the longest name that begins at a word, then on behind it."""
    found, place = [], 0
    while place < len(text):
        ends = [end for end in range(place + 1, len(text) + 1) if " ".join(text[place:end]) in names]
        found += [Found(" ".join(text[place : max(ends)]), place, max(ends))] if ends else []
        place = max(ends, default=place + 1)
    return found


@settings(deadline=None)
@given(names, words)
def test_a_table_finds_what_comparing_with_every_name_finds(names: set[str], text: list[str]) -> None:
    assert list(NameTable(names).find(text)) == compared(names, text)


def test_an_empty_table_finds_nothing() -> None:
    assert list(NameTable([]).find(["a"])) == []


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("Alien (film)", {"alien", "alien film"}),
        ("Alien (1979 film) (restored)", {"alien 1979 film", "alien 1979 film restored"}),
        ("(Alien)", {"alien"}),
        ("José Ñandú", {"jose nandu"}),
        ("AT&amp;T", {"at t"}),
        ("The Lamp", {"lamp"}),
        ("X", set()),
        ("It", set()),
        ("", set()),
        ("()", set()),
        ("  ", set()),
        (" ".join(["word"] * LONGEST), {" ".join(["word"] * LONGEST)}),
        (" ".join(["word"] * (LONGEST + 1)), set()),
    ],
)
def test_a_name_is_known_whole_and_without_its_disambiguation(name: str, forms: set[str]) -> None:
    assert variants(name) == forms


@settings(deadline=None)
@given(st.text(max_size=40))
def test_a_name_is_found_whole_in_the_text_that_it_is(name: str) -> None:
    text = words_of(name)
    whole = " ".join(text)
    if whole in variants(name):
        assert list(NameTable(variants(name)).find(text)) == [Found(whole, 0, len(text))]


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_words_in_the_normal_form_of_names(text: str) -> None:
    assert all(word and " " not in word for word in words_of(text))
