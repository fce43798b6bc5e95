"""Which shapes are let in: what would be skipped, or could reach outside, is refused when the shapes are loaded.

A validator that does not know a construct passes over it, and a graph then conforms because nobody looked. So every `sh:` term of a
shapes graph must be one that is evaluated here: SHACL Core, and `sh:sparql` in shapes that are trusted.
"""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox

from semkg.errors import BadInput
from semkg.quality.looks import Node, Objects, nested_shapes
from semkg.vocab import OWL, SH

UNIVERSAL = frozenset(
    {SH.class_, SH.datatype, SH.nodeKind, SH.minExclusive, SH.minInclusive, SH.maxExclusive, SH.maxInclusive, SH.minLength, SH.maxLength}
    | {SH.pattern, SH.flags, SH.languageIn, SH.in_}
)
"""Parameters of constraints on each value by itself: what holds for a value stays when others come or go."""

TARGETS = frozenset({SH.targetClass, SH.targetNode, SH.targetSubjectsOf, SH.targetObjectsOf})
SPARQL = frozenset({SH.sparql, SH.select, SH.prefixes})
NON_VALIDATING = frozenset(
    {SH.message, SH.severity, SH.name, SH.description, SH.order, SH.group, SH.defaultValue, SH.declare, SH.prefix, SH.namespace}
)
PATHS = frozenset({SH.path, SH.inversePath, SH.alternativePath, SH.zeroOrMorePath, SH.oneOrMorePath, SH.zeroOrOnePath})
RELATIONAL = frozenset(
    {SH.minCount, SH.maxCount, SH.uniqueLang, SH.equals, SH.disjoint, SH.lessThan, SH.lessThanOrEquals, SH.not_, SH.and_, SH.or_, SH.xone}
    | {SH.node, SH.property, SH.qualifiedValueShape, SH.qualifiedMinCount, SH.qualifiedMaxCount, SH.qualifiedValueShapesDisjoint}
    | {SH.closed, SH.ignoredProperties, SH.hasValue}
)
PARAMETERS = UNIVERSAL | RELATIONAL
"""All parameters of SHACL Core (SHACL §4)."""

SWITCHES = frozenset({SH.uniqueLang, SH.closed, SH.deactivated})
"""Parameters that only the literal `true` turns on; validators differ about `"1"^^xsd:boolean`."""

CORE = PARAMETERS | TARGETS | PATHS | NON_VALIDATING | {SH.deactivated}


def admit(quads: Iterable[ox.Quad], trusted: bool) -> None:
    """Refuse terms that would not be evaluated, or that shapes from outside may not use.

    Raises:
        BadInput: with the term and what to do about it.
    """
    given = list(quads)
    for quad in given:
        if quad.predicate in SWITCHES and quad.object not in (ox.Literal(True), ox.Literal(False)):
            raise BadInput(
                f"sh:{quad.predicate.value.removeprefix(SH.base)} is either true or false, not {quad.object}: SHACL knows no other way"
            )
    for predicate in {quad.predicate for quad in given}:
        if predicate == OWL.imports:
            raise BadInput("shapes must not import other graphs (owl:imports): put all shapes into the given files")
        if not predicate.value.startswith(SH.base) or predicate in CORE:
            continue
        name = predicate.value.removeprefix(SH.base)
        if predicate not in SPARQL:
            raise BadInput(f"sh:{name} is not part of SHACL Core and would not be checked: take it out, or see that it is spelled right")
        if not trusted:
            raise BadInput(f"sh:{name} is allowed in the shapes that come with semkg only: express the rule in SHACL Core")


def refuse_recursion(objects: Objects, shapes: Iterable[Node]) -> None:
    """Recursive shapes have no defined meaning (SHACL §3.4.3).

    Raises:
        BadInput: a shape refers to itself, directly or through others.
    """
    done: set[Node] = set()

    def visit(shape: Node, above: frozenset[Node]) -> None:
        if shape in above:
            raise BadInput(f"the shape {shape} refers to itself: SHACL leaves recursive shapes undefined, break the cycle")
        if shape not in done:
            for nested in nested_shapes(objects, shape):
                visit(nested, above | {shape})
            done.add(shape)

    for shape in shapes:
        visit(shape, frozenset())
