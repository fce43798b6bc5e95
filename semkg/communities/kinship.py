"""Which entities belong together: a symmetric relation that a pair has or has not by itself and by what stands around the two.

Two canonical entities are akin if they are of one class, one's name could be a form of the other's, the vectors of their labels are
near, and they share their surroundings: an edge between them (of people it says the opposite: nobody is one's own brother), a chunk that
mentions both, or a common neighbour with few edges. Candidates come from the surroundings alone, so that a change far away cannot touch
the answer, and not all pairs of entities are ever looked at (RAGA §3.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType

import pyoxigraph as ox

from semkg.communities.names import Name, may_be_one, name_of
from semkg.communities.namesakes import Namesakes
from semkg.communities.surroundings import Surroundings
from semkg.graph.touched import Touched

Node = ox.NamedNode

NEAR = 0.6
"""Least cosine between the vectors of two entities."""

HUB = 12
"""A neighbour with more edges than this is no surrounding that two entities share: half the graph was born in the same country."""

COMMON = 100
"""An entity with more edges, or in more chunks, than this belongs with nobody: what stands around it says nothing about it."""

NOTHING_MET: Mapping[Node, int] = MappingProxyType({})

PERSON = "/Person"
"""How the IRI of the class ends whose members have relatives of nearly their own name."""


class Kinship:
    """The relation over one state of the graph."""

    def __init__(self, surroundings: Surroundings, everybody: Iterable[Node] = ()) -> None:
        """`everybody`: all canonical entities, where the kin of all of them will be asked for."""
        self._around = surroundings
        self._alike: dict[Node, dict[Node, float]] = {}
        self._names: dict[Node, Name] = {}
        named = [(surroundings.type(node), self._name(node), self._is_person(node)) for node in everybody]
        self._namesakes = Namesakes(named) if named else None

    def kin(self, entity: Node) -> dict[Node, float]:
        """The entities that belong with a canonical one → their cosine.

        A name that is short for several others, which are none of one another, is short for nobody: `Bach` among three Bachs.
        """
        return {
            other: cosine
            for other, cosine in self.alike(entity).items()
            if cosine >= NEAR and self._unambiguous(entity, other) and self._unambiguous(other, entity)
        }

    def alike(self, entity: Node) -> dict[Node, float]:
        """The entities nearby that a canonical one could be by its name and class → their cosine."""
        if entity not in self._alike:
            self._alike[entity] = {other: self._likeness(entity, other) for other in self._candidates(entity)}
        return self._alike[entity]

    def reach(self, touched: Touched) -> set[Node]:
        """The canonical entities whose kin may have changed.

        Wherever two entities became akin, or ceased to be, one of them stands in a fact that came or went; or both are next to one that
        is a hub now and was none, or the other way round.
        """
        around = self._around
        lost = {self._name(node) for node in touched.left if around.label(node)} | set(map(name_of, touched.lost))
        core = around.canonical(touched.nodes)
        unsettled = [node for node in core if not self._settled(node, touched)]
        found = set(unsettled).union(
            *(self._could_be(node, touched.nodes) for node in unsettled),
            *(self._brought_together(node, touched, lost) for node in core),
            self._met_with(touched),
        )
        return found | {other for node in found for other in self.alike(node)}

    def _settled(self, node: Node, touched: Touched) -> bool:
        """Whether an entity was there before, nobody with a name that fits was brought near it, and nothing else was changed about it.

        Then it is akin to whom it was, unless something was changed about one of these. What is mentioned everywhere mostly is settled.
        """
        around, met = self._around, touched.nodes
        if node in touched.named or node in touched.left or len(around.family(node)) > 1:
            return False
        links, chunks = (find(node, COMMON + met[node]) for find in (around.links, around.chunks))
        if links is None or chunks is None:
            return True  # It belonged with nobody, and still does.
        if max(len(links), len(chunks)) > COMMON or chunks <= met.keys():
            return False
        return not self._named_alike(node, self._beside(links & met.keys(), chunks & met.keys(), met) - {node})

    def _could_be(self, node: Node, met: Mapping[Node, int]) -> list[Node]:
        """The entities around one, now or before, with a name like its own or like that of one merged into it."""
        beside = self._nearby(node, met) - {node}
        found = self._named_alike(node, beside)
        if not found:
            # Without a name that fits among all of these there is none among those that are around it now.
            self._alike[node] = {}
        return found + [other for member in self._around.family(node) if member != node for other in self._named_alike(member, beside)]

    def _brought_together(self, node: Node, touched: Touched, lost: Collection[Name]) -> Iterable[Node]:
        """The entities next to one that became or ceased to be a hub; of one that lost a fact, those that could have been what went."""
        around, met = self._around, touched.nodes
        family = around.family(node)
        links = around.canonical(around.links(node, HUB + met.get(node, 0)) or ())
        if touched.left.isdisjoint(family):
            return links if around.links(node, HUB) is None else ()
        before = len(links) + sum(met.get(member, 0) for member in family)
        return links if around.links(node, HUB) is None or before > HUB else self._called(lost, links)

    def _met_with(self, touched: Touched) -> Iterator[Node]:
        """The entities in a chunk with one that was merged or parted, which could be what one of those is."""
        around = self._around
        moved = {member for end in around.canonical(touched.moved) for member in around.family(end)} | touched.moved
        names = set(map(self._name, moved))
        for node in moved:
            chunks = around.mentions(node)
            if len(chunks) <= COMMON + touched.nodes.get(node, 0):
                yield from self._called(names, set().union(*map(around.cast, chunks)))

    def _candidates(self, entity: Node) -> Iterator[Node]:
        """Same class, shared surroundings, and a name that fits; each once."""
        if self._has_no_namesake(entity) or self._common(entity):
            return
        nearby = self._named_alike(entity, self._nearby(entity) - {entity})
        others = self._others(entity) if nearby else ()
        for other in nearby:
            if self._around.type(other) == self._around.type(entity) and other not in others and not self._common(other):
                yield other

    def _has_no_namesake(self, entity: Node) -> bool:
        given = self._around.type(entity), self._name(entity), self._is_person(entity)
        return self._namesakes is not None and not self._namesakes.may_have(*given)

    def _common(self, entity: Node) -> bool:
        return self._around.links(entity, COMMON) is None or self._around.chunks(entity, COMMON) is None

    def _others(self, entity: Node) -> set[Node]:
        """What is known to be something else: declared to be, or a person with whom a person has to do."""
        related = self._around.links(entity, COMMON) if self._is_person(entity) else None
        return {*self._around.apart(entity), *self._around.canonical(related or ())}

    def _nearby(self, entity: Node, met: Mapping[Node, int] = NOTHING_MET) -> set[Node]:
        """The canonical entities around one: next to it, next to what is next to it, and in its chunks; with `met` also those before."""
        around, limit = self._around, COMMON + met.get(entity, 0)
        return self._beside(around.links(entity, limit) or (), around.chunks(entity, limit) or (), met)

    def _beside(self, neighbours: Iterable[Node], chunks: Iterable[Node], met: Mapping[Node, int]) -> set[Node]:
        """The canonical entities among some neighbours, next to these, and in some chunks."""
        around = self._around
        beyond = (around.links(neighbour, HUB + met.get(neighbour, 0)) or () for neighbour in neighbours)
        return set(around.canonical({*neighbours, *chain.from_iterable(beyond)})).union(*map(around.cast, chunks))

    def _likeness(self, one: Node, other: Node) -> float:
        # In one order, so that both ask for the same product.
        first, second = sorted((one, other), key=lambda node: node.value)
        rows = self._around.vector(first), self._around.vector(second)
        return 0.0 if rows[0] is None or rows[1] is None else float(rows[0] @ rows[1])

    def _unambiguous(self, entity: Node, other: Node) -> bool:
        """Whether every other entity that `entity` could be could be `other` too."""
        return all(rival == other or self._comparable(rival, other) for rival in self.alike(entity))

    def _comparable(self, one: Node, other: Node) -> bool:
        return may_be_one(self._name(one), self._name(other), self._is_person(one))

    def _named_alike(self, entity: Node, others: Iterable[Node]) -> list[Node]:
        name, person = self._name(entity), self._is_person(entity)
        return [other for other in others if may_be_one(name, self._name(other), person)]

    def _called(self, names: Collection[Name], entities: Iterable[Node]) -> Iterator[Node]:
        """The entities that could be what one of the names names."""
        for entity in entities:
            name, person = self._name(entity), self._is_person(entity)
            if any(may_be_one(name, other, person) for other in names):
                yield entity

    def _name(self, entity: Node) -> Name:
        if entity not in self._names:
            self._names[entity] = name_of(self._around.label(entity))
        return self._names[entity]

    def _is_person(self, entity: Node) -> bool:
        return self._around.type(entity).endswith(PERSON)
