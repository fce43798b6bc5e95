"""Dates and quantities in a text as typed literals (XML Schema 1.1 part 2: date, gYearMonth, gYear, integer, decimal)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from pyoxigraph import Literal

from semkg.vocab import XSD

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
_MONTH_NUMBER = {short: number for number, name in enumerate(_MONTHS, 1) for short in (name, name[:3])} | {"sept": 9}
_MONTH = "|".join(name.capitalize() for name in _MONTHS) + r"|(?:" + "|".join(name[:3].capitalize() for name in _MONTHS) + r"|Sept)\b\.?"
_DATE = re.compile(
    rf"""(?<!\d[,.–/-])\b(?:
      (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH}),?\s+(?P<year>\d{{3,4}})\b
    | (?P<month2>{_MONTH})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<year2>\d{{3,4}})\b
    | (?P<month3>{_MONTH}),?\s+(?P<year3>\d{{4}})\b
    | (?P<year4>\d{{4}})-(?P<month4>\d{{2}})-(?P<day4>\d{{2}})\b
    | (?:AD\s+)?(?P<year5>1\d{{3}}|20\d{{2}}|[3-9]\d{{2}})(?![\d,]*\d|s\b|-|–|\.\d|%)
    )(?!\s*(?:BC|BCE|B\.C\.)\b)""",
    re.VERBOSE,
)

_NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$", re.ASCII)
_SCALE = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 1_000_000_000_000}
_SMALL_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS = {word: number for number, word in enumerate(_SMALL_NUMBERS, 1)}


@dataclass(frozen=True, slots=True)
class Dated:
    """A date at `start:end` of a text."""

    start: int
    end: int
    value: Literal
    bare_year: bool


def dates_in(text: str) -> Iterator[Dated]:
    """All dates of a text that name a year between 300 and 2099 of the Common Era.

    >>> [dated.value.value for dated in dates_in("11 November 875, May 25, 1979, June 2001, 1950 and the 1920s")]
    ['0875-11-11', '1979-05-25', '2001-06', '1950']
    """
    for match in _DATE.finditer(text):
        parts = {name.rstrip("2345"): value for name, value in match.groupdict().items() if value}
        value = _literal(parts)
        if value is not None:
            yield Dated(match.start(), match.end(), value, set(parts) == {"year"})


def _literal(parts: dict[str, str]) -> Literal | None:
    year = int(parts["year"])
    if "month" not in parts:
        return Literal(f"{year:04}", datatype=XSD.gYear)
    month = _month(parts["month"])
    if "day" not in parts:
        return Literal(f"{year:04}-{month:02}", datatype=XSD.gYearMonth)
    try:
        return Literal(date(year, month, int(parts["day"])).isoformat(), datatype=XSD.date)
    except ValueError:
        return None  # the 30th of February


def _month(text: str) -> int:
    return int(text) if text.isdigit() else _MONTH_NUMBER[text.lower().rstrip(".")]


def quantity(words: list[str]) -> Literal | None:
    """The number that some words in a row spell, None where they spell none.

    >>> quantity(["3.5", "million"]).value, quantity(["12,000"]).value, quantity(["many"])
    ('3500000', '12000', None)
    """
    if not words:
        return None
    first, *scales = [word.lower() for word in words]
    if not (_NUMBER.match(first) or first in _WORDS) or any(scale not in _SCALE for scale in scales):
        return None
    value = Decimal(_WORDS.get(first) or first.replace(",", ""))
    for scale in scales:
        value *= _SCALE[scale]
    whole = value == value.to_integral_value()
    return Literal(str(int(value)), datatype=XSD.integer) if whole else Literal(f"{value.normalize():f}", datatype=XSD.decimal)
