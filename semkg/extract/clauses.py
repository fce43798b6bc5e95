"""Relations that verbs state: active and passive, with objects, agents, prepositions and dates, shared subjects distributed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import Literal

from semkg.extract.classes import PARTITIVE, PARTS, SEATS, WORK, words_of
from semkg.extract.discourse import Name
from semkg.extract.factuality import asserted
from semkg.extract.nominals import noun_relations
from semkg.extract.notation import NAMED_AFTER, dated, notation, participle, past
from semkg.extract.passage import BE, BECOME, Argument, Passage, Statement
from semkg.extract.syntax import Word
from semkg.vocab import SKOS

ACTIVE, PASSIVE, OBLIQUE, WITH_NOUN, ROLE, DATED, ALIAS, QUALITY = 0.85, 0.9, 0.8, 0.7, 0.8, 0.85, 0.85, 0.75
"""Confidence by pattern."""

RESOLVED = 0.85
"""Certainty of a work that only its part is named of."""

PREPOSITIONS = words_of(
    """in on at to from for with of into as against under near within alongside onto through via by over across around"""
)
DATE_PREPOSITIONS = words_of("in on from since to until till")

_EMPTY_VERBS = words_of(
    "be have do say get let seem appear tell make include become remain contain call name mean need want like see feel use give take"
)
_NAMING = words_of("call title entitle dub nickname rename style")
_APPOINTING = words_of("appoint elect name crown make proclaim declare become consecrate")
_AGENT, _AS = frozenset({"by"}), frozenset({"as"})
_PASSING = words_of("marry join leave succeed enter defeat divorce meet")
"""Verbs that take no longer than a date, between a subject and an object that matter alike."""

_OF_THE_OBJECT = words_of("for as of into")
"""Prepositions that say something of a verb's named object, or of both together."""

_SERVING = words_of("serve act work")
_GIVING = words_of("award give grant present")
_LOOSE = words_of("reprise start begin end range include date")
"""Verbs whose participles are no more than prepositions (“starting in 1955”)."""

_CLAUSES = frozenset({"ROOT", "conj", "relcl", "acl", "advcl", "ccomp", "xcomp", "parataxis"})

_MAKING = words_of(
    """direct write found establish compose produce publish release record build design invent create paint develop launch open form
    discover print construct film acquire buy purchase"""
)
_KNOWN_AS = words_of("know bill credit call refer")


def clause_relations(passage: Passage, verb: Word) -> Iterator[Statement]:
    """Everything that a verb says of names, nothing where it is denied, doubted, wished or asked."""
    if not asserted(passage, verb):
        return
    lemma = passage.parser.lemma(verb.lower, "VERB")
    if not lemma.isalpha() or len(lemma) < 3 or lemma == "be" or (lemma in _LOOSE and verb.dep in ("acl", "advcl")):
        return
    subjects = passage.clause_subjects(verb)
    if is_passive(verb):
        yield from _passive(passage, verb, lemma, subjects)
    else:
        yield from _active(passage, verb, lemma, subjects)


def is_passive(verb: Word) -> bool:
    """Whether the subject of a verb is what something was done to."""
    if verb.child("auxpass", "nsubjpass"):
        return True
    if verb.tag not in ("VBN", "VBD") or any(
        child.dep == "aux" and child.lower in ("has", "have", "had", "having") for child in verb.children
    ):
        return False
    if verb.child("agent"):
        return True
    if verb.dep in ("acl", "advcl"):
        return verb.tag == "VBN"
    if verb.tag == "VBN" and not verb.child("aux", "dobj"):
        return True  # “X also known as Y”
    return verb.dep == "conj" and verb.tag == "VBN" and verb.head.verb and verb.child("nsubj") is None and is_passive(verb.head)


# -- passive


def _passive(passage: Passage, verb: Word, lemma: str, subjects: list[Argument]) -> Iterator[Statement]:
    if lemma in _NAMING or lemma in _KNOWN_AS:
        yield from _aliases(passage, verb, subjects)
    if lemma in _APPOINTING:
        yield from _appointed(passage, verb, subjects)
    active = notation(past(lemma), _particle(verb))
    agents = _agents(passage, verb) if lemma != "know" and not verb.child("dobj", "oprd") else ()
    for agent in agents:
        for subject in subjects:
            yield from passage.state(agent, active, subject, [verb], PASSIVE)
        if not subjects:
            yield from _made_part(passage, verb, agent, past(lemma))
    if lemma in _GIVING:
        for word in verb.all("dobj", "oprd"):
            for subject in subjects:
                for given in passage.arguments(word):
                    yield from passage.state(subject, "RECEIVED", given, [verb], ACTIVE)
    elif not verb.child("oprd", "dobj"):
        refused = _AGENT | _AS if lemma in _KNOWN_AS or lemma in _NAMING or lemma == "succeed" else _AGENT
        yield from _oblique(passage, verb, _Predicate(participle(lemma), (verb,), subjects, refused=refused))


