"""Entities that belong together, in clusters of bounded size: a function of the relation alone, whatever the order of the entities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import pyoxigraph as ox

Node = ox.NamedNode
Kin = Callable[[Node], dict[Node, float]]
"""Entity → those it belongs with, and how near they are."""


def component(start: Iterable[Node], kin: Kin) -> dict[Node, dict[Node, float]]:
    """All that can be reached from some entities → their kin."""
    found: dict[Node, dict[Node, float]] = {}
    waiting = list(start)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = kin(node)
            waiting += found[node]
    return found


def clusters(related: dict[Node, dict[Node, float]], size: Callable[[Node], int], limit: int) -> list[list[Node]]:
    """Connected components; one that would be too large is put together from its nearest pairs on, as far as the limit goes.

    Args:
        related: entity → kin → how near; closed under kin.
        size: how many members an entity brings.
        limit: how many members a cluster of several entities may have.

    Returns:
        Sorted entities of each cluster, those of one entity included.
    """
    pairs = sorted(_pairs(related), key=lambda pair: (-pair[0], pair[1].value, pair[2].value))
    cluster = {node: [node] for node in related}
    for _, one, other in pairs:
        small, large = sorted((cluster[one], cluster[other]), key=len)
        if small is large or _members(small, size) + _members(large, size) > limit:
            continue
        large += small
        for node in small:
            cluster[node] = large
    unique = {id(found): found for found in cluster.values()}
    return sorted((sorted(found, key=lambda node: node.value) for found in unique.values()), key=lambda found: found[0].value)


def _pairs(related: dict[Node, dict[Node, float]]) -> Iterator[tuple[float, Node, Node]]:
    """(nearness, entity, kin), each pair once."""
    return ((near, one, other) for one, kin in related.items() for other, near in kin.items() if one.value < other.value)


def _members(nodes: Sequence[Node], size: Callable[[Node], int]) -> int:
    return sum(map(size, nodes))
