"""Merging entities and taking a merge back: recorded acts that move edges and leave what was said as it is (DESIGN §3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from semkg.errors import BadInput
from semkg.graph import rdf
from semkg.graph.edges import canonical, edge_changes, merges
from semkg.graph.layout import Layout
from semkg.graph.resolution import Candidate, Similarity, contested, resolve
from semkg.graph.writer import Parts, Writer
from semkg.model import Activity, Agent
from semkg.ports import GraphStore
from semkg.vectors import codec
from semkg.vocab import DCTERMS, FOAF, OWL, PROV, RDF, SEMKG, SKOS

RESOLVER = "entity-resolution"
VERSION = "1"

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
        store, layout = self._parts.store, self._parts.layout
        found = resolve(_candidates(store, layout), _similarity(store, layout), _declared_apart(store, layout))
        by_people = self._by_people()
        wanted = {ox.NamedNode(member): ox.NamedNode(into) for member, (into, _) in found.items()}
        wanted = _flattened(wanted | by_people)
        basis = {ox.NamedNode(member): rule for member, (_, rule) in found.items()}
        return self._become(wanted, basis, run)

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

    def _by_people(self) -> Merges:
        """Merges that someone else than the rules recorded: they stay until someone takes them back."""
        store, layout = self._parts.store, self._parts.layout
        return {
            member: into
            for member, into in merges(store, layout).items()
            if any(
                agent.object != self._agent().iri
                for quad in store.quads(None, SEMKG.mergedEntity, member, layout.provenance)
                if isinstance(quad.subject, ox.NamedNode)
                and any(True for _ in store.quads(quad.subject, RDF.type, SEMKG.Merge, layout.provenance))
                and any(True for _ in store.quads(quad.subject, SEMKG.mergedInto, into, layout.provenance))
                for agent in store.quads(quad.subject, PROV.wasAssociatedWith, None, layout.provenance)
            )
        }

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
        iri = names.activity(type.value.rpartition("#")[2].lower(), member.value, into.value, agent.iri.value, now.isoformat())
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


def _candidates(store: GraphStore, layout: Layout) -> Iterator[Candidate]:
    """What resolution has to know: of the entities whose names could make them one with another."""
    labels = {node: min(found) for node, found in _values(store, SKOS.prefLabel, layout.facts).items()}
    aliases = _aliases(store, layout)
    for iri in contested(labels, aliases):
        node = ox.NamedNode(iri)
        yield Candidate(
            iri=iri,
            label=labels[iri],
            type=_local(min(_objects(store, node, RDF.type, layout.facts) - {SEMKG.Entity.value}, default="")),
            aliases=frozenset(aliases.get(iri, ())),
            documents=frozenset(_documents(store, node, layout)),
            neighbours=frozenset(_neighbours(store, node, layout)),
            topic=any(True for _ in store.quads(None, FOAF.primaryTopic, node, layout.corpus)),
        )


def _values(store: GraphStore, predicate: ox.NamedNode, graph: ox.NamedNode) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for quad in store.quads(None, predicate, None, graph):
        found[quad.subject.value].add(quad.object.value)  # type: ignore[union-attr]  # the graphs hold no quoted triples
    return found


def _objects(store: GraphStore, node: ox.NamedNode, predicate: ox.NamedNode, graph: ox.NamedNode) -> set[str]:
    return {quad.object.value for quad in store.quads(node, predicate, None, graph)}  # type: ignore[union-attr]  # as above


def _aliases(store: GraphStore, layout: Layout) -> dict[str, set[str]]:
    """Aliases as the triplets state them: what was said, not what earlier merges made of it."""
    found: dict[str, set[str]] = defaultdict(set)
    for triplet in _subjects(store, RDF.predicate, SKOS.altLabel, layout.triplets):
        for quad in store.quads(triplet, RDF.object, None, layout.triplets):
            if isinstance(quad.object, ox.Literal):
                found[_subject_of(store, triplet, layout)].add(quad.object.value)
    return found


def _documents(store: GraphStore, node: ox.NamedNode, layout: Layout) -> Iterator[str]:
    for quad in store.quads(node, SEMKG.mentionedIn, None, layout.facts):
        found = _objects(store, quad.object, DCTERMS.isPartOf, layout.corpus) if isinstance(quad.object, ox.NamedNode) else ()
        if found:
            yield min(found)


def _neighbours(store: GraphStore, node: ox.NamedNode, layout: Layout) -> Iterator[str]:
    """The other ends of the triplets about a node, as they were stated."""
    for triplet in _subjects(store, RDF.object, node, layout.triplets):
        yield _subject_of(store, triplet, layout)
    for triplet in _subjects(store, RDF.subject, node, layout.triplets):
        for quad in store.quads(triplet, RDF.object, None, layout.triplets):
            if isinstance(quad.object, ox.NamedNode):
                yield quad.object.value


def _subjects(store: GraphStore, predicate: ox.NamedNode, object: ox.NamedNode, graph: ox.NamedNode) -> Iterator[ox.NamedNode]:
    for quad in store.quads(None, predicate, object, graph):
        if isinstance(quad.subject, ox.NamedNode):
            yield quad.subject


def _subject_of(store: GraphStore, triplet: ox.NamedNode, layout: Layout) -> str:
    return min(_objects(store, triplet, RDF.subject, layout.triplets), default="")


def _local(iri: str) -> str:
    return iri.rsplit("/", 1)[-1].rsplit("#", 1)[-1]


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
