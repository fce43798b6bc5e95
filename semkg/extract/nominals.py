"""Relations and definitions that nouns state: after a copula, in apposition, with a possessive."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import Literal

from semkg.extract.classes import GENDERED, KIN, NOBLE, ORGANIZATION, PARTITIVE, PLACE, PRODUCT, ROLES, SEATS, WORK, class_of_noun, words_of
from semkg.extract.discourse import Name
from semkg.extract.factuality import asserted
from semkg.extract.notation import LOCATED_IN, notation
from semkg.extract.passage import Argument, Passage, Statement
from semkg.extract.syntax import Word
from semkg.ids import clean_label
from semkg.vocab import SKOS

COPULA, APPOSITION, POSSESSIVE, DEFINITION, CONTAINMENT = 0.9, 0.85, 0.85, 0.9, 0.75
"""Confidence by pattern."""

DEFINITION_LIMIT = 160
"""Code points; a longer complement is cut at a phrase, not in a word."""

_PREPOSITIONS = words_of("of in at for from by with to on within for near")
_CLAUSE_TAGS = frozenset({"WDT", "WP", "WP$", "WRB", ".", "_SP", "VBN", "VBG", "VBD", "VBZ", "VBP", "TO", ":", "PRP"})
_LOOSE_ENDS = frozenset({"IN", "CC", "TO", "DT", "WDT", "WP", "WRB", "RB", "RBS", "RBR", ",", ".", "HYPH", "``", "''"})
_DISTANT = words_of("great half step foster adoptive adopted god grand")
"""Words that make another kinship of one."""

_CUT = frozenset(",;:–—")


def copula_relations(passage: Passage, verb: Word) -> Iterator[Statement]:
    """“X is a film”, “X was the son of Y”, “his father was Y”."""
    noun = verb.child("attr")
    subject = verb.child("nsubj")
    if subject is None or not asserted(passage, verb):
        return
    if noun is None:
        yield from _placed(passage, verb, subject)
        return
    if passage.named(noun):
        yield from _identity(passage, subject, noun)
        return
    if not is_role(noun):
        return
    for holder in passage.clause_subjects(verb):
        if noun.tag == "NN" or noun.proper:
            yield from _definition(passage, holder, verb, noun)
        yield from noun_relations(passage, noun, holder, COPULA)
        for place in (word for word in verb.all("prep") if word.lower in ("in", "within") and _kind(passage, noun) == PLACE):
            yield from _located(passage, holder, place)


def _placed(passage: Passage, verb: Word, subject: Word) -> Iterator[Statement]:
    """“its headquarters are in X”, “X was among her students”."""
    for preposition in verb.all("prep"):
        for word in preposition.all("pobj"):
            if preposition.lower == "in" and subject.lower in SEATS:
                yield from _seated(passage, subject, preposition, word)
            elif preposition.lower == "among" and word.tag == "NNS":
                yield from _owned(passage, word, passage.arguments(subject))


def _seated(passage: Passage, seat: Word, preposition: Word, place: Word) -> Iterator[Statement]:
    owner = seat.child("poss") or next((word for of in seat.all("prep") if of.lower == "of" for word in of.all("pobj")), None)
    holder = passage.argument(owner) if owner else None
    where = passage.argument(place)
    if holder and where and isinstance(where.value, Name):
        yield from passage.state(holder, notation(seat.lower, "in"), where, [seat, preposition], COPULA)


def is_role(word: Word) -> bool:
    """A common noun, or a title written with a capital (“Duke of Kent”)."""
    return word.noun or (word.proper and (word.lower in ROLES or word.lower in NOBLE)) or word.lower == "one"


def _kind(passage: Passage, noun: Word) -> str | None:
    return class_of_noun(passage.singular(noun))


def _located(passage: Passage, holder: Argument, preposition: Word) -> Iterator[Statement]:
    for word in preposition.all("pobj"):
        for place in passage.arguments(word):
            if isinstance(place.value, Name):
                yield from passage.state(holder, LOCATED_IN, place, [preposition], COPULA)


def _identity(passage: Passage, subject: Word, noun: Word) -> Iterator[Statement]:
    """“his father was Y”, “the capital of X is Y”: the predicate names who has the subject's role."""
    bearer = passage.named(noun)
    if bearer is None or not is_role(subject):
        return
    yield from _owned(passage, subject, [bearer])
    yield from noun_relations(passage, subject, bearer, POSSESSIVE, only_of=True)


