"""Cuts a document's text into pieces with exact offsets: the four chunkers of RAGA §3.3.6 and one piece a sentence."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from semkg.errors import UsageError
from semkg.ingest.boundaries import (
    Span,
    first_grapheme_start,
    first_word_start,
    last_grapheme_end,
    last_word_end,
    next_visible,
    trimmed,
)
from semkg.ingest.structure import Block, markdown_blocks, parts, plain_blocks
from semkg.model import Structure

SEPARATOR = " › "


class Chunker(Enum):
    """How a text is cut (RAGA §3.3.6); the value is its name in `semkg.toml`."""

    FIXED_SIZE = "fixed_size"
    """As long as allowed, cut between words, each piece repeating the end of the one before."""
    SEMANTIC = "semantic"
    """Whole sentences, as many as fit."""
    PARAGRAPH = "paragraph"
    """What stands between blank lines."""
    STRUCTURAL = "structural"
    """Sections, lists, code and tables kept together; small paragraphs of one section share a piece."""
    SENTENCE = "sentence"
    """One sentence each."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: `text[start:end]` of the whole, in code points, with no white space at its ends."""

    text: str
    start: int
    end: int
    structure: Structure
    """What most of the piece is."""
    heading: str
    """The headings above the piece, outermost first, joined by ` › `."""
    overlap: int
    """How many code points at its beginning the piece shares with the one before."""


@dataclass(frozen=True, slots=True)
class _Window:
    """The longest piece and the longest repetition, in code points."""

    size: int
    overlap: int


def chunk(text: str, chunker: Chunker = Chunker.STRUCTURAL, size: int = 1200, overlap: int = 120, markdown: bool = True) -> list[Piece]:
    """Cut a text into pieces of at most `size` code points.

    The pieces hold every character that is not white space and begin further and further on. Only where a sentence, paragraph or
    block is longer than `size` does a piece repeat the end of the one before (with FIXED_SIZE always), from a sentence or at least
    a word on. No grapheme is split, unless it alone is longer than `size - overlap`.

    Args:
        text: any text; Markdown where `markdown` is true, else paragraphs are separated by blank lines.
        size: the longest piece, in code points.
        overlap: the longest repetition, in code points, smaller than `size`.

    Raises:
        UsageError: `size` or `overlap` is out of its range.

    >>> [(piece.text, piece.heading) for piece in chunk("# Rivers\\n\\nThe Aare is Swiss.")]
    [('# Rivers\\n\\nThe Aare is Swiss.', 'Rivers')]
    """
    if not 0 <= overlap < size:
        raise UsageError(f"chunk overlap {overlap} must be at least 0 and smaller than the chunk size {size}")
    blocks = markdown_blocks(text) if markdown else plain_blocks(text)
    return list(_labelled(text, _SPANS[chunker](text, blocks, _Window(size, overlap)), blocks))


def _fixed_size(text: str, _blocks: Sequence[Block], window: _Window) -> Iterator[Span]:
    start, end = trimmed(text, 0, len(text))
    if start < end:
        yield from _fitted(text, (start, end), (), window)


def _semantic(text: str, blocks: Sequence[Block], window: _Window) -> Iterator[Span]:
    start = end = -1
    for sentence in _sentences(text, blocks):
        if start >= 0 and sentence[1] - start <= window.size:
            end = sentence[1]
            continue
        if start >= 0:
            yield from _fitted(text, (start, end), (), window)
        start, end = sentence
    if start >= 0:
        yield from _fitted(text, (start, end), (), window)


def _paragraph(text: str, _blocks: Sequence[Block], window: _Window) -> Iterator[Span]:
    for block in plain_blocks(text):
        yield from _fitted(text, (block.start, block.end), (block,), window)


def _sentence(text: str, blocks: Sequence[Block], window: _Window) -> Iterator[Span]:
    for sentence in _sentences(text, blocks):
        yield from _fitted(text, sentence, (), window)


def _structural(text: str, blocks: Sequence[Block], window: _Window) -> Iterator[Span]:
    for group in _groups(blocks, window.size):
        yield from _fitted(text, (group[0].start, group[-1].end), group, window)


