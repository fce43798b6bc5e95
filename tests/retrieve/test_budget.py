"""The graph stream has a time budget: whatever it does, the other streams answer, in time and with a note."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from semkg import KnowledgeGraph
from semkg.retrieve import Results
from semkg.retrieve.budget import Abandoned, within
from semkg.retrieve.deep import Navigator
from semkg.retrieve.guided import GuidedWalk
from tests.graph.worlds import graph
from tests.retrieve.worlds import enter

BUDGET = 0.2
SLACK = 0.25
"""Seconds that a busy machine may take longer; `benchmarks/fallback.py` measures what it really takes."""

QUESTION = "Where was the builder of the Quiet Lamp born?"
STREAMS = {"fusion": GuidedWalk, "deep": Navigator}
BESIDE = {"fusion": {"vector", "lexical"}, "deep": {"vector"}}


@pytest.fixture(scope="module")
def kg() -> KnowledgeGraph:
    made = graph()
    enter(made, "lamp", [("Mira Holt built the Quiet Lamp.", [("Mira Holt", "BUILT", "Quiet Lamp")])], "Quiet Lamp", "Quiet Lamp")
    enter(made, "holt", [("Mira Holt was born in Vale.", [("Mira Holt", "BORN_IN", "Vale")])], "Mira Holt", "Mira Holt")
    enter(made, "rain", [("It rained where the lamp was.", [])])
    return made


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A graph stream that waits for something that comes when the test is over."""
    event = threading.Event()
    for stream in STREAMS.values():
        monkeypatch.setattr(stream, "__call__", lambda *given: event.wait(30))
    yield
    event.set()


def failing(monkeypatch: pytest.MonkeyPatch, failure: BaseException) -> None:
    def fail(*given: object) -> None:
        raise failure

    for stream in STREAMS.values():
        monkeypatch.setattr(stream, "__call__", fail)


def without_the_graph(kg: KnowledgeGraph, mode: str) -> list[str]:
    """The ranking that the other streams give by themselves."""
    if mode == "deep":
        return [passage.iri for passage in kg.search(QUESTION, "vector")]
    off = {"subject": 0, "forward": 0, "backward": 0, "shared": 0, "again": 0, "pagerank": 0}
    return [passage.iri for passage in kg.search(QUESTION, settings=off)]


def ranking(found: Results) -> list[str]:
    return [passage.iri for passage in found]


@pytest.mark.parametrize("mode", STREAMS)
@pytest.mark.usefixtures("hanging")
def test_a_stream_that_hangs_is_left_behind_when_its_time_is_over(kg: KnowledgeGraph, mode: str) -> None:
    started = time.perf_counter()
    found = kg.search(QUESTION, mode, settings={"budget": BUDGET})
    taken = time.perf_counter() - started
    print(f"{mode}: {1000 * (taken - BUDGET):.1f} ms over the budget")
    assert BUDGET <= taken < BUDGET + SLACK
    assert found
    assert f"took longer than {BUDGET:g} s" in found.notes[0]
    assert all(set(passage.streams) <= BESIDE[mode] and not passage.path for passage in found)


@pytest.mark.parametrize("mode", STREAMS)
def test_without_the_graph_the_ranking_is_that_of_the_other_streams(kg: KnowledgeGraph, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = without_the_graph(kg, mode)
    failing(monkeypatch, RuntimeError("torn"))
    found = kg.search(QUESTION, mode)
    assert ranking(found) == expected
    (note,) = found.notes
    assert "RuntimeError: torn" in note


@pytest.mark.parametrize("failure", [ValueError("x"), MemoryError(), RecursionError(), KeyError("gone")])
def test_a_stream_that_fails_costs_no_time_and_is_told(kg: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch, failure: Exception) -> None:
    failing(monkeypatch, failure)
    started = time.perf_counter()
    found = kg.search(QUESTION, settings={"budget": 20})
    assert time.perf_counter() - started < 1
    assert found
    assert type(failure).__name__ in found.notes[0]


def test_with_reciprocal_rank_fusion_the_other_streams_are_fused(kg: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, RuntimeError("torn"))
    found = kg.search(QUESTION, settings={"reciprocal": True})
    for passage in found:
        assert passage.score == pytest.approx(sum(1 / (60 + place.rank) for place in passage.streams.values()))


@pytest.mark.usefixtures("hanging")
def test_the_next_search_is_not_held_up_by_one_that_hangs(kg: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    kg.search(QUESTION, settings={"budget": 0.01})
    monkeypatch.undo()
    assert not kg.search(QUESTION).notes


def test_a_filter_holds_without_the_graph_too(kg: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, RuntimeError("torn"))
    found = kg.search(QUESTION, filter=kg.filter(document="rain"))
    assert [passage.title for passage in found] == ["rain"]


def test_a_job_in_time_gives_its_result_whatever_it_is() -> None:
    assert within(5, lambda: None) is None
    with pytest.raises(Abandoned, match="ZeroDivisionError") as raised:
        within(5, lambda: 1 // 0)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_a_job_without_any_time_is_abandoned_at_once() -> None:
    event = threading.Event()
    with pytest.raises(Abandoned, match="longer than 0 s"):
        within(0, lambda: event.wait(30))
    event.set()
