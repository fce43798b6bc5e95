"""The walk: what each relation votes for, by how much, and by which way a passage was reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semkg.retrieve.adjacency import NONE, Adjacency
from semkg.retrieve.pagerank import transition
from semkg.retrieve.tuning import Tuning
from semkg.retrieve.walk import Arrival, Relation, Seen, Walk, Walked, best
from tests.retrieve.worlds import adjacency

STILL: Mapping[str, float | bool] = {"subject": 0, "forward": 0, "backward": 0, "shared": 0, "again": 0, "pagerank": 0}
"""Nothing votes; a test switches on what it is about."""

EVEN = 0.75
"""(1 + cosine) / 2 of every passage, where a test says nothing else."""


def walked(
    made: Adjacency,
    base: Sequence[float],
    subjects: Sequence[int] = (),
    nearness: Callable[[int, int], tuple[float, float]] = lambda passage, name: (0.5, 0.5),
    fit: Sequence[float] = (),
    entities: Sequence[tuple[int, float]] = (),
    **tuning: float,
) -> Walked:
    """Walk with all relations off but those that `tuning` switches on."""
    fits = np.array(fit or [EVEN] * len(base), np.float32)
    chosen = Tuning().changed({**STILL, **tuning})
    seen = Seen(np.array(base, np.float32), lambda passages: fits[passages], subjects, frozenset(), entities)
    return Walk(made, seen, nearness, chosen).walk(transition(made) if chosen.pagerank else None)


def votes(found: Walked) -> list[float]:
    return [float(vote) for vote in found.votes]


def test_without_votes_the_scores_are_what_the_streams_said() -> None:
    found = walked(adjacency(3), [0.5, 1.0, 0.0])
    assert found.scores.tolist() == [0.5, 1.0, 0.0]
    assert votes(found) == [0, 0, 0]
    assert found.arrival(1) is None


def test_an_empty_graph_can_be_walked() -> None:
    found = walked(adjacency(0), [], subject=1, forward=1, backward=1, shared=1, again=1, pagerank=1)
    assert found.scores.shape == (0,)


# --- subjects ------------------------------------------------------------------------------------------------------------------------


def test_passages_about_a_subject_share_its_vote_from_the_best_on() -> None:
    made = adjacency(4, names=["lamp"], about=[(0, 0), (0, 1), (0, 2)])
    found = walked(made, [0.2, 0.9, 0.5, 1.0], subjects=[0], subject=1)
    first, second, third = (votes(found)[passage] for passage in (1, 2, 0))
    assert [second / first, third / first] == pytest.approx([1 / 2, 1 / 3])
    assert votes(found)[3] == 0
    assert found.arrival(1) == Arrival(Relation.SUBJECT, NONE, 0)


@pytest.mark.parametrize("nearest", [0, 1, 2])
def test_of_passages_that_no_stream_has_found_the_nearest_gets_most(nearest: int) -> None:
    """Not the first by its IRI, which says where a document came from."""
    made = adjacency(3, names=["lamp"], about=[(0, 0), (0, 1), (0, 2)])
    fit = [0.9 if passage == nearest else 0.6 for passage in range(3)]
    assert int(np.argmax(votes(walked(made, [0.2, 0.2, 0.2], subjects=[0], fit=fit, subject=1)))) == nearest


def test_a_subject_that_few_speak_of_counts_more_than_one_of_everybody() -> None:
    made = adjacency(6, names=["hub", "rare"], about=[(0, 0), (1, 1)], speaks=[(2, 0), (3, 0), (4, 0), (5, 0), (5, 1)])
    found = walked(made, [0.0] * 6, subjects=[0, 1], subject=1)
    assert votes(found)[1] > votes(found)[0] > 0
    alike = walked(made, [0.0] * 6, subjects=[0, 1], subject=1, subject_rarity=0)
    assert votes(alike)[1] == pytest.approx(votes(alike)[0])


def test_many_subjects_count_less_each() -> None:
    made = adjacency(3, names=["a b", "c d", "e f"], about=[(0, 0), (1, 1), (2, 2)])
    alone = votes(walked(made, [0.0] * 3, subjects=[0], subject=1))[0]
    crowd = votes(walked(made, [0.0] * 3, subjects=[0, 1, 2], subject=1))
    assert crowd[0] == crowd[1] == crowd[2]
    assert 0 < crowd[0] < alone


# --- forward -------------------------------------------------------------------------------------------------------------------------


def test_a_good_passage_votes_for_those_about_what_it_speaks_of() -> None:
    made = adjacency(4, names=["lamp"], about=[(0, 1), (0, 2)], speaks=[(0, 0)])
    found = walked(made, [1.0, 0.1, 0.0, 0.0], forward=1, sources=1)
    assert votes(found)[1] == pytest.approx(2 * votes(found)[2])
    assert votes(found)[1] > 0
    assert votes(found)[3] == 0
    assert found.arrival(2) == Arrival(Relation.FORWARD, 0, 0)


def test_a_step_needs_a_name_that_the_passage_speaks() -> None:
    made = adjacency(2, 1, names=["lamp"], about=[(0, 1)], mentions=[(0, 0), (0, 1)])
    assert votes(walked(made, [1.0, 0.0], forward=1)) == [0, 0]


def test_the_nearer_statement_and_the_better_wording_lead_further() -> None:
    made = adjacency(4, names=["near", "worded", "neither"], about=[(0, 1), (1, 2), (2, 3)], speaks=[(0, 0), (0, 1), (0, 2)])
    said = {0: (0.9, 0.0), 1: (0.0, 0.9), 2: (0.0, 0.0)}

    def nearness(passage: int, name: int) -> tuple[float, float]:
        assert passage == 0
        return said[name]

    _, near, worded, neither = votes(walked(made, [1.0, 0, 0, 0], nearness=nearness, forward=1, sources=1))
    assert near == pytest.approx(worded)
    assert near > neither > 0
    _, near, worded, neither = votes(walked(made, [1.0, 0, 0, 0], nearness=nearness, forward=1, sources=1, statement=0))
    assert worded > near == neither
    _, near, worded, neither = votes(walked(made, [1.0, 0, 0, 0], nearness=nearness, forward=1, sources=1, wording=0))
    assert near > worded == neither


def test_nobody_asks_how_near_a_statement_is_where_it_does_not_count() -> None:
    made = adjacency(2, names=["lamp"], about=[(0, 1)], speaks=[(0, 0)])

    def nearness(passage: int, name: int) -> tuple[float, float]:
        raise AssertionError("asked")

    assert votes(walked(made, [1.0, 0.0], nearness=nearness, forward=1, statement=0, wording=0))[1] > 0


def test_a_rare_subject_gets_more_than_one_that_all_speak_of() -> None:
    made = adjacency(6, names=["hub", "rare"], about=[(0, 4), (1, 5)], speaks=[(0, 0), (1, 0), (2, 0), (3, 0), (0, 1)])
    found = votes(walked(made, [1.0, 0, 0, 0, 0, 0], forward=1, sources=1))
    assert found[5] > found[4] > 0
    assert found[5] / found[4] == pytest.approx((1 + log(4)) ** Tuning().forward_rarity, rel=1e-4)
    alike = votes(walked(made, [1.0, 0, 0, 0, 0, 0], forward=1, sources=1, forward_rarity=0))
    assert alike[5] == pytest.approx(alike[4])


def test_a_passage_that_fits_the_question_gets_more() -> None:
    made = adjacency(3, names=["lamp", "vale"], about=[(0, 1), (1, 2)], speaks=[(0, 0), (0, 1)])
    found = votes(walked(made, [1.0, 0, 0], fit=[0.5, 0.9, 0.4], forward=1, sources=1))
    assert found[1] > found[2] > 0


def test_only_the_best_passages_are_sources() -> None:
    made = adjacency(4, names=["lamp", "vale"], about=[(0, 2), (1, 3)], speaks=[(0, 0), (1, 1)])
    assert [vote > 0 for vote in votes(walked(made, [1.0, 0.9, 0, 0], forward=1, sources=1))] == [False, False, True, False]
    assert [vote > 0 for vote in votes(walked(made, [1.0, 0.9, 0, 0], forward=1, sources=2))] == [False, False, True, True]


def test_of_two_votes_of_a_relation_for_a_passage_the_larger_counts() -> None:
    made = adjacency(3, names=["lamp"], about=[(0, 2)], speaks=[(0, 0), (1, 0)])
    both = walked(made, [1.0, 0.6, 0], forward=1, sources=2)
    one = walked(made, [1.0, 0.6, 0], forward=1, sources=1)
    assert votes(both) == pytest.approx(votes(one))
    assert both.arrival(2) == Arrival(Relation.FORWARD, 0, 0)


# --- backward and across -------------------------------------------------------------------------------------------------------------


def test_a_passage_votes_for_those_that_speak_of_what_it_is_about() -> None:
    made = adjacency(4, names=["lamp"], about=[(0, 0)], speaks=[(1, 0), (2, 0)])
    found = walked(made, [1.0, 0, 0, 0], backward=1, sources=1)
    expected = EVEN**2 / (1 + log(2))
    assert votes(found) == pytest.approx([0, expected, expected, 0])
    assert found.arrival(1) == Arrival(Relation.BACKWARD, 0, 0)


def test_passages_that_mention_the_same_entity_vote_for_each_other() -> None:
    made = adjacency(4, 2, mentions=[(0, 0), (0, 1), (1, 2), (1, 3)])
    found = walked(made, [1.0, 0, 0, 0], shared=1, sources=1)
    assert votes(found)[1] > 0
    assert votes(found)[2:] == [0, 0]
    assert found.arrival(1) == Arrival(Relation.SHARED, 0, 0)


def test_an_entity_that_few_mention_ties_more_closely_and_one_of_too_many_not_at_all() -> None:
    made = adjacency(6, 2, mentions=[(0, 0), (0, 1), *((1, passage) for passage in (0, 2, 3, 4, 5))])
    found = votes(walked(made, [1.0, 0, 0, 0, 0, 0], shared=1, sources=1))
    assert found[1] > found[2] > 0
    assert found[1] / found[2] == pytest.approx((5 / 2) ** Tuning().shared_rarity, rel=1e-4)
    assert votes(walked(made, [1.0, 0, 0, 0, 0, 0], shared=1, sources=1, shared_most=4))[2:] == [0, 0, 0, 0]


# --- the second step -----------------------------------------------------------------------------------------------------------------

CHAIN = adjacency(4, names=["lamp", "vale"], about=[(0, 1), (1, 2)], speaks=[(0, 0), (1, 1)])
"""Passage 0 speaks of what 1 is about, and 1 of what 2 is about."""


def test_the_second_step_starts_from_what_the_first_one_found() -> None:
    one = walked(CHAIN, [1.0, 0, 0, 0], forward=1, sources=1, sources_again=2)
    two = walked(CHAIN, [1.0, 0, 0, 0], forward=1, sources=1, sources_again=2, again=0.5)
    assert votes(one)[2] == 0
    assert votes(two)[2] > 0
    assert votes(two)[1] == pytest.approx(votes(one)[1]), "a vote is not counted twice"
    assert two.arrival(2) == Arrival(Relation.FORWARD, 1, 1)
    assert two.arrival(1) == Arrival(Relation.FORWARD, 0, 0)
    assert two.arrival(0) is None
    more = walked(CHAIN, [1.0, 0, 0, 0], forward=1, sources=1, sources_again=2, again=1)
    assert votes(more)[2] == pytest.approx(2 * votes(two)[2])


# --- PageRank ------------------------------------------------------------------------------------------------------------------------


def test_pagerank_reaches_what_no_two_steps_reach() -> None:
    chain = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3)]
    made = adjacency(30, 3, mentions=chain)
    found = walked(made, [1.0, 0, 0, 0, *[0.5] * 26], pagerank=0.5)
    reached = votes(found)
    assert reached[0] == max(reached) == pytest.approx(0.5)
    assert reached[0] > reached[1] > reached[2] > reached[3] > 0
    assert reached[29] == 0, "no seed, and nothing leads there"
    assert found.arrival(3) == Arrival(Relation.PAGERANK)


def test_pagerank_starts_from_the_entities_of_statements_too() -> None:
    made = adjacency(2, 1, mentions=[(0, 1)])
    assert votes(walked(made, [0.0, 0.0], entities=[(0, 1.0)], pagerank=1))[1] == pytest.approx(1)


@pytest.mark.parametrize("name", ["subject", "forward", "backward", "shared", "again", "pagerank"])
def test_the_weight_zero_switches_an_idea_off(name: str) -> None:
    made = adjacency(
        6,
        3,
        names=["lamp", "vale", "rain"],
        about=[(0, 1), (1, 2), (2, 0)],
        speaks=[(0, 0), (1, 1), (3, 2)],
        mentions=[(0, 0), (0, 4), (1, 4), (1, 5)],
    )
    on: dict[str, Any] = {"subject": 1.0, "forward": 1.0, "backward": 1.0, "shared": 1.0, "again": 1.0, "pagerank": 1.0}
    every = walked(made, [1.0, 0, 0, 0, 0, 0], subjects=[1], sources=1, **on)
    rest = walked(made, [1.0, 0, 0, 0, 0, 0], subjects=[1], sources=1, **{**on, name: 0.0})
    assert votes(every) != votes(rest)
    relation = {"subject": Relation.SUBJECT, "pagerank": Relation.PAGERANK}.get(name, Relation.FORWARD if name == "forward" else None)
    if relation:
        assert not any(kind.scores.any() for kind in rest.relations if kind.relation is relation)


# --- the best ------------------------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=30), st.integers(0, 35))
def test_the_best_are_the_largest_and_of_equals_the_first(scores: list[float], count: int) -> None:
    expected = sorted(range(len(scores)), key=lambda number: (-scores[number], number))[:count]
    assert best(np.array(scores, np.float32), count).tolist() == expected
