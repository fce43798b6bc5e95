"""HyperNodes as values, as quads and as vectors (RAGA §3.1, eq. 2; DESIGN §3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semkg.communities.surroundings import Surroundings
from semkg.graph import rdf
from semkg.graph.layout import Layout
from semkg.graph.texts import value
from semkg.ids import Names
from semkg.ports import GraphStore
from semkg.vectors import codec
from semkg.vocab import PROV, RDF, RDFS, SEMKG

if TYPE_CHECKING:
    from semkg.vectors.codec import Vector

Node = ox.NamedNode

EVIDENCE = 8
"""At most so many chunks stand for a HyperNode: those that mention most of its members."""


@dataclass(frozen=True, slots=True)
class HyperNode:
    """A cluster of entities that are one thing or closely related. Members and evidence are in the order of their IRIs."""

    iri: Node
    label: str
    """The label of the member that most chunks mention."""
    members: tuple[Node, ...]
    evidence: tuple[Node, ...]
    confidence: float
    """The mean over the members, between 0 and 1."""


def hypernodes(store: GraphStore, layout: Layout) -> Iterator[HyperNode]:
    """Every HyperNode of the graph."""
    for quad in store.quads(None, RDF.type, SEMKG.HyperNode, layout.communities):
        if isinstance(quad.subject, Node):
            yield read(store, layout, quad.subject)


def hypernodes_of(store: GraphStore, layout: Layout, entity: Node) -> list[HyperNode]:
    """The HyperNodes that an entity is a member of, by IRI."""
    found = (quad.subject for quad in store.quads(None, PROV.hadMember, entity, layout.communities))
    nodes = (node for node in found if isinstance(node, Node) and is_hypernode(store, layout, node))
    return [read(store, layout, node) for node in sorted(nodes, key=_iri)]


def is_hypernode(store: GraphStore, layout: Layout, node: Node) -> bool:
    """Whether a node is a HyperNode, and no other collection."""
    return any(True for _ in store.quads(node, RDF.type, SEMKG.HyperNode, layout.communities))


def read(store: GraphStore, layout: Layout, iri: Node) -> HyperNode:
    """A HyperNode as it stands in the graph."""

    def nodes(predicate: Node) -> tuple[Node, ...]:
        found = (quad.object for quad in store.quads(iri, predicate, None, layout.communities))
        return tuple(sorted((node for node in found if isinstance(node, Node)), key=_iri))

    return HyperNode(
        iri=iri,
        label=value(store, iri, RDFS.label, layout.communities),
        members=nodes(PROV.hadMember),
        evidence=nodes(SEMKG.hasEvidence),
        confidence=float(value(store, iri, SEMKG.confidence, layout.communities) or 0),
    )


def quads(node: HyperNode, activity: Node, layout: Layout) -> Iterator[ox.Quad]:
    """A HyperNode in RDF, with the clustering that found it."""

    def say(predicate: Node, value: ox.NamedNode | ox.Literal) -> ox.Quad:
        return ox.Quad(node.iri, predicate, value, layout.communities)

    yield say(RDF.type, SEMKG.HyperNode)
    yield say(RDFS.label, ox.Literal(node.label))
    for member in node.members:
        yield say(PROV.hadMember, member)
    for chunk in node.evidence:
        yield say(SEMKG.hasEvidence, chunk)
    yield say(SEMKG.confidence, rdf.decimal(node.confidence))
    yield say(PROV.wasGeneratedBy, activity)


def made_of(entities: Sequence[Node], around: Surroundings, names: Names) -> HyperNode:
    """The HyperNode of some canonical entities and all that were merged into them."""
    members = sorted((node for entity in entities for node in around.family(entity)), key=_iri)
    chunks = {node: around.mentions(node) for node in members}
    mentions = Counter(chain.from_iterable(chunks.values()))
    strength = {entity: len({chunk for node in around.family(entity) for chunk in chunks[node]}) for entity in entities}
    strongest = min(entities, key=lambda node: (-strength[node], -len(around.label(node)), node.value))
    evidence = nsmallest(EVIDENCE, mentions, key=lambda chunk: (-mentions[chunk], chunk.value))
    return HyperNode(
        iri=names.hypernode(members),
        label=around.label(strongest),
        members=tuple(members),
        evidence=tuple(sorted(evidence, key=_iri)),
        confidence=round(fmean(map(around.confidence, members)), 4),
    )


def centroid(members: Sequence[Node], around: Surroundings) -> Vector:
    """The confidence-weighted centroid of the members' vectors, of unit length, shape (dimension,) (RAGA §3.1, eq. 2).

    Where the weighted vectors cancel out, or no member has a weight, the first member's own vector stands for all.
    """
    import numpy as np

    rows = [(vector, around.confidence(node)) for node in members if (vector := around.vector(node)) is not None]
    vectors = np.stack([vector for vector, _ in rows])
    mean = (vectors * np.array([weight for _, weight in rows], np.float32)[:, None]).mean(axis=0)
    unit: Vector = codec.unit(mean[None, :] if np.linalg.norm(mean) > TINY else vectors[:1])[0]
    return unit


TINY = 1e-6
"""A centroid shorter than this has no direction that means anything."""


def _iri(node: Node) -> str:
    return node.value
