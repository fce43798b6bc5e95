"""SPARQL-based constraints, each evaluated once for all its focus nodes (SHACL §5.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

import pyoxigraph as ox

from semkg.model import Violation
from semkg.quality.looks import FOCUS, Step, Term
from semkg.quality.report import Unevaluated, violation
from semkg.quality.shapes import Check
from semkg.quality.views import View
from semkg.vocab import SH

Select = Callable[[str], ox.QuerySolutions]

_PLACEHOLDER = re.compile(r"\{[?$](\w+)\}")


def violations(check: Check, focus: Collection[Term], select: Select) -> Iterator[Violation]:
    """The violations of a SPARQL constraint among the focus nodes.

    Raises:
        Unevaluated: the query reports a failure (SHACL §5.3.2).
    """
    if check.sparql is None:
        return
    names: set[str] | None = None
    found = select(check.sparql.select)
    names = {variable.value for variable in found.variables}
    for solution in found:
        bound = {name: value for name in names if (value := solution[name]) is not None}
        if bound.get("this") not in focus:
            continue
        if bound.get("failure") == ox.Literal(True):
            raise Unevaluated(f"the shape {check.name} reports that it could not be evaluated")
        yield _violation(check, bound)


def _violation(check: Check, bound: dict[str, Term]) -> Violation:
    sparql = check.sparql
    this, path = bound["this"], bound.get("path")
    default = None if sparql and sparql.path else this
    messages = sparql.messages if sparql else ()
    return violation(
        focus=this,
        path=path.value if isinstance(path, ox.NamedNode) else sparql.path if sparql else "",
        value=bound.get("value", default),
        component=SH.SPARQLConstraintComponent.value,
        shape=check.name,
        message=" ".join(_filled(message, bound) for message in messages) or "a SPARQL constraint of this shape is violated",
    )


def _filled(message: str, bound: dict[str, Term]) -> str:
    """A message with `{?variable}` replaced by its value (SHACL §5.3.2)."""
    return _PLACEHOLDER.sub(lambda match: bound[match[1]].value if match[1] in bound else match[0], message)


def staged(view: View, looks: Iterable[tuple[tuple[Step, ...], Iterable[Term]]]) -> ox.Store:
    """A graph with all that SPARQL constraints look at from their focus nodes.

    Args:
        view: where the triples come from.
        looks: the steps of each constraint, with its focus nodes.
    """
    triples: dict[tuple[Term, ox.NamedNode, Term], None] = {}
    for steps, focus in looks:
        ends: dict[int, set[Term]] = {FOCUS: set(focus)}
        for number, step in enumerate(steps):
            ends[number] = _walk(view, step, ends[step.start], triples)
    store = ox.Store()
    store.extend(ox.Quad(subject, predicate, object) for subject, predicate, object in triples if not isinstance(subject, ox.Literal))
    return store


def _walk(view: View, step: Step, starts: set[Term], triples: dict[tuple[Term, ox.NamedNode, Term], None]) -> set[Term]:
    ends = set(starts) if step.repeated else set()
    fresh = starts
    while fresh:
        arrived: set[Term] = set()
        for start in fresh:
            for predicate in step.predicates:
                if step.forward and not isinstance(start, ox.Literal):
                    for object in view.objects(start, predicate):
                        triples[start, predicate, object] = None
                        arrived.add(object)
                if step.backward:
                    for subject in view.subjects(predicate, start):
                        triples[subject, predicate, start] = None
                        arrived.add(subject)
        fresh = arrived - ends if step.repeated else set()
        ends |= arrived
    return ends
