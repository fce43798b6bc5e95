"""The text that stands for a node in the indexes, derived from the graph alone.

A chunk is its document's title and its text, an entity its label, a triplet its statement in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.vocab import DCTERMS, RDF, RDFS, SEMKG, SKOS


def chunk_text(title: str, text: str) -> str:
    """A passage as it is embedded and searched.

    >>> chunk_text("Halley", "A comet.")
    'Halley\\nA comet.'
    """
    return f"{title}\n{text}"


def statement(subject: str, predicate: str, object: str) -> str:
    """A statement in words.

    >>> statement("Ada", "born in", "London")
    'Ada born in London'
    """
    return f"{subject} {predicate} {object}"


def value(store: GraphStore, node: ox.NamedNode, predicate: ox.NamedNode, graph: ox.NamedNode) -> str:
    """The text of one value of a property; the smallest where there are several, empty where there is none."""
    return min(
        (quad.object.value for quad in store.quads(node, predicate, None, graph) if not isinstance(quad.object, ox.Triple)), default=""
    )


def entity_label(store: GraphStore, node: ox.NamedNode, layout: Layout) -> str:
    return value(store, node, SKOS.prefLabel, layout.facts)


def predicate_label(store: GraphStore, node: ox.NamedNode, layout: Layout) -> str:
    return value(store, node, RDFS.label, layout.schema) or STANDARD_LABELS.get(node, node.value)


STANDARD_LABELS: Mapping[ox.NamedNode, str] = {SKOS.altLabel: "also known as", SKOS.definition: "is", RDF.type: "is a"}
"""Words for the standards' predicates, which have no entry in a dataset's schema."""


def texts_of(store: GraphStore, layout: Layout, kind: str, nodes: Iterable[str]) -> dict[str, str]:
    """IRI → text for nodes of one kind (`Chunk`, `Entity` or `Triplet`)."""
    of: Callable[[GraphStore, ox.NamedNode, Layout], str] = {"Chunk": _of_chunk, "Entity": entity_label, "Triplet": _of_triplet}[kind]
    return {node: of(store, ox.NamedNode(node), layout) for node in nodes}


def _of_chunk(store: GraphStore, node: ox.NamedNode, layout: Layout) -> str:
    document = value(store, node, DCTERMS.isPartOf, layout.corpus)
    title = value(store, ox.NamedNode(document), DCTERMS.title, layout.corpus) if document else ""
    return chunk_text(title, value(store, node, SEMKG.text, layout.corpus))


def _of_triplet(store: GraphStore, node: ox.NamedNode, layout: Layout) -> str:
    subject = ox.NamedNode(value(store, node, RDF.subject, layout.triplets))
    predicate = ox.NamedNode(value(store, node, RDF.predicate, layout.triplets))
    objects = [quad.object for quad in store.quads(node, RDF.object, None, layout.triplets)]
    object = objects[0] if objects else ox.Literal("")
    words = entity_label(store, object, layout) if isinstance(object, ox.NamedNode) else getattr(object, "value", "")
    return statement(entity_label(store, subject, layout), predicate_label(store, predicate, layout), words)
