"""What is cleared without pyshacl conforms by pyshacl, for every parameter that is understood and values of all kinds."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semkg.model import Conformance
from semkg.quality import Gate, Shapes, validate
from semkg.store import OxigraphStore
from semkg.vocab import RDF, XSD

EX = "https://example.org/"
GRAPH = ox.NamedNode(f"{EX}graph")

PARAMETERS = (
    "sh:minCount 1",
    "sh:maxCount 1",
    "sh:nodeKind sh:IRI",
    "sh:nodeKind sh:Literal",
    "sh:datatype xsd:string",
    "sh:datatype xsd:integer",
    "sh:datatype xsd:decimal",
    "sh:datatype xsd:boolean",
    "sh:datatype xsd:date",
    "sh:minInclusive 2",
    "sh:maxInclusive 2.5",
    "sh:minLength 2",
    "sh:maxLength 3",
    'sh:pattern "^a+$"',
    'sh:pattern "B" ; sh:flags "i"',
    "sh:in ( ex:a 'aa' 2 )",
    "sh:class ex:C",
    "sh:lessThan ex:q",
)
TEXTS = ("", "a", "aa", "aab", "2", "02", "2.0", "-3", "true", "1", "2026-01-01", "é" * 3, "2\n", "\u0663")
DATATYPES = (XSD.string, XSD.integer, XSD.decimal, XSD.boolean, XSD.date, XSD.gYear)

values = st.one_of(
    st.sampled_from("abc").map(lambda name: ox.NamedNode(EX + name)),
    st.builds(lambda text, datatype: ox.Literal(text, datatype=datatype), st.sampled_from(TEXTS), st.sampled_from(DATATYPES)),
    st.sampled_from(TEXTS).map(lambda text: ox.Literal(text, language="en")),
)


def shapes_with(parameters: list[str]) -> Shapes:
    return Shapes.from_turtle(
        [
            f"""@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix xsd: <{XSD.base}> . @prefix ex: <{EX}> .
            ex:Shape a sh:NodeShape ; sh:targetClass ex:T ; sh:property ex:Part . ex:Part sh:path ex:p ; {" ; ".join(parameters)} ."""
        ]
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PARAMETERS), min_size=1, max_size=3, unique_by=lambda text: text.split()[0]), st.lists(values, max_size=3))
def test_the_gate_says_what_the_validation_says(parameters: list[str], objects: list[ox.NamedNode | ox.Literal]) -> None:
    shapes, store = shapes_with(parameters), OxigraphStore.in_memory()
    node = ox.NamedNode(f"{EX}n")
    quads = [
        ox.Quad(ox.NamedNode(f"{EX}a"), RDF.type, ox.NamedNode(f"{EX}C"), GRAPH),
        ox.Quad(node, RDF.type, ox.NamedNode(f"{EX}T"), GRAPH),
    ]
    quads += [ox.Quad(node, ox.NamedNode(f"{EX}p"), value, GRAPH) for value in objects]
    by_gate = Gate(shapes).check(quads, [], store)
    store.commit(quads)
    by_validation = validate(store, shapes)
    assert by_gate.conformance is by_validation.conformance
    assert set(by_gate.violations) == set(by_validation.violations)


@pytest.mark.parametrize("path", ["( ex:p ex:q )", "[ sh:inversePath ex:p ]"])
def test_a_longer_path_is_left_to_pyshacl(path: str) -> None:
    shapes = Shapes.from_turtle(
        [
            f"""@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <{EX}> .
            ex:Shape a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path {path} ; sh:minCount 1 ] ."""
        ]
    )
    assert [check.plain for check in shapes.checks] == [None]
    quads = [ox.Quad(ox.NamedNode(f"{EX}n"), RDF.type, ox.NamedNode(f"{EX}T"), GRAPH)]
    assert Gate(shapes).check(quads, [], OxigraphStore.in_memory()).conformance is Conformance.VIOLATES
