"""What guides the walk: the subjects that a question names, its other words, and the statements that come near to it."""

from __future__ import annotations

import numpy as np
import pytest

from semkg import KnowledgeGraph
from semkg.retrieve.guided import LONGEST_PATH, Guide, GuidedWalk
from semkg.retrieve.tuning import DEFAULT
from tests.graph.worlds import graph
from tests.retrieve.worlds import Saying, enter

LAMP: list[Saying] = [
    ("Mira Holt built the Quiet Lamp in a cold winter. It shone for Jan Vale.", [("Mira Holt", "BUILT", "Quiet Lamp")]),
]


@pytest.fixture(scope="module")
def kg() -> KnowledgeGraph:
    made = graph()
    enter(made, "lamp", LAMP, "Quiet Lamp", "Quiet Lamp")
    for name in ("Mira Holt", "Jan Vale", "Father", "Life", "Holt"):
        enter(made, name, [(f"{name} is somebody.", [(name, "IS_LIKE", "Nobody Else")])], name, name)
    return made


def guide(kg: KnowledgeGraph, text: str) -> Guide:
    retriever = kg._retriever
    walk = GuidedWalk(kg.parts.store, kg.parts.layout, kg.parts.indexes, retriever.graphs)
    return Guide(kg.parts.indexes, retriever.question(text), retriever.graphs.graph(), walk._sentences)


def named(kg: KnowledgeGraph, text: str) -> list[str]:
    names = kg._retriever.graphs.graph().adjacency.names
    return [names[number] for number in guide(kg, text).subjects]


def numbers(kg: KnowledgeGraph, title: str, name: str) -> tuple[int, int]:
    """A passage by its title and a name."""
    adjacency = kg._retriever.graphs.graph().adjacency
    (passage,) = (passage for passage in kg.search(title, "lexical", 20) if passage.title == title)
    return adjacency.passage_numbers[passage.iri], adjacency.name_numbers[name]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who built the Quiet Lamp for JAN VALE?", ["quiet lamp", "jan vale"]),
        ("Did Mira Holt meet Mira Holt?", ["mira holt"]),
        ("Is Holt like Mira Holt?", ["holt", "mira holt"]),
        ("Who was the father of Ada?", []),
        ("Who sang Father?", ["father"]),
        ("who was the father?", ["father"]),
        ("Nobody at all", []),
    ],
)
def test_a_question_names_subjects_but_no_common_words(kg: KnowledgeGraph, question: str, names: list[str]) -> None:
    assert named(kg, question) == names


def test_the_other_words_of_a_question_are_those_beside_its_subjects(kg: KnowledgeGraph) -> None:
    assert guide(kg, "In which cold winter was the Quiet Lamp built?").words == {"cold", "wint", "build"}


def test_a_statement_about_a_subject_is_as_near_as_its_vector(kg: KnowledgeGraph) -> None:
    lamp, holt = numbers(kg, "Quiet Lamp", "mira holt")
    near, far = (guide(kg, text).nearness(lamp, holt)[0] for text in ("Mira Holt built Quiet Lamp", "Rain and snow"))
    assert near == pytest.approx(1, abs=0.02)
    assert far < near
    _, vale = numbers(kg, "Quiet Lamp", "jan vale")
    assert guide(kg, "Mira Holt built Quiet Lamp").nearness(lamp, vale)[0] == 0, "no statement of the passage is about him"


def test_words_count_in_the_sentence_that_bears_the_name(kg: KnowledgeGraph) -> None:
    lamp, holt = numbers(kg, "Quiet Lamp", "mira holt")
    _, vale = numbers(kg, "Quiet Lamp", "jan vale")
    asked = guide(kg, "Who built lanterns in cold summers?")
    assert asked.words == {"build", "lantern", "cold", "summ"}
    assert asked.nearness(lamp, holt)[1] == pytest.approx(2 / 4)
    assert asked.nearness(lamp, vale)[1] == 0
    assert guide(kg, "Quiet Lamp").nearness(lamp, holt)[1] == 0, "there are no other words"


def test_pagerank_starts_from_the_entities_of_the_nearest_statements(kg: KnowledgeGraph) -> None:
    adjacency = kg._retriever.graphs.graph().adjacency
    asked = guide(kg, "Mira Holt built Quiet Lamp")
    seeds = asked.seeds(DEFAULT.changed({"statements": 1}))
    assert len(seeds) == 2
    rarer = {entity: len(adjacency.mentions[[entity]].indices) for entity, _ in seeds}
    assert [rarer[entity] * weight for entity, weight in seeds] == pytest.approx([1, 1], abs=0.02)
    assert asked.seeds(DEFAULT.changed({"pagerank": 0})) == []


def test_what_no_other_stream_found_has_the_score_of_the_unseen(kg: KnowledgeGraph) -> None:
    adjacency = kg._retriever.graphs.graph().adjacency
    found = guide(kg, "x").base({adjacency.passages[2]: 0.9, "https://example.org/gone": 5.0}, 0.25)
    expected = [0.25] * len(adjacency.passages)
    expected[2] = 0.9
    np.testing.assert_allclose(found, expected)


def test_a_path_of_passages_that_lead_to_each_other_comes_to_an_end() -> None:
    kg = graph()
    for here, there in (("Ada Bell", "Tom Fell"), ("Tom Fell", "Ada Bell")):
        enter(kg, here, [(f"{here} met {there}.", [(here, "MET", there)])], here, here)
    for number in range(8):
        enter(kg, f"Rain {number}", [(f"Rain {number} fell.", [])])
    for passage in kg.search("Who met whom?", settings={"pagerank": 0}):
        assert len(passage.path) <= LONGEST_PATH
        assert len(set(passage.path)) == len(passage.path)
