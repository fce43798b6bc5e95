"""Merging entities and taking a merge back: recorded acts that move edges and leave what was said as it is (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import pyoxigraph as ox

from semkg.errors import BadInput
from semkg.graph import rdf
from semkg.graph.edges import canonical, edge_changes, merges
from semkg.graph.known import Known
from semkg.graph.layout import Layout
from semkg.graph.naming import Naming, Reached
from semkg.graph.resolution import Similarity, resolve
from semkg.graph.writer import Parts, Writer
from semkg.model import Activity, Agent
from semkg.ports import GraphStore
from semkg.vectors import codec
from semkg.vocab import OWL, PROV, RDF, SEMKG, SKOS

RESOLVER = "entity-resolution"
VERSION = "1"

Pair = tuple[ox.NamedNode, ox.NamedNode]
"""(entity, what it is merged into)"""

Merges = dict[ox.NamedNode, ox.NamedNode]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a round of resolution changed: (merged, canonical) pairs."""

    merged: tuple[tuple[ox.NamedNode, ox.NamedNode], ...]
    unmerged: tuple[tuple[ox.NamedNode, ox.NamedNode], ...]


class Merger:
    """Records merges through the one door."""

    def __init__(self, parts: Parts, writer: Writer) -> None:
        self._parts = parts
        self._writer = writer

    def resolve(self, run: ox.NamedNode | None = None) -> Resolved:
        """Merge what the rules find to be one thing, and take back merges of theirs that nothing supports any more."""
        store, layout, touched = self._parts.store, self._parts.layout, self._writer.touched
        declared, apart = self._declared(), _declared_apart(store, layout)
        if touched.resolved and not declared and not apart:
            return Resolved((), ())
        now = merges(store, layout)
        known = Known(store, layout)
        reached = self._reached(known.naming, declared, apart)
        found = resolve(known.candidates(reached.contested), _similarity(store, layout), apart)
        wanted = {member: into for member, into in now.items() if member.value not in reached.around}
        wanted |= {ox.NamedNode(member): ox.NamedNode(into) for member, (into, _) in found.items()}
        # Where the rules merged into something else what somebody chose, that is what it leads to now.
        standing = {member: into for member, into in declared if now.get(member) == now.get(into, into)}
        wanted |= standing
        basis = {ox.NamedNode(member): rule for member, (_, rule) in found.items()} | dict.fromkeys(standing, "declared")
        resolved = self._become(_flattened(wanted), basis, run)
        touched.settle_merges()
        return resolved

    def _reached(self, naming: Naming, declared: Sequence[Pair], apart: frozenset[frozenset[str]]) -> Reached:
        """The entities whose merges can have changed: with what people decided, those around it are always looked at."""
        touched = self._writer.touched
        if touched.everybody:
            return naming.everybody()
        pairs = [(member.value, into.value) for member, into in declared]
        entities = chain((node.value for node in touched.told), *pairs, *apart)
        return naming.around(entities, touched.gone, pairs)

    def merge(self, entity: ox.NamedNode, into: ox.NamedNode, agent: Agent, basis: str) -> None:
        """Point `entity` at `into`, as a person or an agent decided.

        Raises:
            BadInput: they are one already, or one of them is unknown.
        """
        store, layout = self._parts.store, self._parts.layout
        for node in (entity, into):
            if not any(True for _ in store.quads(node, SKOS.prefLabel, None, layout.facts)):
                raise BadInput(f"{node.value} is no entity of this graph: look it up with `semkg search`")
        target = canonical(store, into, layout)
        if canonical(store, entity, layout) == target:
            raise BadInput(f"{entity.value} and {into.value} are one entity already: see `semkg show`")
        self._become(_flattened(merges(store, layout) | {entity: target}), {entity: basis}, None, agent)

    def unmerge(self, entity: ox.NamedNode, agent: Agent) -> ox.NamedNode:
        """Make a merged entity stand for itself again, for good: the rules will not merge the two again.

        Returns:
            The entity it had been merged into.

        Raises:
            BadInput: it is not merged into anything.
        """
        store, layout = self._parts.store, self._parts.layout
        into = canonical(store, entity, layout)
        if into == entity:
            raise BadInput(f"{entity.value} is not merged into another entity: there is nothing to undo")
        left = {member: target for member, target in merges(store, layout).items() if member != entity}
        different = ox.Quad(entity, OWL.differentFrom, into, layout.facts)
        self._become(left, {}, None, agent, [different])
        return into

    def _declared(self) -> list[Pair]:
        """Merges that someone else than the rules recorded: those that stand stay until someone takes them back."""
        store, layout = self._parts.store, self._parts.layout
        rules = self._agent().iri
        by_rules = {quad.subject for quad in store.quads(None, PROV.wasAssociatedWith, rules, layout.provenance)}
        return [
            (quad.object, into.object)
            for quad in store.quads(None, SEMKG.mergedEntity, None, layout.provenance)
            if quad.subject not in by_rules and isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode)
            if any(True for _ in store.quads(quad.subject, RDF.type, SEMKG.Merge, layout.provenance))
            for into in store.quads(quad.subject, SEMKG.mergedInto, None, layout.provenance)
            if isinstance(into.object, ox.NamedNode)
        ]

    def _agent(self) -> Agent:
        return Agent(self._parts.names.agent(RESOLVER, VERSION), f"semkg entity resolution {VERSION}")

    def _become(
        self,
        wanted: Merges,
        basis: dict[ox.NamedNode, str],
        run: ox.NamedNode | None,
        agent: Agent | None = None,
        more: Iterable[ox.Quad] = (),
    ) -> Resolved:
        store, layout = self._parts.store, self._parts.layout
        now = merges(store, layout)
        new = {member: into for member, into in wanted.items() if now.get(member) != into}
        old = {member: into for member, into in now.items() if wanted.get(member) != into}
        added, removed = edge_changes(store, layout, wanted, new.keys() | old.keys())
        added += [ox.Quad(member, SEMKG.mergedInto, into, layout.facts) for member, into in new.items()]
        removed += [ox.Quad(member, SEMKG.mergedInto, into, layout.facts) for member, into in old.items()]
        added += more
        who = agent or self._agent()
        for member, into in sorted(new.items(), key=str):
            added += self._record(SEMKG.Merge, member, into, basis.get(member, "name"), who, run)
        for member, into in sorted(old.items(), key=str):
            if member not in new:
                added += self._record(SEMKG.Unmerge, member, into, "undone", who, run)
        if added or removed:
            added += rdf.agent_quads(who, layout)
            self._writer.rewrite(list(dict.fromkeys(added)), removed)
        undone = ((member, into) for member, into in old.items() if member not in new)
        return Resolved(tuple(sorted(new.items(), key=str)), tuple(sorted(undone, key=str)))

    def _record(
        self, type: ox.NamedNode, member: ox.NamedNode, into: ox.NamedNode, basis: str, agent: Agent, run: ox.NamedNode | None
    ) -> list[ox.Quad]:
        names, layout, now = self._parts.names, self._parts.layout, self._parts.clock.now()
        # Of all that is recorded, so that two records of one moment are two or the same.
        told = (member.value, into.value, agent.iri.value, basis, run.value if run else "", now.isoformat())
        iri = names.activity(type.value.rpartition("#")[2].lower(), *told)
        activity = Activity(iri, type, agent.iri, now, now, (member, into), run)
        return [
            *rdf.activity_quads(activity, layout),
            ox.Quad(iri, SEMKG.mergedEntity, member, layout.provenance),
            ox.Quad(iri, SEMKG.mergedInto, into, layout.provenance),
            ox.Quad(iri, SEMKG.mergeBasis, ox.Literal(basis), layout.provenance),
        ]


def _flattened(wanted: Merges) -> Merges:
    """Every merge points at an entity that is not merged itself."""

    def end(node: ox.NamedNode) -> ox.NamedNode:
        seen = {node}
        while (into := wanted.get(node)) is not None and into not in seen:
            seen.add(into)
            node = into
        return node

    return {member: target for member in wanted if (target := end(member)) != member}


def _declared_apart(store: GraphStore, layout: Layout) -> frozenset[frozenset[str]]:
    return frozenset(
        frozenset((quad.subject.value, quad.object.value))
        for quad in store.quads(None, OWL.differentFrom, None, layout.facts)
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode)
    )


def _similarity(store: GraphStore, layout: Layout) -> Similarity:
    def of(first: str, second: str) -> float:
        rows = [
            codec.decode(quad.object.value)
            for node in (first, second)
            for quad in store.quads(ox.NamedNode(node), SEMKG.embedding, None, layout.vectors)
            if isinstance(quad.object, ox.Literal)
        ]
        return float(rows[0] @ rows[1]) if len(rows) == 2 else 0.0

    return of
