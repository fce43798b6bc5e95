"""What every adapter of the `VectorIndex` port must do; its tests inherit this class."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semkg.ports import VectorIndex

if TYPE_CHECKING:
    from semkg.ports import Vectors

DIMENSION = 8

names = st.sampled_from([f"https://example.org/{letter}" for letter in "abcdefgh"])
steps = st.lists(st.tuples(st.sampled_from(["add", "remove", "save"]), st.lists(names, max_size=5), st.integers(0, 99)), max_size=12)

INHERITED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
"""Every example makes its own index, and every adapter's class runs the same examples."""


def directions(count: int, seed: int = 0) -> Vectors:
    """Unit vectors in random directions."""
    rows = np.random.default_rng(seed).normal(size=(count, DIMENSION)).astype(np.float32)
    units: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units


class VectorIndexContract:
    """Inherit, and give a fixture `make` that returns a new, empty index of dimension `DIMENSION`."""

    def test_an_empty_index_finds_nothing(self, make: Callable[[], VectorIndex]) -> None:
        index = make()
        assert len(index) == 0
        assert index.search(directions(1)[0], 5) == []

    def test_a_new_index_shows_no_state_of_the_graph(self, make: Callable[[], VectorIndex]) -> None:
        assert make().generation < 0

    def test_the_nearest_node_comes_first_with_its_cosine(self, make: Callable[[], VectorIndex]) -> None:
        index, rows = make(), directions(20)
        nodes = [f"https://example.org/{number}" for number in range(20)]
        index.add(nodes, rows)
        cosines = rows @ rows[3]
        hits = index.search(rows[3], 20)
        assert hits[0].node == nodes[3]
        assert [hit.score for hit in hits] == pytest.approx(sorted(cosines.tolist(), reverse=True), abs=0.01)

    def test_more_than_there_is_can_be_asked_for(self, make: Callable[[], VectorIndex]) -> None:
        index = make()
        index.add(["https://example.org/a"], directions(1))
        assert len(index.search(directions(1)[0], 100)) == 1

    @pytest.mark.parametrize("limit", [0, -1])
    def test_no_hits_are_asked_for(self, make: Callable[[], VectorIndex], limit: int) -> None:
        index = make()
        index.add(["https://example.org/a"], directions(1))
        assert index.search(directions(1)[0], limit) == []

    def test_adding_a_node_again_replaces_its_vector(self, make: Callable[[], VectorIndex]) -> None:
        index, rows = make(), directions(2)
        index.add(["https://example.org/a"], rows[:1])
        index.add(["https://example.org/a"], rows[1:])
        assert len(index) == 1
        assert index.search(rows[1], 1)[0].score == pytest.approx(1, abs=0.01)

    def test_of_a_node_named_twice_in_one_call_the_last_vector_counts(self, make: Callable[[], VectorIndex]) -> None:
        index, rows = make(), directions(2)
        index.add(["https://example.org/a", "https://example.org/a"], rows)
        assert index.search(rows[1], 5)[0].score == pytest.approx(1, abs=0.01)

    def test_a_removed_node_is_not_found(self, make: Callable[[], VectorIndex]) -> None:
        index, rows = make(), directions(2)
        index.add(["https://example.org/a", "https://example.org/b"], rows)
        index.remove(["https://example.org/a", "https://example.org/unknown", "https://example.org/a"])
        assert [hit.node for hit in index.search(rows[0], 5)] == ["https://example.org/b"]
        assert "https://example.org/a" not in index

    def test_equally_near_nodes_are_ordered_by_iri(self, make: Callable[[], VectorIndex]) -> None:
        index, row = make(), directions(1)
        nodes = [f"https://example.org/{letter}" for letter in "dbca"]
        index.add(nodes, np.repeat(row, 4, axis=0))
        assert [hit.node for hit in index.search(row[0], 3)] == sorted(nodes)[:3]

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 0.0])
    def test_a_vector_that_is_zero_or_not_finite_is_refused_with_all_that_came_with_it(
        self, make: Callable[[], VectorIndex], value: float
    ) -> None:
        index, rows = make(), directions(2)
        rows[1] = value
        with pytest.raises(ValueError, match="vector 1"):
            index.add(["https://example.org/a", "https://example.org/b"], rows)
        assert len(index) == 0

    def test_a_vector_of_another_dimension_is_refused(self, make: Callable[[], VectorIndex]) -> None:
        index = make()
        with pytest.raises(ValueError, match="shape"):
            index.add(["https://example.org/a"], np.ones((1, DIMENSION + 1), np.float32))
        with pytest.raises(ValueError, match="shape"):
            index.search(np.ones(DIMENSION - 1, np.float32), 1)

    def test_each_node_needs_a_vector(self, make: Callable[[], VectorIndex]) -> None:
        index = make()
        with pytest.raises(ValueError, match="shape"):
            index.add(["https://example.org/a", "https://example.org/b"], directions(1))
        assert len(index) == 0

    def test_the_vectors_of_nodes_come_in_their_order_and_as_often_as_they_are_named(self, make: Callable[[], VectorIndex]) -> None:
        index, rows = make(), directions(3)
        a, b, c = nodes = [f"https://example.org/{letter}" for letter in "abc"]
        index.add(nodes, rows)
        found = index.vectors([c, a, b, a])
        assert (found.shape, found.dtype) == ((4, DIMENSION), np.dtype(np.float32))
        np.testing.assert_allclose(found, rows[[2, 0, 1, 0]], atol=0.01)

    def test_a_node_that_is_not_in_the_index_has_zeros(self, make: Callable[[], VectorIndex]) -> None:
        index, rows = make(), directions(2)
        index.add(["https://example.org/a", "https://example.org/b"], rows)
        index.remove(["https://example.org/b"])
        found = index.vectors(["https://example.org/unknown", "https://example.org/a", "https://example.org/b"])
        assert found.any(axis=1).tolist() == [False, True, False]

    def test_no_nodes_have_no_vectors(self, make: Callable[[], VectorIndex]) -> None:
        index = make()
        assert index.vectors([]).shape == (0, DIMENSION)
        assert index.vectors(["https://example.org/a"]).shape == (1, DIMENSION)

    def test_vectors_that_were_given_out_are_the_callers_own(self, make: Callable[[], VectorIndex]) -> None:
        index = make()
        index.add(["https://example.org/a"], directions(1))
        index.vectors(["https://example.org/a"])[:] = 0
        np.testing.assert_allclose(index.vectors(["https://example.org/a"]), directions(1), atol=0.01)

    def test_saving_tells_the_generation(self, make: Callable[[], VectorIndex]) -> None:
        index = make()
        index.add(["https://example.org/a"], directions(1))
        index.save(7)
        assert index.generation == 7

    @settings(max_examples=30, deadline=None, suppress_health_check=INHERITED)
    @given(steps)
    def test_an_index_holds_what_a_dictionary_would(self, make: Callable[[], VectorIndex], steps: list[tuple[str, list[str], int]]) -> None:
        index = make()
        expected: dict[str, Vectors] = {}
        for number, (step, nodes, seed) in enumerate(steps):
            rows = directions(len(nodes), seed)
            if step == "add":
                index.add(nodes, rows)
                expected |= dict(zip(nodes, rows, strict=True))
            elif step == "remove":
                index.remove(nodes)
                expected = {node: row for node, row in expected.items() if node not in nodes}
            else:
                index.save(number)
        assert set(index.nodes()) == set(expected)
        np.testing.assert_allclose(index.vectors(list(expected)), np.array([*expected.values()]).reshape(-1, DIMENSION), atol=0.01)
        for row in expected.values():
            scores = {hit.node: hit.score for hit in index.search(row, len(expected))}
            assert scores == pytest.approx({node: float(other @ row) for node, other in expected.items()}, abs=0.02)
