"""What another extractor found in one passage: names and statements, row by row, each checked for itself.

The format is that of the OpenIE files of HippoRAG (Gutiérrez et al., 2024): a record with `entities`, a list of names, and `triples`, a
list of `[subject, relation, object]`. Model output is what it is: a row that cannot be used is told and left out, the others stay.

A phrase names a thing where the record lists it as an entity, makes a statement about it, or writes it with a capital; then it is a node
that passages share, be it a year. Any other object is a literal of the statement: a date or number where it is plainly one, else the
phrase itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pyoxigraph import Literal

from semkg.errors import BadInput
from semkg.extract.labels import LONGEST, acceptable
from semkg.extract.literals import dates_in, quantity
from semkg.extract.notation import notation
from semkg.ids import clean_label, normal_name
from semkg.ingest.decoding import writable
from semkg.ingest.records import Json

ENTITIES = ("entities", "extracted_entities")
TRIPLES = ("triples", "extracted_triples")
"""Fields of a record; the second name is that of HippoRAG's own result files."""

VALUE = "_VALUE"
"""Ends the notation of a relation to a literal: no relation between things is called so."""

SHOWN = 120
"""Code points of a row that a message repeats."""

_NUMBER_NAME = re.compile(r"(?=.*\d|.{1,5}$)[^\W_][\w .,:/'’&%°$€£+–-]*")
"""Dates, numbers and short codes, which have too few letters for a name but may be listed as one."""

