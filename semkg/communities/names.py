"""Whether two names could be names of one thing, by their words alone.

Labels of different people are near in meaning (`John Lyon, 6th Lord Glamis` and `John Lyon, 7th Lord Glamis`), so that a cosine says
little by itself. One name has to be the other one with something left out that tells no two things apart: a person's given names or
titles, initials, what stands in brackets or behind a comma, where a thing is, a legal form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from semkg.ids import normal_name

_QUALIFIER = re.compile(r"\s*\(([^()]*)\)\s*$")
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th)?|[ivx]+")

TELLING = frozenset({"jr", "sr", "junior", "senior", "younger", "elder", "first", "second", "third", "fourth", "fifth"})
"""Words, besides numbers, that tell bearers of one name apart."""

JOINING = frozenset({"and", "with", "as", "und", "et", "y", "vs"})
"""Before one of these stands one thing, behind it another."""

PLACING = frozenset({"of", "in", "at", "on", "near", "from", "de", "du", "di", "del", "von", "van"})
"""What follows one of these says where a thing is or belongs."""

PARTICLES = JOINING | PLACING | {"the", "for", "to", "by", "no", "des", "della", "da", "dos", "der", "den", "zu"}
PARTICLES |= {"la", "le", "e", "al", "el", "ibn", "bin", "ben", "bint", "abu"}
"""Behind one of these a new name begins: `Bristol` is not short for `University of Bristol`."""

TITLES = frozenset({"king", "queen", "emperor", "empress", "prince", "princess", "duke", "duchess", "earl", "count", "countess", "pope"})
TITLES |= {"viscount", "baron", "baroness", "marquess", "marquis", "margrave", "landgrave", "elector", "lord", "lady", "bishop", "sultan"}
"""What one holder after the other is called."""

HONORIFICS = TITLES | {
    "sir",
    "dame",
    "dr",
    "mr",
    "mrs",
    "ms",
    "miss",
    "saint",
    "st",
    "grand",
    "crown",
    "honourable",
    "president",
    "archduke",
}
HONORIFICS |= {"captain", "major", "colonel", "general", "admiral", "lieutenant", "archduchess", "professor", "judge", "senator", "shah"}
"""What may stand before a whole name."""

LEGAL_FORMS = frozenset({"inc", "ltd", "limited", "llc", "plc", "co", "corp", "corporation", "company", "gmbh", "ag", "group"})

ACRONYM = range(2, 7)
"""How long an acronym is."""


@dataclass(frozen=True, slots=True)
class Name:
    """A label taken apart."""

    words: tuple[str, ...]
    head: int
    """How many of the words stand before the first comma."""
    qualifier: str
    """What stands in brackets at the end (`Halley (comet)`), normalised."""
    acronym: str
    """The label in lower case, where it looks like an acronym."""
    marks: frozenset[str] = field(repr=False)
    """Its words and its first letter, `^` before that: by these most pairs of names are found to have nothing in common."""


@lru_cache(maxsize=100_000)
def name_of(label: str) -> Name:
    """Take a label apart.

    >>> name_of("Halley (comet)")
    Name(words=('halley',), head=1, qualifier='comet', acronym='')
    """
    found = _QUALIFIER.search(label)
    base = label[: found.start()] if found else label
    letters = base.replace(".", "")
    capitals = letters.isalpha() and letters.isupper() and len(letters) in ACRONYM
    words = tuple(normal_name(base).split())
    return Name(
        words=words,
        head=len(normal_name(base.partition(",")[0]).split()),
        qualifier=normal_name(found[1]) if found else "",
        acronym=letters.lower() if capitals else "",
        marks=frozenset(words).union(f"^{word[0]}" for word in words[:1]),
    )


def comparable(first: str, second: str, person: bool = False) -> bool:
    """Whether one label could be another form of the other.

    Args:
        first, second: the labels.
        person: whether they name people, whose names are shortened more freely.

    >>> comparable("United Nations", "UN"), comparable("Eagle Mountain, Utah", "Eagle Mountain")
    (True, True)
    >>> comparable("K. Bhagyaraj", "Bhagyaraj", person=True), comparable("Fist of Fury II", "Fist of Fury")
    (True, False)
    """
    return may_be_one(name_of(first), name_of(second), person)


def may_be_one(a: Name, b: Name, person: bool = False) -> bool:
    """`comparable`, of labels that were taken apart before."""
    if a.marks.isdisjoint(b.marks) and not (a.acronym or b.acronym):
        return False
    if not a.words or not b.words or (a.qualifier and b.qualifier and a.qualifier != b.qualifier):
        return False
    short, long = sorted((a, b), key=lambda name: (len(name.words), sum(map(len, name.words))))
    if "".join(short.words) == "".join(long.words) or _is_acronym(short, long):
        return True
    return _short_person(short.words, long) if person else _short_thing(short.words, long)


def _is_acronym(short: Name, long: Name) -> bool:
    """`UN`, `U.S.`: the initials of a longer name, with or without its particles."""
    if not short.acronym or len(long.words) < 2:
        return False
    return short.acronym in ("".join(word[0] for word in long.words), "".join(word[0] for word in long.words if word not in PARTICLES))


def _short_person(short: Sequence[str], long: Name) -> bool:
    """Whether the words of the shorter name stand, in order, in the longer one, and the rest tells nobody apart."""
    words = long.words
    places = _places(short, words)
    if places is None or short[0] in PARTICLES or _is_title(short, places[0]):
        return False
    left = [word for place, word in enumerate(words) if place not in places]
    if any(word in TELLING or word in JOINING or _NUMBER.fullmatch(word) for word in left):
        return False
    # `S. Robson` is no Sam: whoever writes out the second name goes by it.
    if left and any(len(words[place]) < len(word) for place, word in zip(places, short, strict=True)):
        return False
    if len(short) > 1 and not _adds_no_name(places, long):
        return False
    return _begins_a_name(places, long) and any(len(word) > 1 and word not in HONORIFICS for word in short)


def _adds_no_name(places: Sequence[int], long: Name) -> bool:
    """Whether all that is left out behind the first word is initials, where somebody is from, or behind a comma.

    A further given name written out may make him the son: `Johann Christoph Bach`, `Johann Christoph Friedrich Bach`.
    """
    placed = False
    for place in range(places[0] + 1, long.head):
        word = long.words[place]
        placed = place not in places and (placed or word in PLACING)
        if place not in places and not placed and len(word) > 1:
            return False
    return True


def _begins_a_name(places: Sequence[int], long: Name) -> bool:
    """Whether what was left out in front is a title, or the given names before a surname."""
    first = places[0]
    if all(word in HONORIFICS for word in long.words[:first]):
        return True
    return len(places) == 1 and first == long.head - 1 and long.words[first - 1] not in PARTICLES


def _is_title(short: Sequence[str], place: int) -> bool:
    """`Duke of Teck`, or `Viscount Hood` behind a name: whoever bears it."""
    return short[0] in TITLES and (place > 0 or len(short) == 1 or short[1] in PARTICLES)


def _short_thing(short: Sequence[str], long: Name) -> bool:
    """Whether the longer name begins with the shorter one and goes on with where the thing is, or with a legal form."""
    places = _places(short, long.words)
    if places is None or places != list(range(len(short))):
        return False
    tail = long.words[len(short) :]
    if not tail or len(short) == long.head or all(word in LEGAL_FORMS for word in tail):
        return True
    # `House` may be any of the houses of somebody.
    return len(short) > 1 and tail[0] in PLACING and short[-1] not in PARTICLES


def _places(short: Sequence[str], long: Sequence[str]) -> list[int] | None:
    """Where the words of the shorter name stand in the longer one; the first place that fits for each."""
    places: list[int] = []
    place = 0
    for word in short:
        while place < len(long) and not _fits(word, long[place]):
            place += 1
        if place == len(long):
            return None
        places.append(place)
        place += 1
    return places


def _fits(word: str, full: str) -> bool:
    """Equal, or one the initial of the other; numerals stand for themselves, also the `I` behind a king's name."""
    if word == full:
        return True
    initial, whole = sorted((word, full), key=len)
    return len(initial) == 1 and whole.startswith(initial) and not _NUMBER.fullmatch(initial) and not _NUMBER.fullmatch(whole)