def _made_part(passage: Passage, verb: Word, agent: Argument, stem: str) -> Iterator[Statement]:
    """“the music was composed by X” → X COMPOSED_MUSIC_OF the work that the document is about."""
    part, topic = verb.child("nsubjpass"), passage.discourse.topic
    determiner = part.child("det", "poss") if part else None
    if part is None or determiner is None or topic is None or topic.known_type != WORK or part.lower not in PARTS:
        return
    if determiner.lower not in ("the", "its") or part.child("prep", "amod", "relcl", "acl", "compound"):
        return
    whole = Argument(topic, determiner.index, part.index + 1, topic.label, RESOLVED)
    yield from passage.state(agent, notation(stem, part.lower, "of"), whole, [verb], PASSIVE)


def _agents(passage: Passage, verb: Word) -> Iterator[Argument]:
    for by in verb.children:
        if by.dep in ("agent", "prep") and by.lower == "by":
            for word in by.all("pobj"):
                yield from (agent for agent in passage.arguments(word) if not isinstance(agent.value, Literal))


def _aliases(passage: Passage, verb: Word, subjects: list[Argument]) -> Iterator[Statement]:
    """“also known as Y”, “was called Y”: another name of the same thing."""
    known = verb.lower in ("known", "billed", "credited", "referred")
    for holder in [verb, *(p for p in verb.all("prep") if p.lower in ("as", "to"))]:
        if (holder is verb) is known:
            continue
        for word in holder.all("oprd", "pobj", "dobj", "attr"):
            for alias in (named for each in word.coordinated() if (named := passage.named(each))):
                for subject in subjects[:1]:
                    yield from _alias(passage, verb, subject, alias)


def _alias(passage: Passage, verb: Word, subject: Argument, alias: Argument) -> Iterator[Statement]:
    if isinstance(alias.value, Literal) or isinstance(subject.value, Literal):
        return
    if alias.value is passage.discourse.topic:  # “Ada Byron, known as Ada Lovelace” where the title has the second
        subject, alias = alias, subject
        if subject.value is alias.value or alias.certainty < 1:
            return
    literal = Argument(Literal(alias.words), alias.first, alias.last, alias.words)
    yield from passage.state(subject, SKOS.altLabel, literal, [verb], ALIAS)
    if isinstance(alias.value, Name) and isinstance(subject.value, Name):
        alias.value.merge_into(subject.value)


def _appointed(passage: Passage, verb: Word, subjects: list[Argument]) -> Iterator[Statement]:
    """“was elected president of Y”."""
    for noun in [*verb.all("oprd", "attr", "dobj"), *(w for p in verb.all("prep") if p.lower == "as" for w in p.all("pobj"))]:
        for subject in subjects:
            yield from noun_relations(passage, noun, subject, ROLE)


# -- active


def _active(passage: Passage, verb: Word, lemma: str, subjects: list[Argument]) -> Iterator[Statement]:
    if verb.lower in BECOME or lemma in _SERVING:
        yield from _appointed(passage, verb, subjects)
    nouns = list(verb.all("dobj"))
    if any(_denied(noun) for noun in nouns):
        return
    things = [thing for noun in nouns for thing in passage.arguments(noun) if not isinstance(thing.value, Literal)]
    if lemma not in _EMPTY_VERBS:
        active = notation(past(lemma), _particle(verb))
        for subject in subjects:
            for thing in things:
                yield from passage.state(subject, active, thing, [verb], ACTIVE)
    if things:
        yield from _oblique(passage, verb, _with_thing(verb, lemma, subjects, things))
    elif nouns:
        yield from _with_noun(passage, verb, lemma, nouns[-1], subjects)
    elif not verb.child("dative", "oprd", "attr", "ccomp", "xcomp"):
        yield from _oblique(passage, verb, _Predicate(_stem(lemma, verb), (verb,), subjects))


def _with_thing(verb: Word, lemma: str, subjects: list[Argument], things: list[Argument]) -> _Predicate:
    """“wrote Dust in 1950” says when Dust was written; “won the Hale Prize in 1950” not when somebody won."""
    if lemma in _MAKING:
        return _Predicate(participle(lemma), (verb,), things, refused=_AGENT | _OF_THE_OBJECT)
    return _Predicate(past(lemma), (verb,), subjects, refused=_OF_THE_OBJECT, takes_dates=lemma in _PASSING)


def _denied(noun: Word) -> bool:
    return any(child.lower == "no" for child in noun.children)