_SPANS: dict[Chunker, Callable[[str, Sequence[Block], _Window], Iterator[Span]]] = {
    Chunker.FIXED_SIZE: _fixed_size,
    Chunker.SEMANTIC: _semantic,
    Chunker.PARAGRAPH: _paragraph,
    Chunker.STRUCTURAL: _structural,
    Chunker.SENTENCE: _sentence,
}


def _sentences(text: str, blocks: Iterable[Block]) -> Iterator[Span]:
    for block in blocks:
        yield from parts(text, block)


def _groups(blocks: Iterable[Block], size: int) -> Iterator[list[Block]]:
    """Blocks that share a piece; headings at the end of a group move on to the text below them."""
    group: list[Block] = []
    bodies = 0
    for block in blocks:
        if bodies and _starts_piece(group, block, size):
            yield group[:bodies]
            group, bodies = group[bodies:], 0
        group.append(block)
        if block.structure is not Structure.HEADING:
            bodies = len(group)
    if group:
        yield group


def _starts_piece(group: Sequence[Block], block: Block, size: int) -> bool:
    """Whether `block` opens a new piece: no room, a section, or a transition to or from code or a table (RAGA §3.3.6)."""
    length = group[-1].end - group[0].start
    if block.end - group[0].start > size or 1 <= block.level <= 2:
        return True
    if block.level:
        return length > size // 2
    rigid = (Structure.CODE, Structure.TABLE)
    return length > size // 3 and (block.structure in rigid) != (group[-1].structure in rigid)


def _fitted(text: str, span: Span, blocks: Sequence[Block], window: _Window) -> Iterator[Span]:
    """The span itself, or where it is too long its parts: cut after sentences, else after words, else between graphemes."""
    begin, end = span
    if end - begin > window.size:
        inner = list(_sentences(text, blocks))
        starts, ends = [start for start, _ in inner], [stop for _, stop in inner]
        fresh = begin
        while end - begin > window.size:
            cut = _cut(text, ends, (begin, fresh), window.size)
            yield trimmed(text, begin, cut)
            fresh = next_visible(text, cut, end)
            begin = _resume(text, starts, (begin, cut, fresh), window)
    yield begin, end


def _cut(text: str, ends: Sequence[int], progress: Span, size: int) -> int:
    """Where a piece ends that begins at `progress[0]` and must get beyond `progress[1]`."""
    begin, fresh = progress
    limit = begin + size
    last = bisect_right(ends, limit) - 1
    if last >= 0 and ends[last] > max(fresh, begin + size // 4):
        return ends[last]
    word = last_word_end(text, max(fresh, begin + size // 2), limit)
    return word or last_grapheme_end(text, fresh, limit) or limit


def _resume(text: str, starts: Sequence[int], progress: tuple[int, int, int], window: _Window) -> int:
    """Where the next piece begins: a sentence, word or grapheme within the overlap, else the first new character."""
    begin, cut, fresh = progress
    earliest = max(begin + 1, cut - window.overlap)
    if window.overlap == 0 or earliest + window.size <= fresh:
        return fresh
    first = bisect_left(starts, earliest)
    if first < len(starts) and starts[first] < cut:
        return starts[first]
    for find in (first_word_start, first_grapheme_start):
        if (found := find(text, earliest, cut)) is not None:
            return found
    return fresh


def _labelled(text: str, spans: Iterable[Span], blocks: Sequence[Block]) -> Iterator[Piece]:
    starts, ends = [block.start for block in blocks], [block.end for block in blocks]
    before = 0
    for start, end in spans:
        structure, heading = _label(blocks[bisect_right(ends, start) : bisect_left(starts, end)], (start, end))
        yield Piece(text[start:end], start, end, structure, heading, max(0, before - start))
        before = end


def _label(blocks: Sequence[Block], span: Span) -> tuple[Structure, str]:
    """The structure that most of a span has, and the headings that stand above all of it."""
    texts = [block for block in blocks if block.structure is not Structure.HEADING] or blocks
    if not texts:
        return Structure.BODY, ""
    weights: Counter[Structure] = Counter()
    path = texts[0].path
    for block in texts:
        weights[block.structure] += min(block.end, span[1]) - max(block.start, span[0])
        path = tuple(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(path, block.path, strict=False)))
    return weights.most_common(1)[0][0], SEPARATOR.join(path)
