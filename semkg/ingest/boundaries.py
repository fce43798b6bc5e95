"""Where a text may be cut: between graphemes always, between words where there are any (Unicode Standard Annex 29, simplified)."""

from __future__ import annotations

import re
import unicodedata

Span = tuple[int, int]
"""Start and end, in code points, of a part of a text."""

_VISIBLE = re.compile(r"\S")
_JOINER = "\u200d"


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without the white space at its two ends; an empty one lies at `end`.

    >>> trimmed("  ab ", 0, 5)
    (2, 4)
    """
    part = text[start:end]
    return end - len(part.lstrip()), start + len(part.rstrip()) if part.strip() else end


def next_visible(text: str, start: int, end: int) -> int:
    """The position of the first character at or after `start` that is not white space, or `end`."""
    found = _VISIBLE.search(text, start, end)
    return found.start() if found else end


def _extends(character: str) -> bool:
    """Whether the character belongs to the grapheme before it: marks, emoji modifiers, Hangul vowels and finals, low surrogates."""
    code = ord(character)
    if code < 0x300:
        return False
    return (
        unicodedata.category(character) in ("Mn", "Mc", "Me")
        or character == _JOINER
        or 0x1160 <= code <= 0x11FF
        or 0x1F3FB <= code <= 0x1F3FF
        or 0xDC00 <= code <= 0xDFFF
        or 0xE0020 <= code <= 0xE007F
    )


def _regional(character: str) -> bool:
    return 0x1F1E6 <= ord(character) <= 0x1F1FF


def _inside_flag(text: str, position: int) -> bool:
    """Whether an odd number of regional indicators stands before `position`: they make flags in pairs."""
    if not (_regional(text[position]) and _regional(text[position - 1])):
        return False
    start = position
    while start > 0 and position - start < 64 and _regional(text[start - 1]):
        start -= 1
    return (position - start) % 2 == 1


def between_graphemes(text: str, position: int) -> bool:
    """Whether a cut at `position` splits no grapheme.

    >>> between_graphemes("e\\u0301a", 1), between_graphemes("e\\u0301a", 2)
    (False, True)
    """
    if not 0 < position < len(text):
        return True
    if _extends(text[position]):
        return False
    return text[position - 1] != _JOINER and not _inside_flag(text, position)


def last_word_end(text: str, low: int, high: int) -> int | None:
    """The last position in (low, high] where a word ends, or None."""
    for position in range(high, low, -1):
        if not text[position - 1].isspace() and (position == len(text) or text[position].isspace()):
            return position
    return None


def first_word_start(text: str, low: int, high: int) -> int | None:
    """The first position in [low, high) where a word begins, or None."""
    for position in range(low, high):
        if not text[position].isspace() and (position == 0 or text[position - 1].isspace()):
            return position
    return None


def last_grapheme_end(text: str, low: int, high: int) -> int | None:
    """The last position in (low, high] that splits no grapheme, or None."""
    return next((position for position in range(high, low, -1) if between_graphemes(text, position)), None)


def first_grapheme_start(text: str, low: int, high: int) -> int | None:
    """The first position in [low, high) that splits no grapheme and holds no white space, or None."""
    return next((p for p in range(low, high) if not text[p].isspace() and between_graphemes(text, p)), None)
