from __future__ import annotations

import socket
import time

import pytest

from semkg.config import Settings
from semkg.errors import Misconfigured, ModelUnavailable
from semkg.models.endpoint import Endpoint, Failure, endpoint
from tests.models.scripted_server import Answer, ScriptedServer, completion, refused

CALL = {"model": "m", "messages": [{"role": "user", "content": "x"}]}


def call(server: ScriptedServer, waits: list[float], timeout: float = 5.0, most_bytes: int = 10_000) -> bytes:
    made = Endpoint(server.base_url, "key", timeout, sleep=waits.append)
    return made.call("chat.completions", CALL, bytes, most_bytes)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_call_that_fails_for_now_is_made_again(server: ScriptedServer, waits: list[float], status: int) -> None:
    server.answers(refused(status), refused(status), completion("lamp"))
    assert b"lamp" in call(server, waits)
    assert len(server.requests) == 3
    assert waits == [0.5, 1.0]


def test_the_wait_that_a_server_asks_for_is_kept(server: ScriptedServer, waits: list[float]) -> None:
    server.answers(refused(429, retry_after="7"), completion("lamp"))
    call(server, waits)
    assert waits == [7.0]


def test_a_server_that_asks_for_too_long_a_wait_is_not_waited_for(server: ScriptedServer, waits: list[float]) -> None:
    server.answers(refused(429, retry_after="3600"))
    with pytest.raises(ModelUnavailable, match="429"):
        call(server, waits)
    assert waits == []


@pytest.mark.parametrize("wish", ["Wed, 21 Oct 2015 07:28:00 GMT", "-5", "nan", "soon"])
def test_a_wish_that_is_no_number_of_seconds_is_passed_over(server: ScriptedServer, waits: list[float], wish: str) -> None:
    server.answers(refused(503, retry_after=wish), completion("lamp"))
    call(server, waits)
    assert waits == [0.5]


def test_the_number_of_attempts_is_bounded(server: ScriptedServer, waits: list[float]) -> None:
    server.answers(refused(500, "out of order"))
    with pytest.raises(ModelUnavailable, match=r"500 .*out of order") as raised:
        call(server, waits)
    assert len(server.requests) == 4
    assert server.base_url in str(raised.value)


@pytest.mark.parametrize(("status", "advice"), [(400, "OPENAI_BASE_URL"), (401, "OPENAI_API_KEY"), (403, "OPENAI_API_KEY"), (404, "name")])
def test_a_call_that_is_wrong_is_not_made_again(server: ScriptedServer, waits: list[float], status: int, advice: str) -> None:
    server.answers(refused(status))
    with pytest.raises(ModelUnavailable, match=advice):
        call(server, waits)
    assert len(server.requests) == 1


def test_the_key_is_not_part_of_any_message(server: ScriptedServer, waits: list[float]) -> None:
    server.answers(refused(401))
    with pytest.raises(ModelUnavailable) as raised:
        Endpoint(server.base_url, "sk-secret", sleep=waits.append).call("chat.completions", CALL, bytes, 100)
    assert server.keys == ["Bearer sk-secret"]
    assert "sk-secret" not in str(raised.value)


def test_a_server_that_does_not_answer_is_given_up(server: ScriptedServer, waits: list[float]) -> None:
    def slow(path: str, request: object) -> Answer:
        time.sleep(0.6)
        return completion("late")

    server.behaviour = slow
    with pytest.raises(ModelUnavailable, match=r"did not answer within 0\.2 s.*SEMKG_API_TIMEOUT"):
        call(server, waits, timeout=0.2)
    assert len(waits) == 3


def test_a_reply_that_trickles_without_end_is_given_up(server: ScriptedServer, waits: list[float]) -> None:
    server.answers(Answer(b" " * 400, pause=0.05, pieces=400))
    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match="did not answer within"):
        Endpoint(server.base_url, timeout=0.3, attempts=1).call("chat.completions", CALL, bytes, 10_000)
    assert time.monotonic() - started < 3


def test_a_reply_without_end_is_not_read_to_its_end(server: ScriptedServer, waits: list[float]) -> None:
    server.answers(Answer(b" " * 3_000_000))
    with pytest.raises(ModelUnavailable, match="10,000 bytes"):
        call(server, waits)
    assert len(server.requests) == 1


def test_a_reply_that_breaks_off_is_asked_for_again(server: ScriptedServer, waits: list[float]) -> None:
    whole = completion("lamp")
    server.answers(Answer(whole.body[:20], declared=len(whole.body)), whole)
    assert b"lamp" in call(server, waits)
    assert len(server.requests) == 2


def test_a_server_that_is_not_there_is_named(waits: list[float]) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(ModelUnavailable, match=rf"127\.0\.0\.1:{port}.*cannot be reached"):
        Endpoint(f"http://127.0.0.1:{port}/v1", sleep=waits.append).call("chat.completions", CALL, bytes, 100)
    assert len(waits) == 3


def test_who_reads_the_reply_can_ask_for_another(server: ScriptedServer, waits: list[float]) -> None:
    server.answers(completion("bad"), completion("good"))

    def read(body: bytes) -> str:
        if b"bad" in body:
            raise Failure("bad")
        return "good"

    assert Endpoint(server.base_url, sleep=waits.append).call("chat.completions", CALL, read, 10_000) == "good"


def test_an_endpoint_needs_a_server_or_a_key() -> None:
    with pytest.raises(Misconfigured, match=r"OPENAI_BASE_URL.*OPENAI_API_KEY"):
        endpoint(Settings())
    assert endpoint(Settings(api_key="k")).base_url == "https://api.openai.com/v1"
    assert endpoint(Settings(api_base="http://127.0.0.1:1/v1")).base_url == "http://127.0.0.1:1/v1"
