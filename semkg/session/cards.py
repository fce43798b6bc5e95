"""An entity as people see it."""

from __future__ import annotations

from dataclasses import dataclass

import pyoxigraph as ox

from semkg.communities import hypernodes_of
from semkg.graph import edges, reads, texts
from semkg.graph.writer import Parts
from semkg.provenance import Statement, statements_about, trace
from semkg.vocab import DCTERMS, RDF, SEMKG, SKOS


@dataclass(frozen=True, slots=True)
class Card:
    """What the graph knows about an entity.

    `merged`: labels of the entities that were merged into it; `related`: those of the others in its HyperNode.
    """

    iri: str
    label: str
    type: str
    aliases: tuple[str, ...]
    definitions: tuple[str, ...]
    merged: tuple[str, ...]
    related: tuple[str, ...]
    mentions: int
    documents: tuple[str, ...]
    statements: tuple[Statement, ...]


def card_of(parts: Parts, entity: ox.NamedNode) -> Card:
    """The card of a canonical entity."""
    store, layout = parts.store, parts.layout
    chunks = reads.mentions(store, layout, entity)
    titles = {texts.value(store, reads.chunk(store, layout, chunk).document, DCTERMS.title, layout.corpus) for chunk in chunks}
    types = (quad.object for quad in store.quads(entity, RDF.type, None, layout.facts) if quad.object != SEMKG.Entity)
    merged = (texts.value(store, member, SKOS.prefLabel, layout.facts) for member in edges.members(store, entity, layout)[1:])
    return Card(
        iri=entity.value,
        label=texts.value(store, entity, SKOS.prefLabel, layout.facts),
        type=next((type.value for type in types if isinstance(type, ox.NamedNode)), ""),
        aliases=_texts(parts, entity, SKOS.altLabel),
        definitions=_texts(parts, entity, SKOS.definition),
        merged=tuple(merged),
        related=_related(parts, entity),
        mentions=len(chunks),
        documents=tuple(sorted(titles)),
        statements=tuple(trace(store, statements_about(store, entity, layout.validated), layout.validated)),
    )


def _texts(parts: Parts, entity: ox.NamedNode, predicate: ox.NamedNode) -> tuple[str, ...]:
    found = parts.store.quads(entity, predicate, None, parts.layout.facts)
    return tuple(sorted(quad.object.value for quad in found if isinstance(quad.object, ox.Literal)))


def _related(parts: Parts, entity: ox.NamedNode) -> tuple[str, ...]:
    """Labels of the entities that share a HyperNode with an entity and were not merged into it."""
    store, layout = parts.store, parts.layout
    found = {edges.canonical(store, member, layout) for node in hypernodes_of(store, layout, entity) for member in node.members}
    return tuple(sorted(texts.entity_label(store, node, layout) for node in found - {entity}))
