"""What everything in a graph says by one property, read at once: a query that brings two texts a row costs half of reading quads."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.sparql.catalogue import query


def values(store: GraphStore, predicate: ox.NamedNode, graph: ox.NamedNode) -> Iterator[tuple[str, str]]:
    """(node, the IRI or the text of a value), in no order."""
    return _texts(store, query("graph/list-values").bind(predicate=predicate), graph)


def stated_names(store: GraphStore, layout: Layout) -> Iterator[tuple[str, str]]:
    """(entity, what a triplet calls it besides its label): as it was said, not as merges made it."""
    return _texts(store, query("graph/list-stated-names").text, layout.triplets)


def _texts(store: GraphStore, text: str, graph: ox.NamedNode) -> Iterator[tuple[str, str]]:
    for node, value in store.select(text, [graph]):
        if isinstance(node, ox.NamedNode) and isinstance(value, ox.NamedNode | ox.Literal):
            yield node.value, value.value
