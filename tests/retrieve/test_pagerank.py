"""Personalised PageRank: walkers go along columns that sum to one, and end where the closed form says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from semkg.retrieve.adjacency import Adjacency
from semkg.retrieve.pagerank import ABOUT, personalised_pagerank, transition
from tests.retrieve.worlds import adjacency

PASSAGES, ENTITIES, NAMES = 4, 5, 3

passages, entities, names = (st.integers(0, size - 1) for size in (PASSAGES, ENTITIES, NAMES))
graphs = st.builds(
    adjacency,
    passages=st.just(PASSAGES),
    entities=st.just(ENTITIES),
    names=st.just([f"name {number}" for number in range(NAMES)]),
    about=st.sets(st.tuples(names, passages)),
    speaks=st.sets(st.tuples(passages, names)),
    mentions=st.sets(st.tuples(entities, passages)),
    triplets=st.lists(st.tuples(st.integers(-1, ENTITIES - 1), st.integers(-1, ENTITIES - 1), passages), max_size=6),
)
resets = st.lists(st.floats(0, 10, width=32), min_size=PASSAGES + ENTITIES, max_size=PASSAGES + ENTITIES).map(
    lambda weights: np.array(weights, np.float32)
)


def dense(made: Adjacency) -> NDArray[np.float64]:
    matrix: NDArray[np.float64] = transition(made).toarray().astype(np.float64)
    return matrix


@settings(deadline=None)
@given(graphs)
def test_columns_sum_to_one_or_to_nothing(made: Adjacency) -> None:
    matrix = dense(made)
    assert matrix.shape == (ENTITIES + PASSAGES,) * 2
    assert (matrix >= 0).all()
    for column in matrix.sum(axis=0):
        assert column == pytest.approx(1, abs=1e-5) or column == 0


@settings(deadline=None)
@given(graphs)
def test_whoever_can_go_somewhere_can_come_back(made: Adjacency) -> None:
    matrix = dense(made)
    np.testing.assert_array_equal(matrix > 0, matrix.T > 0)


@settings(deadline=None)
@given(graphs, resets, st.floats(0, 0.85))
def test_many_iterations_give_the_closed_form(made: Adjacency, reset: NDArray[np.float32], damping: float) -> None:
    found = personalised_pagerank(transition(made), reset, damping, 120)
    if reset.sum() == 0:
        assert not found.any()
        return
    start = reset.astype(np.float64) / reset.astype(np.float64).sum()
    expected = np.linalg.solve(np.eye(len(start)) - damping * dense(made), (1 - damping) * start)
    np.testing.assert_allclose(found, expected, atol=1e-5)


@settings(deadline=None)
@given(graphs, resets, st.floats(0, 0.85), st.integers(0, 12))
def test_a_few_iterations_are_as_close_as_promised(made: Adjacency, reset: NDArray[np.float32], damping: float, count: int) -> None:
    few, many = (personalised_pagerank(transition(made), reset, damping, number) for number in (count, 150))
    assert np.abs(few - many).sum() <= 2 * damping**count + 1e-4


@settings(deadline=None)
@given(graphs, resets, st.floats(0, 0.99))
def test_nobody_is_lost_where_nobody_stands_still(made: Adjacency, reset: NDArray[np.float32], damping: float) -> None:
    weights = personalised_pagerank(transition(made), reset, damping, 10)
    assert (weights >= 0).all()
    if reset.sum() > 0 and (dense(made).sum(axis=0) > 0).all():
        assert weights.sum() == pytest.approx(1, abs=1e-4)
    assert weights.sum() <= 1 + 1e-4


def test_walkers_move_along_mentions_facts_and_what_is_spoken_of() -> None:
    # Passage 0 mentions entity 0, which a triplet relates to entity 1; passage 1 speaks of what passages 2 and 3 are about.
    made = adjacency(4, 2, ["lamp"], about=[(0, 2), (0, 3)], speaks=[(1, 0)], mentions=[(0, 0)], triplets=[(0, 1, 0)])
    matrix = dense(made)
    assert matrix[:, 0].tolist() == pytest.approx([0, 0.5, 0.5, 0, 0, 0])
    assert matrix[:, 3].tolist() == pytest.approx([0, 0, 0, 0, 0.5, 0.5])
    reset = np.zeros(6, np.float32)
    reset[3] = 1
    weights = personalised_pagerank(transition(made), reset, 0.5, 50)
    assert weights[[0, 1, 2]].tolist() == [0, 0, 0], "nothing leads there"
    assert weights[4] == pytest.approx(weights[5])


def test_passages_about_one_subject_share_the_weight_of_the_edge_to_it() -> None:
    made = adjacency(4, 1, ["lamp"], about=[(0, 1), (0, 2), (0, 3)], speaks=[(0, 0)], mentions=[(0, 0)])
    share = ABOUT / 3
    expected = np.array([1, 0, share, share, share]) / (1 + ABOUT)
    np.testing.assert_allclose(dense(made)[:, 1], expected, atol=1e-6)


def test_a_fact_that_was_said_more_often_leads_further() -> None:
    made = adjacency(1, 3, triplets=[(0, 1, 0), (0, 1, 0), (0, 2, 0)])
    assert dense(made)[:, 0].tolist() == pytest.approx([0, 2 / 3, 1 / 3, 0])


def test_an_entity_is_not_related_to_itself_nor_to_a_literal() -> None:
    assert not dense(adjacency(1, 2, triplets=[(0, 0, 0), (1, -1, 0)])).any()


def test_a_graph_of_nothing_has_no_walkers() -> None:
    empty = transition(adjacency(0))
    assert empty.shape == (0, 0)
    assert personalised_pagerank(empty, np.zeros(0, np.float32), 0.5, 10).shape == (0,)
