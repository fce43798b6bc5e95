"""Rerankers: a cross-encoder that reads question and passage together (Nogueira and Cho 2019), or the chat model as a judge."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, create_model

from semkg.config import VARIABLES, Settings
from semkg.errors import Misconfigured, ModelUnavailable
from semkg.models.chat import ask_for, chat_model
from semkg.models.reply_formats import prompt
from semkg.models.sentence_transformers_model import LazyModel
from semkg.ports import ChatModel, ChatRequest, Message, Reranker

CHAT = "chat"
"""The name of the reranker that asks the chat model."""

PROMPT = "retrieve/rerank.md"

LONGEST = 1_500
"""Code points of a passage that the chat model is shown."""

_TOKENS_EACH, _TOKENS_AROUND = 24, 64
_PLACEHOLDER = re.compile(r"{(question|passages)}")


class CrossEncoderReranker:
    """Implements `Reranker` with any cross-encoder of sentence-transformers. Loads on first use; safe to share between threads."""

    def __init__(self, name_or_path: str) -> None:
        """`name_or_path`: a name on the Hugging Face hub, or a folder."""
        self._name = name_or_path
        self._model = LazyModel("CrossEncoder", name_or_path, f"the reranker {name_or_path}", Misconfigured, VARIABLES["reranker"])

    @property
    def name(self) -> str:
        return self._name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One number a text, as the model gives it.

        Raises:
            Misconfigured: sentence-transformers is not installed, the model cannot be loaded, or it is one that does not rank.
            ModelUnavailable: it failed.
        """
        import numpy as np

        if not texts:
            return []
        pairs = [(_encodable(question), _encodable(text)) for text in texts]
        try:
            scores = np.asarray(self._model().predict(pairs, show_progress_bar=False, convert_to_numpy=True), np.float64)
        except (RuntimeError, ValueError, IndexError) as error:
            raise ModelUnavailable(f"the reranker {self._name} failed ({error}): try another one with {VARIABLES['reranker']}") from error
        if scores.shape != (len(texts),):
            raise Misconfigured(
                f"{self._name} gives {scores.size // len(texts)} numbers for a text, a reranker gives one: "
                f"name a cross-encoder for ranking in {VARIABLES['reranker']}"
            )
        return _finite(scores.tolist(), self._name)


def _encodable(text: str) -> str:
    """Without lone surrogates, which no tokenizer and no server takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _finite(scores: list[float], name: str) -> list[float]:
    if not all(map(math.isfinite, scores)):
        raise ModelUnavailable(f"the reranker {name} gave a score that is no finite number: try another one with {VARIABLES['reranker']}")
    return scores


class Grade(BaseModel):
    """How well one passage helps to answer the question."""

    passage: int
    grade: int = Field(ge=0, le=10)


class Grades(BaseModel):
    """The judgement of a chat model."""

    grades: list[Grade]


class ChatReranker:
    """Implements `Reranker` with a chat model that is asked once for all the texts."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat

    @property
    def name(self) -> str:
        return self._chat.name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One grade from 0 to 10 a text.

        Raises:
            ModelUnavailable: there was no reply, or none that grades every text exactly once.
        """
        if not texts:
            return []
        reply_type = _grades_of(len(texts))
        listed = "\n\n".join(f"[{number}] {text[:LONGEST]}" for number, text in enumerate(texts, 1))
        filled = {"question": question, "passages": listed}
        # One pass: what looks like a placeholder in a passage stays what it is.
        content = _encodable(_PLACEHOLDER.sub(lambda place: filled[place[1]], prompt(PROMPT)))
        limit = _TOKENS_AROUND + _TOKENS_EACH * len(texts)
        reply = ask_for(self._chat, ChatRequest((Message("user", content),), reply_type.model_json_schema(), limit), reply_type)
        graded = {grade.passage: float(grade.grade) for grade in reply.grades}
        return [graded[number] for number in range(1, len(texts) + 1)]


def _grades_of(count: int) -> type[Grades]:
    """`Grades` for so many passages, each graded once."""

    def each_once(grades: list[Grade]) -> list[Grade]:
        if sorted(grade.passage for grade in grades) != list(range(1, count + 1)):
            raise ValueError(f"grade each of the passages 1 to {count} exactly once")
        return grades

    exactly = Annotated[list[Grade], Field(min_length=count, max_length=count), AfterValidator(each_once)]
    return create_model("Grades", __base__=Grades, grades=(exactly, ...))


def reranker(settings: Settings, cache: Path | None = None) -> Reranker | None:
    """The configured reranker; None where none is configured. Nothing is loaded or asked yet.

    Args:
        settings: `reranker` is `chat`, or the name or path of a cross-encoder.
        cache: a folder for replies of the chat model.

    Raises:
        Misconfigured: the chat model is to rerank, and none is configured.

    >>> reranker(Settings()) is None
    True
    """
    if not settings.reranker:
        return None
    if settings.reranker != CHAT:
        return CrossEncoderReranker(settings.reranker)
    chat = chat_model(settings, cache)
    if chat is None:
        raise Misconfigured(
            f"{VARIABLES['reranker']}={CHAT} needs a chat model: name one in {VARIABLES['chat_model']}, or unset {VARIABLES['reranker']}"
        )
    return ChatReranker(chat)
