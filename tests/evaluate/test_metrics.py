"""The metrics against values worked out by hand and against what must always hold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.evaluate import metrics

ITEMS = st.integers(0, 12)
RANKINGS = st.lists(ITEMS, unique=True, max_size=13)
GOLD = st.sets(ITEMS, min_size=1, max_size=6)
CUTS = st.integers(1, 15)


@pytest.mark.parametrize(("k", "expected"), [(1, 0.0), (2, 1 / 3), (3, 1 / 3), (4, 2 / 3), (10, 2 / 3)])
def test_recall_counts_the_gold_among_the_first_k(k: int, expected: float) -> None:
    assert metrics.recall([9, 1, 8, 2], {1, 2, 3}, k) == expected


def test_ndcg_is_what_the_formula_gives() -> None:
    gained = 1 / math.log2(3) + 1 / math.log2(5)
    best = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert metrics.ndcg([9, 1, 8, 2], {1, 2, 3}, 5) == pytest.approx(gained / best)
    assert metrics.ndcg([9, 1, 8, 2], {1, 2, 3}, 2) == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))


def test_a_repeated_item_gains_once() -> None:
    assert metrics.ndcg([1, 1, 1], {1, 2}, 3) < 1


def test_no_gold_cannot_be_measured() -> None:
    with pytest.raises(ValueError, match="at least one"):
        metrics.recall([1], (), 5)


@given(RANKINGS, GOLD, CUTS)
def test_ranking_metrics_stay_between_none_and_all(ranking: list[int], gold: set[int], k: int) -> None:
    for value in (metrics.recall(ranking, gold, k), metrics.ndcg(ranking, gold, k), metrics.reciprocal_rank(ranking, gold)):
        assert 0 <= value <= 1 + 1e-12


@given(RANKINGS, GOLD, CUTS)
def test_recall_never_falls_with_k_and_does_not_see_the_order_within(ranking: list[int], gold: set[int], k: int) -> None:
    assert metrics.recall(ranking, gold, k) <= metrics.recall(ranking, gold, k + 1)
    assert metrics.recall(ranking, gold, k) == metrics.recall([*reversed(ranking[:k]), *ranking[k:]], gold, k)


@given(RANKINGS, GOLD, CUTS)
def test_moving_a_gold_item_forward_never_lowers_ndcg(ranking: list[int], gold: set[int], k: int) -> None:
    sorted_first = sorted(ranking, key=lambda item: item not in gold)
    assert metrics.ndcg(sorted_first, gold, k) >= metrics.ndcg(ranking, gold, k) - 1e-12


@given(GOLD, st.lists(st.integers(20, 30), unique=True))
def test_a_perfect_ranking_scores_one(gold: set[int], rest: list[int]) -> None:
    ranking = [*sorted(gold), *rest]
    assert metrics.recall(ranking, gold, len(gold)) == 1
    assert metrics.ndcg(ranking, gold, 10) == pytest.approx(1)
    assert metrics.reciprocal_rank(ranking, gold) == 1


@pytest.mark.parametrize(
    ("prediction", "reference", "strict", "contained", "f1"),
    [
        ("The Beatles", "Beatles", 1, 1, 1),
        ("It was the Beatles.", "The Beatles", 0, 1, 1 / 2),  # it was beatles | beatles: P 1/3, R 1
        ("20 March 851", "March 20, 851", 0, 0, 1),
        ("", "Paris", 0, 0, 0),
        ("Paris", "London", 0, 0, 0),
        ("red red blue", "red blue blue", 0, 0, 2 / 3),  # the common tokens are counted: red once, blue once
    ],
)
def test_answers_are_compared_as_squad_does(prediction: str, reference: str, strict: float, contained: float, f1: float) -> None:
    assert metrics.exact_match(prediction, reference) == strict
    assert metrics.contained_match(prediction, reference) == contained
    assert metrics.token_f1(prediction, reference) == pytest.approx(f1)


def test_yes_and_no_agree_with_nothing_else() -> None:
    assert metrics.answer_f1("yes, he was", "yes") == 0
    assert metrics.answer_f1("Yes.", "yes") == 1
    assert metrics.answer_f1("in Paris", "Paris") == pytest.approx(2 / 3)


@given(st.text(max_size=30), st.text(max_size=30))
def test_answer_metrics_are_bounded_symmetric_and_ordered(one: str, other: str) -> None:
    assert 0 <= metrics.token_f1(one, other) <= 1
    assert metrics.token_f1(one, other) == metrics.token_f1(other, one)
    assert metrics.exact_match(one, other) <= metrics.contained_match(one, other)


@given(st.lists(st.sampled_from(["river", "bridge", "opera", "1851"]), min_size=1))
def test_token_f1_does_not_see_the_order_of_the_words(words: list[str]) -> None:
    assert metrics.token_f1(" ".join(words), " ".join(sorted(words))) == 1


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [((), (), 1), (("a",), (), 0), ((), ("a",), 0), (("a", "b", "c"), ("a", "b"), 0.8), (("a", "a"), ("a",), 1)],
)
def test_evidence_is_compared_as_sets_of_paragraphs(prediction: tuple[str, ...], reference: tuple[str, ...], expected: float) -> None:
    assert metrics.evidence_f1(prediction, reference) == pytest.approx(expected)
