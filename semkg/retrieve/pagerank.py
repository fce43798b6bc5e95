"""Personalised PageRank (Haveliwala 2002) over passages and entities, on a sparse matrix.

An entity is tied to the passages that mention it, to the entities that an asserted triplet relates it to, and a passage to those about
what it speaks of. The weight of a triplet's edge is how often it was said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semkg.retrieve.adjacency import NONE, Adjacency

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Weights = NDArray[np.float32]

ABOUT = 2.0
"""Weight of the edge from a passage to what it speaks of, beside 1 for a mention; passages about one subject share it."""


def transition(adjacency: Adjacency) -> csr_array:
    """Where a walker goes next: shape (entities + passages, entities + passages), columns sum to 1 (or 0 for a node without edges).

    Entities come first, then passages.
    """
    import numpy as np
    from scipy.sparse import block_array, csr_array, diags_array

    related = (adjacency.subject_of != NONE) & (adjacency.object_of != NONE) & (adjacency.subject_of != adjacency.object_of)
    ends = (adjacency.subject_of[related], adjacency.object_of[related])
    size = len(adjacency.entities)
    facts = csr_array((np.ones(int(related.sum()), np.float32), ends), shape=(size, size))
    share = ABOUT / np.maximum(adjacency.about.sum(axis=1), 1).astype(np.float32)
    led = adjacency.speaks @ diags_array(share) @ adjacency.about
    one_way = block_array([[facts, adjacency.mentions], [None, led]], format="csr")
    both = (one_way + one_way.T).tocsr()
    total = np.asarray(both.sum(axis=0)).ravel()
    scale = np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)
    return (both @ diags_array(scale.astype(np.float32))).tocsr().astype(np.float32)


def personalised_pagerank(transition: csr_array, reset: Weights, damping: float, iterations: int) -> Weights:
    """Where walkers are that start as `reset` says and go back there with the probability 1 - damping at each step.

    Args:
        transition: columns sum to 1.
        reset: shape (nodes,), not negative; what it sums to is taken as 1. All zero: nobody walks.
        damping: in [0, 1).
        iterations: power iterations; after k of them the error is below 2 · damping^k in the sum of absolute differences.

    Returns:
        Shape (nodes,).
    """
    total = float(reset.sum())
    if total <= 0:
        return reset
    start = reset / total
    weights = start
    for _ in range(iterations):
        weights = (1 - damping) * start + damping * (transition @ weights)
    return weights