def noun_relations(passage: Passage, noun: Word, subject: Argument, confidence: float, only_of: bool = False) -> Iterator[Statement]:
    """“(X, the) son of Y”, “author and director of Y”, “village in Y”: the nouns with their prepositions."""
    if noun.lower == "one":
        for plural in (word for of in noun.all("prep") if of.lower == "of" for word in of.all("pobj") if word.tag == "NNS"):
            yield from noun_relations(passage, plural, subject, confidence, only_of)
            yield from _owned(passage, plural, [subject])
        return
    nouns = [word for word in noun.coordinated() if is_role(word) and passage.named(word) is None and _agrees(passage, word, subject)]
    for position, each in enumerate(nouns):
        for preposition in _shared_prepositions(nouns[position:]):
            yield from _noun_relation(passage, each, preposition, subject, confidence, only_of)


def _agrees(passage: Passage, noun: Word, subject: Argument) -> bool:
    """Whether a noun can be said of somebody: a daughter is no prince, so the prince is her father."""
    gender = GENDERED.get(passage.singular(noun), "")
    return not (gender and isinstance(subject.value, Name) and subject.value.gender not in ("", gender))


def _shared_prepositions(nouns: list[Word]) -> list[Word]:
    """The prepositions of the first noun, or those behind “author and director” where nothing sets the nouns apart."""
    for noun in nouns:
        if noun is not nouns[0] and noun.child("det", "amod", "poss", "nummod"):
            return []
        if noun.child("prep"):
            return [*noun.all("prep")]
    return []


def _noun_relation(
    passage: Passage, noun: Word, preposition: Word, subject: Argument, confidence: float, only_of: bool
) -> Iterator[Statement]:
    particle = preposition.lower
    if noun.lower in PARTITIVE or particle not in _PREPOSITIONS:
        return
    if particle != "of" and (only_of or noun.lower in KIN):
        return
    if particle == "by" and _kind(passage, noun) not in (WORK, PRODUCT):
        return
    kind = _kind(passage, noun) if particle in ("in", "within") else None
    phrase = notation(_phrase(passage, noun), particle)
    for word in preposition.all("pobj"):
        for thing in passage.arguments(word):
            if isinstance(thing.value, Name):
                located = kind == PLACE or (kind == ORGANIZATION and thing.value.known_type == PLACE)
                relation = LOCATED_IN if located else phrase
                yield from passage.state(subject, relation, thing, [noun, preposition], confidence)


def _phrase(passage: Passage, noun: Word) -> str:
    """The noun in its dictionary form with what makes another relation of it (“vice president”, “half brother”)."""
    parts = [word.lower for word in noun.children if noun.index - 2 <= word.index < noun.index and _specifies(word, noun)]
    before = passage.parse.words[noun.index - 2] if noun.index >= 2 and passage.parse.words[noun.index - 1].text == "-" else None
    if before is not None and before.lower in _DISTANT and before.lower not in parts:
        parts.append(before.lower)
    return " ".join([*parts, passage.singular(noun)])


def _specifies(word: Word, noun: Word) -> bool:
    if word.lower in _DISTANT:
        return True
    return word.dep == "compound" and noun.lower not in KIN and (word.noun or word.lower in ROLES or (noun.proper and word.proper))


# -- definitions


def _definition(passage: Passage, holder: Argument, verb: Word, noun: Word) -> Iterator[Statement]:
    """“X is an American writer of books”: the complement up to its first clause or comma."""
    determiner = noun.child("det")
    if determiner is None or determiner.lower not in ("a", "an", "the") or not isinstance(holder.value, Name):
        return
    if holder.certainty < 1 or noun.lower in KIN:
        return  # a later remark, or a relation: neither says what the thing is
    last = _definition_end(passage, noun)
    first = determiner.index + 1
    text = clean_label(passage.mended.text[passage.parse.words[first].start : passage.parse.words[last - 1].end]) if last > first else ""
    if 3 <= len(text) <= DEFINITION_LIMIT:
        literal = Argument(Literal(text), first, last, text)
        yield from passage.state(holder, SKOS.definition, literal, [verb], DEFINITION)


