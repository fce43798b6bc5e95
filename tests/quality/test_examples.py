"""Every constraint of the packaged shapes against examples that break it and examples that do not."""

from __future__ import annotations

import pytest

from semkg.model import Conformance
from semkg.quality import Gate, Shapes, validate
from tests.quality.examples import Example, constraints, context, examples, found_in, store_of

VALID = examples("valid")
INVALID = examples("invalid")


def named(example: Example) -> str:
    return example.name


def test_the_context_of_the_examples_conforms() -> None:
    assert validate(store_of(context()), Shapes.packaged()).conformance is Conformance.CONFORMS


@pytest.mark.parametrize("example", VALID, ids=named)
def test_a_valid_example_passes_the_gate_and_the_validation(example: Example) -> None:
    report = Gate(Shapes.packaged()).check(example.quads, (), store_of(context()))
    assert (report.conformance, report.violations) == (Conformance.CONFORMS, ())
    assert validate(store_of(context(), example.quads), Shapes.packaged()).conformance is Conformance.CONFORMS


@pytest.mark.parametrize("example", INVALID, ids=named)
def test_an_invalid_example_is_refused_for_the_expected_reasons(example: Example) -> None:
    found = found_in(Gate(Shapes.packaged()).check(example.quads, (), store_of(context())))
    assert example.expects <= found
    expected_nodes = {focus for focus, _, _ in example.expects}
    assert {focus for focus, _, _ in found} == expected_nodes


@pytest.mark.parametrize("example", INVALID, ids=named)
def test_the_validation_of_the_whole_graph_finds_what_the_gate_finds(example: Example) -> None:
    by_gate = Gate(Shapes.packaged()).check(example.quads, (), store_of(context()))
    by_validation = validate(store_of(context(), example.quads), Shapes.packaged())
    assert set(by_validation.violations) == set(by_gate.violations)


def test_every_constraint_of_the_packaged_shapes_has_an_example_that_breaks_it() -> None:
    broken = {(shape, component) for example in INVALID for _, shape, component in example.expects}
    assert constraints() - broken == set()


def test_every_shapes_file_has_valid_and_invalid_examples() -> None:
    folders = {example.path.parent.name for example in VALID} & {example.path.parent.name for example in INVALID}
    assert {"document", "chunk", "entity", "evidence", "triplet", "activity", "agent", "schema-term"} <= folders
    assert {"community", "hypernode", "review-item", "embedding-model", "evaluation"} <= folders


@pytest.mark.parametrize("example", INVALID, ids=named)
def test_every_refusal_says_what_to_do(example: Example) -> None:
    report = Gate(Shapes.packaged()).check(example.quads, (), store_of(context()))
    assert all(len(violation.message.split()) > 5 and "{" not in violation.message for violation in report.violations)
