"""Whose words a passage has can be told from hashes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from semkg.retrieve.vocabulary import hashed, holders, joined

WORDS = st.sampled_from(("lamp", "vale", "köln", "of", "holt", "2"))
TEXTS = st.lists(st.lists(WORDS, max_size=5), max_size=6)


@given(TEXTS, st.lists(st.lists(WORDS, min_size=1, max_size=3), max_size=3))
def test_the_holders_of_a_name_have_all_of_its_words(texts: list[list[str]], names: list[list[str]]) -> None:
    words, starts = joined([hashed(text) for text in texts])
    expected = {place for place, text in enumerate(texts) for name in names if set(name) <= set(text)}
    assert holders(words, starts, map(" ".join, names)) == expected


@given(TEXTS)
def test_each_passage_keeps_its_hashes(texts: list[list[str]]) -> None:
    words, starts = joined([hashed(text) for text in texts])
    assert len(starts) == len(texts) + 1
    for place, text in enumerate(texts):
        assert words[starts[place] : starts[place + 1]].tolist() == hashed(text).tolist()
        assert len(hashed(text)) == len(set(text))