def _definition_end(passage: Passage, noun: Word) -> int:
    """The index behind the complement: coordinated nouns and phrases with prepositions belong to it, clauses do not."""
    words = passage.parse.words
    last_noun = max(word.index for word in noun.coordinated() if word.noun or word is noun)
    index = noun.index + 1
    stops = {child.index for each in noun.coordinated() for child in each.children if child.dep in ("relcl", "acl", "appos")}
    while (
        index < len(words) and index not in stops and (words[index].text not in _CUT or index < last_noun) and not _new_clause(words[index])
    ):
        index += 1
    while index > noun.index + 1 and (words[index - 1].tag in _LOOSE_ENDS or words[index - 1].text.endswith("-")):
        index -= 1
    return index


def _new_clause(word: Word) -> bool:
    return word.tag in _CLAUSE_TAGS or word.dep in ("nsubj", "nsubjpass", "mark")


# -- appositions and possessives


def apposition_relations(passage: Passage, word: Word) -> Iterator[Statement]:
    """“Marie, daughter of Pierre” and “Warsaw, Poland”."""
    named, head = passage.named(word), passage.named(word.head)
    if named is None and head is not None and is_role(word) and word.dep == "appos":
        yield from noun_relations(passage, word, head, APPOSITION)
    elif named is not None and head is not None:
        yield from _containment(passage, head, named, word)
    elif named is not None and word.dep == "appos" and is_role(word.head):
        yield from _introduced(passage, word.head, named, word)


def _introduced(passage: Passage, noun: Word, named: Argument, name: Word) -> Iterator[Statement]:
    """“the novel Dust by Peter Vane”: what the noun says is said of the name."""
    for preposition in (*noun.all("prep"), *name.all("prep")):
        if preposition.index > name.index:
            yield from _noun_relation(passage, noun, preposition, named, APPOSITION, only_of=preposition.lower != "by")


def _containment(passage: Passage, inner: Argument, outer: Argument, word: Word) -> Iterator[Statement]:
    if not (isinstance(inner.value, Name) and isinstance(outer.value, Name) and inner.value.known_type == outer.value.known_type == PLACE):
        return
    words = passage.parse.words
    comma = outer.first == inner.last + 1 and words[inner.last].text == ","
    listed = word.child("conj", "cc") or (word.dep == "conj" and (word.head.child("cc") or word.head.dep == "conj"))
    if comma and not listed:
        yield from passage.state(inner, LOCATED_IN, outer, [words[inner.last]], CONTAINMENT)


def possessive_relations(passage: Passage, poss: Word) -> Iterator[Statement]:
    """“his brother Boso”, “Guy's widow, Marozia”, “Boso was his brother”."""
    noun = poss.head
    if passage.named(noun) is not None:
        yield from _compounded(passage, poss, noun)
    elif is_role(noun):
        yield from _owned(passage, noun, _bearers(passage, noun))


def _bearers(passage: Passage, noun: Word) -> list[Argument]:
    """Who has the role: the apposition of the noun, or the subject where the noun is a predicate."""
    several = noun.tag == "NNS"
    apposed = [
        found for word in noun.all("appos") for each in (word.coordinated() if several else [word]) if (found := passage.named(each))
    ]
    if apposed or noun.dep != "attr":
        return apposed
    return [subject for subject in passage.clause_subjects(noun.head) if subject.first < noun.index]


def _compounded(passage: Passage, poss: Word, name: Word) -> Iterator[Statement]:
    """The parser often takes “brother” for a part of the name “Boso”."""
    bearer = passage.named(name)
    for noun in name.children:
        if bearer and noun.dep in ("compound", "nmod", "amod") and noun.noun and poss.index < noun.index < bearer.first:
            yield from _owned(passage, noun, [bearer], owner_word=poss)


def _owned(passage: Passage, noun: Word, bearers: list[Argument], owner_word: Word | None = None) -> Iterator[Statement]:
    lemma = passage.singular(noun)
    owner_word = owner_word or noun.child("poss")
    if owner_word is None or not bearers or not (lemma in KIN or lemma in ROLES):
        return
    owner = passage.argument(owner_word)
    if owner is None:
        return
    for bearer in bearers:
        yield from passage.state(bearer, notation(_phrase(passage, noun), "of"), owner, [noun, owner_word], POSSESSIVE)