_BEFORE_DIGIT = re.compile(r"_+(?=\d)")


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement. `object` is a name where it is a string."""

    subject: str
    relation: str
    """An UPPER_SNAKE_CASE notation."""
    object: str | Literal


@dataclass(frozen=True, slots=True)
class Recorded:
    """The usable part of a record. `problems`: one line for each row that is not in it."""

    names: tuple[str, ...] = ()
    """Labels; those of the statements are among them."""
    facts: tuple[Fact, ...] = ()
    problems: tuple[str, ...] = ()


def recorded(record: Mapping[str, Json]) -> Recorded:
    """Take a record apart; it is judged by itself, whatever stands in others.

    >>> found = recorded({"entities": ["Ada"], "triples": [["Ada", "born in", "Vale"], ["Ada", "is", "tall"], ["Ada"]]})
    >>> [(fact.relation, str(fact.object)) for fact in found.facts]
    [('BORN_IN', 'Vale'), ('IS_VALUE', '"tall"')]
    >>> found.problems[0]
    'triple 3 has 1 part instead of subject, relation and object: ["Ada"]'
    """
    problems: list[str] = []
    rows = list(_rows(record, problems))
    names = _Names(_listed(record, problems), {normal_name(subject) for _, (subject, _, _) in rows})
    facts: dict[Fact, None] = {}
    for number, row in rows:
        try:
            facts[_fact(row, names)] = None
        except BadInput as error:
            problems.append(f"triple {number} {error}: {_shown(list(row))}")
    return Recorded(tuple(names.labels.values()), tuple(facts), tuple(problems))


class _Names:
    """The labels of a record by their normal form; the first spelling stays."""

    def __init__(self, listed: Mapping[str, str], subjects: set[str]) -> None:
        self.labels = dict(listed)
        self._subjects = subjects

    def subject(self, phrase: str) -> str:
        label = clean_label(phrase)
        found = self.labels.get(_key(label))
        if found is None and not acceptable(label):
            raise BadInput(f"is about what is no name (2 to {LONGEST} code points, mostly letters, no sentence)")
        return found or self._enter(label)

    def object(self, phrase: str) -> str | Literal:
        label = clean_label(phrase)
        found = self.labels.get(_key(label))
        if found is None and acceptable(label) and (normal_name(label) in self._subjects or label[0].isupper()) and not value_of(phrase):
            found = self._enter(label)
        return found or value_of(phrase) or Literal(phrase)

    def _enter(self, label: str) -> str:
        return self.labels.setdefault(_key(label), label)


def _key(label: str) -> str:
    return normal_name(label) or label


def _listed(record: Mapping[str, Json], problems: list[str]) -> dict[str, str]:
    """The names that the record lists."""
    found: dict[str, str] = {}
    for number, entry in _entries(record, ENTITIES, problems):
        label = clean_label(writable(entry)) if isinstance(entry, str) else ""
        if acceptable(label) or (len(label) <= LONGEST and _NUMBER_NAME.fullmatch(label)):
            found.setdefault(_key(label), label)
        else:
            problems.append(f"entity {number} is no name of at most {LONGEST} code points: {_shown(entry)}")
    return found


def _rows(record: Mapping[str, Json], problems: list[str]) -> Iterator[tuple[int, tuple[str, str, str]]]:
    """The triples that have the form of one, with their numbers."""
    for number, entry in _entries(record, TRIPLES, problems):
        try:
            yield number, _row(entry)
        except BadInput as error:
            problems.append(f"triple {number} {error}: {_shown(entry)}")


def _entries(record: Mapping[str, Json], fields: tuple[str, ...], problems: list[str]) -> Iterator[tuple[int, Json]]:
    field = next((field for field in fields if field in record), None)
    value = record[field] if field else None
    if not isinstance(value, list):
        problems.append(
            f"has no list in the field {fields[0]!r}" if field is None else f"has no list but {_kind(value)} in the field {field!r}"
        )
        return
    yield from enumerate(value, 1)


def _row(entry: Json) -> tuple[str, str, str]:
    if not isinstance(entry, list):
        raise BadInput(f"is {_kind(entry)}, not a list of subject, relation and object")
    if len(entry) != 3:
        raise BadInput(f"has {len(entry)} part{'s' * (len(entry) != 1)} instead of subject, relation and object")
    subject, relation, object = (_part(name, part) for name, part in zip(("subject", "relation", "object"), entry, strict=True))
    return subject, relation, object


def _part(name: str, part: Json) -> str:
    if not isinstance(part, str):
        raise BadInput(f"has {_kind(part)} for its {name}, not a text")
    text = " ".join(writable(part).split())
    if not any(char.isalnum() for char in text):
        raise BadInput(f"has an empty {name}")
    return text


def _fact(row: tuple[str, str, str], names: _Names) -> Fact:
    relation = relation_of(row[1])
    if not relation:
        raise BadInput("has a relation without letters that a notation could be made of")
    subject, object = names.subject(row[0]), names.object(row[2])
    if subject == object:
        raise BadInput("relates a thing to itself")
    return Fact(subject, relation + VALUE if isinstance(object, Literal) else relation, object)


def relation_of(words: str) -> str:
    """The notation of a relation between things.

    A digit follows its word at once, so that different notations never share the local name of a property.

    >>> relation_of("is the 2nd largest city of"), relation_of("has value")
    ('IS_THE2ND_LARGEST_CITY_OF', 'HAS')
    """
    found = _BEFORE_DIGIT.sub("", notation(*words.split()))
    while found.endswith(VALUE):
        found = found.removesuffix(VALUE)
    return found


def value_of(phrase: str) -> Literal | None:
    """The date or number that a phrase is, None where it is anything else.

    >>> [str(value_of(phrase)).partition("#")[2] for phrase in ("May 25, 1979", "1963", "129,000", "3.5 million")]
    ['date>', 'gYear>', 'integer>', 'integer>']
    >>> value_of("1.355 in 2018")
    """
    for dated in dates_in(phrase):
        # Three digits are a number as often as a year.
        if (dated.start, dated.end) == (0, len(phrase)) and not (dated.bare_year and len(phrase) < 4):
            return dated.value
    return quantity(phrase.split())


def _kind(value: Json) -> str:
    names = {list: "a list", dict: "an object", str: "a text", bool: "a truth value", type(None): "nothing"}
    return names.get(type(value), "a number")


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return writable(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")
