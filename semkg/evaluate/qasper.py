"""QASPER (Dasigi et al. 2021): papers with questions, several annotators' answers, and the paragraphs that they rest on.

A paper is rendered as Markdown with its title, abstract, sections and paragraphs; nothing of its questions, answers and evidence is in it.
What an annotator's answer is follows the official evaluator: "Unanswerable", "Yes", "No", the spans joined by a comma, or free text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from semkg.errors import BadInput
from semkg.evaluate.datasets import content_of, told

FLOAT = "FLOAT SELECTED"
"""Marks evidence that is a figure or a table; the text-only evaluation leaves it out."""

UNANSWERABLE = "Unanswerable"

Span = tuple[int, int]
"""From a code point up to and without another."""

_SECTIONS = " ::: "


@dataclass(frozen=True, slots=True)
class Reference:
    """What one annotator said. `evidence`: paragraphs by their number in the paper; a quotation that is none has a number past the last."""

    answer: str
    type: str
    evidence: frozenset[int]


@dataclass(frozen=True, slots=True)
class PaperQuestion:
    """A question about one paper."""

    id: str
    text: str
    references: tuple[Reference, ...]

    @property
    def type(self) -> str:
        """The type of the first annotator's answer."""
        return self.references[0].type


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper. `sections`: its headings, outermost first, with their paragraphs; the abstract is the first of them."""

    id: str
    title: str
    sections: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    questions: tuple[PaperQuestion, ...]

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The distinct paragraphs in the order of the paper; evidence is told by their numbers."""
        return tuple(dict.fromkeys(text for _, texts in self.sections for text in texts))

    def markdown(self) -> str:
        """The paper as a reader gets it."""
        blocks = [f"# {self.title}"]
        open_headings: tuple[str, ...] = ()
        for headings, texts in self.sections:
            shared = _shared(open_headings, headings)
            blocks += [f"{'#' * min(6, level + 2)} {headings[level]}" for level in range(shared, len(headings))]
            blocks += texts
            open_headings = headings
        return "\n\n".join(blocks) + "\n"

    def spans(self, text: str) -> list[list[Span]]:
        """Where each of `paragraphs` stands in a text that was made from the Markdown; a repeated one stands in several places."""
        found: dict[str, list[Span]] = {paragraph: [] for paragraph in self.paragraphs}
        end = 0
        for paragraph in (paragraph for _, texts in self.sections for paragraph in texts):
            start = text.find(paragraph, end)
            if start >= 0:
                end = start + len(paragraph)
                found[paragraph].append((start, end))
        return list(found.values())


class FullText(BaseModel):
    """The body of a paper, section by section."""

    section_name: list[str | None]
    paragraphs: list[list[str]]


class AnswerRecord(BaseModel):
    """One annotator's answer."""

    unanswerable: bool
    extractive_spans: list[str] = Field(default_factory=list)
    yes_no: bool | None = None
    free_form_answer: str = ""
    evidence: list[str] = Field(default_factory=list)


class AnswerRecords(BaseModel):
    """All annotators' answers to one question."""

    answer: list[AnswerRecord] = Field(min_length=1)


class QuestionRecords(BaseModel):
    """The questions of a paper, column by column."""

    question: list[str]
    question_id: list[str]
    answers: list[AnswerRecords]


class PaperRecord(BaseModel):
    """A paper as the file has it (QASPER v0.3 in columns)."""

    id: str = Field(pattern=r"^\w[\w.-]*$")
    title: str = Field(min_length=1)
    abstract: str
    full_text: FullText
    qas: QuestionRecords


def read_papers(path: Path) -> tuple[Paper, ...]:
    """Read papers with their questions.

    Raises:
        BadInput: the file is malformed or holds no questions; the message names the file and the place.
        StorageError, PermissionDenied: it cannot be read.
    """
    try:
        records = TypeAdapter(list[PaperRecord]).validate_json(content_of(path))
    except ValidationError as error:
        raise BadInput(f"{path}: {told(error)}") from error
    papers = tuple(_paper(record, f"{path}: paper {record.id}") for record in records)
    if not any(paper.questions for paper in papers):
        raise BadInput(f"{path}: it holds no questions: give a list of papers with full_text and qas")
    if len({paper.id for paper in papers}) < len(papers):
        raise BadInput(f"{path}: two papers have one id: give each its own")
    return papers


def _paper(record: PaperRecord, place: str) -> Paper:
    text, asked = record.full_text, record.qas
    if len(text.section_name) != len(text.paragraphs):
        raise BadInput(f"{place} has {len(text.section_name)} section names for {len(text.paragraphs)} sections: give one each")
    if not len(asked.question) == len(asked.question_id) == len(asked.answers):
        raise BadInput(f"{place} has columns of different length in qas: give each question its id and its answers")
    sections = tuple(_sections(record))
    numbers = {text: number for number, text in enumerate(dict.fromkeys(text for _, texts in sections for text in texts))}
    rows = zip(asked.question_id, asked.question, asked.answers, strict=True)
    questions = (PaperQuestion(id, text, _references(answers.answer, numbers, f"{place}: question {id}")) for id, text, answers in rows)
    return Paper(record.id, _line(record.title), sections, tuple(questions))


def _sections(record: PaperRecord) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    yield ("Abstract",), tuple(_filled([record.abstract]))
    for name, texts in zip(record.full_text.section_name, record.full_text.paragraphs, strict=True):
        headings = tuple(_line(part) for part in (name or "").split(_SECTIONS) if part.strip())
        yield headings, tuple(_filled(texts))


def _filled(texts: Sequence[str]) -> list[str]:
    return [text.strip() for text in texts if text.strip()]


def _references(answers: Sequence[AnswerRecord], numbers: dict[str, int], place: str) -> tuple[Reference, ...]:
    return tuple(_reference(answer, numbers, place) for answer in answers)


def _reference(record: AnswerRecord, numbers: dict[str, int], place: str) -> Reference:
    if record.unanswerable:
        return Reference(UNANSWERABLE, "none", frozenset())
    quoted = [text.strip() for text in record.evidence if FLOAT not in text]
    return Reference(*_answer(record, place), frozenset(numbers.get(text, len(numbers) + place) for place, text in enumerate(quoted)))


def _answer(record: AnswerRecord, place: str) -> tuple[str, str]:
    """The answer and its type (`get_answers_and_evidence` of the official evaluator)."""
    if record.extractive_spans:
        return ", ".join(record.extractive_spans), "extractive"
    if record.free_form_answer:
        return record.free_form_answer, "abstractive"
    if record.yes_no is not None:
        return ("Yes" if record.yes_no else "No"), "boolean"
    raise BadInput(f"{place} has an answer that is neither unanswerable nor spans, text, yes or no: mend it")


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _shared(before: Sequence[str], after: Sequence[str]) -> int:
    """How many outer headings are open already; a section that repeats the headings before it opens its own again."""
    shared = next(
        (level for level, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), min(len(before), len(after))
    )
    return min(shared, max(0, len(after) - 1))
