"""Full validation: every shape finds its own targets in the whole graph, with none of the gate's reasoning about changes (SHACL §3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

import pyoxigraph as ox

from semkg.model import Conformance, Report, Violation
from semkg.ports import GraphStore
from semkg.quality.report import Findings, Unevaluated
from semkg.quality.shapes import Shapes
from semkg.quality.sparql_constraints import violations
from semkg.quality.views import Stored

BATCH = 20_000
"""Focus nodes that are evaluated at once: bounds the memory that results take."""


def validate(store: GraphStore, shapes: Shapes, graphs: Sequence[ox.NamedNode] | None = None) -> Report:
    """Whether the graph conforms.

    Args:
        store: the graph.
        shapes: what it should conform to.
        graphs: the named graphs that count, together one data graph; all where None.

    Returns:
        The verdict, with at most `report.MOST_VIOLATIONS` violations and the number of all. `UNCHECKED`, with a reason, where a shape
        could not be evaluated.
    """
    findings = Findings()
    try:
        for found in _violations(store, shapes, graphs):
            findings.add(found)
    except Unevaluated as error:
        return Report(Conformance.UNCHECKED, reason=str(error))
    return findings.report()


def _violations(store: GraphStore, shapes: Shapes, graphs: Sequence[ox.NamedNode] | None) -> Iterator[Violation]:
    from semkg.quality.core import data_graph

    view = Stored(store, graphs)
    data = data_graph(view)
    focus = [shapes.core.focus_nodes(shape, data) for shape in shapes.targeted]
    for check in (check for check in shapes.checks if not check.sparql):
        nodes = focus[check.target]
        for start in range(0, len(nodes), BATCH):
            yield from shapes.core.evaluate(check.shape, check.name, nodes[start : start + BATCH], data)
    with_sparql = [check for check in shapes.checks if check.sparql and focus[check.target]]
    union = _union(view, {predicate for check in with_sparql for step in check.steps for predicate in step.predicates})
    for check in with_sparql:
        yield from violations(check, set(focus[check.target]), lambda query: cast("ox.QuerySolutions", union.query(query)))


def _union(view: Stored, predicates: Iterable[ox.NamedNode]) -> ox.Store:
    """All triples with these predicates as one graph: a query over several graphs sees a triple as often as it stands in them."""
    union = ox.Store()
    for predicate in predicates:
        union.bulk_extend(ox.Quad(subject, predicate, object) for subject, object in view.pairs(predicate))
    return union
