"""Relations to numbers: populations, measures, amounts of money, counts of things."""

from __future__ import annotations

from collections.abc import Iterator

from semkg.extract.classes import words_of
from semkg.extract.literals import quantity
from semkg.extract.notation import notation, past
from semkg.extract.passage import BE, Argument, Passage, Statement
from semkg.extract.syntax import Word

QUANTITY = 0.8
"""Confidence of all patterns of this module."""

_DIMENSIONS = {"long": "length", "tall": "height", "high": "height", "wide": "width", "deep": "depth"}
_CURRENCIES = {"$": "dollars", "€": "euros", "£": "pounds", "¥": "yen"}
_MEASURES = words_of("population area length height elevation width depth altitude capacity diameter budget weight mass speed")
_COUNTING = words_of("employ have comprise contain operate own win score cover serve seat hold gross earn cost raise weigh measure span")
_MEASURING = words_of("weigh measure span cover")


def quantity_relations(passage: Passage, number: Word) -> Iterator[Statement]:
    """What a numeral says: “has a population of 5,000”, “is 45 km long”, “employs 300 people”, “grossed $5 million”."""
    noun = number.head
    if number.dep == "pobj" and noun.lower == "of":
        yield from _measure(passage, number, "", noun.head)
    elif number.dep == "nummod" and noun.dep == "pobj" and noun.head.lower == "of":
        yield from _measure(passage, number, noun.text, noun.head.head)
    elif number.dep == "nummod" and noun.dep == "npadvmod" and noun.head.lower in _DIMENSIONS:
        yield from _dimension(passage, number, noun)
    elif number.dep == "nummod" and noun.dep == "dobj" and noun.noun:
        yield from _count(passage, number, noun, noun.head)
    elif number.dep == "dobj" and number.child("quantmod", "nmod"):
        yield from _money(passage, number)


def _literal(passage: Passage, number: Word) -> Argument | None:
    """The number with the scale words around it, None for an approximate one."""
    if any(child.dep in ("advmod", "quantmod", "amod") and child.text not in _CURRENCIES for child in number.children):
        return None
    parts = sorted([number, *number.all("compound", "nummod")], key=lambda word: word.index)
    value = quantity([word.text for word in parts])
    if value is None:
        return None
    first, last = parts[0].index, parts[-1].index + 1
    return Argument(value, first, last, " ".join(word.text for word in parts))


def _measure(passage: Passage, number: Word, unit: str, noun: Word) -> Iterator[Statement]:
    """“a population of 5,000”, “an area of 12 km”, after “X has” or as “X, with”."""
    value = _literal(passage, number)
    if value is None or noun.lower not in _MEASURES or not (unit.isalnum() or not unit):
        return
    verb = noun.head.head if noun.head.lower == "with" else noun.head
    subjects = (
        passage.clause_subjects(verb) if verb.verb and passage.parser.lemma(verb.lower, "VERB") in ("have", "be", "cover", "reach") else []
    )
    for subject in subjects:
        yield from passage.state(subject, notation(noun.lower, "in" if unit else "", unit), value, [noun], QUANTITY)


def _dimension(passage: Passage, number: Word, unit: Word) -> Iterator[Statement]:
    """“is 45 km long”."""
    value, adjective = _literal(passage, number), unit.head
    if value is None or adjective.dep != "acomp" or adjective.head.lower not in BE or not unit.text.isalpha():
        return
    for subject in passage.clause_subjects(adjective.head):
        yield from passage.state(subject, notation(_DIMENSIONS[adjective.lower], "in", unit.text), value, [adjective], QUANTITY)


def _count(passage: Passage, number: Word, noun: Word, verb: Word) -> Iterator[Statement]:
    """“employs 300 people”."""
    value = _literal(passage, number)
    lemma = passage.parser.lemma(verb.lower, "VERB") if verb.verb else ""
    if value is None or lemma not in _COUNTING or noun.child("amod", "relcl", "prep", "conj", "acl", "compound"):
        return
    relation = notation(past(lemma), "in", noun.lower) if lemma in _MEASURING else notation("number of", noun.lower, past(lemma))
    for subject in passage.clause_subjects(verb):
        yield from passage.state(subject, relation, value, [verb, noun], QUANTITY)


def _money(passage: Passage, number: Word) -> Iterator[Statement]:
    """“grossed $5 million”."""
    sign = next((child.text for child in number.children if child.text in _CURRENCIES), None)
    value, verb = _literal(passage, number), number.head
    lemma = passage.parser.lemma(verb.lower, "VERB") if verb.verb else ""
    if sign is None or value is None or lemma not in _COUNTING:
        return
    for subject in passage.clause_subjects(verb):
        yield from passage.state(subject, notation(past(lemma), "in", _CURRENCIES[sign]), value, [verb], QUANTITY)
