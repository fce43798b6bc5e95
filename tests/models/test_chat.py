from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from semkg.config import Settings
from semkg.errors import Misconfigured, ModelUnavailable, SemkgError
from semkg.models import CachedChat, EndpointChat, ask_for, chat_model, parse_reply
from semkg.models.reply_formats import first_json
from semkg.ports import ChatRequest, Message
from tests.contracts.chat_model import ChatModelContract, ask


class Verdict(BaseModel):
    known: bool
    score: int = Field(default=0, ge=0, le=9)


REQUEST = ChatRequest((Message("user", "is it known?"),), Verdict.model_json_schema())
GOOD = '{"known": true, "score": 3}'


class ScriptedChat:
    """Replies in turn; the last one again and again."""

    name = "scripted"

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.requests: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> str:
        self.requests.append(request)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    def complete_many(self, requests: Sequence[ChatRequest]) -> list[str]:
        return [self.complete(request) for request in requests]


class EchoChat(ScriptedChat):
    def complete(self, request: ChatRequest) -> str:
        self.requests.append(request)
        line = request.messages[-1].content.splitlines()[0]
        return json.dumps({"echo": line}) if request.schema else line


class TestCachedChat(ChatModelContract):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Callable[[], CachedChat]:
        return lambda: CachedChat(EchoChat(), tmp_path / "cache")


@pytest.mark.parametrize(
    "text", [GOOD, f"Sure:\n```json\n{GOOD}\n```", f"<think>{{}}</think>{GOOD}", f"{{broken {GOOD}", f"As [1] says: {GOOD}"]
)
def test_a_reply_is_read_from_the_words_around_it(text: str) -> None:
    assert parse_reply(Verdict, text) == Verdict(known=True, score=3)


@pytest.mark.parametrize("text", ["", "no", "{", '{"known": "perhaps"}', '{"known": true, "score": 10}', "[]", "null", "{}", "[" * 50_000])
def test_a_malformed_reply_is_an_error_that_tells_what_is_wrong(text: str) -> None:
    with pytest.raises(ModelUnavailable, match="not a valid Verdict"):
        parse_reply(Verdict, text)


@given(st.text())
def test_any_reply_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ModelUnavailable):
        assert isinstance(parse_reply(Verdict, text), Verdict)


@given(st.text(alphabet="ab[ ]}\"'<>\n"), st.dictionaries(st.text(), st.integers() | st.text()))
def test_the_first_json_object_is_found_behind_any_words(words: str, value: dict[str, int]) -> None:
    found = first_json(words + json.dumps(value))
    assert found is not None
    assert json.loads(found) == value


def test_a_model_is_asked_again_with_what_was_wrong() -> None:
    chat = ScriptedChat("perhaps", '{"known": true, "score": 77}', GOOD)
    assert ask_for(chat, REQUEST, Verdict) == Verdict(known=True, score=3)
    first, second, third = chat.requests
    assert first == REQUEST
    assert second.messages[:1] == third.messages[:1] == REQUEST.messages
    assert [message.role for message in third.messages] == ["user", "assistant", "user"]
    assert third.messages[1].content == '{"known": true, "score": 77}'
    assert "score: Input should be less than or equal to 9" in third.messages[2].content


def test_a_model_is_not_asked_for_ever() -> None:
    chat = ScriptedChat("perhaps")
    with pytest.raises(ModelUnavailable, match="Verdict"):
        ask_for(chat, REQUEST, Verdict, retries=2)
    assert len(chat.requests) == 3


def test_a_reply_that_validated_is_replayed(tmp_path: Path) -> None:
    first = ScriptedChat(GOOD)
    ask_for(CachedChat(first, tmp_path), REQUEST, Verdict)
    second = ScriptedChat("never asked")
    assert ask_for(CachedChat(second, tmp_path), REQUEST, Verdict) == Verdict(known=True, score=3)
    assert second.requests == []


def test_a_reply_that_did_not_validate_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable):
        ask_for(CachedChat(ScriptedChat("perhaps"), tmp_path), REQUEST, Verdict)
    assert list(tmp_path.iterdir()) == []


def test_a_reply_to_the_second_asking_is_replayed_at_the_first(tmp_path: Path) -> None:
    ask_for(CachedChat(ScriptedChat("perhaps", GOOD), tmp_path), REQUEST, Verdict)
    silent = ScriptedChat("never asked")
    ask_for(CachedChat(silent, tmp_path), REQUEST, Verdict)
    assert silent.requests == []


def test_a_kept_reply_that_no_longer_validates_is_asked_for_again(tmp_path: Path) -> None:
    CachedChat(ScriptedChat(""), tmp_path).keep(REQUEST, '{"known": "formerly valid"}')
    assert ask_for(CachedChat(ScriptedChat(GOOD), tmp_path), REQUEST, Verdict).score == 3
    assert ask_for(CachedChat(ScriptedChat("never asked"), tmp_path), REQUEST, Verdict).score == 3


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"reply": 7}', b"\xff\xfe", b'{"answer": ""}'])
def test_a_damaged_file_of_the_cache_is_as_none(tmp_path: Path, content: bytes) -> None:
    chat = CachedChat(ScriptedChat(GOOD), tmp_path)
    chat.keep(REQUEST, GOOD)
    next(tmp_path.iterdir()).write_bytes(content)
    assert chat.kept(REQUEST) is None
    chat.keep(REQUEST, GOOD)
    assert chat.kept(REQUEST) == GOOD


def test_other_models_and_other_requests_have_their_own_replies(tmp_path: Path) -> None:
    chat = CachedChat(ScriptedChat(GOOD), tmp_path)
    chat.keep(REQUEST, GOOD)
    other = ScriptedChat(GOOD)
    other.name = "other"
    assert CachedChat(other, tmp_path).kept(REQUEST) is None
    assert chat.kept(ChatRequest(REQUEST.messages)) is None
    assert chat.kept(ChatRequest(REQUEST.messages, REQUEST.schema, max_tokens=7)) is None


def test_of_many_requests_only_those_without_a_kept_reply_are_asked(tmp_path: Path) -> None:
    inner = EchoChat()
    chat = CachedChat(inner, tmp_path)
    chat.keep(ask("b"), "kept")
    assert chat.complete_many([ask("a"), ask("b"), ask("c")]) == ["a", "kept", "c"]
    assert len(inner.requests) == 2


def test_the_cache_leaves_no_unfinished_file(tmp_path: Path) -> None:
    (tmp_path / "0123.json.tmp").write_bytes(b"half")
    CachedChat(ScriptedChat(GOOD), tmp_path).keep(REQUEST, GOOD)
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"a file where the folder should be")
    with pytest.raises(SemkgError, match="cache"):
        ask_for(CachedChat(ScriptedChat(GOOD), tmp_path / "cache"), REQUEST, Verdict)


def test_there_is_a_chat_model_only_where_one_is_configured(tmp_path: Path) -> None:
    assert chat_model(Settings()) is None
    with pytest.raises(Misconfigured, match="OPENAI_BASE_URL"):
        chat_model(Settings(chat_model="small"))
    settings = Settings(chat_model="small", api_base="http://127.0.0.1:1/v1")
    assert isinstance(chat_model(settings), EndpointChat)
    assert isinstance(chat_model(settings, tmp_path), CachedChat)
