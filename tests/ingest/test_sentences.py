"""Which full stops end a sentence, in several languages and scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.ingest.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Mr. Smith met Dr. Jones at St. Mary's.",
        "J. K. Rowling and George R. R. Martin write.",
        "It rose by 3.5 percent to 1.200 units.",
        "See Fig. 3 and Eq. 4, e.g. the last, i.e. this one.",
        "The U.S. Senate and the Acme Inc. board agreed.",
        "Well... perhaps not.",
        "“Why?” he asked.",
        "Er kam am 3. Oktober mit Hrn. Weber, d.h. spät.",
        "Kim et al. (2017) said so.",
        "3. The third point",
        "Version 2.0.1 runs on example.org today.",
    ],
)
def test_one_sentence_stays_one(sentence: str) -> None:
    assert split(sentence) == [sentence]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("He left. She stayed! Did they? Yes.", ["He left.", "She stayed!", "Did they?", "Yes."]),
        ("He moved to the U.S. The year was 1990.", ["He moved to the U.S.", "The year was 1990."]),
        ("They sold tea, rice etc. In 1990 they stopped.", ["They sold tea, rice etc.", "In 1990 they stopped."]),
        ('She said "Go." Then he went.', ['She said "Go."', "Then he went."]),
        ("東京は首都です。人口は多い！本当？", ["東京は首都です。", "人口は多い！", "本当？"]),
        ("यह एक वाक्य है। यह दूसरा है।", ["यह एक वाक्य है।", "यह दूसरा है।"]),
        ("هل هذا نهر؟ نعم هو نهر.", ["هل هذا نهر؟", "نعم هو نهر."]),
        ("Это река. Она длинная.", ["Это река.", "Она длинная."]),
        ("Title without a stop\n\nThe text begins.", ["Title without a stop", "The text begins."]),
        ("Two kinds:\n- one\n- two", ["Two kinds:", "- one", "- two"]),
        ("He was born in 1850. In 1870 he left.", ["He was born in 1850.", "In 1870 he left."]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, parts: list[str]) -> None:
    assert split(text) == parts


@given(st.text(max_size=300))
def test_every_visible_character_is_in_exactly_one_sentence(text: str) -> None:
    assert "".join("".join(split(text)).split()) == "".join(text.split())
