"""Questions that choose: between yes and no, and between two things that they name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from semkg.agents.asked import asked
from semkg.agents.extractive import Extract, share
from semkg.ids import normal_name
from semkg.ingest.sentences import sentences
from semkg.retrieve import Passage

_CLOSED = re.compile(r"\s*(?:is|are|was|were|do|does|did)\s+(.+?)\s+(?:both|all)\s+(.+?)\W*", re.IGNORECASE)
"""“Are A and B both …?”"""

_OPEN_TWO = re.compile(
    r"\s*(?:is|are|was|were|did|does)\s+(.+?),?\s+or\s+(.+?)\s+((?:\w+\s+)?(?:first|earlier|later|older|younger|last))\W*", re.IGNORECASE
)
"""“Was A or B born first?”"""

_OUT_OF = re.compile(r".*\b(?:out of|between|of)\s+(.+?)\s+and\s+(.+?)\W*", re.IGNORECASE)
"""“Who was born first out of A and B?”"""

_OTHER = re.compile(r"\b(?:has|have|had|with) (?:the|a|an)\b|\blonger\b|'s \w+ \w+ (?:first|later)", re.IGNORECASE)
"""Compared are not the things themselves but what they have, or how long."""

_TWO = re.compile(r"(?:.*[,:]\s*|.*?\b(?:is|are|was|were|did|does)\s+)?(.+?),?\s+or\s+(.+?)\W*", re.DOTALL)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
_EARLIER = re.compile(r"\b(?:first|earlier|earliest|older|oldest|before)\b", re.IGNORECASE)
_LATER = re.compile(r"\b(?:later|latest|last|younger|youngest|newer|more recently|most recently|after)\b", re.IGNORECASE)

BY_TIME = 0.8
BY_WORDS = 0.6
"""How sure a choice is that rests on two dates, and one that rests on the words of a passage."""


def chooses_by_time(question: str) -> bool:
    """Does it choose between two things by what was earlier or later?

    >>> chooses_by_time("Who died first, Ada or Charles?"), chooses_by_time("Who taught Ada or Charles?")
    (True, False)
    """
    return bool(_TWO.fullmatch(question)) and bool(_EARLIER.search(question) or _LATER.search(question))


class Decider:
    """Decides from the passages about the things that are compared."""

    def decide(self, question: str, passages: Sequence[Passage]) -> Extract | None:
        """The choice, None where the question gives none or the passages do not settle it."""
        if both := _CLOSED.fullmatch(question):
            return self._both([part for part in re.split(r",\s*|\s+and\s+", both[1]) if part], both[2], passages)
        two = (
            _OPEN_TWO.fullmatch(question)
            or _TWO.fullmatch(question)
            or (_OUT_OF.fullmatch(question) if _EARLIER.search(question) else None)
        )
        if two and not _OTHER.search(question):
            return self._either(_unquoted(two[1]), _unquoted(two[2]), question, passages)
        return None

    def _both(self, names: Sequence[str], said: str, passages: Sequence[Passage]) -> Extract | None:
        about = [passage for name in names if (passage := _about(name, passages))]
        words = asked(said, names).words
        if len(names) < 2 or len(about) < len(names) or not words:
            return None
        shares = [share(words, passage.text) for passage in about]
        start, end = next(iter(sentences(about[0].text)))
        if min(shares) >= 0.5:
            return Extract("yes", BY_WORDS, about[0], start, end)
        return Extract("no", BY_WORDS, about[0], start, end) if min(shares) == 0 else None

    def _either(self, first: str, second: str, question: str, passages: Sequence[Passage]) -> Extract | None:
        one, other = _about(first, passages), _about(second, passages)
        if one is None or other is None or one.iri == other.iri:
            return None
        if _EARLIER.search(question) or _LATER.search(question):
            return _by_time((first, one), (second, other), later=bool(_LATER.search(question)))
        words = asked(question, [normal_name(first), normal_name(second)]).words
        shares = share(words, one.text), share(words, other.text)
        if shares[0] == shares[1]:
            return None
        name, passage = (first, one) if shares[0] > shares[1] else (second, other)
        start, end = max(sentences(passage.text), key=lambda span: share(words, passage.text[span[0] : span[1]]))
        return Extract(name, BY_WORDS, passage, start, end)


def _unquoted(name: str) -> str:
    return name.strip().strip("\"“”'")


def _about(name: str, passages: Sequence[Passage]) -> Passage | None:
    """The best passage whose document is called so."""
    wanted = normal_name(name)
    fitting = (passage for passage in passages if wanted and f" {wanted} " in f" {normal_name(passage.title)} ")
    return next((passage for passage in fitting if passage.text), None)


def _by_time(one: tuple[str, Passage], other: tuple[str, Passage], later: bool) -> Extract | None:
    """By the first year that each passage tells."""
    years = [_YEAR.search(passage.text) for _, passage in (one, other)]
    if years[0] is None or years[1] is None or years[0][0] == years[1][0]:
        return None
    chosen = (one, years[0]) if (years[0][0] < years[1][0]) != later else (other, years[1])
    (name, passage), year = chosen
    start, end = next((start, end) for start, end in sentences(passage.text) if start <= year.start() < end)
    return Extract(name, BY_TIME, passage, start, end)
