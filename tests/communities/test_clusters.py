"""Clusters are a function of the relation: bounded, complete and the same in any order."""

from __future__ import annotations

import random

import pyoxigraph as ox
from hypothesis import given
from hypothesis import strategies as st

from semkg.communities.clusters import Node, clusters, component

LIMIT = 4
NODES = [ox.NamedNode(f"urn:n{number:02}") for number in range(12)]
Pairs = dict[tuple[int, int], float]
PAIRS = st.dictionaries(
    st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda pair: pair[0] < pair[1]), st.sampled_from((0.6, 0.7, 0.8)), max_size=20
)


def related(pairs: Pairs, seed: int = 0) -> dict[Node, dict[Node, float]]:
    shuffled = random.Random(seed).sample(list(pairs.items()), len(pairs))
    found: dict[Node, dict[Node, float]] = {node: {} for node in random.Random(seed).sample(NODES, len(NODES))}
    for (one, other), near in shuffled:
        found[NODES[one]][NODES[other]] = near
        found[NODES[other]][NODES[one]] = near
    return found


def found_in(pairs: Pairs, seed: int = 0) -> list[list[Node]]:
    return clusters(related(pairs, seed), lambda node: 1, LIMIT)


@given(PAIRS, st.integers(0, 5))
def test_the_order_of_entities_and_pairs_does_not_matter(pairs: Pairs, seed: int) -> None:
    assert found_in(pairs, seed) == found_in(pairs)


@given(PAIRS)
def test_every_entity_is_in_one_cluster_that_is_no_larger_than_allowed(pairs: Pairs) -> None:
    found = found_in(pairs)
    assert sorted((node for cluster in found for node in cluster), key=str) == sorted(NODES, key=str)
    assert all(len(cluster) <= LIMIT for cluster in found)


@given(PAIRS)
def test_a_component_that_fits_is_one_cluster(pairs: Pairs) -> None:
    all_related = related(pairs)
    for node in NODES:
        reached = component([node], all_related.__getitem__).keys()
        if len(reached) <= LIMIT:
            assert sorted(reached, key=str) in found_in(pairs)


def test_a_component_that_is_too_large_keeps_its_nearest_pairs_together() -> None:
    chain = {(0, 1): 0.6, (1, 2): 0.9, (2, 3): 0.9, (3, 4): 0.7, (4, 5): 0.8}
    assert found_in(chain)[:2] == [NODES[:4], NODES[4:6]]


def test_an_entity_that_brings_many_members_takes_their_room() -> None:
    found = clusters(related({(0, 1): 0.9, (1, 2): 0.8}), lambda node: 3 if node == NODES[0] else 1, LIMIT)
    assert found[0] == NODES[:2]
