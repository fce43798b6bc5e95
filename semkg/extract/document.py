"""Reads one parsed document: gathers its names, finds out what they are, then collects the statements of its sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal

from semkg.extract.asides import aside_relations, lives
from semkg.extract.classes import HONORIFICS, LANGUAGE, NAME_HEADS, NOBLE, PERSON, PLACE, ROLES, SETTLEMENTS, WORK, class_of_noun, words_of
from semkg.extract.clauses import adjective_relations, clause_relations, is_clause
from semkg.extract.discourse import PRONOUNS, SHAPED, Discourse, Name, Roster
from semkg.extract.labels import Title, person_shaped
from semkg.extract.literals import Dated, dates_in
from semkg.extract.mentions import Found, find_mentions
from semkg.extract.nominals import apposition_relations, copula_relations, is_role, possessive_relations
from semkg.extract.passage import BE, Passage, Statement
from semkg.extract.quantities import quantity_relations
from semkg.extract.spacy_parser import SpacyParser
from semkg.extract.syntax import Parse, Word
from semkg.extract.typography import Mended
from semkg.ids import normal_name
from semkg.model import Chunk
from semkg.vocab import SKOS

DEFINED, COMPOUNDED, IN_ROLE = 30.0, 1.5, 3.0
"""Votes for a class: by a definition, by a noun before the name, by the part played in a relation. The recogniser has 1 a mention."""

_PLACING = words_of("in near")
_NO_PLACE = words_of(
    """star starred starring appeared appearing appears play played plays featured acted role roles part character cast written wrote
    degree degrees bachelor master doctorate diploma major majored professor lecturer specialized interest interested believed belief
    shot filmed interpreted coded implemented programmed expert courses studies"""
)
"""What is done in a work, a language or a field: the name behind “in” is no place."""

_LIVING = words_of("born married studied educated graduated baptised baptized knighted")
"""Verbs that only people are the subjects of."""

_PERSONAL = words_of("FOUNDED DISCOVERED INVENTED COMPOSED PAINTED DIRECTED WROTE DESIGNED WON LED MET SUCCEEDED MARRIED TAUGHT")
"""Relations whose subject is a person where its name has the shape of one."""

OTHER_TITLE = 0.9
"""Confidence in a fuller or shorter form of the title."""

_ROLES: dict[str, tuple[str | None, str | None]] = {
    "BORN_IN": (PERSON, PLACE),
    "DIED_IN": (PERSON, PLACE),
    "BORN_ON": (PERSON, None),
    "DIED_ON": (PERSON, None),
    "LIVED_IN": (None, PLACE),
    "MOVED_TO": (None, PLACE),
    "FLOWED_THROUGH": (PLACE, PLACE),
    "BORN_TO": (PERSON, PERSON),
    "BURIED_IN": (PERSON, PLACE),
    "MARRIED": (PERSON, PERSON),
    "DIRECTED": (PERSON, None),
    "WROTE": (PERSON, None),
    "STARRED": (WORK, PERSON),
    "STARRED_IN": (PERSON, WORK),
    "LOCATED_IN": (None, PLACE),
    "SON_OF": (PERSON, PERSON),
    "DAUGHTER_OF": (PERSON, PERSON),
    "FATHER_OF": (PERSON, PERSON),
    "MOTHER_OF": (PERSON, PERSON),
    "BROTHER_OF": (PERSON, PERSON),
    "SISTER_OF": (PERSON, PERSON),
    "WIFE_OF": (PERSON, PERSON),
    "HUSBAND_OF": (PERSON, PERSON),
}
"""Notation → the classes of its subject and object, where the relation decides them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a chunk short enough to parse; `base` is where it starts in the chunk's text."""

    chunk: Chunk
    base: int
    mended: Mended


@dataclass(frozen=True, slots=True)
class Findings:
    """What a document says, in its own names."""

    statements: tuple[Statement, ...]
    mentions: tuple[tuple[Name, Chunk, int, int], ...]
    """Name, chunk, and the span of the chunk's text."""
    topic: Name | None


def read_document(title: Title | None, pieces: Sequence[Piece], parses: Sequence[Parse], parser: SpacyParser) -> Findings:
    """The statements and mentions of one document; nothing outside of it plays a part.

    Args:
        title: the document's title as a name.
        pieces: its pieces in order.
        parses: one parse a piece.
        parser: looks up dictionary forms.
    """
    roster = Roster(title)
    discourse = Discourse(roster.topic)
    passages = [
        _passage(piece, parse, roster, title, parser, discourse, number == 0)
        for number, (piece, parse) in enumerate(zip(pieces, parses, strict=True))
    ]
    for passage in passages:
        _describe(passage)
    discourse.settle_gender(word.lower for passage in passages for word in passage.parse.words if word.lower in PRONOUNS)
    roster.settle_places()
    roster.resolve_short_names()
    discourse.by_head = roster.by_head()
    statements: list[Statement] = []
    for passage in passages:
        for statement in _statements(passage, roster):
            _vote(statement)  # at once: the next sentence's pronouns depend on it
            statements.append(statement)
    return Findings(tuple(statements), tuple(_mentions(passages)), roster.topic)


