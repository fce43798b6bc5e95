"""The W3C test suite for SHACL Core, where it is at hand (the setting SEMKG_DATA, or `../shared/data` beside the checkout)."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.namespace import RDF, SH

from semkg.config import settings
from semkg.errors import BadInput
from semkg.model import Conformance
from semkg.quality import Shapes, validate
from semkg.store import OxigraphStore

SHT = rdflib.Namespace("http://www.w3.org/ns/shacl-test#")
MF = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
SUITE = (settings().data or Path(__file__).parents[3] / "shared" / "data") / "w3c" / "shacl-tests" / "core"

REFUSED = {
    "property/qualifiedValueShape-001": "has a term that SHACL does not know (sh:nodeShape)",
    "property/uniqueLang-002": "gives sh:uniqueLang a boolean that is neither `true` nor `false`",
}
"""Tests whose shapes are refused when they are loaded, which is no wrong verdict."""

REPORT = [
    SH.result,
    SH.conforms,
    SH.focusNode,
    SH.resultPath,
    SH.resultSeverity,
    SH.sourceConstraintComponent,
    SH.sourceShape,
    SH.value,
    SH.resultMessage,
]
"""What the tests' own files say about the expected report; it is no part of their shapes."""


def files() -> list[Path]:
    return [path for path in sorted(SUITE.rglob("*.ttl")) if path.name != "manifest.ttl" and not path.stem.endswith(("-data", "-shapes"))]


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def read(path: str) -> rdflib.Graph:
    return rdflib.Graph().parse(path.removeprefix("file://"), publicID=path)


def expected(test: Path) -> tuple[bool, set[tuple[str, str]], str, str]:
    """Whether it conforms, the (focus node, component) pairs, the data graph and the shapes graph."""
    graph = read(test.as_uri())
    case = next(graph.subjects(RDF.type, SHT.Validate))
    action, result = graph.value(case, MF.action), graph.value(case, MF.result)
    conforms = graph.value(result, SH.conforms)
    assert isinstance(conforms, rdflib.Literal)
    pairs = {
        (str(graph.value(one, SH.focusNode)), str(graph.value(one, SH.sourceConstraintComponent)))
        for one in graph.objects(result, SH.result)
    }
    return bool(conforms), pairs, str(graph.value(action, SHT.dataGraph)), str(graph.value(action, SHT.shapesGraph))


def shapes_of(path: str) -> Shapes:
    graph = read(path)
    for predicate in REPORT:
        graph.remove((None, predicate, None))
    return Shapes.from_turtle([graph.serialize(format="nt")])


def store_of(path: str) -> OxigraphStore:
    store = OxigraphStore.in_memory()
    triples = ox.parse(read(path).serialize(format="nt").encode(), ox.RdfFormat.N_TRIPLES)
    store.commit([ox.Quad(quad.subject, quad.predicate, quad.object, ox.NamedNode("urn:graph")) for quad in triples])
    return store


@pytest.fixture(autouse=True)
def literals_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)


@pytest.mark.skipif(not SUITE.is_dir(), reason="the W3C suite is not at hand: set SEMKG_DATA to the folder that holds w3c/shacl-tests")
@pytest.mark.parametrize("test", files(), ids=name)
def test_the_verdict_is_that_of_the_w3c(test: Path) -> None:
    conforms, pairs, data, shapes = expected(test)
    if name(test) in REFUSED:
        with pytest.raises(BadInput):
            shapes_of(shapes)
        return
    report = validate(store_of(data), shapes_of(shapes))
    assert report.conformance is (Conformance.CONFORMS if conforms else Conformance.VIOLATES)
    named = {pair for pair in pairs if pair[0].startswith(("http:", "urn:", "file:"))}
    assert named <= {(violation.focus.value, violation.component) for violation in report.violations}
