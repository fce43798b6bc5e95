"""Finding names in texts: a word trie's job done with a table, since names are short and share few first words."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from semkg.ids import normal_name

_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")

LONGEST = 12
"""Words of the longest name that is looked for; what is longer is a sentence."""

SHORTEST = 3
"""Characters of the shortest name that is looked for; what is shorter stands in too many texts by chance."""


@dataclass(frozen=True, slots=True)
class Found:
    """A name in a text: words `start` to `end` (not included) of the text's normal form."""

    name: str
    start: int
    end: int


def variants(name: str) -> frozenset[str]:
    """The normal forms under which a text may speak of what is called `name`: whole, and without a disambiguation at its end.

    >>> sorted(variants("Alien (film)"))
    ['alien', 'alien film']
    """
    plain = html.unescape(name)
    forms = {normal_name(plain), normal_name(_DISAMBIGUATION.sub("", plain))}
    return frozenset(form for form in forms if len(form) >= SHORTEST and len(form.split()) <= LONGEST)


def words_of(text: str) -> list[str]:
    """The words of a text in the normal form of names."""
    return normal_name(html.unescape(text)).split()


class NameTable:
    """Looks for many names at once. Where names overlap, the first and longest counts."""

    def __init__(self, names: Iterable[str]) -> None:
        """`names`: in normal form."""
        tails: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for name in names:
            first, *rest = name.split()
            tails[first].add(tuple(rest))
        self._tails: Mapping[str, Sequence[tuple[str, ...]]] = {
            first: sorted(rests, key=lambda rest: (-len(rest), rest)) for first, rests in tails.items()
        }

    def find(self, words: Sequence[str]) -> Iterator[Found]:
        """The names among `words`, from left to right.

        >>> [found.name for found in NameTable(["new york", "york", "new york city"]).find("in new york and york".split())]
        ['new york', 'york']
        """
        if self._tails.keys().isdisjoint(words):
            return
        place = 0
        while place < len(words):
            end = self._end(words, place)
            if end:
                yield Found(" ".join(words[place:end]), place, end)
            place = end or place + 1

    def _end(self, words: Sequence[str], start: int) -> int:
        for tail in self._tails.get(words[start], ()):
            end = start + 1 + len(tail)
            if tuple(words[start + 1 : end]) == tail:
                return end
        return 0
