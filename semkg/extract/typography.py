"""Mends the spacing of a text for the parser and remembers where every code point came from.

Scraped and converted texts separate brackets, quotes, hyphens and apostrophes from their words (“Teutberga( died 875)”,
“Al- Qeed”). A parser trained on clean text goes wrong there, and long brackets behind a name hide its verb. So brackets are taken
out as `Aside`s, which have their own grammar, and the rest is closed up; all spans lead back to the text as it stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

ASIDE_LIMIT = 300
"""Longer brackets stay in the text: they hold sentences of their own."""

TOKEN_LIMIT = 100
"""Longer words are addresses, digests or noise, and cost a tokeniser time without end."""

_EDIT = re.compile(
    rf"""
      (?P<noise>\S{{{TOKEN_LIMIT},}})
    | (?P<link>\[(?P<anchor>[^\]\[\n]{{1,200}})\]\([^()\s]{{1,500}}\))        # Markdown's [anchor](address)
    | (?P<citation>\s?\[(?:\d{{1,3}}|[a-z]|citation\ needed|note\ \d{{1,2}})\])
    | (?P<aside>[ \t]*\((?:[^()\n]|\([^()\n]*\)){{1,{ASIDE_LIMIT}}}\))
    | (?P<emphasis>\*\*|__|(?<![\w*])[*_](?=\w)|(?<=[\w.!?])[*_](?![\w*]))
    | (?P<quote>[ ]?["“”][ ]?)
    | (?P<genitive>(?<=\w)[ ](?=['’]s\b))
    | (?P<hyphen>(?<=[^\W\d]-)[ ](?=[^\W\d])(?!(?:and|or|to|und)\b))
    | (?P<apostrophe>(?<=\b[DLMOdl]['’])[ ](?=[^\W\d_]))
    | (?P<blank>(?<=[ ])[ ]+|(?<=\w)[ ](?=[,;]\s))
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Aside:
    """A bracket taken out of the text: it stood before `position` of the mended text; `start:end` is the original span."""

    position: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Mended:
    """A text fit for the parser, and the way back to the original."""

    text: str
    asides: tuple[Aside, ...]
    titles: tuple[tuple[int, int], ...]
    """Spans of the mended text that were quoted or emphasised, without their marks."""
    _starts: tuple[int, ...]
    _shifts: tuple[int, ...]

    def origin(self, position: int) -> int:
        """Where the code point at `position` of the mended text stood in the original."""
        return position + self._shifts[bisect_right(self._starts, position) - 1]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original span of the non-empty `start:end` of the mended text."""
        return self.origin(start), self.origin(end - 1) + 1


class _Copy:
    """Copies a text piece by piece and notes how far each piece moved."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[str] = []
        self.length = 0
        self.read = 0
        self.starts: list[int] = [0]
        self.shifts: list[int] = [0]
        self.asides: list[Aside] = []
        self.titles: list[tuple[int, int]] = []
        self._open: dict[str, int] = {}

    def keep(self, end: int) -> None:
        """Copy the original up to `end`."""
        if end > self.read:
            self.starts.append(self.length)
            self.shifts.append(self.read - self.length)
            self.pieces.append(self.text[self.read : end])
            self.length += end - self.read
            self.read = end

    def write(self, text: str) -> None:
        """Put in what the original has not; it counts as standing where the copy is."""
        self.starts.append(self.length)
        self.shifts.append(min(self.read, len(self.text) - 1) - self.length)
        self.pieces.append(text)
        self.length += len(text)

    def mark(self, kind: str) -> bool:
        """Open or close a quotation or emphasis, and tell whether it was opened."""
        start = self._open.pop(kind, None)
        if start is None:
            self._open[kind] = self.length
            return True
        if start < self.length:
            self.titles.append((start, self.length))
        return False

    def is_open(self, kind: str) -> bool:
        """Whether a quotation or emphasis was opened and not closed."""
        return kind in self._open

    def forget_open_marks(self) -> None:
        """Nothing quoted goes on behind a line's end: a missing mark must not turn the rest inside out."""
        self._open.clear()

    def finish(self) -> Mended:
        self.keep(len(self.text))
        return Mended("".join(self.pieces), tuple(self.asides), tuple(self.titles), tuple(self.starts), tuple(self.shifts))


def mend(text: str) -> Mended:
    """Close up the spacing of `text` and take out its brackets.

    >>> mended = mend('Teutberga( died 875) sang" Ave".')
    >>> mended.text, [aside.text for aside in mended.asides]
    ('Teutberga sang "Ave".', ['died 875'])
    >>> 'Teutberga( died 875) sang" Ave".'[slice(*mended.span(10, 14))]
    'sang'
    """
    copy = _Copy(text)
    line_end = -1
    for edit in _EDIT.finditer(text):
        if edit.start() > line_end:
            copy.forget_open_marks()
            line_end = text.find("\n", edit.start()) % (len(text) + 1)
        copy.keep(edit.start())
        _apply(copy, edit, line_end)
    return copy.finish()


def _apply(copy: _Copy, edit: re.Match[str], line_end: int) -> None:
    match edit.lastgroup:
        case "aside":
            _take_out(copy, edit)
        case "link":
            copy.read = edit.start("anchor")
            copy.keep(edit.end("anchor"))
        case "quote":
            _quote(copy, edit, line_end)
        case "emphasis":
            copy.mark(edit.group())
    copy.read = edit.end()


def _take_out(copy: _Copy, edit: re.Match[str]) -> None:
    """Move a bracket to the asides; one that opens a line or runs on from a code-like word keeps its place."""
    content = edit.group().strip()[1:-1]
    if not content.strip():
        return
    copy.asides.append(Aside(copy.length, edit.start() + edit.group().index("("), edit.end(), content.strip()))
    following = copy.text[edit.end() : edit.end() + 1]
    if following.isalnum() and copy.length:
        copy.write(" ")


def _quote(copy: _Copy, edit: re.Match[str], line_end: int) -> None:
    """Set a quotation mark close to what it quotes, whichever side its space was on."""
    mark = edit.group().strip()
    at = edit.start() + edit.group().index(mark)
    if mark == '"' and not copy.is_open('"') and '"' not in copy.text[at + 1 : line_end]:
        copy.keep(edit.end())  # a single mark: inches, or a quotation that goes on elsewhere
        return
    opens = mark == "“" or (mark == '"' and not copy.is_open('"'))
    (_opening if opens else _closing)(copy, edit, at)


def _opening(copy: _Copy, edit: re.Match[str], at: int) -> None:
    if edit.start() and copy.text[edit.start() - 1] not in " \n([":
        copy.write(" ") if edit.start() == at else copy.keep(at)
    copy.read = at
    copy.keep(at + 1)
    copy.mark('"')


def _closing(copy: _Copy, edit: re.Match[str], at: int) -> None:
    copy.mark('"')
    copy.read = at
    copy.keep(at + 1)
    if edit.end() < len(copy.text) and (edit.end() > at + 1 or copy.text[edit.end()].isalnum()):
        copy.read = edit.end()
        copy.write(" ")
