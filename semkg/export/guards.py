"""Lexical guards before the RDF parsers: what would exhaust their stack or memory is refused while the bytes stream by.

Measured with Oxigraph 0.5: nested triple terms and chains of 20,000 JSON-LD terms overflow the stack and end the process, nested
JSON-LD contexts take gigabytes, RDF/XML takes time quadratic in its depth, and a 700-byte DTD makes a gigabyte of text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Protocol
from xml.parsers import expat

from semkg.errors import BadInput

MAX_DEPTH = 100
MAX_KEYS = 5000


class Guard(Protocol):
    """Sees a document piece by piece; the last piece is empty."""

    def feed(self, data: bytes) -> None:
        """Look at the next bytes.

        Raises:
            BadInput: the document must not reach the parser.
        """
        ...


_LOOKAHEAD = 2
"""How many bytes beyond its first one decide what a token is."""


class _Lexer:
    """Finds the tokens of interest outside of strings, IRIs and comments, wherever the bytes are cut into pieces.

    Attributes:
        skip: a longest stretch without such tokens. Its alternatives begin differently and nothing follows them, so it never has to
            go back far; possessive quantifiers would say so, but Python before 3.11.5 matches them wrongly (gh-106052).
        token: one token.
        spans: for a token that opens a string, an IRI or a comment, what ends it; a match that begins with a backslash does not.
    """

    skip: ClassVar[re.Pattern[bytes]]
    token: ClassVar[re.Pattern[bytes]]
    spans: ClassVar[Mapping[bytes, re.Pattern[bytes]]]

    def __init__(self) -> None:
        self._waiting = b""
        self._span: re.Pattern[bytes] | None = None
        self.line = 1

    def feed(self, data: bytes) -> None:
        buffer = self._waiting + data
        limit = len(buffer) - _LOOKAHEAD if data else len(buffer)
        position = counted = 0
        while position < limit:
            position, token = self._next(buffer, position, limit)
            self.line += buffer.count(b"\n", counted, position)
            counted = position
            if token in self.spans:
                self._span = self.spans[token]
            elif token:
                self.see(token)
        self._waiting = buffer[position:]

    def _next(self, buffer: bytes, position: int, limit: int) -> tuple[int, bytes]:
        """The position after the next token, and the token; no token where a stretch without one ends."""
        if self._span is not None:
            end = self._span.search(buffer, position)
            if end is None or end.start() >= limit:
                return limit, b""
            if not end[0].startswith(b"\\"):
                self._span = None
            return end.end(), b""
        if stretch := self.skip.match(buffer, position):
            return stretch.end(), b""
        found = self.token.match(buffer, position)
        return (found.end(), found[0]) if found else (position + 1, b"")

    def see(self, token: bytes) -> None:
        """Called with each token that opens no span."""
        raise NotImplementedError

    def deeper(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise BadInput(
                f"line {self.line}: nested more than {MAX_DEPTH} deep: flatten the document, for example by converting it to N-Quads"
            )


class TurtleGuard(_Lexer):
    """Refuses RDF 1.2's triple terms and reified triples, and deep nesting, in Turtle, TriG and N-Quads."""

    skip = re.compile(rb"""(?:[^\\"'\#<\[\](){}]+ | <[^<>"]*> | "(?!"")[^"\\]*(?:\\.[^"\\]*)*"(?=[^"]))+""", re.DOTALL | re.VERBOSE)
    token = re.compile(rb"""\\. | ["]{3} | ["] | [']{3} | ['] | \# | << | < | [\[\](){}]""", re.DOTALL | re.VERBOSE)
    spans: ClassVar = {
        b'"""': re.compile(rb'\\.|"""', re.DOTALL),
        b'"': re.compile(rb'\\.|"', re.DOTALL),
        b"'''": re.compile(rb"\\.|'''", re.DOTALL),
        b"'": re.compile(rb"\\.|'", re.DOTALL),
        b"#": re.compile(rb"[\r\n]"),
        b"<": re.compile(rb">"),
    }

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def see(self, token: bytes) -> None:
        if token == b"<<":
            raise BadInput(f"line {self.line}: a triple inside a triple (RDF 1.2), which semkg does not read: use an rdf:Statement instead")
        self._depth += (token in b"[({") - (token in b"])}")
        self.deeper(self._depth)


class JsonGuard(_Lexer):
    """Refuses deep nesting, and objects with so many keys that a context in their place would be a trap."""

    skip = re.compile(rb"""(?:[^"{}\[\]:]+ | "[^"\\]*(?:\\.[^"\\]*)*")+""", re.DOTALL | re.VERBOSE)
    token = re.compile(rb"""["{}\[\]:]""")
    spans: ClassVar = {b'"': re.compile(rb'\\.|"', re.DOTALL)}

    def __init__(self) -> None:
        super().__init__()
        self._keys = [0]

    @property
    def depth(self) -> int:
        return len(self._keys) - 1

    def see(self, token: bytes) -> None:
        if token == b":":
            self._keys[-1] += 1
            if self._keys[-1] > MAX_KEYS:
                raise BadInput(
                    f"line {self.line}: an object with more than {MAX_KEYS:,} keys: use arrays, or convert the document to N-Quads"
                )
        elif token in b"{[":
            self._keys.append(0)
            self.deeper(self.depth)
        elif self.depth:
            self._keys.pop()


class XmlGuard:
    """Refuses document type declarations, deep nesting and what is not well-formed, with the reader of the standard library."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate()
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._depth = 0
        self._finished = False

    def feed(self, data: bytes) -> None:
        if self._finished:
            return
        self._finished = not data
        try:
            self._parser.Parse(data, self._finished)
        except expat.ExpatError as error:
            raise BadInput(f"line {error.lineno}: this is not well-formed XML: {expat.ErrorString(error.code)}") from error

    def _doctype(self, *_: object) -> None:
        line = self._parser.CurrentLineNumber
        raise BadInput(
            f"line {line}: a document type declaration, which is never read: write the IRIs out, or convert the document to Turtle"
        )

    def _start(self, *_: object) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            line = self._parser.CurrentLineNumber
            raise BadInput(f"line {line}: nested more than {MAX_DEPTH} deep: flatten the document, for example by converting it to N-Quads")

    def _end(self, *_: object) -> None:
        self._depth -= 1
