"""Clears focus nodes of the commonest constraints without pyshacl: those that plainly conform (SHACL §4.1-4.4, 4.8.3).

Nearly all nodes of a change set conform, and to find that out costs pyshacl tens of microseconds a node and property. What is not
plain here goes to pyshacl, which alone says what violates a shape: a value that this module does not understand is not cleared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import pyoxigraph as ox

from semkg.quality.admission import UNIVERSAL
from semkg.quality.looks import Node, Term, members
from semkg.quality.shapes_graph import ShapesGraph
from semkg.quality.views import View
from semkg.vocab import RDF, SH, XSD

Test = Callable[[Term], bool]
"""Whether a value plainly meets a constraint."""

_LEXICAL = {
    XSD.string: re.compile(r".*", re.DOTALL),
    XSD.integer: re.compile(r"[+-]?[0-9]{1,18}"),
    XSD.decimal: re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]{1,18})?"),
    XSD.boolean: re.compile(r"true|false"),
}
_NUMBERS = (XSD.integer, XSD.decimal)

_KINDS: dict[Term, type] = {
    SH.IRI: ox.NamedNode,
    SH.Literal: ox.Literal,
}


@dataclass(frozen=True, slots=True)
class Plain:
    """Constraints on the values of one predicate, or on the focus node itself: on each value alone, or on their number."""

    path: ox.NamedNode | None
    least: int
    most: float
    classes: frozenset[Term]
    tests: tuple[Test, ...]

    def clears(self, focus: Term, view: View) -> bool:
        """Whether a focus node plainly conforms."""
        if isinstance(focus, ox.Literal):
            return False
        values = (focus,) if self.path is None else view.objects(focus, self.path)
        return self.least <= len(values) <= self.most and all(self._fits(value, view) for value in values)

    def _fits(self, value: Term, view: View) -> bool:
        for test in self.tests:
            if not test(value):
                return False
        if not self.classes:
            return True
        types = () if isinstance(value, ox.Literal) else view.objects(value, RDF.type)
        return self.classes <= set(types)


def plain(graph: ShapesGraph, shape: Node, apart: Set[ox.NamedNode] = frozenset()) -> Plain | None:
    """The plain constraints of a shape, None where it has any other.

    Args:
        graph: the shapes graph.
        shape: a node shape or a property shape.
        apart: parameters that are evaluated elsewhere.
    """
    path, parameters = graph.path(shape), graph.parameters(shape) - apart
    longer = not path and bool(graph.objects(shape, SH.path))
    if longer or graph.deactivated(shape) or not parameters <= _UNDERSTOOD:
        return None
    least, most = _counts(graph, shape, SH.minCount), _counts(graph, shape, SH.maxCount)
    tests = (_test(graph, parameter, value) for parameter in sorted(parameters, key=str) for value in graph.objects(shape, parameter))
    return Plain(
        ox.NamedNode(path) if path else None,
        max(least, default=0),
        min(most, default=float("inf")),
        frozenset(graph.objects(shape, SH.class_)),
        tuple(test for test in tests if test is not None),
    )


def _test(graph: ShapesGraph, parameter: ox.NamedNode, value: Term) -> Test | None:
    """The test of one parameter, None for one that `Plain` looks at by itself; no value meets one that is not understood."""
    if parameter in (SH.minCount, SH.maxCount, SH.class_):
        return None
    return _TESTS.get(parameter, _unknown)(graph, value) or _never


def _unknown(graph: ShapesGraph, value: Term) -> Test | None:
    return None


def _never(value: Term) -> bool:
    return False


def _counts(graph: ShapesGraph, shape: Node, parameter: ox.NamedNode) -> list[int]:
    return [int(text) for text in graph.texts(shape, parameter)]


def _node_kind(graph: ShapesGraph, kind: Term) -> Test | None:
    kinds = _KINDS.get(kind)
    return None if kinds is None else lambda value: isinstance(value, kinds)


def _datatype(graph: ShapesGraph, datatype: Term) -> Test | None:
    lexical = _LEXICAL.get(datatype) if isinstance(datatype, ox.NamedNode) else None
    if lexical is None:
        return None
    return lambda value: isinstance(value, ox.Literal) and value.datatype == datatype and bool(lexical.fullmatch(value.value))


def _in(graph: ShapesGraph, head: Term) -> Test | None:
    allowed = {value for value in members(graph.objects, head) if isinstance(value, ox.NamedNode) or _is_string(value)}
    return lambda value: value in allowed


def _min_length(graph: ShapesGraph, length: Term) -> Test | None:
    least = _whole(length)
    return None if least is None else lambda value: _is_string(value) and len(value.value) >= least


def _max_length(graph: ShapesGraph, length: Term) -> Test | None:
    most = _whole(length)
    return None if most is None else lambda value: _is_string(value) and len(value.value) <= most


def _pattern(graph: ShapesGraph, pattern: Term) -> Test | None:
    if not isinstance(pattern, ox.Literal):
        return None
    matcher = re.compile(pattern.value)
    return lambda value: _is_string(value) and matcher.search(value.value) is not None


def _min_inclusive(graph: ShapesGraph, bound: Term) -> Test | None:
    least = _number(bound)
    return None if least is None else lambda value: (number := _number(value)) is not None and number >= least


def _max_inclusive(graph: ShapesGraph, bound: Term) -> Test | None:
    most = _number(bound)
    return None if most is None else lambda value: (number := _number(value)) is not None and number <= most


_TESTS: dict[ox.NamedNode, Callable[[ShapesGraph, Term], Test | None]] = {
    SH.nodeKind: _node_kind,
    SH.datatype: _datatype,
    SH.in_: _in,
    SH.minLength: _min_length,
    SH.maxLength: _max_length,
    SH.pattern: _pattern,
    SH.minInclusive: _min_inclusive,
    SH.maxInclusive: _max_inclusive,
}
_UNDERSTOOD = UNIVERSAL | {SH.minCount, SH.maxCount, SH.lessThan, SH.lessThanOrEquals}
"""Parameters that a node without values meets, or of which that can be told by counting."""


def _is_string(value: Term) -> bool:
    return isinstance(value, ox.Literal) and value.datatype == XSD.string


def _whole(term: Term) -> int | None:
    number = _number(term)
    return int(number) if number is not None and number == int(number) else None


@lru_cache(maxsize=10_000)
def _number(term: Term) -> Decimal | None:
    """The value of a plainly written number."""
    if not isinstance(term, ox.Literal) or term.datatype not in _NUMBERS or not _LEXICAL[term.datatype].fullmatch(term.value):
        return None
    return Decimal(term.value)
