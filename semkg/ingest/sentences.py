"""Sentences by rule, for many scripts: what ends one, and which full stops do not (abbreviations, initials, numbers, ellipses).

It knows no language for sure. Where a full stop could be both, the next word decides: a lower-case one goes on, a word that
usually opens a sentence begins a new one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from semkg.ingest.boundaries import Span, trimmed

_CLOSERS = r"[\"'”’»›」』】〉》)\]}*_]*"

# Each alternative consumes what it has looked at or begins where a run begins, so that no input is scanned twice.
_BOUNDARY = re.compile(
    rf"[。！？｡]+{_CLOSERS}"
    rf"|(?<![.!?…؟۔।॥։።။])[.!?…؟۔।॥։።။]+{_CLOSERS}(?=\s|\Z)"
    r"|\n(?=[ \t]*(?:\n|[-*+•‣◦▪]\s|\d{1,3}[.)]\s|\|))"
)
_TOKEN = re.compile(r"[^\s()\[\]{}\"'“”‘’«»„/]*\Z")
_WORD = re.compile(r"\s*[\"'“‘«„(\[*_]*(\w*)")
_INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_]){0,4}")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BEFORE_NAMES = _set(
    # titles and the like: a name or a number follows
    "mr mrs ms mx dr prof st ste gen col lt maj capt cmdr sgt cpl adm rev fr hon gov sen rep pres messrs mme mlle mgr "
    "fig figs eq eqs sec sect ch chap no nos nr vol vols pp vs cf e.g i.e viz ed eds trans art abs op "
    "hr hrn frau bzw z.b d.h u.a s.o vgl ca geb gest dipl ing "
    "sr sra srta dra dn dña núm pág págs sig dott dhr mevr bijv resp p.ex p.ej av bd"
)
_MAY_END = _set(
    "etc inc ltd co corp bros jr al dept est approx ph.d usw ecc enz ff plc llc gmbh "
    "jan feb mar apr jun jul aug sep sept oct nov dec univ assn ave blvd rd mt"
)
_OPENERS = _set(
    "the a an this that these those he she it they we you his her its their our in on at by for from with as after before when while "
    "if although however but and or so yet then there here not no some many most all both each since during under because "
    "der die das ein eine er sie es wir ich im am nach als wenn le la les un une il elle ils elles nous je en dans ce cette "
    "el los las una ella ellos se lo gli i nel o os as um uma ele ela de het een hij zij den det en ett han hon"
)
_MONTHS = _set(
    "january february march april may june july august september october november december "
    "januar februar märz mai juni juli oktober dezember januari februari maart augustus desember"
)


def sentences(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The sentences of a part of a text, in order, without the white space around them.

    Together they hold every character of the part that is not white space. A blank line and the beginning of a list
    item or table row end a sentence too.

    >>> example = "Dr. J. K. Lee paid 3.5 million. Why? Nobody knows."
    >>> [example[a:b] for a, b in sentences(example)]
    ['Dr. J. K. Lee paid 3.5 million.', 'Why?', 'Nobody knows.']
    """
    stop = len(text) if end is None else end
    begin = start
    for match in _BOUNDARY.finditer(text, start, stop):
        if not _ends_sentence(text, match, begin, stop):
            continue
        span = trimmed(text, begin, match.end())
        if span[0] < span[1]:
            yield span
        begin = match.end()
    span = trimmed(text, begin, stop)
    if span[0] < span[1]:
        yield span


def sentence_around(text: str, start: int, end: int) -> Span:
    """The sentence, or sentences, that hold a span of a text, and never less than the span.

    >>> example = "It rained. Ada left. Bob stayed."
    >>> example[slice(*sentence_around(example, 15, 19))]
    'Ada left.'
    """
    touched = [span for span in sentences(text) if span[0] < end and span[1] > start]
    return (min([start, *(span[0] for span in touched)]), max([end, *(span[1] for span in touched)]))


def _ends_sentence(text: str, match: re.Match[str], begin: int, stop: int) -> bool:
    mark = text[match.start()]
    if mark in "\n。！？｡":
        return True
    following = _WORD.match(text, match.end(), min(stop, match.end() + 64))
    word = following.group(1) if following else ""
    if word[:1].islower() and mark in ".!?…":
        return False
    if match.group().rstrip("\"'”’»›」』】〉》)]}*_") != ".":
        return True
    return not _goes_on(text, begin, match.start(), word)


def _goes_on(text: str, begin: int, dot: int, word: str) -> bool:
    """Whether the full stop at `dot` belongs to an abbreviation, an initial or an ordinal; `word` comes next."""
    found = _TOKEN.search(text, max(begin, dot - 24), dot)
    token = found.group() if found else ""
    key = token.casefold()
    if key in _BEFORE_NAMES:
        return bool(word)
    if key in _MAY_END or _INITIALS.fullmatch(token):
        return bool(word) and word.casefold() not in _OPENERS
    if token.isdigit() and len(token) <= 3:
        return word.casefold() in _MONTHS or not text[begin : dot - len(token)].strip()
    return False
