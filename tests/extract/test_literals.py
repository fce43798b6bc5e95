"""Dates and quantities get the datatypes of XML Schema."""

from __future__ import annotations

import pytest

from semkg.extract.literals import dates_in, quantity
from semkg.vocab import XSD


@pytest.mark.parametrize(
    ("text", "value", "datatype"),
    [
        ("died 11 November 875 in exile", "0875-11-11", XSD.date),
        ("on the 3rd of May 1950", "1950-05-03", XSD.date),
        ("on May 25, 1979", "1979-05-25", XSD.date),
        ("on Sept. 4, 1901", "1901-09-04", XSD.date),
        ("on 1979-05-25", "1979-05-25", XSD.date),
        ("in June 2001", "2001-06", XSD.gYearMonth),
        ("in 1950", "1950", XSD.gYear),
        ("in AD 931", "0931", XSD.gYear),
    ],
)
def test_dates_are_normalised(text: str, value: str, datatype: object) -> None:
    (dated,) = dates_in(text)
    assert (dated.value.value, dated.value.datatype) == (value, datatype)


@pytest.mark.parametrize("text", ["the 1920s", "12,000 people", "30 February 1950", "44 BC", "300 BC", "3.14", "room 99", "1990–1993"])
def test_what_is_no_single_date_is_left_alone(text: str) -> None:
    assert not [dated for dated in dates_in(text) if text != "1990–1993" or dated.start == 0]


@pytest.mark.parametrize(
    ("words", "value", "datatype"),
    [
        (["12,000"], "12000", XSD.integer),
        (["3.5", "million"], "3500000", XSD.integer),
        (["2.75"], "2.75", XSD.decimal),
        (["seven"], "7", XSD.integer),
    ],
)
def test_quantities_are_numbers(words: list[str], value: str, datatype: object) -> None:
    literal = quantity(words)
    assert literal is not None
    assert (literal.value, literal.datatype) == (value, datatype)


@pytest.mark.parametrize("words", [[], ["many"], ["12", "people"], ["1,2"], ["١٢"]])
def test_what_is_no_number_gives_none(words: list[str]) -> None:
    assert quantity(words) is None
