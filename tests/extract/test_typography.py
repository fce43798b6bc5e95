"""Mending keeps every code point's way back to the original."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.extract.typography import mend

NOISE = st.lists(
    st.sampled_from(
        [
            "Ada",
            "lind",
            " ",
            "  ",
            "(",
            ")",
            "( 1950)",
            '"',
            "“",
            "”",
            "- ",
            "*",
            "**",
            "_",
            "’s",
            " 's",
            "\n",
            "[1]",
            "[a](b)",
            "é",
            "D' ",
            "🜂",
            "x" * 130,
        ]
    ),
    max_size=40,
).map("".join)


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("Odila( died 875) was rich", "Odila was rich"),
        ("the feature- length film", "the feature-length film"),
        ("pre- and post-war", "pre- and post-war"),
        ("Karl D' Arbo, Karl O' Neil", "Karl D'Arbo, Karl O'Neil"),
        ("Arbo 's tower", "Arbo's tower"),
        ('the film" Two Moons" and" Sun"', 'the film "Two Moons" and "Sun"'),
        ("as shown [12] by [the Survey](https://example.org/s)", "as shown by the Survey"),
        ("a **bold** word, snake_case stays", "a bold word, snake_case stays"),
        ('a pipe of 5" width', 'a pipe of 5" width'),
    ],
)
def test_spacing_noise_is_closed_up(text: str, mended: str) -> None:
    assert mend(text).text == mended


def test_brackets_become_asides_with_their_place() -> None:
    text = "Odila( died 875) ruled (with him) ."
    assert [(aside.text, text[aside.start : aside.end]) for aside in mend(text).asides] == [
        ("died 875", "( died 875)"),
        ("with him", "(with him)"),
    ]


def test_quoted_and_emphasised_spans_are_titles() -> None:
    mended = mend('She wrote “Two Moons”, " Sun" and *Dust*.')
    assert [mended.text[start:end] for start, end in mended.titles] == ["Two Moons", "Sun", "Dust"]


@given(st.one_of(st.text(), NOISE))
def test_every_kept_code_point_leads_back_to_itself(text: str) -> None:
    mended = mend(text)
    for position, char in enumerate(mended.text):
        assert text[mended.origin(position)] == char or char == " "


@given(NOISE)
def test_spans_stay_inside_the_original_and_grow_with_the_mended_text(text: str) -> None:
    mended = mend(text)
    for end in range(1, len(mended.text) + 1):
        start, last = mended.span(0, end)
        assert 0 <= start < last <= len(text)


def test_a_word_without_end_is_left_out() -> None:
    assert mend("a " + "x" * 1_000_000 + " b").text.split() == ["a", "b"]
