"""Which entities belong together: a symmetric relation that a pair has or has not by itself and by what stands around the two.

Two canonical entities are akin if they are of one class, one's name could be a form of the other's, the vectors of their labels are
near, and they share their surroundings: an edge between them (of people it says the opposite: nobody is one's own brother), a chunk that
mentions both, or a common neighbour with few edges. Candidates come from the surroundings alone, so that a change far away cannot touch
the answer, and not all pairs of entities are ever looked at (RAGA §3.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from semkg.communities.names import comparable
from semkg.communities.surroundings import Surroundings

Node = ox.NamedNode

NEAR = 0.6
"""Least cosine between the vectors of two entities."""

HUB = 12
"""A neighbour with more edges than this is no surrounding that two entities share: half the graph was born in the same country."""


PERSON = "/Person"
"""How the IRI of the class ends whose members have relatives of nearly their own name."""


class Kinship:
    """The relation over one state of the graph."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._around = surroundings
        self._alike: dict[Node, dict[Node, float]] = {}

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

    def reach(self, touched: Iterable[Node], met: dict[Node, int], moved: Iterable[Node]) -> set[Node]:
        """The canonical entities whose kin may have changed.

        Args:
            touched: nodes of facts that came or went.
            met: node → in how many of these facts it stands.
            moved: those that were merged or parted.
        """
        around = self._around
        found = set(around.canonical(touched))
        for node in list(found):
            neighbours = around.neighbours(node)
            # With more edges than that it was a hub before, and is one now.
            if len(neighbours) <= HUB + met.get(node, 0):
                found.update(around.canonical(neighbours))
        for node in moved:
            if said := around.said(node):
                found.update(other for chunk in said.chunks for other in around.cast(chunk))
        return found | {other for node in found for other in self.alike(node)}

    def _candidates(self, entity: Node) -> Iterator[Node]:
        """Same class, shared surroundings, and a name that fits; each once."""
        said = self._around.said(entity)
        if said is None:
            return
        for other in self._nearby(entity) - {entity} - self._others(entity, said.type):
            about = self._around.said(other)
            if about and about.type == said.type and self._comparable(entity, other):
                yield other

    def _others(self, entity: Node, type: str) -> set[Node]:
        """What is known to be something else: declared to be, or a person with whom a person has to do."""
        apart = self._around.apart(entity) | (self._around.neighbours(entity) if type.endswith(PERSON) else frozenset())
        return set(self._around.canonical(apart))

    def _nearby(self, entity: Node) -> set[Node]:
        around = self._around
        neighbours = around.neighbours(entity)
        found = set(neighbours)
        for neighbour in neighbours:
            if len(around.neighbours(neighbour)) <= HUB:
                found |= around.neighbours(neighbour)
        return found.union(*(around.cast(chunk) for chunk in around.chunks(entity)))

    def _likeness(self, one: Node, other: Node) -> float:
        # In one order, so that both ask for the same product.
        first, second = sorted((one, other), key=lambda node: node.value)
        rows = self._around.vector(first), self._around.vector(second)
        return 0.0 if rows[0] is None or rows[1] is None else float(rows[0] @ rows[1])

    def _unambiguous(self, entity: Node, other: Node) -> bool:
        """Whether every other entity that `entity` could be could be `other` too."""
        return all(rival == other or self._comparable(rival, other) for rival in self.alike(entity))

    def _comparable(self, one: Node, other: Node) -> bool:
        said, about = self._around.said(one), self._around.said(other)
        return said is not None and about is not None and comparable(said.label, about.label, said.type.endswith(PERSON))
