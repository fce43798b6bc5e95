"""Records of JSON and JSON Lines files: each is a document of its own, with the fields that the caller names."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO
from urllib.parse import quote

from semkg.errors import BadInput
from semkg.ids import digest
from semkg.ingest.archives import LIMITS, MEGABYTE
from semkg.ingest.decoding import cleaned, decoded, writable

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Fields:
    """Which fields of a record are its title, text and identity; `.` leads into nested objects (`meta.title`).

    Without `id`, a record is identified by a digest of its title and text.
    """

    title: str = "title"
    text: str = "text"
    id: str = ""


DEFAULT_FIELDS = Fields()


@dataclass(frozen=True, slots=True)
class Record:
    """One record, and where in the file it stands (`record 3`, `line 3`)."""

    value: Json
    place: str


@dataclass(frozen=True, slots=True)
class RecordText:
    """What a record holds for us; the title is empty where it has none, `key` is the fragment that identifies it."""

    title: str
    text: str
    key: str


def json_records(content: bytes, fields: Fields) -> list[Record]:
    """The records of a JSON file: a list, an object with one list of objects, or one record.

    Raises:
        BadInput: it is no JSON, or there are no records in it.
    """
    value = _parsed(decoded(content))
    if isinstance(value, dict) and _at(value, fields.text) is None:
        lists = [item for item in value.values() if isinstance(item, list) and any(isinstance(entry, dict) for entry in item)]
        if len(lists) != 1:
            raise BadInput(
                f"it has neither a field {fields.text!r} nor exactly one list of records: name the text's field with --text-field"
            )
        value = lists[0]
    entries = value if isinstance(value, list) else [value]
    if not entries:
        raise BadInput("it holds no records: leave it out")
    return [Record(entry, f"record {number}") for number, entry in enumerate(entries, 1)]


def json_line_records(stream: BinaryIO) -> Iterator[Record | BadInput]:
    """The records of a JSON Lines file, read line by line; a line that is no JSON is given as an error, the others go on."""
    for number, line in enumerate(_lines(stream), 1):
        if len(line) == LIMITS.file and not line.endswith(b"\n"):
            yield BadInput(f"line {number} is longer than {LIMITS.file // MEGABYTE} MB: it cannot be read on; split the file")
            return
        if not line.strip(b" \t\r\n\xef\xbb\xbf\0"):
            continue
        try:
            yield Record(_parsed(decoded(line)), f"line {number}")
        except BadInput as error:
            yield BadInput(f"line {number}: {error}")


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines, cut at the largest length that is read at once; UTF-16 with a byte order mark becomes UTF-8."""
    first = stream.readline(LIMITS.file)
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        stream.seek(0)
        with io.TextIOWrapper(stream, encoding="utf-16", errors="replace", newline="\n") as text:
            while line := text.readline(LIMITS.file):
                yield line.encode("utf-8", "replace")
        return
    while first:
        yield first
        first = stream.readline(LIMITS.file)


def record_text(record: Record, fields: Fields) -> RecordText:
    """The title, text and identity of a record.

    Raises:
        BadInput: it is no object, lacks the text or the named identity, or holds something else there.
    """
    if not isinstance(record.value, dict):
        raise BadInput(f"{record.place} is not an object with fields: each record must be one")
    text = _text(record, fields)
    if not text.strip():
        has = ", ".join(sorted(record.value)[:12])
        raise BadInput(f"{record.place} has no text in the field {fields.text!r}: name the field with --text-field (it has {has})")
    title = " ".join(writable(_words(record, fields.title, " ")).split()) if fields.title else ""
    return RecordText(title, text, _key(record, fields, title, text))


def _key(record: Record, fields: Fields, title: str, text: str) -> str:
    if not fields.id:
        return digest(title, text)
    value = _at(record.value, fields.id)
    if not isinstance(value, str | int) or isinstance(value, bool) or not str(value).strip():
        raise BadInput(f"{record.place} has no identity in the field {fields.id!r}: name the field with --id-field")
    return quote(str(value).strip().encode("utf-8", "replace"), safe="/:@!$&'()*+,;=-._~")


def _text(record: Record, fields: Fields) -> str:
    try:
        return cleaned(_words(record, fields.text, "\n\n"))
    except BadInput as error:
        raise BadInput(str(error) if record.place in str(error) else f"{record.place}: {error}") from error


def _words(record: Record, field: str, between: str) -> str:
    value = _at(record.value, field)
    strings: Sequence[Json] = value if isinstance(value, list) else [value if value is not None else ""]
    if not all(isinstance(item, str) for item in strings):
        raise BadInput(f"{record.place} holds no text but something else in the field {field!r}: name the field of the text")
    return between.join(str(item) for item in strings)


def _at(value: Json, field: str) -> Json:
    """The value at a dotted path; a field whose own name has dots comes first."""
    if isinstance(value, dict) and field in value:
        return value[field]
    for name in field.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def _parsed(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"it is no JSON ({error.msg} at line {error.lineno} column {error.colno}): mend it there") from error
    except (RecursionError, ValueError) as error:
        raise BadInput(f"it is JSON that nobody can read ({error}): it is nested too deeply or holds too long a number") from error
    return value
