from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from semkg.errors import ModelUnavailable
from semkg.models import EndpointChat
from semkg.models.endpoint import Endpoint
from semkg.models.reply_formats import strict
from semkg.ports import ChatRequest, Message
from tests.contracts.chat_model import SCHEMA, ChatModelContract, ask
from tests.models.scripted_server import Answer, Behaviour, Request, ScriptedServer, completion, refused


def response_format(request: Request) -> dict[str, Any]:
    found = request.get("response_format", {})
    assert isinstance(found, dict)
    return found


def format_of(request: Request) -> str:
    found = response_format(request)
    return f"{found.get('type', 'text')}{' with schema' if 'schema' in found else ''}"


def said(request: Request) -> str:
    messages = request["messages"]
    assert isinstance(messages, list)
    return str(messages[-1]["content"])


def echo(path: str, request: Request) -> Answer:
    """A good server: repeats the first line, as JSON where JSON is asked for."""
    line = said(request).splitlines()[0]
    return completion(json.dumps({"echo": line}) if "response_format" in request else line)


@pytest.fixture
def make(server: ScriptedServer, waits: list[float]) -> Callable[[], EndpointChat]:
    server.behaviour = echo
    return lambda: EndpointChat(Endpoint(server.base_url, sleep=waits.append), "small")


class TestContract(ChatModelContract):
    @pytest.fixture
    def make(self, make: Callable[[], EndpointChat]) -> Callable[[], EndpointChat]:
        return make


def test_the_request_is_what_chat_completions_takes(make: Callable[[], EndpointChat], server: ScriptedServer) -> None:
    make().complete(ChatRequest((Message("system", "be brief"), Message("user", "lamp")), max_tokens=9, temperature=0.5))
    expected = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "lamp"}]
    assert server.requests == [{"model": "small", "messages": expected, "max_tokens": 9, "temperature": 0.5}]


def answering(understood: set[str], status: int, otherwise: str = '{"echo": "lamp"}') -> Behaviour:
    """A server that answers `status` to every format but those that it understands."""

    def behaviour(path: str, request: Request) -> Answer:
        return completion(otherwise) if format_of(request) in understood else refused(status)

    return behaviour


ORDER = ["json_schema", "json_object with schema", "json_object", "text"]


@pytest.mark.parametrize("status", [400, 422, 500])
@pytest.mark.parametrize("understood", ORDER)
def test_the_strictest_format_that_a_server_understands_is_found_and_remembered(
    make: Callable[[], EndpointChat], server: ScriptedServer, waits: list[float], understood: str, status: int
) -> None:
    chat = make()
    server.behaviour = answering({understood}, status)
    for _ in range(2):
        assert json.loads(chat.complete(ask("lamp", schema=True))) == {"echo": "lamp"}
    assert [format_of(request) for request in server.requests] == [*ORDER[: ORDER.index(understood) + 1], understood]
    assert waits == []


def test_the_schema_is_told_in_words_too(make: Callable[[], EndpointChat], server: ScriptedServer) -> None:
    make().complete(ask("lamp", schema=True))
    assert json.dumps(SCHEMA) in said(server.requests[0])


def test_a_server_that_passes_over_the_format_is_understood_by_the_json_in_its_reply(
    make: Callable[[], EndpointChat], server: ScriptedServer
) -> None:
    server.answers(completion('<think>{"echo": "no"}</think>Of course!\n```json\n{"echo": "lamp"}\n``` Anything else?'))
    chat = make()
    server.answers(completion('<think>{"echo": "no"}</think>Of course!\n```json\n{"echo": "lamp"}\n``` Anything else?'))
    assert json.loads(chat.complete(ask("lamp", schema=True))) == {"echo": "lamp"}


def test_a_busy_server_is_waited_for_and_not_taken_for_one_that_does_not_understand(
    make: Callable[[], EndpointChat], server: ScriptedServer, waits: list[float]
) -> None:
    chat = make()
    server.answers(refused(429, retry_after="2"), completion('{"echo": "lamp"}'))
    chat.complete(ask("lamp", schema=True))
    assert [format_of(request) for request in server.requests] == ["json_schema", "json_schema"]
    assert waits == [2.0]


