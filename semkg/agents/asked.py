"""What a question asks for: the words its answer must be connected by, and the kind of thing that answers it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from semkg.ids import normal_name
from semkg.retrieve.stems import STOP, stem


class Wanted(Enum):
    """The kind of answer; `ANY` where the question does not say."""

    PERSON = "person"
    AGENT = "person or organisation"
    PLACE = "place"
    TIME = "time"
    NUMBER = "number"
    ANY = "anything"


@dataclass(frozen=True, slots=True)
class Asked:
    """`words`: stems of the content words that are part of no entity's name, in order."""

    words: tuple[str, ...]
    wanted: Wanted


_OPENINGS: tuple[tuple[str, Wanted], ...] = (
    (r"\bdate of (birth|death)\b", Wanted.TIME),
    (r"\b(place of (birth|death|burial)|birthplace)\b", Wanted.PLACE),
    (r"\b(when|what year|which year|what date|in what year|in which year|what time|which century|what day)\b", Wanted.TIME),
    (r"\b(where|what (city|town|country|place|village|state|region)|which (city|town|country|place|village|state|region))\b", Wanted.PLACE),
    (r"\b(how (many|much|long|old|tall|far|large|high|wide|deep|heavy))\b", Wanted.NUMBER),
    (r"\b(what|which) (person|man|woman|actor|actress|writer|author|director|scientist|engineer|singer)\b", Wanted.PERSON),
    (r"\b(who|whom|whose)\b", Wanted.AGENT),
)


def asked(question: str, names: Iterable[str]) -> Asked:
    """Take a question apart.

    Args:
        question: as it was asked.
        names: the parts of it that name entities, normalised.

    >>> asked("Where was the founder of Acme born?", ["acme"])
    Asked(words=('found', 'born'), wanted=<Wanted.PLACE: 'place'>)
    """
    rest = f" {normal_name(question)} "
    for name in sorted(names, key=len, reverse=True):
        rest = rest.replace(f" {name} ", " ") if name else rest
    words = (stem(word) for word in rest.split() if word not in STOP and len(word) > 1)
    return Asked(tuple(dict.fromkeys(words)), _wanted(question.lower()))


def _wanted(question: str) -> Wanted:
    found = [(match.start(), wanted) for pattern, wanted in _OPENINGS if (match := re.search(pattern, question))]
    return min(found, key=lambda item: item[0])[1] if found else Wanted.ANY


_CLOSED = re.compile(r"\s*(?:is|are|was|were|do|does|did|has|have|had|can|could)\b", re.IGNORECASE)


def closed(question: str) -> bool:
    """Is this answered by yes or no?

    >>> closed("Are Ada and Charles from one country?"), closed("Is it Ada or Charles?"), closed("Who is Ada?")
    (True, False, False)
    """
    return bool(_CLOSED.match(question)) and " or " not in question


def fitting_form(question: str, answer: str) -> str:
    """A date as the question wants it.

    >>> fitting_form("In what year was Ada born?", "1815-12-10"), fitting_form("When was Ada born?", "1815-12-10")
    ('1815', '1815-12-10')
    """
    date = re.fullmatch(r"(\d{4})-\d{2}(?:-\d{2})?", answer)
    return date[1] if date and re.search(r"\b(?:what|which) year\b", question, re.IGNORECASE) else answer
