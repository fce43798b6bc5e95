"""The examples: small graphs in Turtle whose comments say what the gate should find in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from semkg import resources
from semkg.model import Report, Violation
from semkg.store import OxigraphStore
from semkg.vocab import SH

FOLDER = Path(__file__).parent / "examples"
GRAPH = ox.NamedNode("https://example.org/kg/graph")
PREFIXES = {"ex": "https://example.org/kg/", "shape": "https://w3id.org/semkg/shapes#", "sh": SH.base}

Expectation = tuple[str, str, str]
"""Focus node, shape or SPARQL constraint, constraint component."""


@dataclass(frozen=True)
class Example:
    path: Path
    expects: frozenset[Expectation]

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def quads(self) -> list[ox.Quad]:
        return parsed(self.path.read_text(encoding="utf-8"))


def parsed(text: str) -> list[ox.Quad]:
    return [ox.Quad(quad.subject, quad.predicate, quad.object, GRAPH) for quad in ox.parse(text.encode(), ox.RdfFormat.TURTLE)]


def context() -> list[ox.Quad]:
    return parsed((FOLDER / "context.ttl").read_text(encoding="utf-8"))


def store_of(*parts: list[ox.Quad]) -> OxigraphStore:
    store = OxigraphStore.in_memory()
    store.commit([quad for part in parts for quad in part])
    return store


def examples(kind: str) -> list[Example]:
    found = sorted(FOLDER.glob(f"*/{kind}-*.ttl"))
    return [Example(path, frozenset(_expects(path))) for path in found]


def _expects(path: Path) -> list[Expectation]:
    lines = [line.removeprefix("# expects: ").split() for line in path.read_text(encoding="utf-8").splitlines() if "# expects: " in line]
    return [(_expanded(focus), _expanded(shape), _expanded(component)) for focus, shape, component in lines]


def _expanded(name: str) -> str:
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local


def packaged_shapes() -> ox.Store:
    """The triples of all shapes files."""
    store = ox.Store()
    for path in resources.files("shapes", ".ttl"):
        store.load(path=path, format=ox.RdfFormat.TURTLE)
    return store


def constraint_of_message() -> dict[str, str]:
    """A regular expression for the messages of a SPARQL constraint → the constraint."""
    store = packaged_shapes()
    found = {}
    for quad in store.quads_for_pattern(None, SH.select, None, None):
        for message in store.quads_for_pattern(quad.subject, SH.message, None, None):
            assert isinstance(message.object, ox.Literal)
            assert isinstance(quad.subject, ox.NamedNode)
            parts = re.split(r"\{[?$]\w+\}", message.object.value)
            found[".*".join(map(re.escape, parts))] = quad.subject.value
    return found


def found_in(report: Report) -> set[Expectation]:
    """What a report says, in the form of the expectations: a SPARQL constraint is told by its message."""
    constraints = constraint_of_message()

    def where(violation: Violation) -> str:
        if violation.component != SH.SPARQLConstraintComponent.value:
            return violation.shape
        return next(constraint for text, constraint in constraints.items() if re.fullmatch(text, violation.message, re.DOTALL))

    return {(violation.focus.value, where(violation), violation.component) for violation in report.violations}


COMPONENTS = {
    SH.class_: "Class",
    SH.datatype: "Datatype",
    SH.nodeKind: "NodeKind",
    SH.minCount: "MinCount",
    SH.maxCount: "MaxCount",
    SH.minInclusive: "MinInclusive",
    SH.maxInclusive: "MaxInclusive",
    SH.minLength: "MinLength",
    SH.maxLength: "MaxLength",
    SH.pattern: "Pattern",
    SH.in_: "In",
    SH.lessThanOrEquals: "LessThanOrEquals",
    SH.disjoint: "Disjoint",
}
"""Parameters that the packaged shapes use → the name of their component."""


def constraints() -> set[tuple[str, str]]:
    """Every constraint of the packaged shapes: shape or SPARQL constraint, component."""
    store = packaged_shapes()
    core = {
        (quad.subject.value, f"{SH.base}{COMPONENTS[quad.predicate]}ConstraintComponent")
        for quad in store
        if quad.predicate in COMPONENTS and isinstance(quad.subject, ox.NamedNode)
    }
    return core | {(constraint, SH.SPARQLConstraintComponent.value) for constraint in constraint_of_message().values()}


def shapes_files() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in resources.files("shapes", ".ttl")]
