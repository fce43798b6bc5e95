"""Retrieval: each stream finds what it is for, the graph tells how it got there, and fusion is by rank."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg import KnowledgeGraph
from semkg.errors import UsageError
from semkg.retrieve.modes import MODES, fuse
from semkg.retrieve.streams import StreamHit
from tests.graph.worlds import graph, tell

KINDS = {"Orion Glass": "Organization", "Halden Telescope": "Product", "Szeged": "Place"}


STREAMS = {
    "vector": {"vector"},
    "lexical": {"lexical"},
    "kg": {"kg"},
    "fusion": {"vector", "lexical", "graph"},
    "deep": {"vector", "graph"},
}


@pytest.fixture(scope="module")
def kg() -> KnowledgeGraph:
    made = graph()
    tell(made, "telescope", "The Halden Telescope was built by Orion Glass.", [("Orion Glass", "BUILT", "Halden Telescope")], KINDS)
    tell(made, "firm", "Ilona Varga founded Orion Glass.", [("Ilona Varga", "FOUNDED", "Orion Glass")], KINDS)
    tell(made, "woman", "Ilona Varga was born in Szeged.", [("Ilona Varga", "BORN_IN", "Szeged")], KINDS)
    tell(made, "noise", "Nothing of this is about glass or telescopes.", [])
    return made


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_ranks_passages_with_their_streams(kg: KnowledgeGraph, mode: str) -> None:
    passages = kg.search("Who built the Halden Telescope?", mode, limit=3)
    assert passages[0].title == "telescope"
    assert [passage.score for passage in passages] == sorted((passage.score for passage in passages), reverse=True)
    assert set(passages[0].streams) <= STREAMS[mode]
    assert not passages.notes
    assert 0 < len(passages) <= 3


def test_the_graph_reaches_two_hops_and_tells_the_path(kg: KnowledgeGraph) -> None:
    found = {passage.title: passage for passage in kg.search("Halden Telescope", "kg")}
    labels = [step.label for step in found["woman"].path]
    assert labels[0] == "Halden Telescope"
    assert labels[-1] == "Ilona Varga"
    assert "woman" in found, "the founder's birth is two hops away"
    assert "noise" not in found


def test_a_name_in_any_case_and_with_accents_links(kg: KnowledgeGraph) -> None:
    linked = kg._retriever.question("who is ILÓNA VARGA?").linked
    assert [link.label for link in linked] == ["Ilona Varga"]


def test_an_unknown_mode_is_a_usage_error(kg: KnowledgeGraph) -> None:
    with pytest.raises(UsageError, match="no mode"):
        kg.search("x", "magic")


def test_nothing_in_a_question_is_query_syntax(kg: KnowledgeGraph) -> None:
    for text in ('"', "NEAR(", "a OR", "*", "col:x", "'; DROP TABLE x; --", "} UNION {"):
        for mode in MODES:
            kg.search(text, mode)


RANKINGS = st.dictionaries(st.sampled_from("abc"), st.lists(st.sampled_from("uvwxyz"), unique=True), min_size=1)


@given(RANKINGS)
def test_fusion_rewards_better_ranks_and_more_streams(rankings: dict[str, list[str]]) -> None:
    hits = {name: [StreamHit(node, 1.0) for node in nodes] for name, nodes in rankings.items()}
    scores = fuse(hits)
    assert set(scores) == {node for nodes in rankings.values() for node in nodes}
    for node, score in scores.items():
        assert score == pytest.approx(sum(1 / (60 + nodes.index(node) + 1) for nodes in rankings.values() if node in nodes))
