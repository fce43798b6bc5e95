"""Telling an export of semkg from anyone else's triples, and which named graph each of its quads belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.vocab import DCAT, DQV, OA, OWL, PROV, RDF, SEMKG, SH

HOMES: dict[ox.NamedNode, str] = {
    DCAT.Resource: "corpus",
    SEMKG.Chunk: "corpus",
    SEMKG.Entity: "facts",
    SEMKG.Triplet: "triplets",
    OA.TextQuoteSelector: "triplets",
    OWL.Class: "schema",
    OWL.ObjectProperty: "schema",
    OWL.DatatypeProperty: "schema",
    SEMKG.Community: "communities",
    SEMKG.HyperNode: "communities",
    SEMKG.Refusal: "reviews",
    SEMKG.ReviewItem: "reviews",
    SH.ValidationReport: "reviews",
    SH.ValidationResult: "reviews",
    SEMKG.Evaluation: "evaluation",
    DQV.QualityMeasurement: "evaluation",
    DQV.Metric: "evaluation",
    DCAT.Dataset: "evaluation",
    DCAT.Distribution: "evaluation",
    SEMKG.EmbeddingModel: "vectors",
}
"""Class → the named graph that describes its instances (DESIGN §3); everything else is provenance."""

OWN = frozenset({SEMKG.Chunk, SEMKG.Triplet})


def is_export(quads: Iterable[ox.Quad]) -> bool:
    """Does semkg's own model stand in these quads?"""
    return any(quad.predicate == RDF.type and quad.object in OWN for quad in quads)


def routed(quads: Sequence[ox.Quad], layout: Layout) -> list[ox.Quad]:
    """The quads in this dataset's named graphs: by the graph they come from, or by the class of their subject where that was lost.

    HyperNodes are left out: they are derived, and clustering makes those of the graph that the quads come into.
    """
    known = layout.by_name
    home = {quad.subject: known[HOMES[quad.object]] for quad in quads if quad.predicate == RDF.type and quad.object in HOMES}  # type: ignore[index]  # just tested

    def graph(quad: ox.Quad) -> ox.NamedNode:
        if isinstance(quad.graph_name, ox.NamedNode) and (name := quad.graph_name.value.rsplit("/", 1)[-1]) in known:
            return known[name]
        if quad.predicate == SEMKG.embedding:
            return layout.vectors
        return home.get(quad.subject, layout.provenance)

    clusters = {quad.subject for quad in quads if quad.predicate == RDF.type and quad.object == SEMKG.HyperNode}
    clusters |= {quad.subject for quad in quads if quad.predicate == PROV.wasGeneratedBy and _is_communities(quad.subject)}
    kept = (quad for quad in quads if quad.subject not in clusters)
    return list(dict.fromkeys(ox.Quad(quad.subject, quad.predicate, quad.object, graph(quad)) for quad in kept))


def derived(store: GraphStore, layout: Layout) -> list[ox.Quad]:
    """The quads of the HyperNodes and of the statement that they show the facts as they are: clustering can make them again."""
    nodes = [quad.subject for quad in store.quads(None, RDF.type, SEMKG.HyperNode, layout.communities)]
    return [
        quad
        for node in (*nodes, layout.communities)
        if isinstance(node, ox.NamedNode)
        for quad in store.quads(node, None, None, layout.communities)
    ]


def _is_communities(node: object) -> bool:
    return isinstance(node, ox.NamedNode) and node.value.endswith("/graph/communities")
