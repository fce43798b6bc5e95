"""The embedded reader: documents to candidate entities and triplets by rules, with no model server and no key.

It plays the reader's role of RAGA's Read-Search-Verify-Construct cycle (§3.3.2) with a dependency parser and tables. What it gives for
a document is a function of that document alone, so that a graph does not depend on the order of its documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from semkg.extract.assembly import assemble
from semkg.extract.classes import words_of
from semkg.extract.discourse import Name, Roster
from semkg.extract.document import Findings, Piece, read_document
from semkg.extract.labels import Title, label_of, title_of
from semkg.extract.mentions import names_in
from semkg.extract.spacy_parser import DEFAULT_MODEL, SpacyParser
from semkg.extract.typography import mend
from semkg.ids import Names
from semkg.model import Agent, Chunk, Document, Reading, Structure

RULES_VERSION = "2"
"""Changes with what the rules give: readings of another version are other activities."""

PIECE_LIMIT = 20_000
"""Code points parsed at once; the parser's memory grows with the text, and it refuses a million."""

_UNREAD = frozenset({Structure.CODE, Structure.TABLE, Structure.HEADING})
_ENGLISH = words_of("the of and in is was to a by for on with as an it he she from at are his her that were which")
_WORD = re.compile(r"[^\W\d_]+")
_BREAK = re.compile(r".*(?:\n\n|[.!?]\s|\s)", re.DOTALL)
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t][^\n]*)?$\n*|^(?=.*\w)[^\n|]{1,120}\n {0,3}(?:={3,}|-{3,})[ \t]*$\n*", re.MULTILINE)
"""CommonMark's ATX and setext headings: no part of the sentence below them."""


class EmbeddedReader:
    """Reads documents with spaCy and rules; the language model is loaded at the first use.

    Args:
        names: makes the IRIs of the dataset.
        model: the spaCy model's package.
    """

    def __init__(self, names: Names, model: str = DEFAULT_MODEL) -> None:
        self.names = names
        self._parser = SpacyParser(model)

    @property
    def agent(self) -> Agent:
        """Who reads: the version of the rules and the language model are part of the identity.

        Raises:
            Misconfigured: the language model is not installed.
        """
        version = f"{RULES_VERSION} {self._parser.version}"
        return Agent(self.names.agent("embedded-reader", version), f"embedded reader {version}")

    def covers(self, document: Document) -> bool:
        """Every document can be read."""
        return True

    def read_many(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> Iterator[Reading]:
        """One reading a document, in order; the chunks of all are parsed in batches.

        Raises:
            Misconfigured: spaCy or its model is not installed.
            Corrupt: the packaged model is damaged.
        """
        plans = [_pieces(chunks) if _english(document, chunks) else None for document, chunks in documents]
        parses = self._parser.parse_many(piece.mended.text for pieces in plans if pieces for piece in pieces)
        for (document, chunks), pieces in zip(documents, plans, strict=True):
            if pieces is None:
                yield self._read_names(document, chunks)
                continue
            title = title_of(document.title, _beginning(chunks))
            findings = read_document(title, pieces, list(islice(parses, len(pieces))), self._parser)
            yield assemble(document, _with_title(findings, title, chunks), self.names)

    def _read_names(self, document: Document, chunks: Sequence[Chunk]) -> Reading:
        """A document that is not in English: its title and the names that show without grammar."""
        title = title_of(document.title, _beginning(chunks))
        roster = Roster(title)
        mentions: list[tuple[Name, Chunk, int, int]] = []
        for chunk in chunks:
            if chunk.structure in _UNREAD:
                continue
            for match in names_in(chunk.text):
                label = label_of(match.group())
                if label and match.end() > chunk.overlap:
                    mentions.append((roster.name(label), chunk, match.start(), match.end()))
        findings = Findings((), tuple(mentions), roster.topic)
        return assemble(document, _with_title(findings, title, chunks), self.names)


def _with_title(findings: Findings, title: Title | None, chunks: Sequence[Chunk]) -> Findings:
    """The findings with a mention of the topic in a heading where no sentence names it."""
    topic = findings.topic
    if topic is None or title is None or any(name is topic for name, *_ in findings.mentions):
        return findings
    for chunk in chunks:
        for form in title.forms:
            start = chunk.text.find(form)
            if start >= 0:
                return replace(findings, mentions=(*findings.mentions, (topic, chunk, start, start + len(form))))
    return findings


def _beginning(chunks: Sequence[Chunk]) -> str:
    return chunks[0].text[:300] if chunks else ""


def _english(document: Document, chunks: Sequence[Chunk]) -> bool:
    """Whether the rules apply; where the language is not known, its commonest words tell."""
    language = document.language.lower().partition("-")[0]
    if language not in ("", "und"):
        return language == "en"
    words = [word.lower() for chunk in chunks[:5] for word in _WORD.findall(chunk.text[:2000])]
    return not words or sum(word in _ENGLISH for word in words) * 12 >= len(words)


def _pieces(chunks: Sequence[Chunk]) -> list[Piece]:
    return [
        Piece(chunk, start, mend(chunk.text[start:end]))
        for chunk in chunks
        if chunk.structure not in _UNREAD
        for block_start, block_end in _prose(chunk.text)
        for start, end in _cuts(chunk.text, block_start, block_end)
    ]


def _prose(text: str) -> Iterator[tuple[int, int]]:
    """The spans between the headings of a text."""
    start = 0
    for heading in _HEADING.finditer(text):
        if text[start : heading.start()].strip():
            yield start, heading.start()
        start = heading.end()
    yield start, len(text)


def _cuts(text: str, start: int, limit: int) -> Iterator[tuple[int, int]]:
    """Cut a long span of a text where a paragraph, sentence or word ends."""
    while start < limit:
        end = min(start + PIECE_LIMIT, limit)
        if end < limit and (match := _BREAK.match(text, start + PIECE_LIMIT // 2, end)):
            end = match.end()
        yield start, end
        start = end
