"""Validation results as values and as RDF (SHACL §3.6)."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pyoxigraph as ox

from semkg.ids import digest
from semkg.model import Conformance, Report, Violation
from semkg.quality.looks import Term
from semkg.vocab import RDF, SH, XSD

MOST_VIOLATIONS = 1000
"""How many violations a report lists; further ones are counted."""

MOST_RESULTS = 100
"""How many violations are written to the graph."""

LONGEST_VALUE = 300
"""Code points of a literal that a report repeats."""


class Unevaluated(Exception):  # noqa: N818  # no error of semkg's: it becomes the answer "was not checked"
    """A shape could not be evaluated."""


class Findings:
    """Collects violations up to a bound and goes on counting."""

    def __init__(self) -> None:
        self._listed: dict[Violation, None] = {}
        self._further = 0

    def add(self, found: Violation) -> None:
        if len(self._listed) < MOST_VIOLATIONS:
            self._listed[found] = None
        else:
            self._further += found not in self._listed

    def report(self) -> Report:
        if not self._listed:
            return Report(Conformance.CONFORMS)
        total = len(self._listed) + self._further
        reason = f"{len(self._listed)} of {total} violations are listed" if self._further else ""
        return Report(Conformance.VIOLATES, tuple(self._listed), reason)


def violation(focus: Term, path: str, value: Term | None, component: str, shape: str, message: str) -> Violation:
    """A validation result; the value is kept in N-Triples syntax, a long literal cut."""
    return Violation(_named(focus), path, "" if value is None else str(_cut(value)), component, shape, message)


def report_quads(report: Report, iri: ox.NamedNode, graph: ox.NamedNode) -> list[ox.Quad]:
    """A report as `sh:ValidationReport`, with IRIs in place of blank nodes and at most `MOST_RESULTS` results.

    Nothing is written for a report that was not checked: SHACL has no word for that.
    """
    if report.conformance is Conformance.UNCHECKED:
        return []
    conforms = ox.Literal(report.conformance is Conformance.CONFORMS)
    quads = [ox.Quad(iri, RDF.type, SH.ValidationReport, graph), ox.Quad(iri, SH.conforms, conforms, graph)]
    for found in report.violations[:MOST_RESULTS]:
        parts = (found.focus.value, found.path, found.value, found.component, found.shape)
        result = ox.NamedNode(f"{iri.value}/{digest(*parts)}")
        quads.append(ox.Quad(iri, SH.result, result, graph))
        quads += (ox.Quad(result, predicate, object, graph) for predicate, object in _result(found))
    return quads


def _result(found: Violation) -> Iterator[tuple[ox.NamedNode, ox.NamedNode | ox.Literal]]:
    yield RDF.type, SH.ValidationResult
    yield SH.resultSeverity, SH.Violation
    yield SH.focusNode, found.focus
    yield SH.sourceConstraintComponent, ox.NamedNode(found.component)
    yield SH.resultMessage, ox.Literal(found.message)
    if ":" in found.shape:
        yield SH.sourceShape, ox.NamedNode(found.shape)
    # A longer path would need blank nodes; its shape tells it.
    if ":" in found.path and " " not in found.path and found.path[0] not in "<(^":
        yield SH.resultPath, ox.NamedNode(found.path)
    if found.value:
        yield SH.value, _parsed(found.value)


def _parsed(value: str) -> ox.NamedNode | ox.Literal:
    triple = next(iter(ox.parse(f"<urn:x> <urn:x> {value} .".encode(), ox.RdfFormat.N_TRIPLES)))
    return triple.object if isinstance(triple.object, ox.NamedNode | ox.Literal) else ox.Literal(value)


def _named(focus: Term) -> ox.NamedNode:
    """The IRI that stands for a focus node; literals and blank nodes get one made for them."""
    if isinstance(focus, ox.NamedNode):
        return focus
    if isinstance(focus, ox.BlankNode):
        return ox.NamedNode(f"urn:semkg:blank:{focus.value}")
    return ox.NamedNode(f"data:,{quote(_cut_text(focus.value))}")


def _cut(value: Term) -> Term:
    if not isinstance(value, ox.Literal) or len(value.value) <= LONGEST_VALUE:
        return value
    return ox.Literal(_cut_text(value.value), datatype=XSD.string)


def _cut_text(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"
