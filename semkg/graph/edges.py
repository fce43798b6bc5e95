"""The canonical edges in the graph of facts: a view of the asserted triplets, through the recorded merges (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.vocab import RDF, SEMKG

Canon = Mapping[ox.NamedNode, ox.NamedNode]
"""Entity → its canonical entity; one that is missing is its own."""


def merges(store: GraphStore, layout: Layout) -> dict[ox.NamedNode, ox.NamedNode]:
    """All recorded merges, as they stand in the graph of facts."""
    return {
        quad.subject: quad.object
        for quad in store.quads(None, SEMKG.mergedInto, None, layout.facts)
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode)
    }


def canonical(store: GraphStore, entity: ox.NamedNode, layout: Layout) -> ox.NamedNode:
    """The entity that stands for `entity`; merges always point at a canonical one, so one step is enough."""
    for quad in store.quads(entity, SEMKG.mergedInto, None, layout.facts):
        if isinstance(quad.object, ox.NamedNode):
            return quad.object
    return entity


def members(store: GraphStore, entity: ox.NamedNode, layout: Layout) -> list[ox.NamedNode]:
    """The entity and all that were merged into it."""
    merged = (quad.subject for quad in store.quads(None, SEMKG.mergedInto, entity, layout.facts))
    return [entity, *sorted((node for node in merged if isinstance(node, ox.NamedNode)), key=str)]


def edge_of(store: GraphStore, triplet: ox.NamedNode, canon: Canon, layout: Layout) -> ox.Quad | None:
    """The edge that an asserted triplet gives, None for any other triplet."""
    said = {quad.predicate: quad.object for quad in store.quads(triplet, None, None, layout.triplets)}
    subject, predicate, object = (said.get(part) for part in (RDF.subject, RDF.predicate, RDF.object))
    if said.get(SEMKG.status) != SEMKG.Asserted or not isinstance(subject, ox.NamedNode) or not isinstance(predicate, ox.NamedNode):
        return None
    if isinstance(object, ox.NamedNode):
        object = canon.get(object, object)
    return ox.Quad(canon.get(subject, subject), predicate, object, layout.facts) if object is not None else None


def triplets_about(store: GraphStore, entity: ox.NamedNode, layout: Layout) -> set[ox.NamedNode]:
    """Triplets with the entity as subject or object."""
    return {
        quad.subject
        for part in (RDF.subject, RDF.object)
        for quad in store.quads(None, part, entity, layout.triplets)
        if isinstance(quad.subject, ox.NamedNode)
    }


def edge_changes(
    store: GraphStore, layout: Layout, after: Canon, touched: Iterable[ox.NamedNode], dead: frozenset[ox.NamedNode] = frozenset()
) -> tuple[list[ox.Quad], list[ox.Quad]]:
    """What merges and removals do to the edges: (edges to add, edges to remove).

    Args:
        store: the graph before the change.
        layout: its named graphs.
        after: the merges after the change.
        touched: entities whose canonical entity changes.
        dead: triplets that go.
    """
    before = merges(store, layout)
    affected = set(dead).union(*(triplets_about(store, entity, layout) for entity in touched))
    old = {edge for triplet in affected if (edge := edge_of(store, triplet, before, layout))}
    new = {edge for triplet in affected - dead if (edge := edge_of(store, triplet, after, layout))}
    gone = [edge for edge in old - new if not _supported(store, edge, before, affected, layout)]
    return sorted(new - old, key=str), sorted(gone, key=str)


def _supported(store: GraphStore, edge: ox.Quad, before: Canon, affected: set[ox.NamedNode], layout: Layout) -> bool:
    """Does a triplet that the change does not affect say the same?"""
    if not isinstance(edge.subject, ox.NamedNode):
        return False
    return any(
        edge_of(store, triplet, before, layout) == edge
        for member in members(store, edge.subject, layout)
        for quad in store.quads(None, RDF.subject, member, layout.triplets)
        if isinstance(triplet := quad.subject, ox.NamedNode) and triplet not in affected
    )
