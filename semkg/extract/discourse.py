"""Who is who within one document: names and their short forms, the class of each, and what a pronoun stands for.

Everything here is a function of one document. Where two readings are possible, there is none: a wrong antecedent is worse than a
missing one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from semkg.extract.classes import (
    BODIES,
    CONCEPT,
    GENDERED,
    GROUP,
    HONORIFICS,
    NOBLE,
    ORGANIZATION,
    PERSON,
    PLACE,
    PRODUCT,
    WORK,
    class_of_noun,
    generic,
    impersonal,
    same_kind,
)
from semkg.extract.labels import Title, head_of, named_kind, person_shaped, strong_kind
from semkg.extract.syntax import Word
from semkg.ids import normal_name

HEADED, SHAPED = 4.0, 1.5
"""Votes for a class: by the head of a name, and by one that is a surname as well. The recogniser has 1 a mention."""

PRONOUNS: dict[str, str] = {
    **dict.fromkeys(("he", "him", "his", "himself"), "he"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "she"),
    **dict.fromkeys(("it", "its", "itself"), "it"),
    **dict.fromkeys(("they", "them", "their", "themselves"), "they"),
}
"""Pronoun → its subject form."""


@dataclass(slots=True, eq=False)
class Name:
    """One thing as one document calls it."""

    label: str
    votes: dict[str, float] = field(default_factory=dict)
    noun: str = ""
    """What the document says it is: the head noun of its definition."""
    gender: str = ""
    """`he` or `she` where a noun tells."""
    same_as: Name | None = None
    """The longer name that this one is short for."""

    @property
    def resolved(self) -> Name:
        """The name that this one stands for."""
        name = self
        while name.same_as is not None:
            name = name.same_as
        return name

    @property
    def known_type(self) -> str | None:
        """The class with most votes; the first to get them where two are level, none where the votes are against."""
        best = max(self.votes, key=lambda name: self.votes[name]) if self.votes else None
        return best if best and self.votes[best] > 0 else None

    @property
    def type(self) -> str:
        return self.known_type or CONCEPT

    def describe(self, noun: str, weight: float) -> None:
        """Note what a text calls the thing (“director”, “village”); a maker with the name of a company is no person."""
        if class_of_noun(noun) == PERSON and strong_kind(self.label):
            return
        self.noun = self.noun or noun
        self.gender = self.gender or GENDERED.get(noun, "")
        if type := class_of_noun(noun):
            self.vote(type, weight)

    def define(self, noun: str, weight: float, topic: bool) -> None:
        """Note what a definition says that the thing is: what is not said of people rules out a person, surely where it is the topic."""
        self.describe(noun, weight)
        if impersonal(noun):
            self.vote(PERSON, -weight / 2 if topic else -SHAPED)

    def vote(self, type: str, weight: float) -> None:
        self.votes[type] = self.votes.get(type, 0.0) + weight

    def merge_into(self, other: Name | None) -> None:
        """Let this name stand for `other`."""
        if other is not None and other.resolved is not self:
            self.same_as = other.resolved


class Roster:
    """The names of one document, by their normal form."""

    def __init__(self, title: Title | None) -> None:
        self.names: dict[str, Name] = {}
        self.topic: Name | None = None
        if title:
            self.topic = self.name(title.label)
            self._describe_topic(title)

    def _describe_topic(self, title: Title) -> None:
        if self.topic is None:
            return
        if title.noun:
            self.topic.describe(title.noun, 5)
        first = title.bare.partition(" ")[0].lower()
        if not self.topic.votes and (first in NOBLE or first in HONORIFICS):
            self.topic.vote(PERSON, 1)
            self.topic.gender = GENDERED.get(first, "")

    def name(self, label: str) -> Name:
        """The one name for all spellings of `label`."""
        key = normal_name(label) or label
        found = self.names.get(key)
        if found is None:
            found = self.names[key] = Name(label)
            _vote_by_form(found)
        return found

    def settle_places(self) -> None:
        """“University of Vale”: Vale is a place."""
        for label in [name.label for name in self.names.values() if " of " in name.label and named_kind(name.label)]:
            place = self.names.get(normal_name(label.rpartition(" of ")[2]))
            if place is not None:
                place.vote(PLACE, SHAPED)

    def by_head(self) -> dict[str, Name | None]:
        """The head of a name → the name, None where several have it: what “the foundation” may stand for."""
        heads: dict[str, Name | None] = {}
        for name in self.names.values():
            head, bearer = head_of(name.label), name.resolved
            if " " in name.label and class_of_noun(head) not in (None, PERSON) and bearer.known_type not in (None, PERSON):
                heads[head] = bearer if heads.get(head, bearer) is bearer else None
        return heads

    def resolve_short_names(self) -> None:
        """Let “Boritzer” stand for “Etan Boritzer”, and the acronym for the name it abbreviates, where there is only one."""
        longer = self._by_short_form()
        for key, name in self.names.items():
            if name is self.topic:
                continue
            candidates = [other for other in longer.get(key, ()) if other is not name and other.same_as is None and _can_be(name, other)]
            if self.topic in candidates or self._surname_of_topic(name, key):
                name.merge_into(self.topic)
            elif len(candidates) == 1:
                name.merge_into(candidates[0])

    def _by_short_form(self) -> dict[str, list[Name]]:
        """Normal forms of what names can be cut down to → the names."""
        forms: dict[str, list[Name]] = {}
        for name in self.names.values():
            for form in _short_forms(name):
                forms.setdefault(form, []).append(name)
        return forms

    def _surname_of_topic(self, name: Name, key: str) -> bool:
        """Whether a lone word that was taken for something else is the surname of the person the document is about."""
        topic = self.topic
        return (
            topic is not None
            and topic.known_type == PERSON
            and name.known_type in _MISTAKEN
            and " of " not in topic.label
            and key == normal_name(core(topic.label)).rpartition(" ")[2]
        )


def _vote_by_form(name: Name) -> None:
    if type := named_kind(name.label):
        name.vote(type, HEADED if strong_kind(name.label) else SHAPED)
    elif name.label.lower() in BODIES:
        name.vote(CONCEPT, SHAPED)


def _short_forms(name: Name) -> set[str]:
    """The first or last words of a person's name, the initials of an organization's."""
    if name.known_type == PERSON or (name.known_type in (None, ORGANIZATION) and person_shaped(name.label)):
        words = normal_name(core(name.label)).split()
        own = words[: words.index("of")] if "of" in words else words  # “Anna of Vale” is Anna, never Vale
        cuts = {" ".join(part) for k in range(1, len(words) + 1) for part in (words[:k], own[-k:])}
        return cuts - {normal_name(name.label)}
    if name.known_type in (None, ORGANIZATION, GROUP) and " " in name.label:
        return {"".join(word[0] for word in name.label.split() if word[0].isupper()).casefold()}
    return set()


def _can_be(name: Name, longer: Name) -> bool:
    """Whether the classes allow one to be short for the other."""
    if longer.known_type == PERSON or person_shaped(longer.label):
        return name.known_type in (None, PERSON, longer.known_type)
    return name.label.isupper() and len(name.label) >= 2


_MISTAKEN = (None, ORGANIZATION, WORK, PRODUCT, CONCEPT)
"""What a bare surname is often taken for."""


def core(label: str) -> str:
    """A label without what tells namesakes apart.

    >>> core("John Boyle, 15th Earl of Cork"), core("Ada Lind (painter)")
    ('John Boyle', 'Ada Lind')
    """
    return label.partition(" (")[0].partition(",")[0]


class Discourse:
    """The state that pronouns depend on: the topic, and who was the subject lately.

    Args:
        topic: what the document is about.
    """

    def __init__(self, topic: Name | None) -> None:
        self.topic = topic
        self.by_head: dict[str, Name | None] = {}
        self.recent: list[Name] = []
        self.here: list[tuple[int, Name]] = []
        self.agents: list[Name] = []
        self._recent_agents: set[Name] = set()
        self.strangers: list[tuple[int, str]] = []
        self._recent_strangers: set[str] = set()
        self._topic_gender = ""

    def settle_gender(self, pronouns: Iterable[str]) -> None:
        """Let a noun, or else the pronouns of the whole document, tell the topic's gender; what they say most is what it is."""
        counts = Counter(PRONOUNS.get(pronoun, "") for pronoun in pronouns)
        self._topic_gender = self.topic.gender if self.topic and self.topic.gender else _gender(counts)
        if self.topic and person_shaped(self.topic.label) and counts["he"] + counts["she"] > 2 * counts["it"]:
            self.topic.vote(PERSON, 2 * SHAPED)

    def next_sentence(self, subjects: list[tuple[int, Name]], strangers: list[tuple[int, str]], agents: list[Name]) -> None:
        """Go on to a sentence with these subjects, by the index of their word.

        Args:
            subjects: the names.
            strangers: the classes of the subjects that have no name: a pronoun may mean one of them.
            agents: the names behind “by”: who a pronoun means where no subject agrees with it.
        """
        self._recent_agents = set(self.agents)
        self.agents = agents
        if self.here or self.strangers:
            self.recent = [name for _, name in self.here] or self.recent
            self._recent_strangers = {kind for _, kind in self.strangers}
        self.here, self.strangers = subjects, strangers

    def antecedent(self, word: Word) -> Name | None:
        """What a pronoun stands for, None where that is not safe."""
        pronoun = PRONOUNS.get(word.lower)
        found = self._antecedent(word, pronoun) if pronoun else None
        if found and pronoun in ("he", "she"):
            found.gender = found.gender or pronoun
        return found

    def _antecedent(self, word: Word, pronoun: str) -> Name | None:
        before = [name for index, name in self.here if index < word.index and self._fits(name, pronoun)]
        if before:
            return before[-1] if len(set(before)) == 1 or word.dep != "nsubj" else None
        kinds = self._recent_strangers | {kind for index, kind in self.strangers if index < word.index}
        if any((kind == PERSON) is (pronoun in ("he", "she")) for kind in kinds):
            return None
        topic = self.topic if self.topic and self._fits(self.topic, pronoun) else None
        recent = {name for name in self.recent if self._fits(name, pronoun)}
        if topic is None and not recent:
            recent = {name for name in self._recent_agents if self._fits(name, pronoun)}
        if not recent or recent == {topic}:
            return topic
        return next(iter(recent)) if len(recent) == 1 and topic is None else None

    def definite(self, noun: str) -> Name | None:
        """What “the film” stands for: the topic, where it is one, or the only thing whose name says so (“Lyra Film”)."""
        return self.topic if self.topic and self._is_topic(self.topic, noun) else self.by_head.get(noun)

    def _is_topic(self, topic: Name, noun: str) -> bool:
        if topic.known_type in (None, PERSON):
            return False
        if topic.noun:
            return same_kind(noun, topic.noun)
        return class_of_noun(noun) == topic.known_type and generic(noun)

    def _fits(self, name: Name, pronoun: str) -> bool:
        type = name.known_type
        if pronoun in ("he", "she"):
            gender = self._topic_gender if name is self.topic else name.gender
            return type == PERSON and gender in ("", pronoun)
        if pronoun == "they":
            return type in (ORGANIZATION, GROUP)
        return type is not None and type != PERSON


def _gender(counts: Counter[str]) -> str:
    he, she = counts["he"], counts["she"]
    if he > 2 * she:
        return "he"
    return "she" if she > 2 * he else ""