def _stem(lemma: str, verb: Word) -> str:
    return notation(past(lemma), _particle(verb)).lower() if _particle(verb) else past(lemma)


def _particle(verb: Word) -> str:
    particle = verb.child("prt")
    return particle.lower if particle else ""


def _with_noun(passage: Passage, verb: Word, lemma: str, noun: Word, subjects: list[Argument]) -> Iterator[Statement]:
    """“made his debut for Ajax” → MADE_DEBUT_FOR: the verb alone would say something else."""
    if (
        not noun.noun
        or noun.lower in PARTITIVE
        or (lemma == "have" and noun.lower not in SEATS)
        or (noun.child("conj", "relcl", "nummod", "poss") and noun.child("poss") is None)
    ):
        return
    stem = noun.lower if lemma == "have" else f"{past(lemma)} {passage.singular(noun)}"
    if not stem.replace(" ", "").isalpha():
        return
    predicate = _Predicate(stem, (verb, noun), subjects, WITH_NOUN)
    for holder in (noun, verb):
        yield from _oblique(passage, holder, predicate)


@dataclass(frozen=True, slots=True)
class _Predicate:
    """What a preposition adds to: “died (in Rome)”, “made his debut (for Ajax)”."""

    stem: str
    words: tuple[Word, ...]
    subjects: list[Argument]
    confidence: float = OBLIQUE
    refused: frozenset[str] = frozenset()
    """Prepositions that mean something else here."""
    takes_dates: bool = True


def _oblique(passage: Passage, holder: Word, predicate: _Predicate) -> Iterator[Statement]:
    """The prepositions and bare dates of a verb (or of its object)."""
    if predicate.stem in ("", "was", "had", "did"):
        return
    for preposition in _prepositions(holder):
        if preposition.lower not in predicate.refused:
            yield from _prepositional(passage, preposition, predicate)
    for word in holder.all("npadvmod"):
        when = passage.argument(word)
        if when and isinstance(when.value, Literal) and predicate.takes_dates:
            for subject in predicate.subjects:
                yield from passage.state(subject, dated(predicate.stem, "on"), when, [*predicate.words], DATED)


def _prepositions(holder: Word) -> list[Word]:
    direct = [word for word in holder.children if word.dep == "prep" or (word.dep == "agent" and word.lower == "by")]
    return direct + [other for word in direct for other in word.children if other.dep in ("prep", "conj") and other.tag == "IN"]


def _prepositional(passage: Passage, preposition: Word, predicate: _Predicate) -> Iterator[Statement]:
    for word in preposition.all("pobj"):
        for thing in passage.arguments(word):
            relation = _relation(predicate, preposition.lower, thing)
            confidence = DATED if isinstance(thing.value, Literal) else predicate.confidence
            for subject in predicate.subjects if relation else ():
                yield from passage.state(subject, relation, thing, [*predicate.words, preposition], confidence)


def _relation(predicate: _Predicate, preposition: str, thing: Argument) -> str:
    """The notation of a predicate with a preposition, empty where they say nothing of the thing."""
    if isinstance(thing.value, Literal):
        return dated(predicate.stem, preposition) if preposition in DATE_PREPOSITIONS and predicate.takes_dates else ""
    if preposition in ("after", "for") and predicate.stem in ("named", "called"):
        return NAMED_AFTER
    if preposition not in PREPOSITIONS:
        return ""
    if preposition == "on" and predicate.stem in ("born", "died"):
        preposition = "in"  # an island; "on" is kept for dates
    return notation(predicate.stem, preposition)


def adjective_relations(passage: Passage, verb: Word) -> Iterator[Statement]:
    """“X is married to Y”, “X is native to Y”."""
    for adjective in verb.all("acomp"):
        if adjective.tag not in ("JJ", "VBN") or not adjective.lower.isalpha() or adjective.child("advmod", "neg"):
            continue
        for preposition in adjective.all("prep"):
            if preposition.lower in PREPOSITIONS:
                yield from _of_quality(passage, verb, adjective, preposition)


def _of_quality(passage: Passage, verb: Word, adjective: Word, preposition: Word) -> Iterator[Statement]:
    things = [thing for word in preposition.all("pobj") for thing in passage.arguments(word) if not isinstance(thing.value, Literal)]
    if not things or not asserted(passage, verb):
        return
    for subject in passage.clause_subjects(verb):
        for thing in things:
            yield from passage.state(subject, notation(adjective.lower, preposition.lower), thing, [adjective, preposition], QUALITY)


def is_clause(word: Word) -> bool:
    """Whether a word is a verb that states something by itself."""
    return word.dep in _CLAUSES and word.lower not in BE
