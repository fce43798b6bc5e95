"""Chat models with typed replies: asking until a reply validates, and replaying replies that did (DESIGN §2, law 5)."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from semkg.config import Settings, write_atomically
from semkg.errors import ModelUnavailable, translated_os_errors
from semkg.models.endpoint import endpoint
from semkg.models.endpoint_chat import EndpointChat
from semkg.models.reply_formats import first_json, prompt
from semkg.ports import ChatModel, ChatRequest, Message

Typed = TypeVar("Typed", bound=BaseModel)

RETRIES = 2

_SHOWN = 2_000  # code points of a wrong reply that a model is shown again
_PROBLEMS = 5


def parse_reply(model: type[Typed], text: str) -> Typed:
    """The typed value of a reply that holds JSON, with or without words around it.

    Raises:
        ModelUnavailable: there is no JSON, or it does not validate; the message tells a model what to do instead.
    """
    try:
        return model.model_validate_json(first_json(text) or text)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)[:_PROBLEMS]
        told = "; ".join(f"{'.'.join(map(str, problem['loc'])) or 'the reply'}: {problem['msg']}" for problem in problems)
        raise ModelUnavailable(f"the model's reply is not a valid {model.__name__} ({told}): ask again, or use another model") from error


def ask_for(chat: ChatModel, request: ChatRequest, reply_type: type[Typed], retries: int = RETRIES) -> Typed:
    """Ask until a reply validates; the model is told what was wrong with the one before.

    A reply that validates is kept by a `CachedChat`, under the request as it was given.

    Args:
        chat: the model.
        request: with the schema of `reply_type`, or with none.
        reply_type: what the reply must be.
        retries: how often to ask again.

    Raises:
        ModelUnavailable: no reply validated.
    """
    turn = request
    while True:
        text = chat.complete(turn)
        try:
            reply = parse_reply(reply_type, text)
        except ModelUnavailable as problem:
            if retries < 1:
                raise
            retries -= 1
            turn = _with_complaint(request, text, problem)
        else:
            if isinstance(chat, CachedChat):
                chat.keep(request, text)
            return reply


def _with_complaint(request: ChatRequest, text: str, problem: ModelUnavailable) -> ChatRequest:
    complaint = prompt("models/ask-again.md").replace("{problem}", str(problem))
    return replace(request, messages=(*request.messages, Message("assistant", text[:_SHOWN]), Message("user", complaint)))


class CachedChat:
    """Implements `ChatModel`: replays replies from a folder, one file a request, named by the sha256 of model and request.

    Only what somebody found valid is kept: see `keep`.
    """

    def __init__(self, chat: ChatModel, folder: Path) -> None:
        """`folder`: made when the first reply is kept."""
        self._chat = chat
        self._folder = folder
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._chat.name

    def complete(self, request: ChatRequest) -> str:
        kept = self.kept(request)
        return self._chat.complete(request) if kept is None else kept

    def complete_many(self, requests: Sequence[ChatRequest]) -> list[str]:
        replies = [self.kept(request) for request in requests]
        asked = iter(self._chat.complete_many([request for request, kept in zip(requests, replies, strict=True) if kept is None]))
        return [next(asked) if kept is None else kept for kept in replies]

    def kept(self, request: ChatRequest) -> str | None:
        """The reply that was kept; None where there is none, or where its file is damaged."""
        path = self._path(request)
        with translated_os_errors(path):
            try:
                content = path.read_bytes()
            except FileNotFoundError:
                return None
        try:
            reply = json.loads(content)["reply"]
        except (ValueError, KeyError, TypeError):
            return None
        return reply if isinstance(reply, str) else None

    def keep(self, request: ChatRequest, reply: str) -> None:
        """Keep a reply that validated, so that the same request gives it again.

        Raises:
            StorageFull, StorageError, PermissionDenied: it could not be written.
        """
        path = self._path(request)
        content = json.dumps({"model": self.name, "request": _plain(request), "reply": reply}, ensure_ascii=False, indent=1)
        with self._lock:
            if self.kept(request) == reply:
                return
            with translated_os_errors(path):
                self._folder.mkdir(parents=True, exist_ok=True)
                for unfinished in self._folder.glob("*.json.tmp"):
                    unfinished.unlink(missing_ok=True)
            write_atomically(path, content.encode("utf-8", "backslashreplace"))

    def _path(self, request: ChatRequest) -> Path:
        content = json.dumps([self.name, _plain(request)], sort_keys=True)
        return self._folder / f"{hashlib.sha256(content.encode()).hexdigest()}.json"


def _plain(request: ChatRequest) -> dict[str, object]:
    return {**asdict(replace(request, schema=None)), "schema": None if request.schema is None else dict(request.schema)}


def chat_model(settings: Settings, cache: Path | None = None) -> ChatModel | None:
    """The configured chat model; None where none is configured.

    Args:
        settings: model, server and key.
        cache: a folder for replies that validated.

    Raises:
        Misconfigured: a model is named, but neither a server nor a key.
    """
    if not settings.chat_model:
        return None
    chat = EndpointChat(endpoint(settings), settings.chat_model)
    return CachedChat(chat, cache) if cache else chat
