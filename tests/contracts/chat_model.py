"""What every adapter of the `ChatModel` port must do; its tests inherit this class."""

from __future__ import annotations

import json
from collections.abc import Callable

from semkg.ports import ChatModel, ChatRequest, Message

SCHEMA = {"type": "object", "properties": {"echo": {"type": "string"}}, "required": ["echo"]}


def ask(text: str, schema: bool = False) -> ChatRequest:
    """A request whose reply must be, or hold under `echo`, the text itself."""
    return ChatRequest((Message("user", text),), SCHEMA if schema else None)


class ChatModelContract:
    """Inherit, and give a fixture `make` that returns a chat model which repeats the first line of the last message."""

    def test_a_request_without_a_schema_gives_the_reply_as_it_is(self, make: Callable[[], ChatModel]) -> None:
        assert make().complete(ask("lamp")) == "lamp"

    def test_a_request_with_a_schema_gives_json(self, make: Callable[[], ChatModel]) -> None:
        assert json.loads(make().complete(ask("lamp", schema=True))) == {"echo": "lamp"}

    def test_many_replies_come_in_the_order_of_the_requests(self, make: Callable[[], ChatModel]) -> None:
        words = [f"lamp {number}" for number in range(20)]
        assert make().complete_many([ask(word) for word in words]) == words

    def test_no_requests_give_no_replies(self, make: Callable[[], ChatModel]) -> None:
        assert make().complete_many([]) == []

    def test_it_has_a_name(self, make: Callable[[], ChatModel]) -> None:
        assert make().name
