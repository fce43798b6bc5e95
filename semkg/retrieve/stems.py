"""Words of questions and texts under the stems where their forms meet, without those that say nothing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from semkg.ids import normal_name

STOP = frozenset(
    normal_name(
        """a an the of in on at to for from by with and or as is are was were be been being do does did has have had what which who
        whom whose when where why how that this these those it its he she they his her their there than then also into about between
        after before during name year date place city country person people many much first last same other one"""
    ).split()
)

IRREGULAR: Mapping[str, str] = {
    form: stem
    for stem, forms in {
        "build": "built builder builders building",
        "write": "wrote written writer author authored",
        "make": "made maker makers",
        "lead": "led leader",
        "win": "won winner",
        "hold": "held",
        "teach": "taught teacher",
        "sing": "sang sung singer",
        "draw": "drew drawn",
        "begin": "began begun",
        "give": "gave given",
        "born": "birth birthplace birthday",
        "die": "died death dead dies",
        "marry": "married wife husband spouse widow marriage",
        "found": "founded founder founders established establish founding",
        "buy": "bought",
        "sell": "sold",
        "run": "ran",
        "bear": "bore",
        "grow": "grew grown",
        "discover": "discovered discovery discoverer",
        "invent": "invented inventor invention",
        "live": "lived lives residence",
        "work": "worked works employed employer",
        "study": "studied student educated education",
    }.items()
    for form in forms.split()
}
"""Forms that no rule of suffixes brings to one stem, and words that speak of one relation."""

_SUFFIXES = ("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ors", "or", "ers", "er", "ed", "es", "s", "e")


@lru_cache(50_000)
def stem(word: str) -> str:
    """A crude stem under which the forms of a word meet.

    >>> stem("directed") == stem("director") == stem("directs")
    True
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def stems(text: str) -> tuple[str, ...]:
    """The stems of a text's content words."""
    return tuple(stem(word) for word in normal_name(text).split() if word not in STOP)
