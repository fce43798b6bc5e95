"""What brackets behind a name say: dates and places of birth and death, other names, abbreviations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from semkg.extract.classes import NOBLE, PERSON, PLACE
from semkg.extract.discourse import Name
from semkg.extract.labels import label_of
from semkg.extract.literals import dates_in
from semkg.extract.mentions import Found
from semkg.extract.notation import BORN_IN, BORN_ON, DIED_IN, DIED_ON
from semkg.extract.passage import Passage, Statement
from semkg.extract.typography import Aside
from semkg.ids import clean_label
from semkg.vocab import SKOS

LIFE, LIFE_PLACE, OTHER_NAME, ACRONYM = 0.95, 0.8, 0.85, 0.85
"""Confidence by pattern."""

_VAGUE = re.compile(r"\b(?:c|ca|circa|about|around|before|after|or|between|baptised|baptized|bap)\b\.?", re.IGNORECASE)
_OFFICE = re.compile(r"\b(?:r|reigned|ruled|active|fl|office|flourished)\b", re.IGNORECASE)
_DASH = re.compile(r"\s*[–—]\s*|\s+-\s+")
_BORN = re.compile(r"^(?:born|b\.)\s+", re.IGNORECASE)
_DIED = re.compile(r"^(?:died|d\.)\s+", re.IGNORECASE)
_LIFE = re.compile(r"\w+ \d{3,4}\s*[–-]\s*\d{1,2} \w+ \d{3,4}|[A-Z][a-z]+ \d{1,2}, \d{4}\s*[–-]")
_TOWN = re.compile(r"(?:,\s*|\s+(?:in|at)\s+)(?P<place>[^\W\d_a-z][^,;()–—\d]{1,40})")
_NAMED = re.compile(
    r"^(?:also |formerly |originally |better |commonly )?(?:née|né|nee|born|known as|called|aka|a\.k\.a\.|styli[sz]ed as|alias)"
    r"\s+(?P<name>.+)$"
    r"|^[A-Z][a-z]+(?: title)?:\s*(?P<foreign>.+)$",
)
_QUOTED = re.compile(r'^["“]\s*(?P<name>[^"”]+?)\s*["”]$')
_ACRONYM = re.compile(r"^[A-Z][A-Za-z0-9&.-]{1,9}$")
_FOREIGN_END = re.compile(r"[,;]|\bor\b|\blit\b|\bpronounced\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Bearer:
    """The name that a bracket belongs to, and the span from the one to the end of the other."""

    passage: Passage
    name: Name
    start: int
    end: int
    place: Callable[[str], Name]

    def says(self, relation: str | NamedNode, value: Name | Literal, words: str, confidence: float) -> Iterator[Statement]:
        if value is not self.name:
            yield Statement(self.name, relation, value, words, self.passage.chunk, self.start, self.end, confidence)


def aside_relations(passage: Passage, name_of: Callable[[str], Name]) -> Iterator[Statement]:
    """What all brackets of a passage state.

    Args:
        passage: the passage with its brackets.
        name_of: gives the document's name for a label.
    """
    ends = {passage.parse.words[found.last - 1].end: found for found in passage.mentions.found}
    for aside in passage.mended.asides:
        found = _before(passage, aside, ends)
        if found is None or passage.base + aside.end <= passage.chunk.overlap:
            continue
        start, _ = passage.span(found.first, found.last)
        bearer = _Bearer(passage, passage.names[found].resolved, start, passage.base + aside.end, name_of)
        for number, part in enumerate(aside.text.split(";")):
            yield from _part(bearer, found, part.strip(), number)


def lives(passage: Passage) -> Iterator[Name]:
    """The names with dates of birth or death behind them: people."""
    ends = {passage.parse.words[found.last - 1].end: found for found in passage.mentions.found}
    for aside in passage.mended.asides:
        found = _before(passage, aside, ends)
        if (
            found
            and (_LIFE.search(aside.text) or _BORN.match(aside.text) or _DIED.match(aside.text))
            and any(c.isdigit() for c in aside.text)
        ):
            yield passage.names[found]


def _before(passage: Passage, aside: Aside, ends: dict[int, Found]) -> Found | None:
    """The name that ends where the bracket stood, a closing quotation mark or comma between them at most."""
    text, position = passage.mended.text, aside.position
    while position > 0 and text[position - 1] in ' "”,':
        position -= 1
    return _titled(passage, ends.get(position))


def _titled(passage: Passage, found: Found | None) -> Found | None:
    """“Louis, Dauphin of Vale (1682 – 1712)”: the years are those of Louis."""
    if found is None or found.head.dep != "pobj":
        return found
    rank = found.head.head.head
    bearer = passage.mentions.at.get(rank.head.index) if rank.dep == "appos" else None
    return bearer if bearer is not None and rank.lower in NOBLE else found


def _part(bearer: _Bearer, found: Found, text: str, number: int) -> Iterator[Statement]:
    if any(char.isdigit() for char in text):
        yield from _life(bearer, text)
    elif match := _NAMED.match(text) or (bearer.name.known_type == PERSON and _QUOTED.match(text)):
        groups = match.groupdict()
        yield from _alias(bearer, groups.get("name") or groups.get("foreign") or "")
    elif number == 0 and _ACRONYM.match(text) and _abbreviates(text, found.label):
        yield from bearer.says(SKOS.altLabel, Literal(text), text, ACRONYM)
        bearer.place(text).merge_into(bearer.name)


def _alias(bearer: _Bearer, text: str) -> Iterator[Statement]:
    label = label_of(_FOREIGN_END.split(text)[0].strip())
    if label and not label[0].islower() and label != bearer.name.label:
        yield from bearer.says(SKOS.altLabel, Literal(label), label, OTHER_NAME)


def _abbreviates(short: str, long: str) -> bool:
    """Whether the letters of `short` begin words of `long`, in order."""
    words = [word[0].lower() for word in re.split(r"[\s-]+", long) if word]
    letters = [char.lower() for char in short if char.isalpha()]
    initials = iter(words)
    return len(letters) >= 2 and letters[0] == words[0] and all(letter in initials for letter in letters)


def _life(bearer: _Bearer, text: str) -> Iterator[Statement]:
    """“18 February 1929, Trabzon – 21 September 1989, Istanbul”, “born 1950”, “died 11 November 875”."""
    if bearer.name.known_type not in (PERSON, None) or _OFFICE.search(text):
        return
    if match := _BORN.match(text):
        yield from _event(bearer, text[match.end() :], BORN_ON, BORN_IN)
    elif match := _DIED.match(text):
        yield from _event(bearer, text[match.end() :], DIED_ON, DIED_IN)
    else:
        halves = _DASH.split(text)
        if len(halves) == 2 and bearer.name.known_type == PERSON:
            yield from _event(bearer, _BORN.sub("", halves[0]), BORN_ON, BORN_IN)
            yield from _event(bearer, _DIED.sub("", halves[1]), DIED_ON, DIED_IN)


def _event(bearer: _Bearer, text: str, when: str, where: str) -> Iterator[Statement]:
    """One end of a life: a date at the beginning, then perhaps a place."""
    if _VAGUE.search(text):
        return
    found = next(dates_in(text), None)
    if found is None or found.start > 3:
        return
    yield from bearer.says(when, found.value, text[found.start : found.end], LIFE)
    if match := _TOWN.match(text, found.end):
        label = label_of(clean_label(match["place"]))
        if label:
            place = bearer.place(label)
            place.vote(PLACE, 2)
            yield from bearer.says(where, place.resolved, label, LIFE_PLACE)
