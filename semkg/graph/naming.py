"""Which entities' names could make them one with another, and how far that can lead (DESIGN §2, law 5).

Entities are rivals if they share a name, if one is also known by the other's name, or if the one's name may be the other's, spelled
shorter. What is merged among some entities depends on them, on their rivals, and on the rivals of these, but on nobody else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from semkg.ids import normal_name

GROUP_LIMIT = 200
"""Names that more entities share than this are no evidence of anything."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Entities, and those among them that have a rival."""

    around: frozenset[str]
    contested: frozenset[str]


class Naming:
    """The names of all entities of a graph.

    Args:
        labels: entity → label, of all entities.
        aliases: entity → what triplets call it besides.
    """

    def __init__(self, labels: Mapping[str, str], aliases: Mapping[str, Iterable[str]]) -> None:
        self._name = {iri: normal_name(label) for iri, label in labels.items()}
        self._aliases = {iri: {normal_name(alias) for alias in aliases[iri]} for iri in aliases.keys() & labels.keys()}
        self._bearers: dict[str, list[str]] = defaultdict(list)
        self._claimants: dict[str, set[str]] = defaultdict(set)
        self._spelled: dict[tuple[str, str], list[str]] = defaultdict(list)
        for iri, name in self._name.items():
            self._bearers[name].append(iri)
        for iri, claimed in self._aliases.items():
            for name in claimed:
                self._claimants[name].add(iri)
        for name in self._bearers:
            if ends := _ends(name):
                self._spelled[ends].append(name)

    def everybody(self) -> Reached:
        """All entities."""
        return self._reach({*self._bearers, *self._claimants}, {})

    def around(self, entities: Iterable[str], gone: Iterable[str], pairs: Iterable[tuple[str, str]] = ()) -> Reached:
        """The entities whose merges can have changed.

        Args:
            entities: those that something new is known of.
            gone: labels and aliases that somebody had.
            pairs: entities that somebody declared to be one.
        """
        partners: dict[str, set[str]] = defaultdict(set)
        for one, other in pairs:
            partners[one].add(other)
            partners[other].add(one)
        start = {normal_name(name) for name in gone}.union(*(self._names_of(iri) for iri in entities))
        return self._reach(start, partners)

    def _reach(self, start: set[str], partners: Mapping[str, set[str]]) -> Reached:
        around: set[str] = set()
        contested: set[str] = set()
        waiting, seen, spelled = list(start), set(start), set[tuple[str, str]]()
        while waiting:
            name = waiting.pop()
            party = {*self._bearers.get(name, ()), *self._claimants.get(name, ())}
            if len(party) > 1:
                contested |= party
            found: set[str] = set().union(*(self._names_of(other) for iri in party - around for other in (iri, *partners.get(iri, ()))))
            around |= party
            ends = _ends(name)
            # What a name that is gone was taken for is not known any more: anything that it may have been is looked at.
            if ends in self._spelled and (name not in self._bearers or ends not in spelled):
                spelled.add(ends)
                if _may_abbreviate(self._spelled[ends]):
                    contested.update(iri for other in self._spelled[ends] for iri in self._bearers[other])
                    found.update(self._spelled[ends])
                elif name not in self._bearers:
                    found.update(self._spelled[ends])
            waiting += found - seen
            seen |= found
        return Reached(frozenset(around), frozenset(contested))

    def _names_of(self, iri: str) -> set[str]:
        return {self._name[iri], *self._aliases.get(iri, ())} if iri in self._name else set()


def contested(labels: Mapping[str, str], aliases: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """The entities whose names could make them one with another: `resolve` gives for them alone what it gives for all.

    Most entities share their name with none. What else is known of the others, and costs most to find out, is then not needed.

    Args:
        labels: entity → label, of all entities.
        aliases: entity → what triplets call it besides.
    """
    return Naming(labels, aliases).everybody().contested


def shorter_spelling(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether one of two names is the other one with words cut to initials or left out."""
    shorter, longer = sorted((a, b), key=lambda words: (len(words), sum(map(len, words))))
    return shorter != longer and _abbreviates(shorter, longer)


def _ends(name: str) -> tuple[str, str] | None:
    """The first letter and the last word, which all spellings of one name share; None for a name of one word."""
    words = name.split()
    return (words[0][0], words[-1]) if len(words) >= 2 else None


def _may_abbreviate(names: Iterable[str]) -> bool:
    """Whether one of some names may be another one spelled shorter; too many names to try them all may."""
    group = [tuple(name.split()) for name in names]
    return len(group) > GROUP_LIMIT or any(shorter_spelling(a, b) for a, b in combinations(group, 2))


def _abbreviates(shorter: tuple[str, ...], longer: tuple[str, ...]) -> bool:
    """Every word of the shorter name is, in order, a word of the longer one or its initial; the ends agree."""
    rest = iter(longer)
    if not all(any(word == full or (len(word) == 1 and full.startswith(word)) for full in rest) for word in shorter):
        return False
    return shorter[-1] == longer[-1] and longer[0].startswith(shorter[0][:1]) and (len(shorter[0]) == 1 or shorter[0] == longer[0])