def _passage(
    piece: Piece, parse: Parse, roster: Roster, title: Title | None, parser: SpacyParser, discourse: Discourse, opening: bool
) -> Passage:
    dates = _dates(piece.mended.text, parse)
    mentions = find_mentions(parse, piece.mended, title, frozenset(dates), opening)
    names = {found: _name(found, roster) for found in mentions.found}
    for index in mentions.at:
        dates.pop(index, None)
    return Passage(piece.chunk, piece.base, piece.mended, parse, mentions, names, dates, parser, discourse)


def _name(found: Found, roster: Roster) -> Name:
    name = roster.topic if found.title and roster.topic else roster.name(found.label)
    if found.type:
        name.vote(found.type, 1)
    return name


def _dates(text: str, parse: Parse) -> dict[int, tuple[Dated, int, int]]:
    """Word index → date, for the words that dates consist of."""
    found: dict[int, tuple[Dated, int, int]] = {}
    words, index = parse.words, 0
    for dated in dates_in(text):
        while index < len(words) and words[index].end <= dated.start:
            index += 1
        first = index
        while index < len(words) and words[index].start < dated.end:
            index += 1
        if index > first and not (dated.bare_year and words[first].dep in ("nummod", "amod", "compound")):
            found.update(dict.fromkeys(range(first, index), (dated, first, index)))
    return found


# -- what the names are


def _describe(passage: Passage) -> None:
    """Take note of what the text calls its names, and of the lives that brackets tell."""
    for name in lives(passage):
        name.vote(PERSON, DEFINED)
    for word in passage.parse.words:
        if word.dep == "attr" and is_role(word) and word.head.lower in BE:
            _describe_subject(passage, word)
        elif word.lower in _LIVING and word.dep in ("ROOT", "conj"):
            _describe_living(passage, word)
        elif word.noun and word.dep in ("compound", "nmod", "appos"):
            _describe_head(passage, word)
        elif word.dep == "poss" and word.lower in ("his", "her"):
            _describe_owner(passage, word)
        elif word.index in passage.mentions.at:
            _describe_by_words_before(passage, word)


def _describe_by_words_before(passage: Passage, word: Word) -> None:
    """“in X” and “the town of X” are places, “two sisters, X and Y” people, “the X” is none."""
    found = passage.mentions.at[word.index]
    if found.head is not word:
        return
    name, before = passage.names[found], passage.parse.words[found.first - 1] if found.first else None
    if before is not None and before.lower == "the" and before.head is word and not _titled(found.label):
        name.vote(PERSON, -SHAPED)
    if word.dep == "pobj" and found.last - found.first == 1 and (weight := _places(word, found)):
        name.vote(PLACE, weight)
    elif word.dep == "appos" and word.head.noun and class_of_noun(passage.singular(word.head)) == PERSON and found.type != WORK:
        for each in word.coordinated():
            if (named := passage.named(each)) and isinstance(named.value, Name):
                named.value.vote(PERSON, COMPOUNDED)


def _places(word: Word, found: Found) -> float:
    """How much the preposition before a lone word speaks for a place."""
    preposition, holder = word.head.lower, word.head.head
    if preposition == "of" and holder.noun and holder.lower in SETTLEMENTS:
        return IN_ROLE
    other = found.type == LANGUAGE or found.label.isupper() or word.lower in NAME_HEADS or holder.lower in _NO_PLACE
    return SHAPED if preposition in _PLACING and not other else 0.0


def _titled(label: str) -> bool:
    """Whether a name begins with a rank: “the Emperor Otto” is a person all the same."""
    first = label.partition(" ")[0].lower()
    return first in NOBLE or first in HONORIFICS or first in ROLES


def _describe_owner(passage: Passage, pronoun: Word) -> None:
    """“X used it for her study”: X is a person if the name has the shape of one."""
    word = pronoun.head
    while not word.verb and word.head is not word:
        if word.dep in ("nsubj", "nsubjpass"):
            return
        word = word.head
    subject = word.child("nsubj")
    named = passage.named(subject) if subject else None
    if named and isinstance(named.value, Name) and person_shaped(named.value.label):
        named.value.vote(PERSON, COMPOUNDED)


