"""Which shapes are let in, and the three different answers."""

from __future__ import annotations

import json
import subprocess
import sys

import pyoxigraph as ox
import pytest

from semkg import resources
from semkg.errors import BadInput
from semkg.model import Conformance
from semkg.quality import Gate, Shapes, validate
from semkg.quality.known_looks import FILE, entries, known_steps
from semkg.quality.looks import FOCUS, Step
from semkg.quality.sparql_looks import steps_of
from semkg.vocab import SKOS
from tests.quality.examples import parsed, shapes_files, store_of

PREFIX = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <https://example.org/kg/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""

SHIP = "ex:Ship-shape a sh:NodeShape ; sh:targetClass ex:Ship "


def shapes(text: str, trusted: bool = False) -> Shapes:
    return Shapes.from_turtle([PREFIX + text], trusted)


def data(text: str) -> list[ox.Quad]:
    return parsed(PREFIX + text)


def sparql(select: str) -> str:
    return f'{SHIP}; sh:sparql [ sh:message "found {{?value}}" ; sh:select """{select}""" ] .'


REFUSED = {
    "not Turtle": ("ex:Ship-shape a sh:NodeShape ;; .. ", "is not Turtle"),
    "no target": ("ex:S a sh:NodeShape ; sh:property [ sh:path ex:p ; sh:minCount 1 ] .", "have no target"),
    "a misspelt parameter": (f"{SHIP}; sh:property [ sh:path ex:p ; sh:minCuont 1 ] .", "sh:minCuont is not part of SHACL Core"),
    "an import": (f"{SHIP}; sh:nodeKind sh:IRI . ex:o owl:imports <https://example.org/other> .", "must not import"),
    "SPARQL": (sparql("SELECT $this WHERE { $this a ex:Ship }"), "sh:sparql is allowed in the shapes that come with semkg only"),
    "JavaScript": (f"{SHIP}; sh:js [ sh:jsFunctionName 'f' ] .", "sh:js"),
    "a rule": (f"{SHIP}; sh:rule [ sh:subject sh:this ] .", "sh:rule is not part of SHACL Core"),
    "a SPARQL target": ("ex:S a sh:NodeShape ; sh:targetClass ex:A ; sh:target [ a sh:SPARQLTarget ] .", "sh:target is not part"),
    "a shape within itself": (f"{SHIP}; sh:property [ sh:path ex:p ; sh:node ex:Ship-shape ] .", "refers to itself"),
    "shapes in a ring": (f"{SHIP}; sh:node ex:T . ex:T sh:node ex:U . ex:U sh:not ex:T .", "refers to itself"),
    "two paths": (f"{SHIP}; sh:property [ a sh:PropertyShape ; sh:path ex:p , ex:q ; sh:minCount 1 ] .", "are not well-formed"),
    "a count that is no number": (f"{SHIP}; sh:property [ sh:path ex:p ; sh:minCount 'one' ] .", "are not well-formed"),
    "two counts": (f"{SHIP}; sh:property [ sh:path ex:p ; sh:maxCount 1 , 2 ] .", "are not well-formed"),
    "a switch half on": (f"{SHIP}; sh:property [ sh:path ex:p ; sh:uniqueLang '1'^^xsd:boolean ] .", "either true or false"),
    "a broken expression": (f"{SHIP}; sh:property [ sh:path ex:p ; sh:pattern '(' ] .", "are not well-formed"),
    "a count on a node shape": (f"{SHIP}; sh:minCount 1 .", "are not well-formed"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_shapes_from_outside_that_could_not_be_evaluated_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        shapes(text)


SPARQL_REFUSED = {
    "no binding of this": ("SELECT $this WHERE { ?other a ex:Ship }", "does not bind .this"),
    "this in OPTIONAL only": ("SELECT $this WHERE { ?o a ex:Ship . OPTIONAL { ?o ex:p $this } }", "does not bind .this"),
    "this read before it is bound": ("SELECT $this WHERE { { FILTER(BOUND($this)) } $this a ex:Ship }", "does not bind .this"),
    "this in one branch": ("SELECT $this WHERE { { $this a ex:Ship } UNION { ?o a ex:Ship } }", "does not bind .this"),
    "this rebound": ("SELECT $this WHERE { BIND(ex:a AS $this) }", "does not bind .this"),
    "another graph": ("SELECT $this FROM <https://example.org/other> WHERE { $this a ex:Ship }", "uses FROM"),
    "a named graph": ("SELECT $this WHERE { GRAPH ?g { $this a ex:Ship } }", "uses Graph"),
    "another endpoint": ("SELECT $this WHERE { $this a ex:Ship . SERVICE <https://example.org/> { $this ex:p ?x } }", "uses ServiceGraph"),
    "MINUS": ("SELECT $this WHERE { $this a ex:Ship MINUS { $this ex:p ?x } }", "uses Minus"),
    "an aggregate": ("SELECT $this (COUNT(?x) AS ?n) WHERE { $this ex:p ?x } GROUP BY $this", "AggregateJoin"),
    "any predicate": ("SELECT $this WHERE { $this ?p ex:bad }", "predicate is a variable"),
    "a negated predicate": ("SELECT $this WHERE { $this !ex:p ex:bad }", "negated set"),
    "something unconnected": ("SELECT $this WHERE { $this a ex:Ship . ?other ex:p ?value }", "not connected"),
    "no SPARQL": ("SELECT $this WHERE {", "does not parse"),
    "no path": ("SELECT $this WHERE { $this $PATH ?value }", "here is none"),
}


@pytest.mark.parametrize(("select", "message"), SPARQL_REFUSED.values(), ids=SPARQL_REFUSED.keys())
def test_a_query_that_cannot_be_evaluated_for_many_nodes_at_once_is_refused(select: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        shapes(sparql("PREFIX ex: <https://example.org/kg/> " + select), trusted=True)


def test_a_query_on_a_shape_that_others_refer_to_is_refused() -> None:
    inner = "ex:Inner sh:sparql [ sh:select 'SELECT $this WHERE { $this a ?x }' ] ."
    with pytest.raises(BadInput, match="with a target and on their own property shapes"):
        shapes(f"{SHIP}; sh:property [ sh:path ex:p ; sh:node ex:Inner ] . {inner}", trusted=True)


def test_a_query_on_a_property_shape_speaks_of_its_path() -> None:
    select = "SELECT $this ?value WHERE { $this $PATH ?value . FILTER(ISLITERAL(?value)) }"
    loaded = shapes(
        f"{SHIP}; sh:property [ sh:path ex:p ; sh:sparql [ sh:message 'not {{?value}}' ; sh:select '{select}' ] ] .", trusted=True
    )
    [violation] = Gate(loaded).check(data("ex:s a ex:Ship ; ex:p 'x' , ex:y ."), (), store_of([])).violations
    assert (violation.path, violation.value, violation.message) == ("https://example.org/kg/p", '"x"', "not x")


def test_a_query_that_reports_a_failure_is_not_a_verdict() -> None:
    loaded = shapes(sparql("SELECT $this ?failure WHERE { $this a ?class . BIND(true AS ?failure) }"), trusted=True)
    ship = data("ex:s a ex:Ship .")
    for report in (Gate(loaded).check(ship, (), store_of([])), validate(store_of(ship), loaded)):
        assert report.conformance is Conformance.UNCHECKED
        assert "could not be evaluated" in report.reason


def test_a_look_too_deep_for_the_validator_is_not_a_verdict() -> None:
    chain = " ".join(f"ex:S{i} a sh:NodeShape ; sh:property [ sh:path ex:p ; sh:node ex:S{i + 1} ] ." for i in range(20))
    loaded = shapes(f"{SHIP}; sh:node ex:S0 . {chain} ex:S20 sh:property [ sh:path ex:p ; sh:minCount 1 ] .")
    ship = data("ex:s a ex:Ship ; ex:p ex:s .")
    for report in (Gate(loaded).check(ship, (), store_of([])), validate(store_of(ship), loaded)):
        assert report.conformance is Conformance.UNCHECKED
        assert "too deep" in report.reason


def test_shapes_that_are_all_switched_off_hold_up_nothing() -> None:
    loaded = shapes(f"{SHIP}; sh:deactivated true ; sh:property [ sh:path ex:p ; sh:minCount 1 ] .")
    assert Gate(loaded).check(data("ex:s a ex:Ship ."), (), store_of([])).conformance is Conformance.CONFORMS


def test_a_property_shape_that_is_switched_off_holds_up_nothing() -> None:
    loaded = shapes(f"{SHIP}; sh:property [ sh:path ex:p ; sh:minCount 1 ; sh:deactivated true ] .")
    assert Gate(loaded).check(data("ex:s a ex:Ship ."), (), store_of([])).conformance is Conformance.CONFORMS


def test_a_shape_without_a_name_is_reported_under_the_one_around_it() -> None:
    loaded = shapes(f"{SHIP}; sh:property [ sh:path ex:p ; sh:minCount 1 ] .")
    [violation] = Gate(loaded).check(data("ex:s a ex:Ship ."), (), store_of([])).violations
    assert violation.shape == "https://example.org/kg/Ship-shape"


def test_an_edited_rule_takes_effect() -> None:
    texts = [text.replace("sh:maxLength 60", "sh:maxLength 6") for text in shapes_files()]
    loaded = Shapes.from_turtle(texts, trusted=True)
    report = Gate(loaded).check(
        data(f"ex:e a <https://w3id.org/semkg/ns#Entity> ; <{'http://www.w3.org/2004/02/skos/core#prefLabel'}> 'Ouessant' ."),
        (),
        store_of([]),
    )
    assert "MaxLengthConstraintComponent" in {violation.component.rpartition("#")[2] for violation in report.violations}


def test_an_ill_typed_literal_is_a_violation_and_no_noise(caplog: pytest.LogCaptureFixture) -> None:
    loaded = shapes(f"{SHIP}; sh:property [ sh:path ex:p ; sh:datatype xsd:integer ] .")
    report = Gate(loaded).check(data("ex:s a ex:Ship ; ex:p 'twelve'^^xsd:integer ."), (), store_of([]))
    assert report.conformance is Conformance.VIOLATES
    assert caplog.records == []


def test_what_the_packaged_queries_look_at_is_worked_out_beforehand() -> None:
    """After a change of a SPARQL constraint: `make looks`."""
    checks = [check for check in Shapes.packaged().checks if check.sparql]
    selects = [check.sparql.select for check in checks if check.sparql]
    assert json.loads(resources.read("shapes", FILE)) == entries(selects)
    assert [check.steps for check in checks] == [steps_of(select) for select in selects]


def test_a_query_that_was_edited_is_parsed() -> None:
    edited = "PREFIX skos: <http://www.w3.org/2004/02/skos/core#> SELECT $this WHERE { $this skos:altLabel ?label FILTER(?label = '-') }"
    assert known_steps(edited) is None
    (check,) = shapes(f'{SHIP}; sh:sparql [ sh:select """{edited}""" ] .', trusted=True).checks
    assert check.steps == (Step(FOCUS, frozenset({SKOS.altLabel})),)


def test_the_packaged_shapes_are_loaded_once() -> None:
    assert Shapes.packaged() is Shapes.packaged()


def test_who_only_reads_does_not_wait_for_the_validator() -> None:
    code = "import sys; from semkg.quality import Gate, Shapes; Gate(Shapes.packaged()); print({'rdflib', 'pyshacl'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_only_the_given_graphs_are_validated() -> None:
    loaded = shapes(f"{SHIP}; sh:property [ sh:path ex:p ; sh:minCount 1 ] .")
    store = store_of(data("ex:s a ex:Ship ."))
    other = ox.NamedNode("https://example.org/kg/other")
    assert validate(store, loaded, [other]).conformance is Conformance.CONFORMS
    assert validate(store, loaded).conformance is Conformance.VIOLATES
