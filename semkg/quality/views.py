"""The data graph as constraints see it: what the store holds now (`Stored`), or would hold after a change (`After`).

Named graphs play no part: a constraint sees their union, each triple once. Vectors are no part of what shapes speak about.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import Protocol, cast

import pyoxigraph as ox

from semkg.ports import GraphStore
from semkg.quality.looks import Node, Term
from semkg.vocab import RDF, SEMKG, XSD

Said = dict[Node, dict[ox.NamedNode, dict[Term, None]]]
"""Subject → predicate → objects."""


class View(Protocol):
    """An RDF graph to read."""

    def objects(self, subject: Node, predicate: ox.NamedNode) -> Collection[Term]: ...

    def subjects(self, predicate: ox.NamedNode, object: Term) -> Iterable[Node]: ...

    def pairs(self, predicate: ox.NamedNode) -> Iterable[tuple[Node, Term]]:
        """Subject and object of every triple with this predicate."""
        ...

    def about(self, subject: Node) -> Iterable[tuple[ox.NamedNode, Term]]:
        """Predicate and object of every triple with this subject."""
        ...


class Stored:
    """The store as it is. Reads whole predicates at a time, since a validation visits all focus nodes property by property."""

    COLUMNS = 4
    """How many predicates are held in memory besides `rdf:type`."""

    def __init__(self, store: GraphStore, graphs: Sequence[ox.NamedNode] | None = None) -> None:
        self._store = store
        self._graphs = None if graphs is None else frozenset(graphs)
        self._columns: OrderedDict[ox.NamedNode, dict[Node, list[Term]]] = OrderedDict()

    def objects(self, subject: Node, predicate: ox.NamedNode) -> Sequence[Term]:
        return self._column(predicate).get(subject, ())

    def subjects(self, predicate: ox.NamedNode, object: Term) -> Iterable[Node]:
        return {_subject(quad) for quad in self._quads(None, predicate, object)}

    def pairs(self, predicate: ox.NamedNode) -> Iterable[tuple[Node, Term]]:
        return ((subject, object) for subject, objects in self._column(predicate).items() for object in objects)

    def about(self, subject: Node) -> Iterable[tuple[ox.NamedNode, Term]]:
        return {(quad.predicate, _object(quad)) for quad in self._quads(subject, None, None) if quad.predicate != SEMKG.embedding}

    def _column(self, predicate: ox.NamedNode) -> dict[Node, list[Term]]:
        if predicate in self._columns:
            self._columns.move_to_end(predicate)
            return self._columns[predicate]
        column: dict[Node, dict[Term, None]] = defaultdict(dict)
        for quad in self._quads(None, predicate, None):
            column[_subject(quad)][_object(quad)] = None
        self._columns[predicate] = {subject: list(objects) for subject, objects in column.items()}
        for old in [known for known in self._columns if known != RDF.type][: -self.COLUMNS]:
            del self._columns[old]
        return self._columns[predicate]

    def _quads(self, subject: Node | None, predicate: ox.NamedNode | None, object: Term | None) -> Iterator[ox.Quad]:
        for quad in _find(self._store, subject, predicate, object):
            if self._graphs is None or quad.graph_name in self._graphs:
                yield quad


class After:
    """The store as it would be once `removals` went and `additions` came.

    Args:
        limits: predicate → how many of a node's stored values are enough. For a hub with thousands of values the constraints on such a
            predicate look at the new values, the pinned ones and this many others: the rest was found right when it came.
        fresh: nodes that are no subject in the store; of others it is looked up.
    """

    def __init__(
        self,
        store: GraphStore,
        additions: Sequence[ox.Quad],
        removals: Iterable[ox.Quad],
        limits: Mapping[ox.NamedNode, int],
        fresh: Set[ox.NamedNode] = frozenset(),
    ) -> None:
        self._store = store
        self._limits = limits
        self._removed = set(removals)
        self.added = self._grouped(additions)
        """What comes: subject → predicate → objects in their normal form."""
        self.gone: Said = {}
        """What goes and does not come back."""
        for quad in self._removed:
            self.gone.setdefault(_subject(quad), {}).setdefault(quad.predicate, {})[_object(quad)] = None
        self._pinned: dict[tuple[Node, ox.NamedNode], dict[Term, None]] = defaultdict(dict)
        self._known: dict[Node, bool] = dict.fromkeys(fresh, False)
        self._fresh: dict[Node, Mapping[ox.NamedNode, Collection[Term]]] = {node: self.added.get(node, {}) for node in fresh}
        """What comes about nodes of which the store says nothing."""
        self._linked: dict[Term, bool] = {}
        self._whole: set[Term] = set()
        self._found: dict[tuple[Node, ox.NamedNode], list[Term]] = {}

    def _grouped(self, additions: Iterable[ox.Quad]) -> Said:
        """The additions by subject; what is among them does not go."""
        touched = {quad.subject for quad in self._removed}
        grouped: Said = {}
        last, said = None, {}
        for quad in additions:
            subject, object = cast("Node", quad.subject), cast("Term", quad.object)
            # The quads of a node come one after the other.
            if subject != last:
                last, said = subject, grouped.setdefault(subject, {})
            said.setdefault(quad.predicate, {})[normal(object) if isinstance(object, ox.Literal) else object] = None
            if subject in touched:
                self._removed.discard(quad)
        return grouped

    def objects(self, subject: Node, predicate: ox.NamedNode) -> Collection[Term]:
        fresh = self._fresh.get(subject)
        if fresh is not None:
            return fresh.get(predicate, ())
        if not self.known(subject):
            return self._fresh[subject].get(predicate, ())
        key = (subject, predicate)
        if key not in self._found:
            self._found[key] = self._objects(subject, predicate)
        return self._found[key]

    def subjects(self, predicate: ox.NamedNode, object: Term) -> Iterable[Node]:
        added = (subject for subject, said in self.added.items() if object in said.get(predicate, ()))
        return {*added, *(_subject(quad) for quad in self.remaining(None, predicate, object))}

    def pairs(self, predicate: ox.NamedNode) -> Iterable[tuple[Node, Term]]:
        added = {(subject, object) for subject, said in self.added.items() for object in said.get(predicate, ())}
        return added | {(_subject(quad), _object(quad)) for quad in self.remaining(None, predicate, None)}

    def about(self, subject: Node) -> Iterable[tuple[ox.NamedNode, Term]]:
        added = {(predicate, object) for predicate, objects in self.added.get(subject, {}).items() for object in objects}
        stored = ((quad.predicate, _object(quad)) for quad in self.remaining(subject, None, None))
        return {pair for pair in (*added, *stored) if pair[0] != SEMKG.embedding}

    def remaining(self, subject: Node | None, predicate: ox.NamedNode | None, object: Term | None) -> Iterator[ox.Quad]:
        """The stored quads that match and stay."""
        for quad in _find(self._store, subject, predicate, object):
            if not self._removed or quad not in self._removed:
                yield quad

    def holds(self, subject: Node, predicate: ox.NamedNode, object: Term) -> bool:
        """Whether the store holds a triple already."""
        return self.known(subject) and any(True for _ in _find(self._store, subject, predicate, object))

    def linked(self, node: Term) -> bool:
        """Whether anything in the store points at a node, or the node at anything."""
        if node not in self._linked:
            pointed_at = any(True for _ in _find(self._store, None, None, node))
            self._linked[node] = pointed_at or (not isinstance(node, ox.Literal) and self.known(node))
        return self._linked[node]

    def known(self, subject: Node) -> bool:
        """Whether the store says anything about a node."""
        known = self._known.get(subject)
        if known is None:
            known = self._known[subject] = any(True for _ in _find(self._store, subject, None, None))
            if not known:
                self._fresh[subject] = self.added.get(subject, {})
        return known

    def read_whole(self, subject: Term) -> None:
        """Let the limits not count for a node: its stored values were never checked against the shapes that it now has."""
        self._whole.add(subject)

    def pin(self, subject: Node, predicate: ox.NamedNode, object: Term) -> None:
        """Have a stored value looked at although others would be enough."""
        self._pinned[subject, predicate][object] = None

    def _objects(self, subject: Node, predicate: ox.NamedNode) -> list[Term]:
        values = dict(self.added.get(subject, {}).get(predicate, ()))
        limit = None if subject in self._whole else self._limits.get(predicate)
        for value in self._stored(subject, predicate, limit):
            values[value] = None
        values |= self._pinned.get((subject, predicate), {})
        return list(dict.fromkeys(map(normal, values)))

    def _stored(self, subject: Node, predicate: ox.NamedNode, limit: int | None) -> Iterator[Term]:
        seen: set[Term] = set()
        for quad in self.remaining(subject, predicate, None):
            if limit is not None and len(seen) >= limit:
                return
            seen.add(_object(quad))
            yield _object(quad)


def normal(term: Term) -> Term:
    """A term in the form that Oxigraph stores, so that `0.90` and `0.9` are one value and an xsd:int is an xsd:integer."""
    if not isinstance(term, ox.Literal) or (term.datatype == XSD.string and not term.language):
        return term
    return _mirrored(term)


@lru_cache(maxsize=10_000)
def _mirrored(term: ox.Literal) -> Term:
    mirror = ox.Store()
    mirror.add(ox.Quad(RDF.nil, RDF.first, term))
    return next(_object(quad) for quad in mirror)


def _find(store: GraphStore, subject: Node | None, predicate: ox.NamedNode | None, object: Term | None) -> Iterator[ox.Quad]:
    # The port names IRIs only; imported data may hold blank nodes, which stores match alike.
    return store.quads(cast("ox.NamedNode | None", subject), predicate, cast("ox.NamedNode | ox.Literal | None", object))


def _subject(quad: ox.Quad) -> Node:
    return cast("Node", quad.subject)


def _object(quad: ox.Quad) -> Term:
    return cast("Term", quad.object)