def _describe_living(passage: Passage, verb: Word) -> None:
    """“X was born”: only people are."""
    subject = verb.child("nsubjpass", "nsubj")
    named = passage.named(subject) if subject else None
    if named and isinstance(named.value, Name):
        named.value.vote(PERSON, IN_ROLE)


def _describe_head(passage: Passage, noun: Word) -> None:
    """“director Ridley Scott”, “Ada, a mathematician”."""
    named = passage.named(noun.head)
    if named and isinstance(named.value, Name) and (noun.dep == "appos" or noun.index < named.first):
        named.value.describe(passage.singular(noun), COMPOUNDED)


def _describe_subject(passage: Passage, noun: Word) -> None:
    subject = noun.head.child("nsubj")
    named = (passage.named(subject) or passage.named(subject.child("appos") or subject)) if subject else None
    if named and isinstance(named.value, Name):
        for each in _one_of(noun).coordinated():
            if is_role(each):
                named.value.define(passage.singular(each), DEFINED, named.value is passage.discourse.topic)


def _one_of(noun: Word) -> Word:
    """“one of the directors” → “directors”."""
    of = noun.child("prep") if noun.lower == "one" else None
    return (of.child("pobj") if of else None) or noun


def _vote(statement: Statement) -> None:
    if not isinstance(statement.relation, str):
        return
    for value, type in zip((statement.subject, statement.object), _ROLES.get(statement.relation, (None, None)), strict=True):
        if type and isinstance(value, Name):
            value.resolved.vote(type, IN_ROLE)
    subject = statement.subject.resolved
    if statement.relation in _PERSONAL and isinstance(statement.object, Name) and person_shaped(subject.label):
        subject.vote(PERSON, COMPOUNDED)


# -- what the sentences say


def _statements(passage: Passage, roster: Roster) -> Iterator[Statement]:
    yield from _other_titles(passage, roster)
    yield from aside_relations(passage, roster.name)
    for sentence in passage.sentences():
        if sentence[-1].text == "?":
            continue
        passage.discourse.next_sentence(*_subjects(passage, sentence))
        for word in sentence:
            yield from _relations(passage, word)


def _other_titles(passage: Passage, roster: Roster) -> Iterator[Statement]:
    """The document's topic by another name than its title: a fuller one, or the bare one of “Ada Lind (painter)”."""
    topic = roster.topic
    for found in passage.mentions.found:
        if topic and found.title and normal_name(found.label) != normal_name(topic.label):
            start, end = passage.span(found.first, found.last)
            yield Statement(topic, SKOS.altLabel, Literal(found.label), found.label, passage.chunk, start, end, OTHER_TITLE)


def _subjects(passage: Passage, sentence: Sequence[Word]) -> tuple[list[tuple[int, Name]], list[tuple[int, str]], list[Name]]:
    """The subjects that have or stand for a name, the classes of those that do not (“the winner”), and who is named behind “by”."""
    known: list[tuple[int, Name]] = []
    strangers: list[tuple[int, str]] = []
    agents: list[Name] = []
    for word in sentence:
        if word.dep == "pobj" and word.head.dep == "agent" and (named := passage.named(word)) and isinstance(named.value, Name):
            agents.append(named.value)
        if word.dep not in ("nsubj", "nsubjpass"):
            continue
        argument = passage.argument(word) if word.noun else passage.named(word)
        if argument and isinstance(argument.value, Name):
            known.append((word.index, argument.value))
        elif word.noun and argument is None and (kind := class_of_noun(passage.singular(word))):
            strangers.append((word.index, kind))
    return known, strangers, agents


def _relations(passage: Passage, word: Word) -> Iterator[Statement]:
    if word.verb or (word.tag == "JJ" and word.child("auxpass")):
        if word.index in passage.mentions.at:
            return
        if word.lower in BE:
            yield from copula_relations(passage, word)
            yield from adjective_relations(passage, word)
        elif is_clause(word):
            yield from clause_relations(passage, word)
    elif word.dep == "appos" or (word.dep == "conj" and word.proper):
        yield from apposition_relations(passage, word)
    elif word.dep == "poss":
        yield from possessive_relations(passage, word)
    elif word.tag == "CD" and word.index not in passage.dates:
        yield from quantity_relations(passage, word)


def _mentions(passages: Sequence[Passage]) -> Iterator[tuple[Name, Chunk, int, int]]:
    for passage in passages:
        for found in passage.mentions.found:
            start, end = passage.span(found.first, found.last)
            if end > passage.chunk.overlap:
                yield passage.names[found].resolved, passage.chunk, start, end
