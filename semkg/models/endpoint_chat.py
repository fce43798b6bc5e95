"""A chat model behind an OpenAI-compatible server (Chat Completions)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from pydantic import BaseModel, Field, ValidationError

from semkg.models.endpoint import Endpoint, Failure, Unusable, passing
from semkg.models.reply_formats import ReplyFormat, first_json, schema_in_words
from semkg.ports import ChatRequest

MOST_BYTES = 4_000_000
THREADS = 4

_NOT_UNDERSTOOD = (400, 415, 422, 500, 501)
"""What servers answer to a `response_format` that they do not know."""


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)


class EndpointChat:
    """Implements `ChatModel`. Learns at its first calls what the server understands; safe to share between threads."""

    def __init__(self, endpoint: Endpoint, model: str, threads: int = THREADS) -> None:
        """Nothing is asked yet.

        Args:
            endpoint: the server.
            model: as the server calls it.
            threads: how many requests of `complete_many` are under way at once.
        """
        self._endpoint = endpoint
        self._model = model
        self._threads = threads
        self._format: ReplyFormat | None = None
        self._limit = "max_tokens"
        self._with_temperature = True

    @property
    def name(self) -> str:
        return self._model

    def complete(self, request: ChatRequest) -> str:
        if request.schema is None:
            return self._ask(request, None)
        if self._format:
            return self._ask(request, self._format)
        return self._first_json_reply(request)

    def complete_many(self, requests: Sequence[ChatRequest]) -> list[str]:
        with ThreadPoolExecutor(self._threads) as pool:
            try:
                return list(pool.map(self.complete, requests))
            finally:
                # Where one failed, those that have not begun are not asked.
                pool.shutdown(wait=False, cancel_futures=True)

    def _first_json_reply(self, request: ChatRequest) -> str:
        """Try the ways of asking for JSON, strictest first, and remember the one that gave some."""
        *demanding, plain = ReplyFormat
        for format in demanding:
            try:
                reply = self._ask(request, format, lambda failure: passing(failure) and not _may_be_the_format(failure))
            except Failure as failure:
                if not _may_be_the_format(failure):
                    raise
            else:
                self._format = format
                return reply
        reply = self._ask(request, plain)
        self._format = plain
        return reply

    def _ask(self, request: ChatRequest, format: ReplyFormat | None, again: Callable[[Failure], bool] = passing) -> str:
        parameters = self._parameters(request, format)
        try:
            return self._endpoint.call(
                "chat.completions", parameters, lambda body: self._read(body, json=format is not None), MOST_BYTES, again
            )
        except Failure as failure:
            if self._learns(failure):
                return self._ask(request, format, again)
            raise

    def _parameters(self, request: ChatRequest, format: ReplyFormat | None) -> dict[str, object]:
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        parameters: dict[str, object] = {"model": self._model, "messages": messages, self._limit: request.max_tokens}
        if self._with_temperature:
            parameters["temperature"] = request.temperature
        if format and request.schema is not None:
            # In the last message, since some models take a system message only at the beginning, and others none.
            messages[-1]["content"] += "\n\n" + schema_in_words(request.schema)
            parameters |= format.parameters(request.schema)
        return parameters

    def _learns(self, failure: Failure) -> bool:
        """Whether the server said which parameter it does not take: OpenAI's newer models have another limit and no temperature."""
        said = str(failure)
        if failure.status != 400:
            return False
        if "max_completion_tokens" in said and self._limit == "max_tokens":
            self._limit = "max_completion_tokens"
            return True
        if "'temperature'" in said and self._with_temperature:
            self._with_temperature = False
            return True
        return False

    def _read(self, body: bytes, json: bool) -> str:
        where = f"{self._endpoint.base_url}, model {self._model},"
        try:
            choice = _Completion.model_validate_json(body).choices[0]
        except ValidationError as error:
            raise Unusable(f"{where} did not answer with a completion: check that it serves a chat model") from error
        reply = choice.message.content or ""
        cut = choice.finish_reason == "length"
        found = first_json(reply) if json else reply.strip()
        if cut and (not json or not found):
            raise Unusable(f"{where} did not come to an end within the tokens allowed: allow more, or use another model", passing=False)
        if not found:
            what = "replied without JSON" if reply.strip() else "gave an empty reply"
            raise Unusable(f"{where} {what}: look at the server's log, or use another model")
        return found


def _may_be_the_format(failure: Failure) -> bool:
    return isinstance(failure, Unusable) or failure.status in _NOT_UNDERSTOOD
