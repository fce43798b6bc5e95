"""The blocks that a document is made of, with their headings: CommonMark for Markdown, blank lines for plain text (RAGA §3.3.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from semkg.ingest.boundaries import Span, trimmed
from semkg.ingest.sentences import sentences
from semkg.model import Structure

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_NEWLINE = re.compile(r"\r\n?|\n")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_LINE = re.compile(r"[^\n]+")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKUP = re.compile(r"(?<!\w)[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?!\w)|\\(?=[!-/:-@\[-`{-~])")
_TITLE_LENGTH = 200
# Below this depth CommonMark's containers are read as text: nobody nests deeper, except to do harm.
_MAX_NESTING = 20

_KINDS = {
    "heading_open": Structure.HEADING,
    "fence": Structure.CODE,
    "code_block": Structure.CODE,
    "table_open": Structure.TABLE,
}
_RULES = ["table", "code", "fence", "blockquote", "hr", "list", "html_block", "heading", "lheading", "paragraph"]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list item, code block or table: `text[start:end]`, without white space at its ends."""

    start: int
    end: int
    structure: Structure = Structure.BODY
    level: int = 0
    """1 to 6 for a heading."""
    path: tuple[str, ...] = ()
    """The headings above, outermost first; a heading's own title is the last."""


def plain_title(markup: str) -> str:
    """A heading's words on one line, without inline markup.

    >>> plain_title("The **Rhine** and [its falls](falls.html)")
    'The Rhine and its falls'
    """
    return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", markup[: 4 * _TITLE_LENGTH])).split())[:_TITLE_LENGTH]


def plain_blocks(text: str) -> list[Block]:
    """The paragraphs of a plain text: what stands between blank lines."""
    cuts = [0, *(match.end() for match in _BLANK_LINE.finditer(text)), len(text)]
    spans = (trimmed(text, start, end) for start, end in pairwise(cuts))
    return [Block(start, end) for start, end in spans if start < end]


def markdown_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown text, in order; every character that is not white space is in one of them."""
    lines = [0, *(match.end() for match in _NEWLINE.finditer(text)), len(text)]
    blocks: list[Block] = []
    path: list[tuple[int, str]] = []
    reached = 0
    for first, last, structure, level, title in _top_blocks(_parser().parse(text)):
        start, end = lines[min(first, len(lines) - 1)], lines[min(last, len(lines) - 1)]
        _append(blocks, text, (reached, start), path)
        if level:
            path = [entry for entry in path if entry[0] < level]
            if title:
                path.append((level, title))
        _append(blocks, text, (max(start, reached), end), path, structure, level)
        reached = max(reached, end)
    _append(blocks, text, (reached, len(text)), path)
    return blocks


def _append(
    blocks: list[Block], text: str, span: Span, path: Sequence[tuple[int, str]], structure: Structure = Structure.BODY, level: int = 0
) -> None:
    start, end = trimmed(text, *span)
    if span[0] < span[1] and start < end:
        blocks.append(Block(start, end, structure, level, tuple(title for _, title in path)))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table")
    parser.block.ruler.enableOnly(_RULES)
    # Only the blocks count here: inline markup stays as it is, so that offsets are those of the document.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _top_blocks(tokens: Sequence[Token]) -> Iterator[tuple[int, int, Structure, int, str]]:
    """First line, line after the last, structure, heading level and title of each block that stands in no other one."""
    listed = False
    for position, token in enumerate(tokens):
        if token.level == 0:
            listed = token.type in ("bullet_list_open", "ordered_list_open")
        if token.map is None:
            continue
        first, last = token.map
        if listed and token.level == 1 and token.type == "list_item_open":
            yield first, last, Structure.LIST_ITEM, 0, ""
        elif token.level == 0 and token.nesting >= 0 and not listed:
            level = int(token.tag[1]) if token.type == "heading_open" else 0
            title = plain_title(tokens[position + 1].content) if level else ""
            yield first, last, _KINDS.get(token.type, Structure.BODY), level, title


def parts(text: str, block: Block) -> Iterator[Span]:
    """Where a block may best be cut: its sentences, or the lines of code and tables."""
    if block.structure not in (Structure.CODE, Structure.TABLE):
        yield from sentences(text, block.start, block.end)
        return
    for line in _LINE.finditer(text, block.start, block.end):
        start, end = trimmed(text, *line.span())
        if start < end:
            yield start, end
