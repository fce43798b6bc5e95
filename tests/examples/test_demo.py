"""The example as a newcomer meets it: built with the packaged model, three questions that need two documents each, right and cited."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from semkg import KnowledgeGraph

EXAMPLE = Path(__file__).parents[2] / "examples" / "observatory"
QUESTIONS = json.loads((EXAMPLE / "questions.json").read_text(encoding="utf-8"))

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def kg() -> KnowledgeGraph:
    made = KnowledgeGraph.in_memory()
    report = made.build([EXAMPLE / "pages"])
    assert report.problems == []
    return made


@pytest.mark.parametrize("item", QUESTIONS, ids=[item["id"] for item in QUESTIONS])
def test_each_question_is_answered_from_its_two_documents(kg: KnowledgeGraph, item: dict[str, str]) -> None:
    answer = kg.ask(item["question"])
    assert answer.answer in (item["answer"], *item["aliases"])
    cited = {citation.source.rsplit("/", 1)[-1] for citation in answer.citations}
    assert cited == set(item["documents"])
    for citation in answer.citations:
        assert citation.quote in _chunk(kg, citation.chunk)


def test_the_graph_is_healthy_and_every_vector_is_of_the_packaged_model(kg: KnowledgeGraph) -> None:
    assert kg.doctor().healthy
    assert kg.parts.embedder.id.name == "all-MiniLM-L6-v2"


def _chunk(kg: KnowledgeGraph, iri: str) -> str:
    rows = kg.sparql(f"SELECT ?text {{ <{iri}> <https://w3id.org/semkg/ns#text> ?text }}")
    return "".join(row["text"].value for row in rows)  # type: ignore[union-attr]  # a SELECT with one bound literal
