"""Answers read from passages, where no chain of facts leads to one, and questions that choose."""

from __future__ import annotations

import pytest

from semkg import KnowledgeGraph
from semkg.agents.deciding import Decider
from semkg.retrieve import Passage
from tests.graph.worlds import graph, tell


@pytest.fixture(scope="module")
def kg() -> KnowledgeGraph:
    made = graph()
    tell(
        made,
        "Harrow Mill",
        "After the fire 312 weavers worked in the Harrow Mill.",
        [("Harrow Mill", "RUN_AFTER", "the fire")],
        {},
    )
    return made


def passage(title: str, text: str) -> Passage:
    return Passage(f"urn:{title}", 1.0, text, 0, len(text), f"urn:doc:{title}", title, f"file:{title}", {})


MILLS = [passage("Harrow Mill", "Harrow Mill is a cotton mill of 1874."), passage("Dean Mill", "Dean Mill is a cotton mill of 1851.")]


def test_a_number_is_read_from_the_sentence_that_speaks_of_it(kg: KnowledgeGraph) -> None:
    answer = kg.ask("How many weavers worked in the Harrow Mill?")
    assert (answer.answer, answer.known) == ("312", True)
    (citation,) = answer.citations
    (shown,) = [passage for passage in answer.passages if passage.iri == citation.chunk]
    assert shown.text[citation.start : citation.end] == citation.quote
    assert "312" in citation.quote


def test_what_the_passages_do_not_speak_of_is_not_known(kg: KnowledgeGraph) -> None:
    assert kg.ask("How many chimneys collapsed at the Harrow Mill?").known is False


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which was built first, Harrow Mill or Dean Mill?", "Dean Mill"),
        ("Which was built later, Harrow Mill or Dean Mill?", "Harrow Mill"),
        ("Was Harrow Mill or Dean Mill built first?", "Dean Mill"),
        ("Are Harrow Mill and Dean Mill both cotton mills?", "yes"),
        ("Are Harrow Mill and Dean Mill both lighthouses?", "no"),
    ],
)
def test_a_choice_rests_on_the_passages_about_what_is_compared(question: str, answer: str) -> None:
    decided = Decider().decide(question, MILLS)
    assert decided is not None
    assert decided.text == answer
    assert decided.quote == decided.passage.text


def test_nothing_is_decided_about_what_no_passage_is_about() -> None:
    assert Decider().decide("Which was built first, Harrow Mill or Oak Mill?", MILLS) is None
    assert Decider().decide("Which mill has the owner who died first, Harrow Mill or Dean Mill?", MILLS) is None
