"""How texts of any language become words that SQLite's `unicode61` tokenizer finds, and questions become its query expressions.

Scripts that put no space between words (Han, kana, Thai, Lao, Khmer, Burmese, Tibetan) are indexed by single characters and asked for by
pairs of neighbours, which needs no dictionary.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u0f00-\u0fff"  # Tibetan
    "\u1000-\u109f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
MOST_WORDS = 256
"""Of a longer question the first words count: the time of a search grows with them."""

_RUN = re.compile(f"[{_UNSPACED}]+")
_ACCENTS = re.compile("[\u0300-\u036f]+")  # SQLite removes those of Latin letters only
_WORD_CATEGORIES = ("L", "N", "M")
_MARKS = ("Mn", "Mc", "Me")

_STOP_WORDS = {
    language: frozenset(listed.split())
    for language, listed in {
        "en": """a an and are as at be been by did do does for from had has have how in into is it its of on or that the their there these
            this to was were what when where which who whom whose why will with""",
        "de": """als am auf aus bei das dem den der des die ein eine einem einen einer eines für im in ist mit nach oder sich sie sind und
            von vor war waren was wer wie wo wurde zu zum zur""",
        "fr": """au aux avec ce ces cette dans de des du elle en est et il la le les leur ont ou où par pas pour qu que qui quel quelle sa
            se ses son sont sur un une""",
        "es": """al como con cual de del donde el en era es fue ha la las los no para por que quien qué quién se son su sus un una y""",
        "it": """al che chi come con da del della delle di dove e gli ha i il in la le lo nel per quale si su un una è""",
        "pt": """ao as com da das de do dos e em foi na no o os para por qual que quem se sua seu são um uma é""",
        "nl": """aan de een en het hij in is met niet op te van voor wat werd wie zijn""",
        "ru": """в во где и из к как кто на не о от по с что это""",
    }.items()
}
"""Words that say nothing about what a text is about."""


def indexed(text: str) -> str:
    """The text as it is handed to the tokenizer.

    >>> indexed("in 東京 2020")
    'in  東 京  2020'
    """
    return _RUN.sub(lambda run: f" {' '.join(_clusters(run[0]))} ", _normal(text))


def expression(text: str) -> str:
    """An FTS5 query for any of the words of `text` but its stop words, if it has others; the empty string where it has no word.

    >>> expression("Where is AND? 東京都")
    '"東 京" OR "京 都"'
    >>> expression("to be")
    '"to" OR "be"'
    """
    words = list(dict.fromkeys(_words(_normal(text))))
    stop_words = _stop_words({word.casefold() for word in words})
    telling = [word for word in words if word.casefold() not in stop_words]
    # Only letters, digits, marks and spaces are left, so a quoted word can hold no query syntax.
    return " OR ".join(f'"{word}"' for word in (telling or words)[:MOST_WORDS])


def _stop_words(said: set[str]) -> frozenset[str]:
    """Those of the language of which most are said, English where that is open: `die` is no article in `Where did she die?`."""
    return max(_STOP_WORDS.values(), key=lambda listed: len(listed & said))


def _normal(text: str) -> str:
    """NFKC without accents; SQLite's texts end at a NUL and hold no lone surrogates."""
    if not text.isascii():
        bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
        text = unicodedata.normalize("NFKC", bare).encode("utf-8", "replace").decode("utf-8")
    return text.replace("\0", " ")


def _words(text: str) -> Iterator[str]:
    spaced = "".join(char if unicodedata.category(char)[0] in _WORD_CATEGORIES else " " for char in text)
    for word in _RUN.sub(lambda run: f" {run[0]} ", spaced).split():
        yield from _pairs(_clusters(word)) if _RUN.match(word) else (word,)


def _pairs(clusters: list[str]) -> Iterator[str]:
    return (" ".join(pair) for pair in pairwise(clusters)) if len(clusters) > 1 else iter(clusters)


def _clusters(run: str) -> list[str]:
    """Characters, each with the marks above and below it."""
    clusters: list[str] = []
    for char in run:
        if clusters and unicodedata.category(char) in _MARKS:
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters
