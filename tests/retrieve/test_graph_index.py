"""The graph that the walk uses is the one of the store, whoever wrote to it and whichever thread asks."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from semkg import KnowledgeGraph
from semkg.graph.indexes import Kind
from semkg.graph.ledger import Changes
from semkg.models import HashEmbedder
from semkg.ports import FrozenClock
from semkg.retrieve import Results, graph_index
from semkg.retrieve.adjacency import Adjacency
from semkg.retrieve.derivation import derive
from semkg.retrieve.graph_index import Closeness
from tests.graph.worlds import graph
from tests.retrieve.worlds import Saying, enter, iri, same

LAMP: list[Saying] = [("Mira Holt built the Quiet Lamp.", [("Mira Holt", "BUILT", "Quiet Lamp")])]
HOLT: list[Saying] = [("Mira Holt was born in Vale.", [("Mira Holt", "BORN_IN", "Vale")])]
RAIN: list[Saying] = [("It rained.", [])]


def told(kg: KnowledgeGraph) -> KnowledgeGraph:
    enter(kg, "lamp", LAMP, "Quiet Lamp", "Quiet Lamp")
    for number in range(5):
        enter(kg, f"rain {number}", [(f"It rained {number} times.", [])])
    return kg


def tell_of_holt(kg: KnowledgeGraph) -> None:
    enter(kg, "holt", HOLT, "Mira Holt", "Mira Holt")


QUESTION = "Where was the builder of the Quiet Lamp born?"


def by_the_graph(found: Results) -> set[str]:
    return {passage.title for passage in found if "graph" in passage.streams}


def summary(found: Results) -> list[object]:
    return [(passage.iri, passage.score, passage.streams, passage.path) for passage in found]


def test_a_search_after_a_commit_walks_to_what_it_brought() -> None:
    kg = told(graph())
    assert "Mira Holt" not in by_the_graph(kg.search(QUESTION))
    tell_of_holt(kg)
    found = kg.search(QUESTION)
    assert "Mira Holt" in by_the_graph(found)
    (holt,) = (passage for passage in found if passage.title == "Mira Holt")
    assert [str(step) for step in holt.path] == ["the question names quiet lamp", "“Quiet Lamp” speaks of mira holt"]
    kg.delete("Mira Holt")
    assert "Mira Holt" not in {passage.title for passage in kg.search(QUESTION)}


def test_a_merge_changes_where_the_walk_leads() -> None:
    kg = told(graph())
    enter(kg, "other", [("M. Holt was born in Vale.", [("M. Holt", "BORN_IN", "Vale")])], "M. Holt", "M. Holt")
    assert "M. Holt" not in _walked(kg)
    kg.merge(iri("M. Holt"), iri("Mira Holt"))
    assert "M. Holt" in _walked(kg)
    kg.unmerge(iri("M. Holt"))
    assert "M. Holt" not in _walked(kg)


def _walked(kg: KnowledgeGraph) -> set[str]:
    """Titles of the passages that the walk steps to."""
    return {passage.title for passage in kg.search(QUESTION, settings={"pagerank": 0}) if len(passage.path) > 1}


def test_the_ranking_is_the_same_every_time() -> None:
    kg = told(graph())
    tell_of_holt(kg)
    first = summary(kg.search(QUESTION))
    assert all(summary(kg.search(QUESTION)) == first for _ in range(3))


def test_the_order_in_which_documents_came_does_not_change_the_ranking() -> None:
    one, other = graph(), graph()
    told(one)
    tell_of_holt(one)
    tell_of_holt(other)
    told(other)
    assert summary(one.search(QUESTION)) == summary(other.search(QUESTION))


def test_a_graph_on_disk_ranks_like_one_in_memory_and_so_does_its_reader(tmp_path: Path) -> None:
    memory = told(graph())
    tell_of_holt(memory)
    expected = summary(memory.search(QUESTION))
    with KnowledgeGraph.open(tmp_path / "kg", create=True, embedder=HashEmbedder(), clock=FrozenClock()) as disk:
        told(disk)
        disk._retriever.graphs.save()
        tell_of_holt(disk)
        assert summary(disk.search(QUESTION)) == expected
    for _ in range(2):
        with KnowledgeGraph.open(tmp_path / "kg", read_only=True, embedder=HashEmbedder()) as reader:
            assert summary(reader.search(QUESTION)) == expected


def test_a_build_leaves_the_adjacency_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "rows.jsonl"
    source.write_text('{"title": "Vale", "text": "Vale is old.", "entities": ["Vale"], "triples": []}\n', encoding="utf-8")
    with KnowledgeGraph.open(tmp_path / "kg", create=True, embedder=HashEmbedder(), clock=FrozenClock()) as kg:
        kg.build_from_triples(source)
        generation = kg.parts.store.generation
    monkeypatch.setattr(graph_index, "derive", _not_again)
    with KnowledgeGraph.open(tmp_path / "kg", read_only=True, embedder=HashEmbedder()) as reader:
        made = reader._retriever.graphs.graph().adjacency
        assert (made.generation, made.names) == (generation, ("vale",))


def test_a_graph_that_was_opened_is_brought_up_to_date_by_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with KnowledgeGraph.open(tmp_path / "kg", create=True, embedder=HashEmbedder(), clock=FrozenClock()) as kg:
        told(kg)
    seen = []

    def listening(*given: object) -> Adjacency:
        seen.append(given[3])
        return derive(*given)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(graph_index, "derive", listening)
    with KnowledgeGraph.open(tmp_path / "kg", embedder=HashEmbedder(), clock=FrozenClock()) as kg:
        tell_of_holt(kg)
        made = kg._retriever.graphs.graph().adjacency
        (changes,) = seen
        assert isinstance(changes, Changes)
        assert changes.triplets
        same(made, derive(kg.parts.store, kg.parts.layout))


def _not_again(*given: object) -> Adjacency:
    raise AssertionError("derived again")


def test_threads_share_one_graph_and_derive_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    kg = told(graph())
    derived = 0

    def counted(*given: object) -> Adjacency:
        nonlocal derived
        derived += 1
        time.sleep(0.05)
        return derive(*given)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(graph_index, "derive", counted)
    with ThreadPoolExecutor(4) as threads:
        graphs = list(threads.map(lambda _: kg._retriever.graphs.graph(), range(16)))
    assert derived == 1
    assert len({id(graph) for graph in graphs}) == 1


def test_threads_that_search_get_what_one_gets() -> None:
    kg = told(graph())
    tell_of_holt(kg)
    expected = summary(kg.search(QUESTION))
    with ThreadPoolExecutor(4) as threads:
        assert all(summary(found) == expected for found in threads.map(lambda _: kg.search(QUESTION), range(8)))


def test_the_vectors_of_the_graph_are_those_of_its_passages() -> None:
    kg = told(graph())
    graphs = kg._retriever.graphs.graph()
    expected = kg.parts.indexes.vectors[Kind.CHUNK].vectors(graphs.adjacency.passages)
    np.testing.assert_allclose(graphs.vectors, expected, atol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(graphs.vectors.astype(np.float32), axis=1), 1, atol=0.01)


def test_closeness_is_the_cosine_whatever_is_asked_first_or_twice() -> None:
    rows = np.eye(4, dtype=np.float16)
    question = np.array([1, 0, 0.5, -1], np.float32)
    close = Closeness(rows, question)
    assert close.of(np.array([2, 2], np.int32)).tolist() == [0.5, 0.5]
    assert close.of(np.array([3, 0, 2], np.int32)).tolist() == [-1, 1, 0.5]
    assert close.fit(np.array([3, 0], np.int32)).tolist() == [0, 1]
    assert close.of(np.array([], np.int32)).tolist() == []
