"""Every relation has an UPPER_SNAKE_CASE notation."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.extract.notation import dated, in_words, notation, participle, past


@pytest.mark.parametrize(
    ("lemma", "tense", "form"),
    [
        ("star", "starred", "starred"),
        ("carry", "carried", "carried"),
        ("play", "played", "played"),
        ("remake", "remade", "remade"),
        ("write", "wrote", "written"),
    ],
)
def test_verbs_are_inflected(lemma: str, tense: str, form: str) -> None:
    assert (past(lemma), participle(lemma)) == (tense, form)


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_a_notation_is_upper_snake_case_or_empty(words: list[str]) -> None:
    assert re.fullmatch(r"(?:[A-Z0-9]+(?:_[A-Z0-9]+)*)?", notation(*words))


def test_accents_are_folded() -> None:
    assert notation("attaché", "in") == "ATTACHE_IN"


def test_relations_to_dates_are_not_called_like_relations_to_things() -> None:
    assert dated("based", "on") != notation("based", "on")


def test_a_notation_reads_as_words() -> None:
    assert in_words("HALF_BROTHER_OF") == "half brother of"
