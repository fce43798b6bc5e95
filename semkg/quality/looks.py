"""What a constraint looks at, as steps from its focus node: read from SHACL property paths and from SPARQL patterns.

The gate needs it in two directions: forwards, to stage what a SPARQL constraint will read; backwards, to find the focus nodes whose
verdict a changed quad may alter. A step may stand for more than the constraint reads, never for less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from semkg.vocab import RDF, RDFS, SH

Node = ox.NamedNode | ox.BlankNode
Term = Node | ox.Literal

FOCUS = -1
"""As the start of a step: the focus node itself."""

ANY: frozenset[ox.NamedNode] = frozenset()
"""As the predicates of a step: whatever the node says (`sh:closed`)."""


@dataclass(frozen=True, slots=True)
class Step:
    """From the ends of another step (or from the focus node) along predicates."""

    start: int
    predicates: frozenset[ox.NamedNode]
    forward: bool = True
    backward: bool = False
    repeated: bool = False
    """Zero or more times: its ends include its starts."""


class Looks:
    """Collects steps; each method returns the numbers of the steps at whose ends the look has arrived."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add(self, step: Step) -> int:
        if step in self.steps:
            return self.steps.index(step)
        self.steps.append(step)
        return len(self.steps) - 1

    def step(self, start: int, *predicates: ox.NamedNode, repeated: bool = False) -> int:
        return self.add(Step(start, frozenset(predicates), repeated=repeated))

    def types(self, start: int) -> int:
        """`rdf:type/rdfs:subClassOf*`: what makes a SHACL instance (SHACL §1.1)."""
        return self.step(self.step(start, RDF.type), RDFS.subClassOf, repeated=True)


Objects = Callable[[Node, ox.NamedNode], list[Term]]
"""The objects of a subject and predicate in the shapes graph."""

_NESTED = (SH.property, SH.node, SH.not_, SH.qualifiedValueShape)
_NESTED_LISTS = (SH.and_, SH.or_, SH.xone)
_PAIRS = (SH.equals, SH.disjoint, SH.lessThan, SH.lessThanOrEquals)
_REPEATED = (SH.zeroOrMorePath, SH.oneOrMorePath)


def members(objects: Objects, head: Term) -> list[Term]:
    """The members of an RDF list; an ill-formed one ends where it breaks."""
    found: list[Term] = []
    seen: set[Term] = set()
    while not isinstance(head, ox.Literal) and head != RDF.nil and head not in seen:
        seen.add(head)
        found += objects(head, RDF.first)[:1]
        head = next(iter(objects(head, RDF.rest)), RDF.nil)
    return found


def nested_shapes(objects: Objects, shape: Node) -> list[Node]:
    """The shapes that a shape refers to (SHACL §3.4.3: shape-expecting parameters)."""
    direct = [value for predicate in _NESTED for value in objects(shape, predicate)]
    listed = [value for predicate in _NESTED_LISTS for head in objects(shape, predicate) for value in members(objects, head)]
    return [value for value in (*direct, *listed) if not isinstance(value, ox.Literal)]


def look_core(objects: Objects, shape: Node, looks: Looks, start: int = FOCUS) -> None:
    """Add what the SHACL Core constraints of `shape` look at, from the ends of `start` as its focus nodes."""
    ends = [start]
    for path in objects(shape, SH.path)[:1]:
        ends = look_path(objects, path, looks, start)
    for predicate in (value for pair in _PAIRS for value in objects(shape, pair) if isinstance(value, ox.NamedNode)):
        looks.step(start, predicate)
    for end in ends:
        if objects(shape, SH.class_):
            looks.types(end)
        if any(value != ox.Literal(False) for value in objects(shape, SH.closed)):
            looks.add(Step(end, ANY))
        for nested in nested_shapes(objects, shape):
            look_core(objects, nested, looks, end)


def look_path(objects: Objects, path: Term, looks: Looks, start: int) -> list[int]:
    """Add the steps of a SHACL property path (SHACL §2.3.1)."""
    if isinstance(path, ox.NamedNode):
        return [looks.step(start, path)]
    if isinstance(path, ox.Literal):
        return [start]
    if objects(path, RDF.first):
        ends = [start]
        for part in members(objects, path):
            ends = [end for begin in ends for end in look_path(objects, part, looks, begin)]
        return ends
    for inner in objects(path, SH.inversePath):
        if isinstance(inner, ox.NamedNode):
            return [looks.add(Step(start, frozenset({inner}), forward=False, backward=True))]
        return [_everywhere(objects, inner, looks, start)]
    for head in objects(path, SH.alternativePath):
        return [end for part in members(objects, head) for end in look_path(objects, part, looks, start)]
    for inner in objects(path, SH.zeroOrOnePath):
        return [start, *look_path(objects, inner, looks, start)]
    for inner in (value for kind in _REPEATED for value in objects(path, kind)):
        if isinstance(inner, ox.NamedNode):
            return [looks.step(start, inner, repeated=True)]
        return [_everywhere(objects, inner, looks, start)]
    return [start]


def _everywhere(objects: Objects, path: Term, looks: Looks, start: int) -> int:
    """A path within a repeated or inverse one: along all its predicates, both ways, any number of times."""
    predicates = frozenset(_predicates(objects, path))
    return looks.add(Step(start, predicates, forward=True, backward=True, repeated=True))


def _predicates(objects: Objects, path: Term) -> Iterable[ox.NamedNode]:
    if isinstance(path, ox.NamedNode):
        yield path
    elif isinstance(path, ox.BlankNode):
        for part in members(objects, path):
            yield from _predicates(objects, part)
        for head in objects(path, SH.alternativePath):
            for part in members(objects, head):
                yield from _predicates(objects, part)
        for kind in (SH.inversePath, SH.zeroOrOnePath, *_REPEATED):
            for inner in objects(path, kind):
                yield from _predicates(objects, inner)
