"""SHACL Core through pyshacl, without the detours of its front door: shapes stay parsed, the data graph is read where it lies.

`pyshacl.validate` parses, clones and writes a report for each call. Here its own shapes and constraint components are called for many
focus nodes at once. This module imports pyshacl and rdflib, so it is itself imported late.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import InvalidOperation
from functools import lru_cache

import pyoxigraph as ox
from pyshacl.errors import ReportableRuntimeError
from pyshacl.helper.path_helper import shacl_path_to_sparql_path
from pyshacl.pytypes import SHACLExecutor
from pyshacl.shapes_graph import ShapesGraph as PyshaclShapes
from rdflib import BNode, Graph, URIRef
from rdflib import Literal as RdflibLiteral
from rdflib.term import Node as RdflibNode

from semkg.errors import BadInput
from semkg.model import Violation
from semkg.quality.looks import Node, Term
from semkg.quality.report import Unevaluated, violation
from semkg.quality.shapes_graph import ShapesGraph
from semkg.quality.views import View
from semkg.vocab import RDF, SH, XSD

FAILURES = (ReportableRuntimeError, NotImplementedError, re.error, LookupError, ValueError, TypeError, AttributeError, InvalidOperation)
"""What pyshacl raises for shapes that it cannot evaluate: its own errors, and Python's where it does not check its input."""

CACHED_TERMS = 50_000
"""How many terms are kept in rdflib's form: most occur many times, and equal terms compare faster when they are one object."""

PROBE = URIRef("urn:semkg:probe")


class CoreShapes:
    """The Core constraints of a shapes graph."""

    def __init__(self, graph: ShapesGraph, taken_apart: set[Node]) -> None:
        """Parse the constraints.

        Args:
            graph: the shapes graph.
            taken_apart: shapes whose property shapes are evaluated by themselves.

        Raises:
            BadInput: a shape is ill-formed.
        """
        self._graph = graph
        self._executor = SHACLExecutor()
        self._shapes = PyshaclShapes(_parsed(graph, taken_apart), logger=logging.Logger("pyshacl", logging.CRITICAL))
        try:
            self._by_node = {shape.node: shape for shape in self._shapes.shapes}
            for shape in self._by_node.values():
                # Builds every constraint component, which is where pyshacl checks parameters.
                shape.validate(self._executor, _Data(_Nothing()), focus=[PROBE])
        except FAILURES as error:
            raise BadInput(f"the shapes are not well-formed: {_first_line(error)}") from error

    def focus_nodes(self, shape: Node, data: Graph) -> list[Term]:
        """The nodes that a shape's own targets select (SHACL §2.1.3), found by pyshacl."""
        return [_to_oxigraph(node) for node in self._by_node[_to_rdflib(shape)].focus_nodes(data)]

    def evaluate(self, shape: Node, name: str, focus: Sequence[Term], data: Graph) -> Iterator[Violation]:
        """Check focus nodes against the Core constraints of a shape.

        Args:
            shape: a shape of the graph.
            name: the IRI to report.
            focus: the focus nodes.
            data: from `data_graph`.

        Raises:
            Unevaluated: pyshacl cannot tell.
        """
        try:
            with _quiet_about_literals():
                _, results = self._by_node[_to_rdflib(shape)].validate(self._executor, data, focus=[_to_rdflib(node) for node in focus])
        except FAILURES as error:
            raise Unevaluated(f"the shape {name} could not be evaluated: {_first_line(error)}") from error
        for _, _, triples in results:
            yield self._violation(triples)

    def _violation(self, triples: Iterable[tuple[object, RdflibNode, object]]) -> Violation:
        said: dict[Node | None, list[RdflibNode]] = {}
        for _, predicate, object in triples:
            # pyshacl pairs a term with the graph that it comes from.
            said.setdefault(ox.NamedNode(str(predicate)), []).append(object[1] if isinstance(object, tuple) else object)  # type: ignore[arg-type]
        paths = said.get(SH.resultPath, [])
        values = said.get(SH.value, [])
        return violation(
            focus=_to_oxigraph(said[SH.focusNode][0]),
            path=self._path(paths[0]) if paths else "",
            value=_to_oxigraph(values[0]) if values else None,
            component=str(said[SH.sourceConstraintComponent][0]),
            shape=self._graph.name(_to_node(said[SH.sourceShape][0])),
            message=" ".join(sorted(str(message) for message in said.get(SH.resultMessage, []))),
        )

    def _path(self, path: RdflibNode) -> str:
        return str(path) if isinstance(path, URIRef) else str(shacl_path_to_sparql_path(self._shapes, path))


@contextmanager
def _quiet_about_literals() -> Iterator[None]:
    """Ill-typed literals are what shapes look for: rdflib need not log each with a traceback."""
    logger = logging.getLogger("rdflib.term")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def data_graph(view: View) -> Graph:
    """A view as pyshacl reads it."""
    return _Data(view)


