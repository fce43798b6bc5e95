"""Answers read from the best passages: the sentence that fits a question best, and in it the span of the kind that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from semkg.agents.asked import Asked
from semkg.agents.chains import Closeness, alike
from semkg.agents.spans import Span, SpanFinder
from semkg.graph.texts import chunk_text
from semkg.ids import normal_name
from semkg.ingest.sentences import sentences
from semkg.retrieve import Passage
from semkg.retrieve.stems import STOP, stem, stems

PASSAGES = 5
SENTENCES = 10
"""Sentences that are embedded; those are chosen by the words that they share with the question."""

COVERED = 0.5
"""Least share of the question's words, its names aside, that the sentence and its title account for."""

ENOUGH = 0.58
"""Least confidence of an answer."""


@dataclass(frozen=True, slots=True)
class Extract:
    """An answer and the sentence that it stands in. Offsets are code points of the passage's text."""

    text: str
    confidence: float
    passage: Passage
    start: int
    end: int

    @property
    def quote(self) -> str:
        """The sentence."""
        return self.passage.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Fitting:
    """A sentence of a passage. `covered`: share of the question's words; `fit`: with closeness in meaning, at most 1."""

    passage: Passage
    start: int
    end: int
    covered: float
    fit: float

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]


class Extractor:
    """Reads answers from passages."""

    def __init__(self, spans: SpanFinder, closeness: Closeness) -> None:
        self._spans = spans
        self._closeness = closeness

    def extract(self, question: str, asked: Asked, passages: Sequence[Passage]) -> Extract | None:
        """The most certain answer, None where none is certain enough."""
        found = [extract for sentence in self._sentences(question, asked, passages) for extract in self._answers(question, asked, sentence)]
        best = max(found, key=lambda extract: (extract.confidence, extract.text), default=None)
        return best if best and best.confidence >= ENOUGH else None

    def _sentences(self, question: str, asked: Asked, passages: Sequence[Passage]) -> list[Fitting]:
        told = [
            Fitting(passage, start, end, covered, 0.0)
            for passage in passages[:PASSAGES]
            for start, end in sentences(passage.text)
            if (covered := share(asked.words, chunk_text(passage.title, passage.text[start:end]))) >= COVERED
        ]
        chosen = sorted(told, key=lambda sentence: -sentence.covered)[:SENTENCES]
        self._closeness.prepare([question, *(_titled(sentence) for sentence in chosen)])
        return [
            Fitting(
                each.passage, each.start, each.end, each.covered, (each.covered + max(0.0, self._closeness(question, _titled(each)))) / 2
            )
            for each in chosen
        ]

    def _answers(self, question: str, asked: Asked, sentence: Fitting) -> list[Extract]:
        named = f" {normal_name(question)} "
        spans = [
            span
            for span in self._spans.spans(sentence.passage.iri, sentence.passage.text, question, asked.wanted)
            if sentence.start <= span.start and span.end <= sentence.end and f" {normal_name(span.text)} " not in named
        ]
        longest = [span for span in spans if not any(_inside(span, other) for other in spans)]
        return [
            Extract(
                span.text,
                round(sentence.fit * span.sure * _nearness(span, sentence, asked), 3),
                sentence.passage,
                sentence.start,
                sentence.end,
            )
            for span in longest
        ]


def share(words: Sequence[str], text: str) -> float:
    """Share of the stems `words` that a text speaks of; 0 of no words."""
    said = set(stems(text))
    return sum(any(alike(word, other) for other in said) for word in words) / len(words) if words else 0.0


def _titled(sentence: Fitting) -> str:
    return chunk_text(sentence.passage.title, sentence.text)


def _inside(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end and (other.start, other.end) != (span.start, span.end)


def _nearness(span: Span, sentence: Fitting, asked: Asked) -> float:
    """From 0.7 to 1: how near the span stands to the words that the question asks by."""
    before = normal_name(sentence.passage.text[sentence.start : span.start]).split()
    after = normal_name(sentence.passage.text[span.end : sentence.end]).split()
    distances = [
        distance
        for words in (before[::-1], after)
        for distance, word in enumerate(words)
        if word not in STOP and any(alike(stem(word), other) for other in asked.words)
    ]
    return 0.7 + 0.3 / (1 + min(distances) / 3) if distances else 0.7
