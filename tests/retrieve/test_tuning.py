"""The parameters of retrieval: each can be set as a number or as text, and nothing else passes."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semkg.errors import UsageError
from semkg.retrieve import DEFAULT, Tuning

KINDS = {field.name: type(field.default) for field in fields(Tuning)}
NUMBERS = [name for name, kind in KINDS.items() if kind is not bool]
REFERENCE = Path(__file__).parents[2] / "docs" / "reference.md"


@pytest.mark.parametrize("name", KINDS)
def test_every_parameter_can_be_set_as_text(name: str) -> None:
    texts = {bool: "true", int: "3", float: "0.25"}
    values = {bool: True, int: 3, float: 0.25}
    kind = KINDS[name]
    found = getattr(DEFAULT.changed({name: texts[kind]}), name)
    assert (found, type(found)) == (values[kind], kind)


@pytest.mark.parametrize("name", KINDS)
def test_setting_what_is_there_changes_nothing(name: str) -> None:
    value = getattr(DEFAULT, name)
    assert DEFAULT.changed({name: value}) == DEFAULT.changed({name: str(value)}) == DEFAULT


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("YES", True), ("1", True), (" on ", True), ("false", False), ("no", False), ("0", False), (1, True)],
)
def test_a_truth_value_has_several_words(text: str | int, value: bool) -> None:
    assert DEFAULT.changed({"reciprocal": text}).reciprocal is value


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("wrong", ["", "much", "-1", "nan", "inf", "1e999", "0x10", -0.5, float("nan")])
def test_what_is_no_number_of_at_least_zero_is_refused(name: str, wrong: str | float) -> None:
    with pytest.raises(UsageError, match=f"{name} must be"):
        DEFAULT.changed({name: wrong})


@pytest.mark.parametrize("name", [name for name in NUMBERS if KINDS[name] is int])
def test_a_count_is_whole(name: str) -> None:
    with pytest.raises(UsageError, match="a whole number"):
        DEFAULT.changed({name: "2.5"})
    assert getattr(DEFAULT.changed({name: "2.0"}), name) == 2


@pytest.mark.parametrize("wrong", ["maybe", "2", ""])
def test_what_is_no_truth_value_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match="true or false"):
        DEFAULT.changed({"reciprocal": wrong})


def test_a_parameter_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"no retrieval parameter 'speed'.*damping"):
        DEFAULT.changed({"speed": 1})


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(KINDS)) | st.text(), st.text() | st.floats() | st.booleans()))
def test_anything_is_set_or_refused(given: dict[str, str | float | bool]) -> None:
    try:
        found = DEFAULT.changed(given)
    except UsageError:
        return
    assert all(type(getattr(found, name)) is kind for name, kind in KINDS.items())


def test_every_parameter_is_documented_with_its_default() -> None:
    section = REFERENCE.read_text(encoding="utf-8").split("## Parameters of retrieval")[1].split("\n## ")[0]
    told = dict(re.findall(r"^\| `(\w+)` \| ([^|]+?) \|", section, re.MULTILINE))
    assert told == {field.name: _as_written(field.default) for field in fields(Tuning)}


def _as_written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}"