def test_a_server_that_fails_later_is_asked_in_the_same_way_again(
    make: Callable[[], EndpointChat], server: ScriptedServer, waits: list[float]
) -> None:
    chat = make()
    chat.complete(ask("lamp", schema=True))
    server.answers(refused(500), completion('{"echo": "door"}'))
    chat.complete(ask("door", schema=True))
    assert {format_of(request) for request in server.requests} == {"json_schema"}
    assert waits == [0.5]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (completion(""), "empty"),
        (completion(None), "empty"),
        (completion("  \n"), "empty"),
        (Answer(b""), "did not answer with a completion"),
        (Answer(b'{"choices": [{"mess'), "did not answer with a completion"),
        (Answer(b'{"choices": []}'), "did not answer with a completion"),
        (Answer(b'{"choices": [{"message": {"content": 7}}]}'), "did not answer with a completion"),
        (completion("The lamp is", finish_reason="length"), "did not come to an end"),
    ],
)
def test_a_reply_that_cannot_be_used_is_an_error_with_the_server_and_the_model(
    make: Callable[[], EndpointChat], server: ScriptedServer, answer: Answer, message: str
) -> None:
    chat = make()
    server.answers(answer)
    with pytest.raises(ModelUnavailable, match=message) as raised:
        chat.complete(ask("lamp"))
    assert server.base_url in str(raised.value)
    assert len(server.requests) <= 4


@pytest.mark.parametrize("content", ["no JSON here", '{"echo": "la', "{{{{", "", "[" * 100_000])
def test_a_reply_without_json_is_an_error_within_bounds(make: Callable[[], EndpointChat], server: ScriptedServer, content: str) -> None:
    chat = make()
    server.answers(completion(content))
    with pytest.raises(ModelUnavailable, match=r"JSON|empty"):
        chat.complete(ask("lamp", schema=True))
    assert len(server.requests) <= 7


def test_json_that_is_whole_may_be_followed_by_words_that_are_cut(make: Callable[[], EndpointChat], server: ScriptedServer) -> None:
    chat = make()
    server.answers(completion('{"echo": "lamp"} and so on and', finish_reason="length"))
    assert json.loads(chat.complete(ask("lamp", schema=True))) == {"echo": "lamp"}


def test_parameters_that_a_model_does_not_take_are_learnt(make: Callable[[], EndpointChat], server: ScriptedServer) -> None:
    chat = make()

    def newer(path: str, request: Request) -> Answer:
        if "max_tokens" in request:
            return refused(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "temperature" in request:
            return refused(400, "Unsupported value: 'temperature' does not support 0.0 with this model.")
        return echo(path, request)

    server.behaviour = newer
    assert [chat.complete(ask("lamp")), chat.complete(ask("door"))] == ["lamp", "door"]
    assert len(server.requests) == 4
    assert server.requests[-1]["max_completion_tokens"] == 512


def test_one_failure_among_many_ends_them_all(make: Callable[[], EndpointChat], server: ScriptedServer) -> None:
    chat = make()
    server.behaviour = lambda path, request: refused(401) if said(request) == "bad" else echo(path, request)
    with pytest.raises(ModelUnavailable, match="401"):
        chat.complete_many([ask("bad"), *(ask(f"lamp {number}") for number in range(200))])
    assert len(server.requests) < 100


def test_many_requests_are_under_way_at_once(make: Callable[[], EndpointChat], server: ScriptedServer) -> None:
    import threading

    together = threading.Barrier(4, timeout=5)
    chat = make()

    def behaviour(path: str, request: Request) -> Answer:
        together.wait()
        return echo(path, request)

    server.behaviour = behaviour
    assert chat.complete_many([ask(str(number)) for number in range(8)]) == [str(number) for number in range(8)]


def test_a_strict_schema_closes_every_object() -> None:
    inner = {"type": "object", "properties": {"b": {"type": "integer", "default": 1}}}
    closed = strict({"type": "object", "properties": {"a": {"anyOf": [inner, {"type": "null"}]}}, "$defs": {"Inner": inner}})
    expected = {"type": "object", "properties": {"b": {"type": "integer"}}, "additionalProperties": False, "required": ["b"]}
    assert isinstance(closed, dict)
    assert closed["$defs"] == {"Inner": expected}
    assert closed["properties"]["a"]["anyOf"][0] == expected
    assert closed["required"] == ["a"]
