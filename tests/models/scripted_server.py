"""An OpenAI-compatible server on the loopback device that behaves as a test tells it to, well or badly."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Request = dict[str, object]


@dataclass
class Answer:
    """What the server sends. `declared`: the length that it says it sends, where that is a lie; `pause`: seconds before each piece."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    declared: int | None = None
    pause: float = 0.0
    pieces: int = 1


Behaviour = Callable[[str, Request], Answer]


def body(value: object) -> Answer:
    return Answer(json.dumps(value).encode())


def refused(status: int, message: str = "no", **headers: str) -> Answer:
    return Answer(
        json.dumps({"error": {"message": message}}).encode(), status, {name.replace("_", "-"): value for name, value in headers.items()}
    )


def completion(content: str | None, finish_reason: str = "stop") -> Answer:
    return body({"choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish_reason}]})


def embeddings(rows: list[list[float]]) -> Answer:
    return body({"data": [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]})


class ScriptedServer(ThreadingHTTPServer):
    """`requests`: what it was asked; `behaviour`: what it answers."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[Request] = []
        self.keys: list[str] = []
        self.behaviour: Behaviour = lambda path, request: refused(500)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def answers(self, *answers: Answer) -> None:
        """One answer after the other; the last one again and again."""
        rest = list(answers)
        self.behaviour = lambda path, request: rest.pop(0) if len(rest) > 1 else rest[0]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedServer

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.requests.append(request)
        self.server.keys.append(self.headers.get("authorization", ""))
        answer = self.server.behaviour(self.path, request)
        self.send_response(answer.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer.body) if answer.declared is None else answer.declared))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        size = max(1, -(-len(answer.body) // answer.pieces))
        for start in range(0, len(answer.body), size):
            time.sleep(answer.pause)
            self.wfile.write(answer.body[start : start + size])
            self.wfile.flush()

    def log_message(self, format: str, *arguments: object) -> None:
        """Quietly."""


@contextlib.contextmanager
def serving() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
