"""Rerankers: a cross-encoder and a chat model order texts by how well they answer, or say why they cannot."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from semkg.config import Settings, settings
from semkg.errors import Misconfigured, ModelUnavailable
from semkg.models import ChatReranker, CrossEncoderReranker, EndpointChat, reranker
from semkg.models.endpoint import Endpoint
from semkg.models.reranking import LONGEST
from semkg.ports import Reranker
from tests.models.scripted_server import Answer, Request, ScriptedServer, completion, refused

QUESTION = "Who built the lamp?"
TEXTS = ["Rain fell on Vale.", "Mira Holt built the lamp.", "The lamp is green."]


class RerankerContract:
    """Inherit, and give a fixture `make` that returns a reranker."""

    def test_every_text_gets_one_number(self, make: Callable[[], Reranker]) -> None:
        scores = make().score(QUESTION, TEXTS)
        assert len(scores) == len(TEXTS)
        assert all(isinstance(score, float) for score in scores)

    def test_no_texts_get_no_numbers(self, make: Callable[[], Reranker]) -> None:
        assert make().score(QUESTION, []) == []

    def test_the_same_texts_get_the_same_numbers(self, make: Callable[[], Reranker]) -> None:
        one = make()
        assert one.score(QUESTION, TEXTS) == one.score(QUESTION, TEXTS) == make().score(QUESTION, TEXTS)

    def test_any_text_can_be_scored(self, make: Callable[[], Reranker]) -> None:
        assert len(make().score("\ud800?", ["", "{question} {passages}", "ß \udfff", "word " * 3_000])) == 4


# --- the chat model ------------------------------------------------------------------------------------------------------------------


def shown(request: Request) -> str:
    messages = request["messages"]
    assert isinstance(messages, list)
    return str(messages[0]["content"]).split("Passages:")[1].split("Reply with one JSON object")[0]


def judging(path: str, request: Request) -> Answer:
    """A judge that counts the words that a passage shares with the question."""
    passages = re.findall(r"^\[(\d+)\] (.*?)(?=\n\n\[|\Z)", shown(request).strip(), re.DOTALL | re.MULTILINE)
    asked = set(QUESTION.lower().strip("?").split())
    return graded([(int(number), min(10, len(asked & set(text.lower().strip(".").split())))) for number, text in passages])


def graded(grades: list[tuple[int, int]]) -> Answer:
    return completion(json.dumps({"grades": [{"passage": number, "grade": grade} for number, grade in grades]}))


@pytest.fixture
def by_chat(server: ScriptedServer, waits: list[float]) -> Callable[[], ChatReranker]:
    server.behaviour = judging
    return lambda: ChatReranker(EndpointChat(Endpoint(server.base_url, sleep=waits.append), "judge"))


class TestChatContract(RerankerContract):
    @pytest.fixture
    def make(self, by_chat: Callable[[], ChatReranker]) -> Callable[[], ChatReranker]:
        return by_chat


def test_a_chat_model_grades_all_passages_in_one_request(by_chat: Callable[[], ChatReranker], server: ScriptedServer) -> None:
    assert by_chat().score(QUESTION, TEXTS) == [0.0, 3.0, 2.0]
    (request,) = server.requests
    assert request["model"] == "judge"
    assert all(f"[{number}] {text}" in shown(request) for number, text in enumerate(TEXTS, 1))
    assert "json_schema" in json.dumps(request["response_format"])


def test_grades_are_matched_by_number_whatever_their_order(by_chat: Callable[[], ChatReranker], server: ScriptedServer) -> None:
    chat = by_chat()
    server.answers(graded([(3, 1), (1, 9), (2, 5)]))
    assert chat.score(QUESTION, TEXTS) == [9.0, 5.0, 1.0]


def test_a_long_passage_is_shown_in_part(by_chat: Callable[[], ChatReranker], server: ScriptedServer) -> None:
    by_chat().score(QUESTION, ["x" * 50_000])
    assert shown(server.requests[0]).count("x") == LONGEST


def test_placeholders_in_a_question_stay_what_they_are(by_chat: Callable[[], ChatReranker], server: ScriptedServer) -> None:
    by_chat().score("What is {passages}?", ["It is {question}."])
    assert "It is {question}." in shown(server.requests[0])


WRONG: dict[str, list[tuple[int, int]]] = {
    "a number that no passage has": [(1, 5), (2, 5), (4, 5)],
    "numbers from zero": [(0, 5), (1, 5), (2, 5)],
    "a passage twice": [(1, 5), (2, 5), (2, 6)],
    "a passage left out": [(1, 5), (2, 5)],
    "a passage too many": [(1, 5), (2, 5), (3, 5), (4, 5)],
    "a grade off the scale": [(1, 5), (2, 5), (3, 11)],
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_reply_with_wrong_numbers_is_refused(by_chat: Callable[[], ChatReranker], server: ScriptedServer, wrong: str) -> None:
    chat = by_chat()
    server.answers(graded(WRONG[wrong]))
    with pytest.raises(ModelUnavailable, match="not a valid Grades"):
        chat.score(QUESTION, TEXTS)


def test_a_model_that_is_told_what_was_wrong_may_do_better(by_chat: Callable[[], ChatReranker], server: ScriptedServer) -> None:
    chat = by_chat()
    server.answers(graded([(1, 5)]), graded([(1, 5), (2, 6), (3, 7)]))
    assert chat.score(QUESTION, TEXTS) == [5.0, 6.0, 7.0]
    assert "exactly once" in json.dumps(server.requests[1]) or "at least 3" in json.dumps(server.requests[1])


@pytest.mark.parametrize("answer", [refused(401), completion("I cannot."), Answer(b"", 503)])
def test_a_server_that_gives_no_grades_is_unavailable(by_chat: Callable[[], ChatReranker], server: ScriptedServer, answer: Answer) -> None:
    chat = by_chat()
    server.answers(answer)
    with pytest.raises(ModelUnavailable):
        chat.score(QUESTION, TEXTS)


# --- a cross-encoder -----------------------------------------------------------------------------------------------------------------


def save_cross_encoder(folder: Path, labels: int = 1) -> Path:
    """A BERT of one layer with random weights, and a vocabulary of single characters and their continuations."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir(parents=True)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.?"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    state = torch.random.get_rng_state()
    torch.manual_seed(7)
    shape: dict[str, Any] = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=len(words), num_labels=labels, max_position_embeddings=128, initializer_range=1.0, **shape)
    BertForSequenceClassification(config).eval().save_pretrained(folder)
    torch.random.set_rng_state(state)
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=128).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_cross_encoder(tmp_path_factory.mktemp("models") / "tiny")


