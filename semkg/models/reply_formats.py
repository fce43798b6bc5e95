"""The ways in which servers are asked for JSON, and how the JSON is found in what they reply.

No way works everywhere: OpenAI wants strict schemas, llama.cpp takes `json_object` with a schema and answers HTTP 500 to `json_schema`,
others know only `json_object` or nothing at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import islice

from semkg import resources

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_MOST_OPENINGS = 100
_DECODER = json.JSONDecoder()


class ReplyFormat(Enum):
    """From the strictest to the one that needs nothing of the server."""

    STRICT_SCHEMA = "json_schema"
    OBJECT_WITH_SCHEMA = "json_object with schema"
    OBJECT = "json_object"
    TEXT = "text"

    def parameters(self, schema: Mapping[str, object]) -> dict[str, object]:
        """The parameters of a Chat Completions call that ask for this format."""
        match self:
            case ReplyFormat.STRICT_SCHEMA:
                named = {"name": "reply", "schema": strict(schema), "strict": True}
                return {"response_format": {"type": "json_schema", "json_schema": named}}
            case ReplyFormat.OBJECT_WITH_SCHEMA:
                return {"response_format": {"type": "json_object", "schema": schema}}
            case ReplyFormat.OBJECT:
                return {"response_format": {"type": "json_object"}}
            case ReplyFormat.TEXT:
                return {}


def schema_in_words(schema: Mapping[str, object]) -> str:
    """What a model is told about the form of its reply."""
    return prompt("models/json-reply.md").replace("{schema}", json.dumps(schema, ensure_ascii=False))


def prompt(name: str) -> str:
    """A prompt without its front matter."""
    return resources.read("prompts", name).split("---", 2)[2].strip()


def strict(schema: object) -> object:
    """The schema as OpenAI's strict mode wants it: no further properties, all required, no defaults.

    >>> strict({"type": "object", "properties": {"a": {"type": "string", "default": ""}}})["required"]
    ['a']
    """
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    found = {key: strict(value) for key, value in schema.items() if key != "default"}
    if found.get("type") == "object" and isinstance(properties := found.get("properties"), dict):
        found |= {"additionalProperties": False, "required": list(properties)}
    return found


def first_json(text: str) -> str | None:
    """The first JSON object in a reply, or else the first array, None where there is neither; what a model thinks first is passed over.

    >>> first_json('Sure! ```json {"known": true} ```')
    '{"known": true}'
    """
    rest = _THOUGHTS.sub("", text)
    for start in _openings(rest):
        try:
            _, end = _DECODER.raw_decode(rest, start)
        except (ValueError, RecursionError):
            continue
        return rest[start:end]
    return None


def _openings(text: str) -> Iterator[int]:
    """Where a JSON value may begin, objects first, since `[1]` is mostly a citation; not all of many, since each costs a pass."""
    for bracket in "{[":
        yield from (match.start() for match in islice(re.finditer(re.escape(bracket), text), _MOST_OPENINGS))
