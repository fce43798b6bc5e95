"""Labels that the gate would refuse are not proposed; titles are names only where they look like names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.extract.labels import LONGEST, label_of, title_of


@pytest.mark.parametrize(
    ("text", "label"),
    [("the Lind Institute", "Lind Institute"), ("Ada Lind's", "Ada Lind"), ("“Two Moons”,", "Two Moons"), ("her Orrery", "Orrery")],
)
def test_labels_are_clean(text: str, label: str) -> None:
    assert label_of(text) == label


@pytest.mark.parametrize(
    "text", ["f(x) = 3", "x", "a" * (LONGEST + 1), "introduction", "std::vector", "!!!???a", "https://example.org", "42", "a \ufffd b"]
)
def test_labels_that_the_gate_refuses_are_not_proposed(text: str) -> None:
    assert label_of(text) is None


@given(st.text(max_size=200))
def test_a_label_is_never_too_long_or_empty(text: str) -> None:
    label = label_of(text)
    assert label is None or 2 <= len(label) <= LONGEST


@pytest.mark.parametrize("title", ["List of rivers", "Chapter 3", "notes_2.md", "report", "Introduction", "", "docs/plan", "x" * 80])
def test_headings_and_file_names_are_no_names(title: str) -> None:
    assert title_of(title, "Some text.") is None


def test_a_title_in_lower_case_is_a_name_where_the_text_repeats_it() -> None:
    assert title_of("optical glass", "Optical glass is a material.") is not None
    assert title_of("optical glass", "It is a material.") is None


def test_brackets_in_a_title_are_a_note() -> None:
    title = title_of("Ada Lind (1930 film)", "")
    assert title is not None
    assert (title.label, title.bare, title.noun) == ("Ada Lind (1930 film)", "Ada Lind", "film")
