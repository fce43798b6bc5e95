"""Which focus nodes a change can affect, check by check.

A node that gets or loses a type, and so a shape, is concerned by all checks of its shapes. Any other changed quad concerns the checks
that look along its predicate: at its own subject, or at the nodes from which a longer look arrives there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

import pyoxigraph as ox

from semkg.quality.looks import ANY, FOCUS, Node, Step, Term
from semkg.quality.shapes import Shapes
from semkg.quality.views import After, Said
from semkg.vocab import RDF, RDFS

Way = tuple[ox.NamedNode | None, bool]
"""A predicate (None: any), and whether it is followed forwards."""

Place = tuple[int, int]
"""A check and one of its steps."""

Focus = dict[Term, None]
"""Focus nodes, in the order in which they were found."""


class Reach:
    """The steps of all checks by predicate, and the targets by class; made once for a set of shapes."""

    def __init__(self, shapes: Shapes) -> None:
        self.direct: dict[ox.NamedNode | None, list[int]] = defaultdict(list)
        """Predicate (None: any) → checks that look along it from the focus node."""
        self._near: dict[Way, list[Place]] = defaultdict(list)
        self._far: dict[Way, list[Place]] = defaultdict(list)
        self._ways: dict[ox.NamedNode, tuple[list[Place], ...]] = {}
        self.by_target: dict[int, list[int]] = defaultdict(list)
        """Target → its checks."""
        self.by_class: dict[Term, list[int]] = defaultdict(list)
        """Class → the targets that select its instances."""
        for number, check in enumerate(shapes.checks):
            self.by_target[check.target].append(number)
            for place, step in enumerate(check.steps):
                self._enter(number, place, step)
        for number, targets in enumerate(shapes.targets):
            for class_ in targets.classes:
                self.by_class[class_].append(number)
        self.unusual = [
            number for number, targets in enumerate(shapes.targets) if targets.nodes or targets.subjects_of or targets.objects_of
        ]
        """The targets that select nodes by something else than their class."""
        self.subjects_of = {predicate for targets in shapes.targets for predicate in targets.subjects_of}
        self.objects_of = {predicate for targets in shapes.targets for predicate in targets.objects_of}

    def _enter(self, number: int, place: int, step: Step) -> None:
        for predicate in (None,) if step.predicates == ANY else step.predicates:
            if step.start == FOCUS and not step.backward and not step.repeated:
                self.direct[predicate].append(number)
                continue
            for forward in (True,) * step.forward + (False,) * step.backward:
                (self._near if step.start == FOCUS else self._far)[predicate, forward].append((number, place))

    def ways(self, predicate: ox.NamedNode) -> tuple[list[Place], ...]:
        """The steps that go along a predicate otherwise than once forwards from the focus node; empty where there are none.

        Four lists: those that go forwards from the focus node, and from other nodes; those that go backwards, likewise.
        """
        if predicate not in self._ways:
            found = [
                [*steps.get((predicate, forward), ()), *steps.get((None, forward), ())]
                for forward in (True, False)
                for steps in (self._near, self._far)
            ]
            self._ways[predicate] = tuple(found) if any(found) else ()
        return self._ways[predicate]


class Affected:
    """The focus nodes that one change concerns."""

    def __init__(self, shapes: Shapes, reach: Reach, after: After) -> None:
        self._shapes = shapes
        self._reach = reach
        self._after = after
        self._found: dict[int, Focus] = defaultdict(dict)
        self._targets: dict[Term, frozenset[int]] = {}
        self._by_types: dict[tuple[Term, ...], frozenset[int]] = {}
        self._superclasses: dict[Term, frozenset[Term]] = {}

    def by_check(self) -> dict[int, Focus]:
        """Check → focus nodes."""
        after = self._after
        retargeted = dict.fromkeys(node for changed in (after.added, after.gone) for node in self._retargeted(changed))
        for node in retargeted:
            after.read_whole(node)
            for target in self._targets_of(node):
                for number in self._reach.by_target[target]:
                    self._found[number][node] = None
        for changed in (after.added, after.gone):
            for subject, said in changed.items():
                if subject not in retargeted:
                    self._direct(subject, said)
                self._deep(subject, said, comes=changed is after.added)
        return self._found

    def _retargeted(self, changed: Said) -> Iterator[Term]:
        """Nodes that may have come under a shape."""
        for subject, said in changed.items():
            if RDF.type in said or not self._reach.subjects_of.isdisjoint(said):
                yield subject
            for predicate in self._reach.objects_of.intersection(said):
                yield from said[predicate]
            for above in said.get(RDFS.subClassOf, ()):
                if self._supers(above) & self._reach.by_class.keys():
                    for name in self._closure({subject}, Step(FOCUS, frozenset({RDFS.subClassOf}), repeated=True)):
                        yield from self._after.subjects(RDF.type, name)

    def _direct(self, subject: Node, predicates: Iterable[ox.NamedNode]) -> None:
        for predicate in (*predicates, None):
            for number in self._reach.direct.get(predicate, ()):
                if self._shapes.checks[number].target in self._targets_of(subject):
                    self._found[number][subject] = None

    def _deep(self, subject: Node, said: Mapping[ox.NamedNode, Iterable[Term]], comes: bool) -> None:
        for predicate, objects in said.items():
            ways = self._reach.ways(predicate)
            for object in objects if ways else ():
                self._along(ways, (subject, predicate, object), comes)

    def _along(self, ways: tuple[list[Place], ...], triple: tuple[Node, ox.NamedNode, Term], comes: bool) -> None:
        for end, near, far in zip((triple[0], triple[2]), ways[::2], ways[1::2], strict=True):
            # Nothing stored leads to a new node, so no look from elsewhere arrives there.
            places = near + far if far and self._after.linked(end) else near
            if not places or (comes and self._after.holds(*triple)):
                continue
            for number, place in places:
                check = self._shapes.checks[number]
                for focus in self._origins(check.steps, place, {end}):
                    if check.target in self._targets_of(focus):
                        self._found[number][focus] = None

    def _origins(self, steps: tuple[Step, ...], place: int, nodes: set[Term]) -> set[Term]:
        """The focus nodes from which the look along `steps` arrives at the start of step `place` in one of `nodes`.

        Only stored links count: a new link is itself a change, further up.
        """
        step = steps[place]
        if step.repeated:
            nodes = self._closure(nodes, step)
        while step.start != FOCUS and nodes:
            step = steps[step.start]
            before = self._closure(nodes, step) if step.repeated else {start for start, _ in self._back(nodes, step)}
            if step.start == FOCUS and not step.repeated:
                self._pin(nodes, step)
            nodes = before
        return nodes

    def _back(self, ends: Iterable[Term], step: Step) -> Iterator[tuple[Term, Term]]:
        """(start, end) of every stored link that the step stands for."""
        for end in ends:
            if not self._after.linked(end):
                continue
            for predicate in step.predicates:
                if step.forward:
                    yield from ((cast("Node", quad.subject), end) for quad in self._after.remaining(None, predicate, end))
                if step.backward and not isinstance(end, ox.Literal):
                    yield from ((cast("Term", quad.object), end) for quad in self._after.remaining(end, predicate, None))

    def _closure(self, nodes: set[Term], step: Step) -> set[Term]:
        found = set(nodes)
        fresh = found
        while fresh:
            fresh = {start for start, _ in self._back(fresh, step)} - found
            found |= fresh
        return found

    def _pin(self, ends: set[Term], step: Step) -> None:
        for predicate in step.predicates & self._shapes.limits.keys():
            for start, end in self._back(ends, step):
                if not isinstance(start, ox.Literal):
                    self._after.pin(start, predicate, end)

    def _targets_of(self, node: Term) -> frozenset[int]:
        """The targets that select a node (SHACL §2.1.3), as the graph would be."""
        if node not in self._targets:
            types = () if isinstance(node, ox.Literal) else tuple(self._after.objects(node, RDF.type))
            if types not in self._by_types:
                self._by_types[types] = frozenset(
                    number for type in types for class_ in self._supers(type) for number in self._reach.by_class.get(class_, ())
                )
            self._targets[node] = self._by_types[types].union(self._unusual(node))
        return self._targets[node]

    def _unusual(self, node: Term) -> Iterator[int]:
        for number in self._reach.unusual:
            targets = self._shapes.targets[number]
            if node in targets.nodes:
                yield number
            if not isinstance(node, ox.Literal) and any(self._after.objects(node, predicate) for predicate in targets.subjects_of):
                yield number
            if any(any(True for _ in self._after.subjects(predicate, node)) for predicate in targets.objects_of):
                yield number

    def _supers(self, class_: Term) -> frozenset[Term]:
        if class_ not in self._superclasses:
            self._superclasses[class_] = frozenset(self._up(class_))
        return self._superclasses[class_]

    def _up(self, class_: Term) -> set[Term]:
        found, fresh = {class_}, [class_]
        while fresh:
            name = fresh.pop()
            above = () if isinstance(name, ox.Literal) else self._after.objects(name, RDFS.subClassOf)
            fresh += set(above) - found
            found |= set(above)
        return found
