"""The gate: would the graph still conform after a change? (DESIGN §2, law 2; RAGA §3.3.5)

Only what a change can affect is looked at: the steps of each check tell at which focus nodes its verdict may have changed. The answer
rests on the graph having conformed before; `validate` asks the whole graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import cached_property
from typing import cast

import pyoxigraph as ox

from semkg.model import Conformance, Report, Violation
from semkg.ports import GraphStore
from semkg.quality.affected import Affected, Focus, Reach
from semkg.quality.looks import Term
from semkg.quality.report import Findings, Unevaluated
from semkg.quality.shapes import Check, Shapes
from semkg.quality.sparql_constraints import staged, violations
from semkg.quality.views import After


class Gate:
    """Decides what may enter."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes

    @cached_property
    def _reach(self) -> Reach:
        return Reach(self._shapes)

    def check(
        self, additions: Sequence[ox.Quad], removals: Sequence[ox.Quad], store: GraphStore, fresh: Set[ox.NamedNode] = frozenset()
    ) -> Report:
        """Whether all that the change can affect conforms once `removals` went and `additions` came.

        Args:
            additions: quads to add; the graph of vectors plays no part.
            removals: quads to remove; one that is in both stays.
            store: the graph as it is, conforming.
            fresh: nodes that are no subject in the store, as far as the caller found out: they are not looked up again.

        Returns:
            The verdict. `UNCHECKED`, with a reason, where a shape could not be evaluated.
        """
        after = After(store, additions, removals, self._shapes.limits, fresh)
        findings = Findings()
        try:
            for found in self._violations(after):
                findings.add(found)
        except Unevaluated as error:
            return Report(Conformance.UNCHECKED, reason=str(error))
        return findings.report()

    def _violations(self, after: After) -> Iterator[Violation]:
        from semkg.quality.core import data_graph

        checks = self._shapes.checks
        affected = [(checks[number], focus) for number, focus in Affected(self._shapes, self._reach, after).by_check().items()]
        data = data_graph(after)
        for check, focus in affected:
            if check.sparql is None and (left := _left(check, focus, after)):
                yield from self._shapes.core.evaluate(check.shape, check.name, left, data)
        with_sparql = [(check, focus) for check, focus in affected if check.sparql]
        stage = staged(after, ((check.steps, focus) for check, focus in with_sparql))
        for check, focus in with_sparql:
            yield from violations(check, focus, lambda query: cast("ox.QuerySolutions", stage.query(query)))


def _left(check: Check, focus: Focus, after: After) -> list[Term]:
    """The focus nodes that do not plainly conform: pyshacl decides about them."""
    return [node for node in focus if not (check.plain and check.plain.clears(node, after))]
