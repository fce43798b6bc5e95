"""What people call something → its node: an entity by IRI, label or alias, a document by IRI, source or title."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox

from semkg.errors import NotFound
from semkg.graph import edges, reads, texts
from semkg.graph.writer import Parts
from semkg.ids import normal_name
from semkg.vocab import RDF, SEMKG, SKOS

LISTED = 5
"""How many of several nodes with one name a message tells."""


def node_of(text: str) -> ox.NamedNode | None:
    """The node with this IRI; None for what is no IRI."""
    try:
        return ox.NamedNode(text)
    except ValueError:
        return None


def entity_named(parts: Parts, name: str) -> ox.NamedNode:
    """The canonical entity with this IRI, label, alias or normalised name.

    Raises:
        NotFound: there is none, and the message names the nearest; or there are several.
    """
    return edges.canonical(parts.store, very_entity_named(parts, name), parts.layout)


def very_entity_named(parts: Parts, name: str) -> ox.NamedNode:
    """The same, but by its IRI also an entity that was merged into another.

    Raises:
        NotFound: as `entity_named`.
    """
    store, layout = parts.store, parts.layout
    node = node_of(name)
    if node and any(True for _ in store.quads(node, RDF.type, SEMKG.Entity, layout.facts)):
        return node
    found = reads.entities_named(store, layout, name) or _alike(parts, name)
    if not found:
        near = ", ".join(repr(label) for label in _nearest(parts, name))
        raise NotFound(
            f"there is no entity {name!r} in this graph" + (f"; did you mean {near}?" if near else ": look for it with `semkg search`")
        )
    return _only(found, f"entities are called {name!r}")


def document_named(parts: Parts, name: str) -> ox.NamedNode:
    """The document with this IRI, source or title; a path may be written as it is.

    Raises:
        NotFound: there is none, or there are several.
    """
    rows = list(reads.documents(parts.store, parts.layout))
    path = Path(name).resolve().as_uri() if Path(name).exists() else ""
    for wanted in (
        [row for row in rows if row.iri == name],
        [row for row in rows if row.source in (name, path)],
        [row for row in rows if row.title == name],
    ):
        if wanted:
            return _only([ox.NamedNode(row.iri) for row in wanted], f"documents are called {name!r}")
    raise NotFound(f"there is no document {name!r} in this graph: `semkg stats --documents` lists them")


def _only(found: list[ox.NamedNode], what: str) -> ox.NamedNode:
    if len(found) > 1:
        raise NotFound(f"{len(found)} {what}: name one by its IRI ({', '.join(node.value for node in found[:LISTED])})")
    return found[0]


def _alike(parts: Parts, name: str) -> list[ox.NamedNode]:
    store, layout = parts.store, parts.layout
    nodes = (ox.NamedNode(hit.node) for hit in parts.indexes.lexical.search(name, 50, type="Entity"))
    alike = (node for node in nodes if normal_name(texts.value(store, node, SKOS.prefLabel, layout.facts)) == normal_name(name))
    return list(dict.fromkeys(edges.canonical(store, node, layout) for node in alike))


def _nearest(parts: Parts, name: str) -> list[str]:
    hits = parts.indexes.lexical.search(name, 3, type="Entity")
    return [texts.value(parts.store, ox.NamedNode(hit.node), SKOS.prefLabel, parts.layout.facts) for hit in hits]
