"""Answers rest on facts of the graph: chains over documents, definitions, and a model that can cite only what it was shown."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from semkg import KnowledgeGraph
from semkg.agents.asked import Wanted, asked
from semkg.agents.responder import Citation, ModelResponder, _fitting
from semkg.errors import ModelUnavailable, UsageError
from semkg.ports import ChatRequest
from tests.graph.worlds import graph, tell

KINDS = {"Orion Glass": "Organization", "Halden Telescope": "Product", "Szeged": "Place", "Lyon": "Place", "Baltic Lens": "Organization"}


@pytest.fixture(scope="module")
def kg() -> KnowledgeGraph:
    made = graph()
    tell(made, "telescope", "The Halden Telescope was built by Orion Glass.", [("Orion Glass", "BUILT", "Halden Telescope")], KINDS)
    tell(made, "firm", "Ilona Varga founded Orion Glass.", [("Ilona Varga", "FOUNDED", "Orion Glass")], KINDS)
    tell(made, "woman", "Ilona Varga was born in Szeged.", [("Ilona Varga", "BORN_IN", "Szeged")], KINDS)
    tell(
        made,
        "other",
        "Jean Petit was born in Lyon and founded Baltic Lens.",
        [("Jean Petit", "BORN_IN", "Lyon"), ("Jean Petit", "FOUNDED", "Baltic Lens")],
        KINDS,
    )
    made._merger.resolve()
    return made


class ScriptedChat:
    """Gives these replies in turn, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.asked: list[str] = []

    def complete(self, request: ChatRequest) -> str:
        self.asked.append("\n".join(message.content for message in request.messages))
        return self.replies.pop(0)

    def complete_many(self, requests: Sequence[ChatRequest]) -> list[str]:
        return [self.complete(request) for request in requests]


@pytest.mark.parametrize(
    ("question", "words", "wanted"),
    [
        ("Where was the founder of Acme born?", ("found", "born"), Wanted.PLACE),
        ("When did the architect who designed Acme die?", ("architect", "design", "die"), Wanted.TIME),
        ("Who founded Acme?", ("found",), Wanted.AGENT),
        ("How many people does Acme employ?", ("employ",), Wanted.NUMBER),
        ("In which city is Acme?", (), Wanted.PLACE),
        ("Tell me of Acme", ("tell", "me"), Wanted.ANY),
    ],
)
def test_a_question_is_taken_apart(question: str, words: tuple[str, ...], wanted: Wanted) -> None:
    found = asked(question, ["acme"])
    assert (found.words, found.wanted) == (words, wanted)


def test_a_chain_over_three_documents_answers(kg: KnowledgeGraph) -> None:
    answer = kg.ask("Where was the founder of the company that built the Halden Telescope born?")
    assert (answer.answer, answer.known) == ("Szeged", True)
    assert [fact.text for fact in answer.facts] == [
        "Orion Glass built Halden Telescope",
        "Ilona Varga founded Orion Glass",
        "Ilona Varga born in Szeged",
    ]
    assert {citation.title for citation in answer.citations} == {"telescope", "firm", "woman"}


def test_the_direction_of_a_relation_does_not_matter_to_the_question(kg: KnowledgeGraph) -> None:
    assert kg.ask("Who founded Orion Glass?").answer == "Ilona Varga"
    assert kg.ask("What did Ilona Varga found?").answer == "Orion Glass"


def test_an_answer_is_of_the_kind_that_was_asked_for(kg: KnowledgeGraph) -> None:
    assert kg.ask("When was Ilona Varga born?").known is False


@pytest.mark.parametrize("question", ["Who painted the Mona Lisa?", "Who sank the Halden Telescope?", "Where did Ilona Varga die?"])
def test_what_no_fact_says_is_not_known(kg: KnowledgeGraph, question: str) -> None:
    answer = kg.ask(question)
    assert (answer.known, answer.answer, answer.citations) == (False, "", ())


def test_an_empty_question_is_a_usage_error(kg: KnowledgeGraph) -> None:
    with pytest.raises(UsageError, match="empty"):
        kg.ask(" ")


def test_an_empty_graph_knows_nothing_and_finds_nothing() -> None:
    empty = graph()
    assert empty.ask("Who founded Orion Glass?").known is False
    assert not empty.search("Orion Glass")


def test_a_model_answers_from_the_evidence_and_its_citations_are_the_stores(kg: KnowledgeGraph) -> None:
    chat = ScriptedChat(json.dumps({"answer": "Ilona Varga", "known": True, "citations": [1, 99, 1]}))
    answer = ModelResponder(kg._responder, chat).answer("Who founded Orion Glass?")
    assert (answer.answer, answer.known, answer.answered_by) == ("Ilona Varga", True, "scripted")
    assert len(answer.citations) == 1, "a number that was not shown cites nothing, and one cited twice counts once"
    assert "Ilona Varga founded Orion Glass." in chat.asked[0]
    quote = answer.citations[0].quote
    assert any(quote in passage.text for passage in answer.passages)


@pytest.mark.parametrize(
    "reply",
    [
        {"answer": "Napoleon", "known": True, "citations": []},
        {"answer": "Napoleon", "known": True, "citations": [77]},
        {"answer": "", "known": False},
    ],
)
def test_a_model_that_cites_nothing_knows_nothing(kg: KnowledgeGraph, reply: dict[str, object]) -> None:
    answer = ModelResponder(kg._responder, ScriptedChat(json.dumps(reply))).answer("Who founded Orion Glass?")
    assert (answer.known, answer.answer) == (False, "")


def test_a_model_that_never_gives_json_is_told_of_as_unavailable(kg: KnowledgeGraph) -> None:
    with pytest.raises(ModelUnavailable):
        ModelResponder(kg._responder, ScriptedChat(*["no idea"] * 9)).answer("Who founded Orion Glass?")


def test_a_model_is_shown_as_much_evidence_as_there_is_room_for() -> None:
    cited = [Citation("d", "t", "s", "c", 0, length, "x" * length) for length in (30, 50, 40)]
    pieces = [(citation, ()) for citation in cited]
    assert [len(citation.quote) for citation, _ in _fitting(pieces, 80)] == [30, 50]
    assert [len(citation.quote) for citation, _ in _fitting(pieces, 10)] == [30], "one piece is always shown"
    assert _fitting([], 10) == []
