"""What a SPARQL constraint looks at, and whether it can be evaluated for many focus nodes at once (SHACL §5.2).

The standard substitutes `$this` before each evaluation. Where the query's own patterns bind `?this`, one evaluation for all nodes gives
the same solutions; this module refuses queries of which it cannot show that. Imports rdflib's SPARQL parser, so it loads late.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyoxigraph as ox
from pyparsing import ParseBaseException
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import BNode, Node, URIRef, Variable

from semkg.errors import BadInput
from semkg.quality.looks import FOCUS, Looks, Step

THIS = Variable("this")

# rdflib translates the patterns within EXISTS only in part: both forms of an optional or union pattern occur.
_PATTERNS = frozenset(
    {"SelectQuery", "Project", "Distinct", "Reduced", "Filter", "BGP", "Join", "LeftJoin", "Union", "Extend"}
    | {"GroupGraphPatternSub", "TriplesBlock", "OptionalGraphPattern", "GroupOrUnionGraphPattern", "Bind"}
)
_EXPRESSIONS = frozenset({"UnaryNot", "UnaryMinus", "UnaryPlus", "TrueFilter", "Function", "vars", "literal"})


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple pattern with a simple path."""

    subject: Node
    predicates: frozenset[ox.NamedNode]
    object: Node
    backward: bool = False
    repeated: bool = False


def steps_of(query: str) -> tuple[Step, ...]:
    """What a constraint's query looks at.

    Raises:
        BadInput: it does not parse, or cannot be evaluated for many focus nodes at once; the message says why.
    """
    try:
        ox.Store().query(query)
        algebra = translateQuery(parseQuery(query)).algebra
    except (SyntaxError, ParseBaseException, ValueError, LookupError, TypeError) as error:
        raise BadInput(f"a sh:select does not parse: {error}") from error
    if algebra.get("datasetClause"):
        raise BadInput("a sh:select uses FROM: leave it out, the data graph is given")
    if unknown := sorted(node.name for node in _nodes(algebra) if not _known(node.name)):
        raise BadInput(f"a sh:select uses {', '.join(unknown)}: write it without GRAPH, MINUS, VALUES, SERVICE, aggregates and sub-queries")
    if THIS not in _certain(algebra) or any(_uses_too_early(node) for node in _nodes(algebra)):
        raise BadInput(
            "a sh:select does not bind $this by a triple pattern wherever it uses it: begin each group with one, such as `$this a ?class`"
        )
    looks = Looks()
    _follow([pattern for triple in _triples(algebra) for pattern in _simple(*triple)], looks)
    return tuple(looks.steps)


def _known(name: str) -> bool:
    return name in _PATTERNS or name in _EXPRESSIONS or name.startswith("Builtin_") or name.endswith("Expression")


def _nodes(value: object) -> Iterator[CompValue]:
    if isinstance(value, CompValue):
        yield value
        for key, inner in value.items():
            if key != "_vars":
                yield from _nodes(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _nodes(inner)


def _certain(node: CompValue) -> set[Node]:
    """The variables that every solution binds."""
    match node.name:
        case "BGP":
            return {term for triple in node.triples for term in triple if isinstance(term, Variable)}
        case "Join":
            return _certain(node.p1) | _certain(node.p2)
        case "Union":
            return _certain(node.p1) & _certain(node.p2)
        case "LeftJoin":
            return _certain(node.p1)
        case _:
            return _certain(node.p)


def _uses_too_early(node: CompValue) -> bool:
    """Whether `$this` is rebound, or read by an expression in a group that has not bound it."""
    if node.get("var") == THIS:
        return True
    inner, expression = node.get("p"), node.get("expr")
    reads = isinstance(expression, CompValue) and THIS in (expression.get("_vars") or ())
    # The patterns within EXISTS have no `p`: there the solution outside has bound it.
    return node.name in ("Filter", "Extend") and inner is not None and (reads or expression == THIS) and THIS not in _certain(inner)


def _triples(algebra: CompValue) -> Iterator[tuple[Node, object, Node]]:
    for node in _nodes(algebra):
        if node.name in ("BGP", "TriplesBlock"):
            for triple in node.triples:
                for first in range(0, len(triple), 3):
                    yield triple[first], triple[first + 1], triple[first + 2]


def _simple(subject: Node, path: object, object: Node) -> Iterator[Pattern]:
    """A pattern with a property path as patterns with simple ones (SPARQL 1.1 §9)."""
    from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath

    match path:
        case URIRef():
            yield Pattern(subject, frozenset({ox.NamedNode(path)}), object)
        case SequencePath():
            hops = [subject, *(BNode() for _ in path.args[1:]), object]
            for number, part in enumerate(path.args):
                yield from _simple(hops[number], part, hops[number + 1])
        case AlternativePath():
            for part in path.args:
                yield from _simple(subject, part, object)
        case InvPath():
            yield from _simple(object, path.arg, subject)
        case MulPath(path=URIRef()):
            yield Pattern(subject, frozenset({ox.NamedNode(str(path.path))}), object, repeated=True)
        case MulPath():
            yield Pattern(subject, frozenset(_predicates(path.path)), object, backward=True, repeated=True)
        case _:
            raise BadInput("a sh:select has a pattern whose predicate is a variable or a negated set: name the predicates that it looks at")


def _predicates(path: object) -> Iterator[ox.NamedNode]:
    from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath

    match path:
        case URIRef():
            yield ox.NamedNode(path)
        case SequencePath() | AlternativePath():
            for part in path.args:
                yield from _predicates(part)
        case InvPath():
            yield from _predicates(path.arg)
        case MulPath():
            yield from _predicates(path.path)
        case _:
            raise BadInput("a sh:select has a negated property set within a path: name the predicates that it looks at")


def _follow(patterns: list[Pattern], looks: Looks) -> None:
    """From `$this` along the patterns until all are reached."""
    directed = _directed(patterns)
    ends: dict[Node, dict[int, frozenset[int]]] = {THIS: {FOCUS: frozenset()}}
    grown = True
    while grown:
        grown = False
        for number, (begin, pattern, end) in enumerate(directed):
            forward = begin == pattern.subject
            for start, behind in list(ends.get(begin, {}).items()):
                if number in behind:
                    continue
                step = Step(start, pattern.predicates, forward or pattern.backward, not forward or pattern.backward, pattern.repeated)
                arrived = looks.add(step)
                if arrived not in ends.setdefault(end, {}):
                    ends[end][arrived] = behind | {number}
                    grown = True


def _directed(patterns: list[Pattern]) -> list[tuple[Node, Pattern, Node]]:
    """Each pattern with the end from which it is reached; forwards as long as that is possible."""
    reached: set[Node] = {THIS}
    left = list(patterns)
    directed: list[tuple[Node, Pattern, Node]] = []
    while left:
        pattern = next((pattern for pattern in left if pattern.subject in reached), None)
        if pattern:
            directed.append((pattern.subject, pattern, pattern.object))
        elif pattern := next((pattern for pattern in left if pattern.object in reached), None):
            directed.append((pattern.object, pattern, pattern.subject))
        else:
            raise BadInput(f"a sh:select has a pattern that is not connected with $this ({left[0].subject} …): connect it")
        left.remove(pattern)
        reached |= {pattern.subject, pattern.object}
    return directed
