"""QASPER: references as the official evaluator takes them, a paper as a reader gets it, and evidence by overlapping chunks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from semkg.cli.main import run
from semkg.errors import BadInput
from semkg.evaluate.datasets import file_of
from semkg.evaluate.papers import Chunking, evaluate_papers, evidence_metrics
from semkg.evaluate.qasper import Paper, read_papers
from semkg.evaluate.runs import Plan
from tests.evaluate.worlds import GIVEN, papers, written


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "papers.json", papers())


@pytest.fixture
def paper(path: Path) -> Paper:
    (only,) = read_papers(path)
    return only


def test_references_are_those_of_the_official_evaluator(paper: Paper) -> None:
    spans, free = paper.questions[0].references
    assert (spans.answer, spans.type) == ("forty words, by hand", "extractive")
    assert (free.answer, free.type) == ("forty", "abstractive")
    verdict, silent = paper.questions[1].references
    assert (verdict.answer, verdict.type) == ("Yes", "boolean")
    assert (silent.answer, silent.type, silent.evidence) == ("Unanswerable", "none", frozenset())


def test_evidence_is_paragraphs_without_floats(paper: Paper) -> None:
    assert [paper.paragraphs[number][:14] for number in paper.questions[1].references[0].evidence] == ["Every boat was"]


def test_evidence_that_is_no_paragraph_stays_to_be_missed(tmp_path: Path) -> None:
    record = papers()
    record[0]["qas"]["answers"][0]["answer"][0]["evidence"].append("Data ::: Words")
    (paper,) = read_papers(written(tmp_path / "papers.json", record))
    evidence = paper.questions[0].references[0].evidence
    assert len(evidence) == 2
    assert max(evidence) >= len(paper.paragraphs)


def test_a_paper_is_rendered_with_its_sections_and_without_its_questions(paper: Paper) -> None:
    text = paper.markdown()
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == ["# Tides and Boats", "## Abstract", "## Data", "### Words", "## Method"]
    assert all(question.text not in text for question in paper.questions)
    for paragraph, spans in zip(paper.paragraphs, paper.spans(text), strict=True):
        assert spans
        assert all(text[start:end] == paragraph for start, end in spans)
    tides = next(number for number, text in enumerate(paper.paragraphs) if "tides of the fjord" in text)
    assert len(paper.spans(text)[tides]) == 2


def test_evidence_counts_with_the_best_annotator_who_quotes_the_text() -> None:
    measured = evidence_metrics([[1], [2, 3], [4]], [frozenset({2}), frozenset({1, 9}), frozenset()])
    assert measured["recall@1"] == 0.5
    assert measured["recall@3"] == 1
    assert measured["retrieved_evidence_f1@1"] == pytest.approx(2 / 3)
    assert measured["retrieved_evidence_f1@3"] == pytest.approx(0.4)  # 1, 2, 3, 4 against 2: precision 1/4, recall 1


def test_a_question_that_rests_on_no_text_is_not_measured() -> None:
    assert evidence_metrics([[1]], [frozenset()]) == {}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda record: record["full_text"]["section_name"].pop(), "3 section names for 4 sections"),
        (lambda record: record["qas"]["question_id"].pop(), "different length in qas"),
        (lambda record: record.pop("abstract"), "record 1, field abstract"),
        (lambda record: record.update(id="../escape"), "record 1, field id"),
        (lambda record: record.update(id=".."), "record 1, field id"),
        (lambda record: record["qas"]["answers"][0]["answer"][0].update(extractive_spans=[]), "question p1 has an answer that is neither"),
    ],
)
def test_a_damaged_paper_is_named(change: Any, message: str, tmp_path: Path) -> None:
    record = papers()
    change(record[0])
    with pytest.raises(BadInput, match=message) as raised:
        read_papers(written(tmp_path / "papers.json", record))
    assert "papers.json" in str(raised.value)


def test_papers_without_questions_or_with_one_id_are_refused(tmp_path: Path) -> None:
    silent = papers()
    silent[0]["qas"] = {"question": [], "question_id": [], "answers": []}
    with pytest.raises(BadInput, match="holds no questions"):
        read_papers(written(tmp_path / "silent.json", silent))
    with pytest.raises(BadInput, match="two papers have one id"):
        read_papers(written(tmp_path / "twice.json", papers() * 2))


@pytest.mark.model
class TestRuns:
    def test_the_paragraphs_of_the_retrieved_chunks_are_measured(self, paper: Paper, path: Path, tmp_path: Path) -> None:
        made = evaluate_papers([paper], file_of(path), tmp_path / "kg", Chunking("paragraph", 200), Plan(mode="lexical"), GIVEN)
        lexicon, boats, unpaid = made.per_question
        assert lexicon.metrics["recall@5"] == boats.metrics["recall@5"] == 1
        assert lexicon.metrics["recall@1"] == 1
        assert unpaid.metrics == {}
        assert made.metrics["recall@8"] == 1
        assert (made.settings["chunker"], made.settings["chunk_size"]) == ("paragraph", 200)
        assert made.graph.documents == 1

    def test_answers_are_compared_with_every_annotator(
        self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("SEMKG_EMBEDDER", "hashing-64")
        monkeypatch.setenv("COLUMNS", "160")
        monkeypatch.delenv("SEMKG_CHAT_MODEL", raising=False)
        command = ["evaluate", "qasper", "--papers", str(path), "--kg", str(tmp_path / "kg"), "--answers", "--mode", "vector"]
        assert run(command) == 0
        first = capsys.readouterr().out
        assert "answer_f1" in first
        assert run(command) == 0, "the graphs that are there are used again"
        assert sorted(folder.name for folder in (tmp_path / "kg").iterdir()) == ["papers", "structural-1200"]

    def test_an_unanswered_question_counts_as_unanswerable(self, paper: Paper, path: Path, tmp_path: Path) -> None:
        made = evaluate_papers([paper], file_of(path), tmp_path / "kg", Chunking(), Plan(), GIVEN, answers=True)
        unpaid = made.per_question[2]
        assert unpaid.metrics["answered"] == 0
        assert (unpaid.metrics["answer_f1"], unpaid.metrics["evidence_f1"]) == (1, 1)
