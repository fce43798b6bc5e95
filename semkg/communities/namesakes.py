"""Which of many entities have a namesake at all: most have none, and what stands around those need not be read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable

from semkg.communities.names import ACRONYM, HONORIFICS, PARTICLES, Name, may_be_one

MANY = 30
"""Among more names than this under one key nobody looks for the one that fits: there may be one."""


def filed(name: Name, person: bool) -> set[str]:
    """The keys under which a name is found by every name that could be another form of it (`may_be_one`), if that asks for `asked`."""
    return _keys(name, person, full="full", short="short", spelt="spelt", acronym="acronym")


def asked(name: Name, person: bool) -> set[str]:
    """The keys under which all names are filed that could be another form of this one: what it has in short they have in full."""
    return _keys(name, person, full="short", short="full", spelt="acronym", acronym="spelt")


def _keys(name: Name, person: bool, full: str, short: str, spelt: str, acronym: str) -> set[str]:
    """A word in common or all of them; the same initials, where one is abbreviated; an acronym and what it is spelt from."""
    parts = name.words if person else name.words[:1]
    initials = "".join(word[0] for word in parts)
    keys = _words(name, person) | {f"{full} {initials}"} | {f"{spelt} {letters}" for letters in _spelt(name)}
    if any(len(word) == 1 for word in parts):
        keys.add(f"{short} {initials}")
    if name.acronym:
        keys.add(f"{acronym} {name.acronym}")
    return keys


def _words(name: Name, person: bool) -> set[str]:
    """The whole name, and the words of which two names have one in common, unless one is an initial in the other."""
    telling = (word for word in name.words if len(word) > 1 and word not in HONORIFICS) if person else name.words[:1]
    return {f"word {word}" for word in telling} | {f"all {''.join(name.words)}"}


def _spelt(name: Name) -> set[str]:
    """What an acronym of the name may be."""
    if len(name.words) < 2:
        return set()
    found = ("".join(word[0] for word in name.words), "".join(word[0] for word in name.words if word not in PARTICLES))
    return {letters for letters in found if len(letters) in ACRONYM}


class Namesakes:
    """The names of some entities, by group: only within one are they compared."""

    def __init__(self, named: Iterable[tuple[Hashable, Name, bool]]) -> None:
        """`named`: group, name and whether it is a person's, of each entity."""
        self._filed: dict[tuple[Hashable, str], list[Name]] = defaultdict(list)
        for group, name, person in named:
            for key in filed(name, person):
                self._filed[group, key].append(name)

    def may_have(self, group: Hashable, name: Name, person: bool) -> bool:
        """Whether there may be another entity that bears a form of this name; `name` itself is among the names."""
        for key in asked(name, person):
            found = self._filed.get((group, key), ())
            if len(found) > MANY or sum(other is name for other in found) > 1:
                return True
            if any(other is not name and may_be_one(name, other, person) for other in found):
                return True
        return False
