"""A shapes graph to read: targets, parameters, names of shapes (SHACL §2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import pyoxigraph as ox

from semkg.errors import BadInput
from semkg.quality.admission import PARAMETERS, TARGETS, admit, refuse_recursion
from semkg.quality.looks import Node, Term, nested_shapes
from semkg.vocab import OWL, RDF, RDFS, SH


@dataclass(frozen=True, slots=True)
class Targets:
    """Where a shape applies (SHACL §2.1.3)."""

    classes: frozenset[ox.NamedNode]
    nodes: frozenset[Term]
    subjects_of: frozenset[ox.NamedNode]
    objects_of: frozenset[ox.NamedNode]


class ShapesGraph:
    """The triples of all shapes files together."""

    def __init__(self, texts: Sequence[str], trusted: bool) -> None:
        """Parse Turtle and let in what can be evaluated.

        Raises:
            BadInput: a text is not Turtle, or it has terms that are not let in, recursion, or no target.
        """
        # A Dataset keeps literals as they are written; a Store would make "1"^^xsd:boolean the `true` that SHACL tells from it.
        self._dataset = ox.Dataset()
        for number, text in enumerate(texts, 1):
            try:
                for quad in ox.parse(text.encode("utf-8"), ox.RdfFormat.TURTLE, rename_blank_nodes=True):
                    self._dataset.add(quad)
            except SyntaxError as error:
                raise BadInput(f"shapes file {number} of {len(texts)} is not Turtle: {error.msg or error}") from error
        admit(self.quads(), trusted)
        refuse_recursion(self.objects, self.subjects())
        if not self.targeted(active=False):
            raise BadInput("the shapes have no target, so nothing would be checked: add sh:targetClass or another target to a shape")

    def quads(self, subject: Node | None = None, predicate: ox.NamedNode | None = None, object: Term | None = None) -> Iterator[ox.Quad]:
        """All quads that match; None matches anything."""
        if subject is not None:
            found = self._dataset.quads_for_subject(subject)
        elif object is not None:
            found = self._dataset.quads_for_object(object)
        else:
            found = iter(self._dataset) if predicate is None else self._dataset.quads_for_predicate(predicate)
        for quad in found:
            if (predicate is None or quad.predicate == predicate) and (object is None or quad.object == object):
                yield quad

    def objects(self, subject: Node, predicate: ox.NamedNode) -> list[Term]:
        return [cast("Term", quad.object) for quad in self.quads(subject, predicate)]

    def nodes(self, subject: Node, predicate: ox.NamedNode) -> list[Node]:
        """The objects that are no literals."""
        return [value for value in self.objects(subject, predicate) if not isinstance(value, ox.Literal)]

    def texts(self, subject: Node, predicate: ox.NamedNode) -> list[str]:
        """The objects that are literals, in order."""
        return sorted(value.value for value in self.objects(subject, predicate) if isinstance(value, ox.Literal))

    def subjects(self) -> set[Node]:
        return {cast("Node", quad.subject) for quad in self.quads()}

    def deactivated(self, shape: Node) -> bool:
        return ox.Literal(True) in self.objects(shape, SH.deactivated)

    def parameters(self, shape: Node) -> set[ox.NamedNode]:
        """The parameters of SHACL Core that a shape has."""
        return {quad.predicate for quad in self.quads(shape)} & PARAMETERS

    def path(self, shape: Node) -> str:
        """The predicate of a property shape; empty where there is none, or a longer path."""
        return next((path.value for path in self.objects(shape, SH.path) if isinstance(path, ox.NamedNode)), "")

    def name(self, shape: Node) -> str:
        """The IRI of a shape, or of the nearest shape around it that has one."""
        seen: set[Node] = set()
        while isinstance(shape, ox.BlankNode) and shape not in seen:
            seen.add(shape)
            shape = next((cast("Node", quad.subject) for quad in self.quads(object=shape)), shape)
        return shape.value

    def users(self) -> dict[Node, set[Node]]:
        """Shape → the active shapes that refer to it."""
        found: dict[Node, set[Node]] = {}
        for shape in self.subjects():
            for nested in () if self.deactivated(shape) else nested_shapes(self.objects, shape):
                found.setdefault(nested, set()).add(shape)
        return found

    def targeted(self, active: bool = True) -> list[Node]:
        """The shapes with a target, in a stable order.

        Args:
            active: leave out those that are deactivated.
        """
        found = {cast("Node", quad.subject) for target in TARGETS for quad in self.quads(predicate=target)}
        found |= {shape for shape in self.subjects() if self._is_class(shape)}
        return sorted((shape for shape in found if not (active and self.deactivated(shape))), key=str)

    def targets(self, shape: Node) -> Targets:
        def iris(predicate: ox.NamedNode) -> frozenset[ox.NamedNode]:
            return frozenset(value for value in self.objects(shape, predicate) if isinstance(value, ox.NamedNode))

        itself = {shape} if self._is_class(shape) and isinstance(shape, ox.NamedNode) else set()
        return Targets(
            classes=iris(SH.targetClass) | itself,
            nodes=frozenset(self.objects(shape, SH.targetNode)),
            subjects_of=iris(SH.targetSubjectsOf),
            objects_of=iris(SH.targetObjectsOf),
        )

    def _is_class(self, shape: Node) -> bool:
        """An implicit class target (SHACL §2.1.3.3)."""
        types = set(self.objects(shape, RDF.type))
        return bool({RDFS.Class, OWL.Class} & types and {SH.NodeShape, SH.PropertyShape} & types)