class _Nothing:
    """A graph without triples."""

    def objects(self, subject: Node, predicate: ox.NamedNode) -> Sequence[Term]:
        return ()

    def subjects(self, predicate: ox.NamedNode, object: Term) -> Iterable[Node]:
        return ()

    def pairs(self, predicate: ox.NamedNode) -> Iterable[tuple[Node, Term]]:
        return ()

    def about(self, subject: Node) -> Iterable[tuple[ox.NamedNode, Term]]:
        return ()


class _Data(Graph):
    """A view behind rdflib's interface, as far as validation goes."""

    def __init__(self, view: View) -> None:
        super().__init__(bind_namespaces="none")
        self._view = view

    def __bool__(self) -> bool:
        # pyshacl asks `graph or …` for every result; counting the triples would take longer than all the rest.
        return True

    def objects(self, subject=None, predicate=None, unique=False):  # type: ignore[no-untyped-def]  # rdflib's own overloads
        if subject is None or predicate is None:
            return super().objects(subject, predicate, unique)
        if isinstance(subject, RdflibLiteral):
            return iter(())
        return iter([_to_rdflib(value) for value in self._view.objects(_to_node(subject), _named(predicate))])

    def triples(self, triple):  # type: ignore[no-untyped-def]  # rdflib's own overloads
        subject, predicate, object = triple
        if isinstance(subject, RdflibLiteral):
            return
        if subject is not None:
            for said, value in self._said(_to_node(subject), predicate):
                found = _to_rdflib(value)
                if object is None or found == object:
                    yield subject, _to_rdflib(said), found
        elif predicate is not None and object is not None:
            for node in self._view.subjects(_named(predicate), _to_oxigraph(object)):
                yield _to_rdflib(node), predicate, object
        elif predicate is not None:
            for node, value in self._view.pairs(_named(predicate)):
                yield _to_rdflib(node), predicate, _to_rdflib(value)
        else:
            raise NotImplementedError("a constraint looks at triples of which it names neither subject nor predicate")

    def _said(self, subject: Node, predicate: RdflibNode | None) -> Iterable[tuple[ox.NamedNode, Term]]:
        if predicate is None:
            return self._view.about(subject)
        named = _named(predicate)
        return ((named, value) for value in self._view.objects(subject, named))


class _Parsed(Graph):
    """A shapes graph that remembers its answers: pyshacl asks for the parameters of a shape again with every evaluation."""

    def __init__(self) -> None:
        super().__init__(bind_namespaces="none")
        self._answers: dict[tuple[object, object], list[object]] = {}

    def add(self, triple: tuple[RdflibNode, RdflibNode, RdflibNode]) -> _Parsed:
        self._answers.clear()
        super().add(triple)
        return self

    def objects(self, subject=None, predicate=None, unique=False):  # type: ignore[no-untyped-def]  # rdflib's own overloads
        key = (subject, predicate)
        if key not in self._answers:
            self._answers[key] = list(super().objects(subject, predicate, unique))
        return iter(self._answers[key])

    def predicate_objects(self, subject=None, unique=False):  # type: ignore[no-untyped-def]  # rdflib's own overloads
        key = (subject, "")
        if key not in self._answers:
            self._answers[key] = list(super().predicate_objects(subject, unique))
        return iter(self._answers[key])


def _parsed(graph: ShapesGraph, taken_apart: set[Node]) -> Graph:
    parsed = _Parsed()
    for quad in graph.quads():
        if quad.predicate == SH.sparql:
            continue
        if quad.predicate == SH.property and quad.subject in taken_apart:
            parsed.add((_to_rdflib(quad.object), _to_rdflib(RDF.type), _to_rdflib(SH.PropertyShape)))
        else:
            parsed.add((_to_rdflib(quad.subject), _to_rdflib(quad.predicate), _to_rdflib(quad.object)))
    return parsed


@lru_cache(maxsize=CACHED_TERMS)
def _to_rdflib(term: object) -> URIRef | BNode | RdflibLiteral:
    match term:
        case ox.NamedNode():
            return URIRef(term.value)
        case ox.Literal(language=str(language)):
            return RdflibLiteral(term.value, lang=language)
        case ox.Literal():
            datatype = None if term.datatype == XSD.string else URIRef(term.datatype.value)
            return RdflibLiteral(term.value, datatype=datatype, normalize=False)
        case ox.BlankNode():
            return BNode(term.value)
    raise Unevaluated(f"{term} is no term of RDF 1.1: shapes do not speak about quoted triples")


def _to_oxigraph(node: object) -> Term:
    if isinstance(node, RdflibLiteral):
        if node.language:
            return ox.Literal(str(node), language=node.language)
        return ox.Literal(str(node), datatype=ox.NamedNode(str(node.datatype)) if node.datatype else None)
    return ox.BlankNode(str(node)) if isinstance(node, BNode) else ox.NamedNode(str(node))


def _to_node(node: object) -> Node:
    return ox.BlankNode(str(node)) if isinstance(node, BNode) else ox.NamedNode(str(node))


def _named(predicate: object) -> ox.NamedNode:
    return ox.NamedNode(str(predicate))


def _first_line(error: BaseException) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
