"""Calls to an OpenAI-compatible server (Chat Completions and Embeddings), bounded in time, bytes and attempts.

RFC 9110 §10.2.3 (Retry-After) and RFC 6585 §4 (429) are honoured.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from semkg.config import VARIABLES, Settings
from semkg.errors import Misconfigured, ModelUnavailable

DEFAULT_BASE = "https://api.openai.com/v1"

ATTEMPTS = 4
LONGEST_WAIT = 30.0
"""Seconds. A server that asks for a longer pause is not waited for."""

_FIRST_WAIT = 0.5
_CONNECT_SECONDS = 10.0
_RETRIED = (408, 409, 425, 429)

Reply = TypeVar("Reply")


class Failure(ModelUnavailable):
    """One call failed. `status`: of HTTP, 0 where there was none; `passing`: it may go better next time."""

    def __init__(self, message: str, status: int = 0, passing: bool = True, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.status = status
        self.passing = passing
        self.retry_after = retry_after


class Unusable(Failure):
    """The server answered, but with something else than was asked for."""


def passing(failure: Failure) -> bool:
    """Whether to try again: what an `Endpoint` does by default."""
    return failure.passing


class Endpoint:
    """One server. The client library is loaded at the first call; safe to share between threads."""

    def __init__(
        self, base_url: str, api_key: str = "", timeout: float = 60.0, attempts: int = ATTEMPTS, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Nothing is opened yet.

        Args:
            base_url: up to and with `/v1`.
            api_key: empty for a server that wants none.
            timeout: seconds for one attempt.
            attempts: how often a call is made before it has failed.
            sleep: waits some seconds.
        """
        self.base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._attempts = attempts
        self._sleep = sleep
        self._lock = threading.Lock()
        self._client: Any = None

    def call(
        self,
        resource: str,
        parameters: Mapping[str, object],
        read: Callable[[bytes], Reply],
        most_bytes: int,
        again: Callable[[Failure], bool] = passing,
    ) -> Reply:
        """Call until `read` accepts the reply.

        Args:
            resource: `embeddings` or `chat.completions`.
            parameters: of the call.
            read: raises `Unusable` for a body that is no usable reply.
            most_bytes: of a reply; a longer one is not read to its end.
            again: after which failures to call again.

        Raises:
            Failure: no usable reply within the bounds.
        """
        attempt = 1
        while True:
            try:
                return read(self._body(resource, parameters, most_bytes))
            except Failure as failure:
                if attempt >= self._attempts or not again(failure) or failure.retry_after > LONGEST_WAIT:
                    raise
                self._sleep(max(failure.retry_after, min(_FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT)))
                attempt += 1

    def _body(self, resource: str, parameters: Mapping[str, object], most_bytes: int) -> bytes:
        import openai

        target = self._opened()
        for part in resource.split("."):
            target = getattr(target, part)
        # Not a moment of the day, only how long it takes.
        deadline = time.monotonic() + self._timeout
        try:
            with target.with_streaming_response.create(**parameters) as response:
                return self._read(response, most_bytes, deadline)
        except openai.APIStatusError as error:
            raise self._refused(error) from error
        except openai.APITimeoutError as error:
            raise self._late() from error
        except openai.APIConnectionError as error:
            raise Failure(f"{self.base_url} cannot be reached ({error.__cause__ or error}): {_LOOK}") from error
        except _transport_errors() as error:
            raise Failure(f"{self.base_url} broke off its reply ({error or type(error).__name__}): {_LOOK}") from error

    def _read(self, response: Any, most_bytes: int, deadline: float) -> bytes:
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if len(body) > most_bytes:
                raise Unusable(
                    f"{self.base_url} sent more than {most_bytes:,} bytes: ask for less, or look at the server's log", passing=False
                )
            if time.monotonic() > deadline:
                raise self._late()
        return bytes(body)

    def _late(self) -> Failure:
        wait = VARIABLES["api_timeout"]
        return Failure(f"{self.base_url} did not answer within {self._timeout:g} s: look whether it works, or allow more with {wait}")

    def _refused(self, error: Any) -> Failure:
        status: int = error.status_code
        said = " ".join(str(error.message).split())[:300]
        advice = {401: _KEY, 403: _KEY, 404: _NAME, 429: "it is busy, or your quota is used up: try again later"}.get(status, _LOOK)
        wait = _seconds(error.response.headers.get("retry-after", ""))
        return Failure(f"{self.base_url} answered {status} ({said}): {advice}", status, status >= 500 or status in _RETRIED, wait)

    def _opened(self) -> Any:
        import openai

        with self._lock:
            if self._client is None:
                timeout = openai.Timeout(self._timeout, connect=min(self._timeout, _CONNECT_SECONDS))
                # The library insists on a key; a server without keys does not look at it.
                self._client = openai.OpenAI(api_key=self._api_key or "none", base_url=self.base_url, timeout=timeout, max_retries=0)
            return self._client


_LOOK = f"look whether the server runs there, and at {VARIABLES['api_base']}"
_KEY = f"check {VARIABLES['api_key']}"
_NAME = f"check the model's name and {VARIABLES['api_base']}"


def endpoint(settings: Settings) -> Endpoint:
    """The configured server.

    Raises:
        Misconfigured: neither a server nor a key is configured.
    """
    if not settings.api_base and not settings.api_key:
        raise Misconfigured(f"a model behind an endpoint needs {VARIABLES['api_base']} (a server of your own) or {VARIABLES['api_key']}")
    return Endpoint(settings.api_base or DEFAULT_BASE, settings.api_key, settings.api_timeout)


def _seconds(value: str) -> float:
    """Retry-After in seconds; a date there counts as no wish."""
    return float(value) if value.strip().isascii() and value.strip().isdecimal() else 0.0


def _transport_errors() -> tuple[type[Exception], ...]:
    """What openai's HTTP library raises while a body is read; it has changed its name between versions."""
    return tuple(sys.modules[name].HTTPError for name in ("httpx", "httpx2") if name in sys.modules)
