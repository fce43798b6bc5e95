"""Shapes, parsed once: what is checked at which nodes, and what each check looks at (SHACL, W3C Recommendation 2017).

A shape is taken apart into checks that are evaluated for all their focus nodes at once: one for each property shape, one for the
node shape's own constraints, one for each SPARQL constraint. That leaves the results of SHACL unchanged and shares the fixed cost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, cast

import pyoxigraph as ox

from semkg import resources
from semkg.errors import BadInput
from semkg.quality.admission import UNIVERSAL
from semkg.quality.known_looks import known_steps
from semkg.quality.looks import FOCUS, Looks, Node, Step, Term, look_core
from semkg.quality.plain import Plain, plain
from semkg.quality.shapes_graph import ShapesGraph, Targets
from semkg.vocab import RDF, RDFS, SH

if TYPE_CHECKING:
    from semkg.quality.core import CoreShapes


@dataclass(frozen=True, slots=True)
class SparqlConstraint:
    """A SPARQL-based constraint (SHACL §5), its prefixes written out."""

    select: str
    messages: tuple[str, ...]
    path: str
    """The predicate of the property shape that carries it; empty on a node shape."""


@dataclass(frozen=True, slots=True)
class Check:
    """Constraints that are evaluated together for many focus nodes."""

    target: int
    """The number of the targeted shape in `Shapes.targets`."""
    shape: Node
    """The shape that carries the constraints: the targeted one or one of its property shapes."""
    name: str
    """The IRI under which a report names it."""
    steps: tuple[Step, ...]
    sparql: SparqlConstraint | None = None
    plain: Plain | None = None
    """All of its constraints, where they can be met plainly."""


class Shapes:
    """A shapes graph. Make one with `packaged` or `from_turtle`; its parts are worked out when they are first needed."""

    def __init__(self, graph: ShapesGraph) -> None:
        self._graph = graph

    @classmethod
    def packaged(cls) -> Shapes:
        """The shapes that come with semkg. They are parsed once, with the first check, so that who only reads does not wait for them."""
        return _packaged()

    @classmethod
    def from_turtle(cls, texts: Sequence[str], trusted: bool = False) -> Shapes:
        """Shapes from Turtle.

        Args:
            texts: the contents of one or more files; together they are one shapes graph.
            trusted: allow `sh:sparql`. Shapes from outside are SHACL Core only.

        Raises:
            BadInput: not Turtle, not well-formed, recursive, without targets, or with something that would not be evaluated.
        """
        shapes = cls(ShapesGraph(texts, trusted))
        # All that can be wrong comes out here and not in the middle of a commit.
        _ = shapes.core, shapes.limits
        return shapes

    @cached_property
    def targeted(self) -> tuple[Node, ...]:
        """The shapes with a target."""
        return tuple(self._graph.targeted())

    @cached_property
    def targets(self) -> tuple[Targets, ...]:
        """Where each of `targeted` applies."""
        return tuple(self._graph.targets(shape) for shape in self.targeted)

    @cached_property
    def core(self) -> CoreShapes:
        """The Core constraints, ready to be evaluated."""
        # pyshacl and rdflib load here, not with this module.
        from semkg.quality.core import CoreShapes

        return CoreShapes(self._graph, {shape for shape in self.targeted if not self._whole(shape)})

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """All constraints, taken apart."""
        self._refuse_stray_sparql()
        return tuple(check for number in range(len(self.targeted)) for check in self._checks(number))

    @cached_property
    def limits(self) -> dict[ox.NamedNode, int]:
        """Predicate → how many values of a node are enough to look at, see `views.After`.

        Their constraints speak about each value by itself, or ask for a number of them.
        """
        uses: dict[ox.NamedNode, list[tuple[Check, Step]]] = defaultdict(list)
        for check in self.checks:
            for step in check.steps:
                for predicate in step.predicates:
                    uses[predicate].append((check, step))
        return {
            predicate: max(self._least(check) for check, _ in found)
            for predicate, found in uses.items()
            if all(self._separate(check, step) for check, step in found)
        }

    @cached_property
    def _users(self) -> dict[Node, set[Node]]:
        return self._graph.users()

    def _whole(self, shape: Node) -> bool:
        """Whether a shape cannot be taken apart: others refer to it, or its property shapes depend on one another."""
        siblings = any(self._graph.objects(part, SH.qualifiedValueShapesDisjoint) for part in self._graph.nodes(shape, SH.property))
        return siblings or shape in self._users or bool({SH.closed, SH.path} & {quad.predicate for quad in self._graph.quads(shape)})

    def _checks(self, number: int) -> Iterable[Check]:
        shape = self.targeted[number]
        parts = [] if self._whole(shape) else self._graph.nodes(shape, SH.property)
        own = self._graph.parameters(shape) - ({SH.property} if parts else set())
        if own:
            yield self._check(number, shape, parts)
        for part in parts:
            yield self._check(number, part)
        for holder in (shape, *parts):
            if not self._graph.deactivated(holder):
                yield from self._sparql_checks(number, holder)

    def _check(self, number: int, shape: Node, without: Sequence[Node] = ()) -> Check:
        left = set(without)

        def objects(subject: Node, predicate: ox.NamedNode) -> list[Term]:
            return [value for value in self._graph.objects(subject, predicate) if not (subject == shape and value in left)]

        looks = Looks()
        look_core(objects, shape, looks)
        return Check(
            number,
            shape,
            self._graph.name(shape),
            tuple(looks.steps),
            plain=plain(self._graph, shape, {SH.property} if without else frozenset()),
        )

    def _sparql_checks(self, number: int, shape: Node) -> Iterable[Check]:
        name = self._graph.name(shape)
        for constraint in self._graph.nodes(shape, SH.sparql):
            if self._graph.deactivated(constraint):
                continue
            try:
                select = self._select(shape, constraint)
                steps = _steps(select)
            except BadInput as error:
                raise BadInput(f"the shape {name}: {error}") from error
            messages = self._graph.texts(constraint, SH.message) or self._graph.texts(shape, SH.message)
            sparql = SparqlConstraint(select, tuple(messages), self._graph.path(shape))
            yield Check(number, shape, name, steps, sparql)

    def _select(self, shape: Node, constraint: Node) -> str:
        texts, path = self._graph.texts(constraint, SH.select), self._graph.path(shape)
        if len(texts) != 1:
            raise BadInput("a SPARQL constraint needs exactly one sh:select")
        if "$PATH" in texts[0] and not path:
            raise BadInput("$PATH stands for the predicate of a property shape, and here is none")
        lines = [
            f"PREFIX {prefix}: <{namespace}>"
            for ontology in self._graph.nodes(constraint, SH.prefixes)
            for declaration in self._graph.nodes(ontology, SH.declare)
            for prefix in self._graph.texts(declaration, SH.prefix)
            for namespace in self._graph.texts(declaration, SH.namespace)
        ]
        return "\n".join([*sorted(lines), texts[0].replace("$PATH", f"<{path}>")])

    def _refuse_stray_sparql(self) -> None:
        """A SPARQL constraint that is reached through other shapes only would not be evaluated."""
        apart = {shape for shape in self.targeted if not self._whole(shape)}
        for shape in {cast("Node", quad.subject) for quad in self._graph.quads(predicate=SH.sparql)}:
            users = self._users.get(shape, set())
            as_property = {user for user in users & apart if shape in self._graph.nodes(user, SH.property)}
            unused = not any(self._graph.quads(object=shape)) and not self._graph.deactivated(shape)
            if users != as_property or (shape not in self.targeted and unused):
                raise BadInput(
                    f"the shape {self._graph.name(shape)}: sh:sparql is evaluated on shapes with a target and on their own "
                    "property shapes; other shapes must not refer to it"
                )

    def _separate(self, check: Check, step: Step) -> bool:
        path = self._graph.path(check.shape)
        plain = bool(path) and step == Step(FOCUS, frozenset({ox.NamedNode(path)})) and path not in (RDF.type.value, RDFS.subClassOf.value)
        return check.sparql is None and plain and self._graph.parameters(check.shape) <= UNIVERSAL | {SH.minCount}

    def _least(self, check: Check) -> int:
        return max((int(text) for text in self._graph.texts(check.shape, SH.minCount)), default=0)


def _steps(select: str) -> tuple[Step, ...]:
    found = known_steps(select)
    if found is None:
        # rdflib's SPARQL parser loads here, where it is needed.
        from semkg.quality.sparql_looks import steps_of

        found = steps_of(select)
    return found


@cache
def _packaged() -> Shapes:
    return Shapes(ShapesGraph([path.read_text(encoding="utf-8") for path in resources.files("shapes", ".ttl")], trusted=True))
