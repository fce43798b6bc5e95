"""Reads RDF that others wrote, as hostile until it is checked: bounded in size and depth, no DTDs, no remote contexts, RDF 1.1 only."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import IO, BinaryIO, TypeVar, cast

import pyoxigraph as ox

from semkg.errors import BadInput, StorageError
from semkg.export.formats import Format
from semkg.export.guards import Guard, JsonGuard, TurtleGuard, XmlGuard

MAX_BYTES = 2**30

T = TypeVar("T")

_READ = 2**16
_SYNTAX: dict[Format, tuple[ox.RdfFormat, type[Guard]]] = {
    Format.TURTLE: (ox.RdfFormat.TURTLE, TurtleGuard),
    Format.TRIG: (ox.RdfFormat.TRIG, TurtleGuard),
    Format.NQUADS: (ox.RdfFormat.N_QUADS, TurtleGuard),
    Format.JSONLD: (ox.RdfFormat.JSON_LD, JsonGuard),
    Format.RDFXML: (ox.RdfFormat.RDF_XML, XmlGuard),
}


def parse(stream: BinaryIO, format: Format | str, base: str | None = None, *, max_bytes: int = MAX_BYTES) -> Iterator[ox.Quad]:
    """The quads of an RDF document, as they stand in it, one by one.

    Literals keep their lexical forms, IRIs their spelling. Blank nodes are numbered as they appear (`_:b0`, `_:b1`, …), so that the same
    document gives the same quads every time, also where it leaves them unnamed.
    Quads before a fault have been given when it is met: take them as accepted only at the end.

    Args:
        stream: the document, in UTF-8.
        format: a format, a media type or a file extension.
        base: what relative IRIs are resolved against; without it they are refused.
        max_bytes: the largest document that is read.

    Raises:
        BadInput: it does not parse, is too large or too deep, or holds what semkg does not read (a DTD, a remote context, a term of
            RDF 1.2, a format that is only written).
    """
    known = Format.find(format) if isinstance(format, str) else format
    if not known.readable:
        raise BadInput(f"{known.value} can only be exported: import turtle, trig, nquads, jsonld or rdfxml")
    return _quads(stream, known, base, max_bytes)


def _quads(stream: BinaryIO, format: Format, base: str | None, max_bytes: int) -> Iterator[ox.Quad]:
    syntax, guard = _SYNTAX[format]
    numbered = _Numbered()
    try:
        for quad in ox.parse(cast(IO[bytes], _Guarded(stream, guard(), max_bytes)), syntax, base_iri=base):
            yield numbered(_rdf_1_1(quad))
    except SyntaxError as error:
        raise BadInput(_explain(error, format)) from error
    except ValueError as error:
        raise BadInput(f"the base IRI {base!r} is not an absolute IRI: give one such as https://example.org/") from error
    except OSError as error:
        raise StorageError(f"the document could not be read: {error}") from error


class _Guarded(io.RawIOBase):
    """The stream, with every byte seen by a guard before it reaches the parser."""

    def __init__(self, stream: BinaryIO, guard: Guard, max_bytes: int) -> None:
        self._stream = stream
        self._guard = guard
        self._left = max_bytes
        self._max = max_bytes

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        found = self._stream.read(size if size >= 0 else _READ)
        self._left -= len(found)
        if self._left < 0:
            raise BadInput(f"the document is larger than {self._max:,} bytes: split it, for example into N-Quads files by line")
        self._guard.feed(found)
        return found


class _Numbered:
    """Numbers blank nodes: the parsers give unnamed ones a random label."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, quad: ox.Quad) -> ox.Quad:
        subject, value, graph = quad.subject, quad.object, quad.graph_name
        if not any(isinstance(term, ox.BlankNode) for term in (subject, value, graph)):
            return quad
        return ox.Quad(self._named(subject), quad.predicate, self._named(value), self._named(graph))

    def _named(self, term: T) -> T | ox.BlankNode:
        if not isinstance(term, ox.BlankNode):
            return term
        return ox.BlankNode(f"b{self._numbers.setdefault(term.value, len(self._numbers))}")


def _rdf_1_1(quad: ox.Quad) -> ox.Quad:
    value = quad.object
    if isinstance(value, ox.Triple) or (isinstance(value, ox.Literal) and value.direction is not None):
        raise BadInput(f"{value} is a term of RDF 1.2, which semkg does not read: rewrite the statement about {quad.subject} in RDF 1.1")
    return quad


def _explain(error: SyntaxError, format: Format) -> str:
    text = error.msg or str(error)
    if "LoadDocumentCallback" in text:
        return "the JSON-LD refers to a remote context, which is never fetched: put the context itself into the document"
    where = f"line {error.lineno}: " if error.lineno else ""
    hint = ": give a base IRI, or write absolute IRIs" if "No scheme found" in text else ""
    return f"{where}this is not valid {format.value}: {text}{hint}"
