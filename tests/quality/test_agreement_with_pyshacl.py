"""The verdicts are SHACL's: pyshacl by its front door, with rdflib running the SPARQL constraints node by node, finds the same."""

from __future__ import annotations

import pytest
import rdflib
from pyshacl import validate as pyshacl_validate
from rdflib.namespace import SH as RDFLIB_SH

from semkg.quality import Shapes, validate
from tests.quality.examples import FOLDER, Example, context, examples, shapes_files, store_of

# pyshacl puts values into messages with re.sub, which reads the backslashes of this one's value as escapes.
UNREADABLE = "entity-name/invalid-path"

EXAMPLES = [example for example in (*examples("valid"), *examples("invalid")) if example.name != UNREADABLE]


@pytest.fixture(scope="module")
def shapes_graph() -> rdflib.Graph:
    graph = rdflib.Graph()
    for text in shapes_files():
        graph.parse(data=text, format="turtle")
    return graph


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_pyshacl_finds_the_same_in_the_examples(example: Example, shapes_graph: rdflib.Graph) -> None:
    nodes = rdflib.Graph().parse(example.path)
    data = rdflib.Graph().parse(FOLDER / "context.ttl").parse(example.path)
    _, report, _ = pyshacl_validate(data, shacl_graph=shapes_graph, focus_nodes=[str(node) for node in set(nodes.subjects())])
    found = {
        (str(report.value(result, RDFLIB_SH.focusNode)), str(report.value(result, RDFLIB_SH.sourceConstraintComponent)), str(message))
        for result in report.subjects(rdflib.RDF.type, RDFLIB_SH.ValidationResult)
        for message in report.objects(result, RDFLIB_SH.resultMessage)
    }
    violations = validate(store_of(context(), example.quads), Shapes.packaged()).violations
    ours = {(violation.focus.value, violation.component, violation.message) for violation in violations}
    # pyshacl reports the messages of the shape as well where the constraint has its own (SHACL §5.3.2 has the constraint's only).
    assert ours <= found
    assert {result[:2] for result in ours} == {result[:2] for result in found}
