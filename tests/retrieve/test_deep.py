"""Deep retrieval: chains of statements from what the question names, over HyperNodes where they bridge."""

from __future__ import annotations

import pytest

from semkg import KnowledgeGraph
from semkg.retrieve import Passage
from tests.graph.worlds import Said, graph
from tests.retrieve.worlds import enter

MEETING: list[Said] = [("Ruth Holt", "MET", "Jan Vale"), ("Holt", "KNEW", "Jan Vale")]


def told(*facts: Said) -> KnowledgeGraph:
    """A document a fact; its title is the fact's number."""
    kg = graph()
    for number, (subject, relation, object) in enumerate(facts):
        enter(kg, str(number), [(f"{subject} {relation.lower().replace('_', ' ')} {object}.", [(subject, relation, object)])])
    return kg


def by_chains(kg: KnowledgeGraph, question: str) -> dict[str, Passage]:
    return {passage.title: passage for passage in kg.search(question, "deep") if "graph" in passage.streams}


CHAIN: tuple[Said, ...] = (
    ("Mira Holt", "BUILT", "Quiet Lamp"),
    ("Mira Holt", "BORN_IN", "Vale"),
    ("Vale", "LIES_ON", "Lune River"),
    ("Lune River", "FLOWS_TO", "Grey Sea"),
    ("Tom Fell", "MET", "Ida Quist"),
)


def test_a_chain_goes_on_where_the_last_statement_led_and_tells_them_all() -> None:
    found = by_chains(told(*CHAIN), "On which river lies the place where the builder of the Quiet Lamp was born?")
    assert [str(step) for step in found["2"].path] == [
        "the question names Quiet Lamp",
        "Mira Holt built Quiet Lamp",
        "Mira Holt born in Vale",
        "Vale lies on Lune River",
    ]
    assert all(step.iri for step in found["2"].path)
    assert "4" not in found, "no statement leads there"


def test_the_statements_own_passage_is_the_first_that_a_chain_leads_to() -> None:
    kg = told(*CHAIN)
    found = kg.search("Who built the Quiet Lamp?", "deep")
    assert found[0].title == "0"
    assert found[0].streams["graph"].score == pytest.approx(1)
    assert {"vector", "graph"} == set(found[0].streams)


def test_a_question_that_names_nothing_is_answered_by_the_vectors() -> None:
    kg = told(*CHAIN)
    deep, vector = (kg.search("zzz?", mode) for mode in ("deep", "vector"))
    assert [passage.iri for passage in deep] == [passage.iri for passage in vector]
    assert not by_chains(kg, "zzz?")
    assert not deep.notes


def test_a_hypernode_bridges_to_another_of_its_members() -> None:
    kg = graph()
    enter(kg, "meeting", [("Ruth Holt met Jan Vale. Holt was late.", MEETING)])
    enter(kg, "mill", [("Holt sold the Old Mill.", [("Holt", "SOLD", "Old Mill")])])
    enter(kg, "rain", [("It rained.", [])])
    kg._clustering.refresh()
    found = by_chains(kg, "What did Ruth Holt sell?")
    steps = [str(step) for step in found["mill"].path]
    assert steps[:2] == ["the question names Ruth Holt", "shares a HyperNode with Holt"]
    assert "rain" not in found


def test_without_the_hypernode_there_is_no_bridge() -> None:
    kg = graph()
    enter(kg, "meeting", [("Ruth Holt met Ida Quist.", [("Ruth Holt", "MET", "Ida Quist")])])
    enter(kg, "mill", [("Holt sold the Old Mill.", [("Holt", "SOLD", "Old Mill")])])
    assert "mill" not in by_chains(kg, "What did Ruth Holt sell?")


def test_what_was_merged_is_one_link_of_a_chain() -> None:
    kg = told(("Mira Holt", "BUILT", "Quiet Lamp"), ("M. Holt", "BORN_IN", "Vale"))
    assert "1" not in by_chains(kg, "Where was the builder of the Quiet Lamp born?")
    kg.merge("M. Holt", "Mira Holt")
    assert "1" in by_chains(kg, "Where was the builder of the Quiet Lamp born?")


def test_an_empty_graph_has_no_chains() -> None:
    assert not graph().search("Quiet Lamp", "deep")
