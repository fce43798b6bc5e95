"""Reports as RDF (SHACL §3.6)."""

from __future__ import annotations

import pyoxigraph as ox
from hypothesis import given, settings
from hypothesis import strategies as st

from semkg.model import Conformance, Report, Violation
from semkg.quality import Gate, Shapes, report_quads, validate
from semkg.quality.report import LONGEST_VALUE, MOST_RESULTS
from semkg.vocab import RDF, SH
from tests.quality.examples import GRAPH, PREFIXES, context, examples, parsed, store_of

IRI = ox.NamedNode("https://example.org/kg/the-report")


def refused() -> Report:
    [example] = [example for example in examples("invalid") if example.name == "triplet/invalid-sparql"]
    return Gate(Shapes.packaged()).check(example.quads, (), store_of(context()))


def test_a_report_is_a_validation_report_with_a_result_for_each_violation() -> None:
    report = refused()
    store = store_of(report_quads(report, IRI, GRAPH))
    assert list(store.quads(IRI, SH.conforms, ox.Literal(False))) != []
    results = [quad.object for quad in store.quads(IRI, SH.result)]
    assert len(results) == len(report.violations)
    described = {quad.predicate.value.removeprefix(SH.base) for quad in store.quads() if quad.subject in results}
    assert {"focusNode", "sourceShape", "sourceConstraintComponent", "resultMessage", "resultSeverity", "value"} <= described


def test_a_report_in_the_graph_conforms_to_the_shapes_itself() -> None:
    store = store_of(context(), report_quads(refused(), IRI, GRAPH))
    assert validate(store, Shapes.packaged()).conformance is Conformance.CONFORMS


def test_a_report_has_no_blank_nodes_and_one_graph() -> None:
    quads = report_quads(refused(), IRI, GRAPH)
    assert all(isinstance(quad.subject, ox.NamedNode) and not isinstance(quad.object, ox.BlankNode) for quad in quads)
    assert {quad.graph_name for quad in quads} == {GRAPH}


def test_the_same_report_gives_the_same_quads() -> None:
    assert report_quads(refused(), IRI, GRAPH) == report_quads(refused(), IRI, GRAPH)


def test_a_long_report_is_cut() -> None:
    violations = tuple(
        Violation(ox.NamedNode(f"urn:x:{number}"), "", "", SH.SPARQLConstraintComponent.value, "urn:shape", "m") for number in range(500)
    )
    quads = report_quads(Report(Conformance.VIOLATES, violations), IRI, GRAPH)
    assert sum(quad.predicate == SH.result for quad in quads) == MOST_RESULTS


def test_a_report_that_was_not_checked_says_nothing() -> None:
    assert report_quads(Report(Conformance.UNCHECKED, reason="a shape"), IRI, GRAPH) == []


def test_a_report_that_conforms_says_so() -> None:
    quads = report_quads(Report(Conformance.CONFORMS), IRI, GRAPH)
    assert ox.Quad(IRI, SH.conforms, ox.Literal(True), GRAPH) in quads
    assert ox.Quad(IRI, RDF.type, SH.ValidationReport, GRAPH) in quads


@settings(deadline=None)  # the first call loads the shapes
@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=2 * LONGEST_VALUE))
def test_whatever_the_value_its_report_can_be_stored(label: str) -> None:
    entity = ox.NamedNode(PREFIXES["ex"] + "x")
    said = [
        *parsed("<https://example.org/kg/x> a <https://w3id.org/semkg/ns#Entity> ."),
        ox.Quad(entity, PREF_LABEL, ox.Literal(label), GRAPH),
    ]
    report = Gate(Shapes.packaged()).check(said, (), store_of(context()))
    quads = report_quads(report, IRI, GRAPH)
    store_of(quads)
    values = [quad.object.value for quad in quads if quad.predicate == SH.value and isinstance(quad.object, ox.Literal)]
    assert all(label.startswith(value.removesuffix("…")) for value in values)


PREF_LABEL = ox.NamedNode("http://www.w3.org/2004/02/skos/core#prefLabel")