@pytest.mark.model
class TestCrossEncoder(RerankerContract):
    @pytest.fixture
    def make(self, cross_encoder: Path) -> Callable[[], CrossEncoderReranker]:
        return lambda: CrossEncoderReranker(str(cross_encoder))

    def test_a_number_depends_on_the_question_and_on_the_text(self, make: Callable[[], Reranker]) -> None:
        made = make()
        assert len(set(made.score(QUESTION, TEXTS))) == len(TEXTS)
        assert made.score(QUESTION, TEXTS) != made.score("Is it green?", TEXTS)

    def test_a_number_does_not_depend_on_the_other_texts(self, make: Callable[[], Reranker]) -> None:
        made = make()
        alone = [made.score(QUESTION, [text])[0] for text in TEXTS]
        assert made.score(QUESTION, TEXTS) == pytest.approx(alone, abs=1e-4)

    def test_a_model_that_gives_several_numbers_is_no_reranker(self, tmp_path: Path) -> None:
        several = CrossEncoderReranker(str(save_cross_encoder(tmp_path / "several", labels=3)))
        with pytest.raises(Misconfigured, match="3 numbers for a text"):
            several.score(QUESTION, TEXTS)

    def test_numbers_that_are_not_finite_are_refused(self, tmp_path: Path) -> None:
        import torch
        from safetensors.torch import load_file, save_file

        folder = save_cross_encoder(tmp_path / "broken")
        weights = load_file(folder / "model.safetensors")
        weights["classifier.bias"] = torch.tensor([float("nan")])
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        with pytest.raises(ModelUnavailable, match="no finite number"):
            CrossEncoderReranker(str(folder)).score(QUESTION, TEXTS)

    @pytest.mark.parametrize("content", [{}, {"config.json": "{}"}, {"config.json": "no JSON"}, {"config.json": '{"model_type": "bert"}'}])
    def test_a_folder_without_a_model_is_a_wrong_setting(self, tmp_path: Path, content: dict[str, str]) -> None:
        for name, text in content.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        with pytest.raises(Misconfigured, match=r"cannot be loaded.*SEMKG_RERANKER"):
            CrossEncoderReranker(str(tmp_path)).score(QUESTION, TEXTS)


# --- by name -------------------------------------------------------------------------------------------------------------------------


def test_nothing_is_reranked_by_default() -> None:
    assert reranker(settings({"SEMKG_CHAT_MODEL": "judge"})) is None


def test_the_setting_names_a_cross_encoder_or_the_chat_model() -> None:
    server = {"OPENAI_BASE_URL": "http://localhost:1/v1", "SEMKG_CHAT_MODEL": "judge"}
    by_chat = reranker(settings({**server, "SEMKG_RERANKER": "chat"}))
    assert isinstance(by_chat, ChatReranker)
    assert by_chat.name == "judge"
    by_name = reranker(settings({"SEMKG_RERANKER": "some/cross-encoder"}))
    assert isinstance(by_name, CrossEncoderReranker)
    assert by_name.name == "some/cross-encoder"


def test_the_chat_model_cannot_rerank_where_there_is_none() -> None:
    with pytest.raises(Misconfigured, match="SEMKG_CHAT_MODEL"):
        reranker(Settings(reranker="chat"))


def test_grades_are_replayed_from_the_cache(server: ScriptedServer, tmp_path: Path) -> None:
    given = Settings(reranker="chat", chat_model="judge", api_base=server.base_url)
    server.behaviour = judging
    for _ in range(2):
        made = reranker(given, tmp_path)
        assert made is not None
        assert made.score(QUESTION, TEXTS) == [0.0, 3.0, 2.0]
    assert len(server.requests) == 1
