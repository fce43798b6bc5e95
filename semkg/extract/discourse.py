"""Who is who within one document: names and their short forms, the class of each, and what a pronoun stands for.

Everything here is a function of one document. Where two readings are possible, there is none: a wrong antecedent is worse than a
missing one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from semkg.extract.classes import (
    CONCEPT,
    GENDERED,
    GROUP,
    HONORIFICS,
    NAME_HEADS,
    NOBLE,
    ORGANIZATION,
    PERSON,
    WORK,
    class_of_noun,
    same_kind,
)
from semkg.extract.labels import Title
from semkg.extract.syntax import Word
from semkg.ids import normal_name

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
        """The class with most votes; the first to get them where two are level."""
        return max(self.votes, key=lambda name: self.votes[name]) if self.votes else None

    @property
    def type(self) -> str:
        return self.known_type or CONCEPT

    def describe(self, noun: str, weight: float) -> None:
        """Note what a text calls the thing (“director”, “village”)."""
        self.noun = self.noun or noun
        self.gender = self.gender or GENDERED.get(noun, "")
        if type := class_of_noun(noun):
            self.vote(type, weight)

    def vote(self, type: str, weight: float) -> None:
        self.votes[type] = self.votes.get(type, 0.0) + weight

    def merge_into(self, other: Name) -> None:
        """Let this name stand for `other`."""
        if other.resolved is not self:
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
            if type := NAME_HEADS.get(key.rpartition(" ")[2]) if " " in key else None:
                found.vote(type, 1.5)
        return found

    def resolve_short_names(self) -> None:
        """Let “Boritzer” stand for “Etan Boritzer”, and the acronym for the name it abbreviates, where there is only one."""
        names = list(self.names.items())
        for key, name in names:
            if name is self.topic:
                continue
            candidates = [
                other
                for other_key, other in names
                if other is not name and other.same_as is None and _short_for(name, key, other, other_key, other is self.topic)
            ]
            if self.topic in candidates:
                name.merge_into(self.topic)
            elif len(candidates) == 1:
                name.merge_into(candidates[0])


def _short_for(name: Name, key: str, other: Name, other_key: str, topic: bool) -> bool:
    core = normal_name(_core(other.label))
    if topic and other.known_type == PERSON and name.known_type in _MISTAKEN and key == core.rpartition(" ")[2]:
        return True
    if len(key) < len(other_key) and name.known_type in (None, PERSON, other.known_type) and other.known_type == PERSON:
        short, long = key.split(), core.split()
        return short != long and (long[: len(short)] == short or long[-len(short) :] == short)
    return _acronym(name.label, other)


_MISTAKEN = (None, ORGANIZATION, WORK, CONCEPT)
"""What a bare surname is often taken for."""


def _core(label: str) -> str:
    """A label without what tells namesakes apart: “, 15th Earl of Cork” and “(politician)”."""
    return label.partition(" (")[0].partition(",")[0]


def _acronym(label: str, other: Name) -> bool:
    initials = "".join(word[0] for word in other.label.split() if word[0].isupper())
    return len(label) >= 2 and label.isupper() and label == initials and other.known_type in (None, ORGANIZATION, GROUP)


class Discourse:
    """The state that pronouns depend on: the topic, and who was the subject lately.

    Args:
        topic: what the document is about.
    """

    def __init__(self, topic: Name | None) -> None:
        self.topic = topic
        self.recent: list[Name] = []
        self.here: list[tuple[int, Name]] = []
        self._topic_gender = ""

    def settle_gender(self, pronouns: Iterable[str]) -> None:
        """Let a noun, or else the pronouns of the whole document, tell the topic's gender."""
        self._topic_gender = self.topic.gender if self.topic and self.topic.gender else _gender(pronouns)

    def next_sentence(self, subjects: list[tuple[int, Name]]) -> None:
        """Go on to a sentence with these subjects, by the index of their word."""
        if self.here:
            self.recent = [name for _, name in self.here]
        self.here = subjects

    def antecedent(self, word: Word) -> Name | None:
        """What a pronoun stands for, None where that is not safe."""
        pronoun = PRONOUNS.get(word.lower)
        if pronoun is None:
            return None
        before = [name for index, name in self.here if index < word.index and self._fits(name, pronoun)]
        if before:
            return before[-1] if len(set(before)) == 1 or word.dep != "nsubj" else None
        topic = self.topic if self.topic and self._fits(self.topic, pronoun) else None
        recent = {name for name in self.recent if self._fits(name, pronoun)}
        if not recent or recent == {topic}:
            return topic
        return next(iter(recent)) if len(recent) == 1 and topic is None else None

    def definite(self, noun: str) -> Name | None:
        """What “the film” stands for: the topic, where it is one."""
        return self.topic if self.topic and self.topic.noun and same_kind(noun, self.topic.noun) else None

    def _fits(self, name: Name, pronoun: str) -> bool:
        type = name.known_type
        if pronoun in ("he", "she"):
            gender = self._topic_gender if name is self.topic else name.gender
            return type == PERSON and gender in ("", pronoun)
        if pronoun == "they":
            return type in (ORGANIZATION, GROUP)
        return type is not None and type != PERSON


def _gender(pronouns: Iterable[str]) -> str:
    counts = Counter(PRONOUNS.get(pronoun, "") for pronoun in pronouns)
    he, she = counts["he"], counts["she"]
    if he > 2 * she:
        return "he"
    return "she" if she > 2 * he else ""
