"""Writes compact JSON-LD 1.1 in one pass, with the context, `@id` and `@type` first as Streaming JSON-LD (W3C Note, 2020) asks for.

Canonical N-Triples escapes characters in strings with a subset of JSON's escapes, so a quoted string passes through as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, groupby
from operator import itemgetter

from semkg.export.context import ID, Context
from semkg.export.records import Fields, fields
from semkg.vocab import RDF, XSD

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,14}")
"""The integers that every JSON reader keeps exactly, in their canonical form."""

_NATIVE = {XSD.integer.value: _INTEGER, XSD.boolean.value: re.compile("true|false")}
_SUBJECT = itemgetter(1)
_PREDICATE = itemgetter(2)

_CACHED_IRIS = 4096


def write(records: Iterable[bytes], context: Context) -> Iterator[str]:
    """The fragments of one JSON-LD document.

    Args:
        records: in order, with their graphs.
        context: what to compact with.
    """
    yield '{\n"@context": ' + json.dumps(context.document(), ensure_ascii=False, indent=1) + ',\n"@graph": ['
    separator = "\n"
    for graph, statements in groupby(map(fields, records), itemgetter(0)):
        nodes = _Nodes(context, graph.decode())
        yield separator + nodes.opening
        yield from nodes.write(statements)
        yield nodes.closing
        separator = ",\n"
    yield "\n]\n}\n"


class _Nodes:
    """Writes the node objects of one graph."""

    def __init__(self, context: Context, graph: str) -> None:
        self._context = context
        self._name = graph.strip("<>")
        self._expanded = bool(graph) and context.clashes(self._name)
        self._compact = lru_cache(_CACHED_IRIS)(context.compact)
        self._clashes = lru_cache(_CACHED_IRIS)(self._reads_like_compact)

    @property
    def opening(self) -> str:
        if not self._name:
            return ""
        reset = '"@context": null, ' if self._expanded else ""
        return f'{{{reset}"@id": {_quoted(self._iri(self._name, self._expanded))}, "@graph": ['

    @property
    def closing(self) -> str:
        return "]}" if self._name else ""

    def write(self, statements: Iterable[Fields]) -> Iterator[str]:
        """One node object for each subject; one more, with a null context, where an IRI reads like a compact one."""
        separator = "\n"
        for (subject, expanded), about in groupby(statements, self._group):
            yield separator + self._head(subject.decode(), expanded)
            yield from self._properties(about, expanded)
            yield "}"
            separator = ",\n"

    def _group(self, statement: Fields) -> tuple[bytes, bool]:
        _, subject, predicate, value = statement
        clashes = self._clashes
        return subject, self._expanded or clashes(subject) or clashes(predicate) or clashes(_iri_of(value))

    def _reads_like_compact(self, term: bytes) -> bool:
        return term.startswith(b"<") and self._context.clashes(term[1:-1].decode())

    def _head(self, subject: str, expanded: bool) -> str:
        reset = '"@context": null, ' if expanded and not self._expanded else ""
        return f'{{{reset}"@id": {_quoted(self._node(subject, expanded))}'

    def _properties(self, statements: Iterable[Fields], expanded: bool) -> Iterator[str]:
        for predicate, group in groupby(statements, _PREDICATE):
            iri = predicate[1:-1].decode()
            values = (value.decode() for _, _, _, value in group)
            if iri == RDF.type.value:
                yield from self._types(values, expanded)
            else:
                coercion = "" if expanded else self._context.coercions.get(iri, "")
                written = (self._value(value, coercion, expanded) for value in values)
                yield from _property(self._iri(iri, expanded), written)

    def _types(self, values: Iterator[str], expanded: bool) -> Iterator[str]:
        """`@type` holds nodes only; a literal in the place of a type stays an ordinary value."""
        for literal, group in groupby(values, lambda value: value.startswith('"')):
            if literal:
                yield from _property(self._iri(RDF.type.value, expanded), (self._value(value, "", expanded) for value in group))
            else:
                yield from _property("@type", (_quoted(self._node(value, expanded)) for value in group))

    def _iri(self, iri: str, expanded: bool) -> str:
        return iri if expanded else self._compact(iri)

    def _node(self, term: str, expanded: bool) -> str:
        return self._iri(term[1:-1], expanded) if term.startswith("<") else term

    def _value(self, value: str, coercion: str, expanded: bool) -> str:
        if not value.startswith('"'):
            node = _quoted(self._node(value, expanded))
            return node if coercion == ID else f'{{"@id": {node}}}'
        string, language, datatype = _literal(value)
        if language:
            return f'{{"@value": {string}, "@language": "{language}"}}'
        if not datatype:
            return f'{{"@value": {string}}}' if coercion else string
        if coercion == datatype:
            return string
        if not coercion and datatype in _NATIVE and _NATIVE[datatype].fullmatch(string, 1, len(string) - 1):
            return string[1:-1]
        return f'{{"@value": {string}, "@type": {_quoted(self._iri(datatype, expanded))}}}'


def _property(key: str, values: Iterator[str]) -> Iterator[str]:
    """A key with its value, or with an array where there are several."""
    first = next(values)
    second = next(values, None)
    if second is None:
        yield f", {_quoted(key)}: {first}"
        return
    yield f", {_quoted(key)}: [{first}"
    for value in chain((second,), values):
        yield f", {value}"
    yield "]"


def _quoted(text: str) -> str:
    # An IRI or a blank node label holds neither quotes, backslashes nor control characters.
    return f'"{text}"'


def _literal(token: str) -> tuple[str, str, str]:
    """The quoted string, the language tag and the datatype of a literal in N-Triples."""
    end = token.rindex('"') + 1
    rest = token[end:]
    return token[:end], rest[1:] if rest.startswith("@") else "", rest[3:-1] if rest.startswith("^^") else ""


def _iri_of(value: bytes) -> bytes:
    """The IRI that an object brings along: itself or its datatype."""
    return value[value.rindex(b'"') + 3 :] if value.startswith(b'"') else value
