"""What every adapter of the `GraphStore` port must do; its tests inherit this class."""

from __future__ import annotations

from collections.abc import Callable

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semkg.errors import BadQuery
from semkg.ports import GraphStore

G = ox.NamedNode("https://example.org/graph")
H = ox.NamedNode("https://example.org/other")
P = ox.NamedNode("https://example.org/p")


def node(name: str) -> ox.NamedNode:
    return ox.NamedNode(f"https://example.org/{name}")


def quad(name: str, value: str | int = "x", graph: ox.NamedNode = G) -> ox.Quad:
    return ox.Quad(node(name), P, ox.Literal(value), graph)


class GraphStoreContract:
    """Inherit, and give a fixture `make` that returns a new, empty, writable store."""

    def test_an_empty_store_has_no_quads_and_generation_zero(self, make: Callable[[], GraphStore]) -> None:
        store = make()
        assert list(store.quads()) == []
        assert store.generation == 0

    def test_a_commit_adds_removes_and_counts(self, make: Callable[[], GraphStore]) -> None:
        store = make()
        assert store.commit([quad("a"), quad("b")]) == 1
        assert store.commit([quad("c")], [quad("a")]) == 2
        assert set(store.quads()) == {quad("b"), quad("c")}

    def test_a_quad_both_added_and_removed_is_there(self, make: Callable[[], GraphStore]) -> None:
        store = make()
        store.commit([quad("a")])
        store.commit([quad("a")], [quad("a")])
        assert list(store.quads()) == [quad("a")]

    def test_nothing_to_do_is_no_commit(self, make: Callable[[], GraphStore]) -> None:
        store = make()
        assert store.commit([], []) == 0

    def test_quads_are_found_by_any_pattern(self, make: Callable[[], GraphStore]) -> None:
        store = make()
        store.commit([quad("a"), quad("a", 1), quad("b", graph=H)])
        assert len(list(store.quads(node("a")))) == 2
        assert list(store.quads(graph=H)) == [quad("b", graph=H)]
        assert list(store.quads(None, P, ox.Literal(1))) == [quad("a", 1)]

    def test_a_query_sees_only_the_graphs_it_is_given(self, make: Callable[[], GraphStore]) -> None:
        store = make()
        store.commit([quad("a"), quad("b", graph=H)])
        query = "SELECT ?s { ?s ?p ?o }"
        assert [row["s"] for row in store.select(query, [H])] == [node("b")]
        assert {row["s"] for row in store.select(query)} >= {node("a"), node("b")}

    def test_a_query_that_does_not_parse_is_bad(self, make: Callable[[], GraphStore]) -> None:
        with pytest.raises(BadQuery, match="does not parse"):
            make().select("SELECT nonsense")

    def test_the_wrong_form_of_query_is_bad(self, make: Callable[[], GraphStore]) -> None:
        with pytest.raises(BadQuery, match="SELECT"):
            make().select("ASK {}")

    def test_a_bulk_load_is_one_commit(self, make: Callable[[], GraphStore]) -> None:
        store = make()
        store.commit([quad("first")])
        assert store.load(quad(f"n{number}", number) for number in range(60_000)) == 2
        assert sum(1 for _ in store.quads(graph=G)) == 60_001
        assert store.commit([quad("last")]) == 3

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors])
    @given(texts=st.lists(st.text(st.characters(codec="utf-8")), max_size=6))
    def test_any_text_comes_back_as_it_was(self, make: Callable[[], GraphStore], texts: list[str]) -> None:
        store = make()
        quads = {ox.Quad(node(f"t{number}"), P, ox.Literal(text), H) for number, text in enumerate(texts)}
        store.commit(quads)
        assert set(store.quads(graph=H)) == quads
        store.commit([], quads)
        assert list(store.quads(graph=H)) == []
