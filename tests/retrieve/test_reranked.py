"""A reranker orders the best passages anew; where it fails, the ranking stays and a note says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from semkg import KnowledgeGraph
from semkg.config import Settings
from semkg.errors import Misconfigured, ModelUnavailable, SemkgError
from semkg.models import HashEmbedder
from semkg.ports import FrozenClock, Reranker
from semkg.retrieve import MODES, Results, Retriever
from semkg.retrieve.modes import RERANKED
from tests.graph.worlds import graph
from tests.models.scripted_server import Answer, Request, ScriptedServer, completion, refused, serving
from tests.models.test_reranking import save_cross_encoder
from tests.retrieve.worlds import enter, iri

QUESTION = "Where did it rain on day 7?"


def told(kg: KnowledgeGraph, days: int = 30) -> KnowledgeGraph:
    for day in range(days):
        enter(kg, f"day {day}", [(f"On day {day} it rained in Vale.", [])])
    return kg


@pytest.fixture(scope="module")
def kg() -> KnowledgeGraph:
    return told(graph())


class Backwards:
    """The later, the better."""

    name = "backwards"

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((question, list(texts)))
        return [float(number) for number in range(len(texts))]


class Failing:
    name = "failing"

    def __init__(self, failure: SemkgError) -> None:
        self._failure = failure

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        raise self._failure


def search(kg: KnowledgeGraph, reranker: Reranker | None, mode: str = "fusion", limit: int = 30, type: str = "Chunk") -> Results:
    parts = kg.parts
    retriever = Retriever(parts.store, parts.layout, parts.indexes, parts.embedder, reranker=reranker)
    return retriever.retrieve(retriever.question(QUESTION), mode, limit, kg.filter(type))


def ranking(found: Results) -> list[str]:
    return [passage.iri for passage in found]


@pytest.mark.parametrize("mode", sorted(set(MODES) - {"kg"}))
def test_the_best_passages_come_in_the_order_of_the_reranker(kg: KnowledgeGraph, mode: str) -> None:
    plain, reranker = ranking(search(kg, None, mode)), Backwards()
    found = search(kg, reranker, mode)
    assert ranking(found) == [*reversed(plain[:RERANKED]), *plain[RERANKED:]]
    ((question, texts),) = reranker.asked
    assert question == QUESTION
    assert len(texts) == RERANKED
    assert all(re.fullmatch(r"day \d+\nOn day \d+ it rained in Vale\.", text) for text in texts), "title and text"
    assert not found.notes


def test_the_reranker_is_one_of_the_streams_and_the_score_stays_the_modes(kg: KnowledgeGraph) -> None:
    plain, found = search(kg, None), search(kg, Backwards())
    assert {passage.iri: passage.score for passage in found} == {passage.iri: passage.score for passage in plain}
    places = [passage.streams.get("reranker") for passage in found]
    assert [place.rank for place in places if place] == list(range(1, RERANKED + 1))
    assert [place.score for place in places if place] == list(range(RERANKED - 1, -1, -1))
    assert places[RERANKED:] == [None] * 10


def test_a_small_limit_gets_the_best_of_all_that_were_reranked(kg: KnowledgeGraph) -> None:
    plain = ranking(search(kg, None))
    assert ranking(search(kg, Backwards(), limit=2)) == [plain[RERANKED - 1], plain[RERANKED - 2]]


def test_passages_that_the_reranker_finds_equal_keep_their_order(kg: KnowledgeGraph) -> None:
    class Indifferent(Backwards):
        def score(self, question: str, texts: Sequence[str]) -> list[float]:
            return [0.5] * len(texts)

    assert ranking(search(kg, Indifferent())) == ranking(search(kg, None))


def test_nothing_found_is_nothing_to_rerank() -> None:
    reranker = Backwards()
    assert not search(graph(), reranker)
    assert not reranker.asked


@pytest.mark.parametrize("type", ["Entity", "Triplet", "HyperNode"])
def test_other_nodes_are_reranked_by_their_texts(type: str) -> None:
    kg = graph()
    enter(kg, "a", [("Mira met Jan.", [("Mira Holt", "MET", "Jan Vale"), ("Holt", "MET", "Jan Vale")])])
    kg.merge(iri("Holt"), iri("Mira Holt"))
    reranker = Backwards()
    found = search(kg, reranker, "vector", type=type)
    ((_, texts),) = reranker.asked
    assert sorted(texts) == sorted(passage.text for passage in found)


@pytest.mark.parametrize("failure", [ModelUnavailable("gone: start it"), Misconfigured("no such model")])
def test_a_reranker_that_fails_does_not_cost_the_answer(kg: KnowledgeGraph, failure: SemkgError) -> None:
    plain, found = search(kg, None), search(kg, Failing(failure))
    assert list(found) == list(plain)
    assert found.notes == (f"without the reranker: {failure}",)


# --- by setting ----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as running:
        yield running


def judging(path: str, request: Request) -> Answer:
    """Day 7 is what was asked for."""
    shown = re.findall(r"^\[(\d+)\] (.*)$", str(request["messages"][0]["content"]), re.MULTILINE)  # type: ignore[index]  # as it is sent
    return completion(json.dumps({"grades": [{"passage": int(number), "grade": 9 * (text == "day 7")} for number, text in shown]}))


def by_setting(given: Settings, days: int = 12) -> KnowledgeGraph:
    return told(KnowledgeGraph.in_memory(embedder=HashEmbedder(), clock=FrozenClock(), given=given), days)


def test_the_chat_model_reranks_where_it_is_set(server: ScriptedServer) -> None:
    server.behaviour = judging
    chat = Settings(reranker="chat", chat_model="judge", api_base=server.base_url)
    found = by_setting(chat).search("Where did it rain?", limit=12)
    assert found[0].title == "day 7"
    assert found[0].streams["reranker"].score == 9
    assert len(server.requests) == 1
    plain = ranking(by_setting(Settings()).search("Where did it rain?", limit=12))
    assert ranking(found) == sorted(plain, key=lambda node: (node != found[0].iri, plain.index(node)))


def test_grades_are_kept_beside_a_graph_on_disk(server: ScriptedServer, tmp_path: Path) -> None:
    server.behaviour = judging
    chat = Settings(reranker="chat", chat_model="judge", api_base=server.base_url)
    for read_only in (False, True):
        with KnowledgeGraph.open(
            tmp_path / "kg", create=not read_only, read_only=read_only, embedder=HashEmbedder(), clock=FrozenClock(), given=chat
        ) as kg:
            if not read_only:
                told(kg, 12)
            assert kg.search("Where did it rain?")[0].title == "day 7"
    assert len(server.requests) == 1


def test_a_server_that_refuses_leaves_the_ranking_and_a_note(server: ScriptedServer) -> None:
    server.answers(refused(401))
    chat = Settings(reranker="chat", chat_model="judge", api_base=server.base_url)
    found = by_setting(chat).search("Where did it rain?")
    assert ranking(found) == ranking(by_setting(Settings()).search("Where did it rain?"))
    assert found.notes[0].startswith("without the reranker: ")


def test_the_chat_model_cannot_rerank_where_there_is_none() -> None:
    kg = by_setting(Settings(reranker="chat"))
    with pytest.raises(Misconfigured, match="SEMKG_CHAT_MODEL"):
        kg.search("Where did it rain?")
    assert kg.stats().documents == 12, "what does not rank goes on"


@pytest.mark.model
def test_a_cross_encoder_reranks_where_it_is_set(tmp_path: Path) -> None:
    tiny = Settings(reranker=str(save_cross_encoder(tmp_path / "tiny")))
    plain = ranking(by_setting(Settings()).search("Where did it rain?", limit=12))
    first, again = (by_setting(tiny).search("Where did it rain?", limit=12) for _ in range(2))
    assert ranking(first) == ranking(again)
    assert ranking(first) != plain
    assert sorted(ranking(first)) == sorted(plain)
    scores = [passage.streams["reranker"].score for passage in first]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) > 1


@pytest.mark.model
def test_a_cross_encoder_that_is_not_there_leaves_the_ranking_and_a_note(tmp_path: Path) -> None:
    found = by_setting(Settings(reranker=str(tmp_path))).search("Where did it rain?")
    assert found
    assert "cannot be loaded" in found.notes[0]
