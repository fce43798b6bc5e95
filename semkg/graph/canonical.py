"""The canonical hash of a graph: RDFC-1.0 over the content, without vectors and wall-clock times (DESIGN §2, law 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.vocab import SEMKG

TIMES = frozenset({SEMKG.lastSeen, SEMKG.leaseHolder, SEMKG.leaseExpires})
"""Predicates of the hashed graphs that record when something was seen, not what was said."""


def canonical_hash(store: GraphStore, layout: Layout) -> str:
    """The sha256 (hexadecimal) of the canonical N-Quads of the corpus, the facts and the triplets."""
    return hash_quads(quad for graph in layout.hashed for quad in store.quads(graph=graph) if quad.predicate not in TIMES)


def hash_quads(quads: Iterable[ox.Quad]) -> str:
    """The sha256 of the sorted N-Quads after RDFC-1.0; quads may come in any order and more than once.

    >>> a = ox.Quad(ox.BlankNode("x"), ox.NamedNode("urn:p"), ox.Literal("1"))
    >>> b = ox.Quad(ox.BlankNode("y"), ox.NamedNode("urn:p"), ox.Literal("1"))
    >>> hash_quads([a]) == hash_quads([b])
    True
    """
    content = list(quads)
    if any(isinstance(term, ox.BlankNode) for quad in content for term in quad):
        dataset = ox.Dataset(content)
        dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
        content = list(dataset)
    # Without blank nodes RDFC-1.0 is the sorted set of the canonical N-Quads lines.
    lines = sorted({f"{quad} .\n".encode() for quad in content})
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
    return digest.hexdigest()
