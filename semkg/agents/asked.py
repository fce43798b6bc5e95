"""What a question asks for: the words its answer must be connected by, and the kind of thing that answers it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from semkg.ids import normal_name


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
    (r"\b(when|what year|which year|what date|in what year|in which year|what time|which century|what day)\b", Wanted.TIME),
    (r"\b(where|what (city|town|country|place|village|state|region)|which (city|town|country|place|village|state|region))\b", Wanted.PLACE),
    (r"\b(how (many|much|long|old|tall|far|large|high|wide|deep|heavy))\b", Wanted.NUMBER),
    (r"\b(what|which) (person|man|woman|actor|actress|writer|author|director|scientist|engineer|singer)\b", Wanted.PERSON),
    (r"\b(who|whom|whose)\b", Wanted.AGENT),
)

STOP = frozenset(
    normal_name(
        """a an the of in on at to for from by with and or as is are was were be been being do does did has have had what which who
        whom whose when where why how that this these those it its he she they his her their there than then also into about between
        after before during name year date place city country person people many much first last same other one"""
    ).split()
)

IRREGULAR: Mapping[str, str] = {
    form: stem
    for stem, forms in {
        "build": "built builder builders building",
        "write": "wrote written writer author authored",
        "make": "made maker makers",
        "lead": "led leader",
        "win": "won winner",
        "hold": "held",
        "teach": "taught teacher",
        "sing": "sang sung singer",
        "draw": "drew drawn",
        "begin": "began begun",
        "give": "gave given",
        "born": "birth birthplace birthday",
        "die": "died death dead dies",
        "marry": "married wife husband spouse widow marriage",
        "found": "founded founder founders established establish founding",
        "buy": "bought",
        "sell": "sold",
        "run": "ran",
        "bear": "bore",
        "grow": "grew grown",
        "discover": "discovered discovery discoverer",
        "invent": "invented inventor invention",
        "live": "lived lives residence",
        "work": "worked works employed employer",
        "study": "studied student educated education",
    }.items()
    for form in forms.split()
}
"""Forms that no rule of suffixes brings to one stem, and words that speak of one relation."""

_SUFFIXES = ("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ors", "or", "ers", "er", "ed", "es", "s", "e")


def stem(word: str) -> str:
    """A crude stem under which the forms of a word meet.

    >>> stem("directed") == stem("director") == stem("directs")
    True
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def stems(text: str) -> tuple[str, ...]:
    """The stems of a text's content words."""
    return tuple(stem(word) for word in normal_name(text).split() if word not in STOP)


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
