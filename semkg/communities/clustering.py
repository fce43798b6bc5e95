"""Keeping the HyperNodes in step with the facts, through the one door (RAGA §3.1, §3.5; DESIGN §2, law 1).

After a change only the entities whose cluster can have changed are looked at: those touched, their neighbours, and the clusters that they
are or come to be in. What comes out is what clustering the whole graph would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semkg.communities.clusters import clusters, component
from semkg.communities.hypernodes import HyperNode, centroid, hypernodes, is_hypernode, made_of, quads, read
from semkg.communities.kinship import Kinship
from semkg.communities.surroundings import Surroundings
from semkg.graph import rdf
from semkg.graph.indexes import Kind
from semkg.graph.writer import Parts, Writer
from semkg.model import Activity, Agent
from semkg.vectors import codec
from semkg.vocab import PROV, SEMKG

if TYPE_CHECKING:
    from semkg.ports import Vectors

Node = ox.NamedNode

LIMIT = 12
"""How many members a cluster of several entities may have; those that were merged into one are never parted."""

CLUSTERER = "entity-clustering"
VERSION = "1"


@dataclass(frozen=True, slots=True)
class Change:
    """What a clustering did. `looked_at`: how many canonical entities it considered."""

    made: tuple[HyperNode, ...] = ()
    changed: tuple[HyperNode, ...] = ()
    removed: tuple[Node, ...] = ()
    looked_at: int = 0


NOTHING = Change()


class Clustering:
    """Makes and refreshes the HyperNodes of one dataset."""

    def __init__(self, parts: Parts, writer: Writer) -> None:
        self._parts = parts
        self._writer = writer

    def refresh(self, run: Node | None = None) -> Change:
        """Bring the HyperNodes into step with the facts; without a change since the last time nothing is read or written.

        Args:
            run: the activity that gave the occasion.

        Raises:
            StorageFull, StorageError, PermissionDenied: the store failed; the HyperNodes are as they were.
        """
        touched = self._writer.touched
        if not touched.everything and not touched.nodes and (touched.current() or not touched.resolved):
            return NOTHING
        around = Surroundings(self._parts.store, self._parts.layout)
        if touched.everything:
            everybody = around.entities()
            old = list(hypernodes(self._parts.store, self._parts.layout))
            change = self._become(everybody, old, around, Kinship(around, everybody), run)
        else:
            kinship = Kinship(around)
            reached = kinship.reach(touched)
            old = self._holding([*touched.nodes, *reached])
            reached.update(around.canonical(member for node in old for member in node.members))
            change = self._become(sorted(reached, key=_iri), old, around, kinship, run)
        touched.settle_clusters()
        return change

    def mend(self) -> int:
        """Make the vectors of HyperNodes anew, from those of their members, where they are missing or cannot be used; returns how many."""
        around = Surroundings(self._parts.store, self._parts.layout)
        broken = [node for node in hypernodes(self._parts.store, self._parts.layout) if not self._has_vector(node.iri)]
        if broken:
            self._writer.rewrite((), (), self._vectors(broken, around))
        return len(broken)

    def _has_vector(self, node: Node) -> bool:
        found = list(self._parts.store.quads(node, SEMKG.embedding, None, self._parts.layout.vectors))
        try:
            return [len(codec.decode(quad.object.value)) for quad in found if isinstance(quad.object, ox.Literal)] == [
                self._parts.embedder.id.dimension
            ]
        except ValueError:
            return False

    def _holding(self, entities: Iterable[Node]) -> list[HyperNode]:
        """The HyperNodes that some entities are members of."""
        store, layout = self._parts.store, self._parts.layout
        found = (quad.subject for entity in entities for quad in store.quads(None, PROV.hadMember, entity, layout.communities))
        nodes = (node for node in dict.fromkeys(found) if isinstance(node, Node) and is_hypernode(store, layout, node))
        return [read(store, layout, node) for node in nodes]

    def _become(self, start: Sequence[Node], old: Sequence[HyperNode], around: Surroundings, kinship: Kinship, run: Node | None) -> Change:
        """Put the clusters around `start` in the place of the HyperNodes that stood there."""
        related = component(start, kinship.kin)
        found = clusters(related, lambda entity: len(around.family(entity)), LIMIT)
        wanted = {node.iri: node for entities in found if (node := self._hypernode(entities, around))}
        before = {node.iri: node for node in [*old, *self._holding(related)]}
        change = Change(
            made=tuple(node for iri, node in wanted.items() if iri not in before),
            changed=tuple(node for iri, node in wanted.items() if iri in before and before[iri] != node),
            removed=tuple(sorted(before.keys() - wanted.keys(), key=_iri)),
            looked_at=len(related),
        )
        self._write(change, around, run)
        return change

    def _hypernode(self, entities: Sequence[Node], around: Surroundings) -> HyperNode | None:
        if len(entities) == 1 and len(around.family(entities[0])) == 1:
            return None
        node = made_of(entities, around, self._parts.names)
        return node if node.evidence else None

    def _write(self, change: Change, around: Surroundings, run: Node | None) -> None:
        store, layout = self._parts.store, self._parts.layout
        activity, agent = self._activity(run)
        new = [*change.made, *change.changed]
        additions = [*rdf.agent_quads(agent, layout), *rdf.activity_quads(activity, layout)]
        additions += (quad for node in new for quad in quads(node, activity.iri, layout))
        if self._writer.touched.resolved:
            additions.append(ox.Quad(layout.communities, PROV.wasGeneratedBy, activity.iri, layout.communities))
        stale = [*change.removed, *(node.iri for node in change.changed)]
        removals = [quad for node in stale for quad in store.quads(node, None, None, layout.communities)]
        removals += self._writer.touched.current()
        self._writer.rewrite(additions, removals, self._vectors(new, around), [node.value for node in change.removed])

    def _vectors(self, nodes: Sequence[HyperNode], around: Surroundings) -> dict[Kind, tuple[list[str], Vectors]]:
        import numpy as np

        if not nodes:
            return {}
        return {Kind.HYPERNODE: ([node.iri.value for node in nodes], np.stack([centroid(node.members, around) for node in nodes]))}

    def _activity(self, run: Node | None) -> tuple[Activity, Agent]:
        names, now = self._parts.names, self._parts.clock.now()
        agent = Agent(names.agent(CLUSTERER, VERSION), f"semkg entity clustering {VERSION}")
        iri = names.activity("clustering", now.isoformat(), str(self._parts.store.generation))
        return Activity(iri, SEMKG.Clustering, agent.iri, now, now, (), run), agent


def _iri(node: Node) -> str:
    return node.value
