"""Files of recorded triples: which record belongs to which document, and which of its rows cannot be used."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from semkg.errors import BadInput, translated_os_errors
from semkg.extract.recorded import Recorded, recorded
from semkg.ingest import Fields, SourceProblem
from semkg.ingest.archives import LIMITS, MEGABYTE
from semkg.ingest.records import Record, json_line_records, json_records, record_text

LINES = (".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Recordings:
    """A file's records by the source of the document that each becomes, and one problem for each row that is left out."""

    by_source: dict[str, Recorded]
    problems: tuple[SourceProblem, ...]


def read_recordings(path: Path, fields: Fields) -> Recordings:
    """Read a JSON or JSON Lines file of records with `entities` and `triples`.

    A record that is no document has no recording: reading the file as a source tells of it.

    Raises:
        BadInput: the file is no JSON, holds no records, or is too large.
        StorageError, PermissionDenied: it cannot be read.
    """
    uri = Path(os.path.abspath(path)).as_uri()
    by_source: dict[str, Recorded] = {}
    problems: list[SourceProblem] = []
    with translated_os_errors(path):
        for record in _records(path, fields):
            source = _source(record, fields, uri)
            if source is None or not isinstance(record, Record) or not isinstance(record.value, dict):
                continue
            found = recorded(record.value)
            if by_source.setdefault(source, found) == found:
                told = found.problems
            else:
                told = ("is the same document as an earlier record, with other triples: they are left out; join the two records",)
            problems += (SourceProblem(uri, f"{record.place}: {problem}", BadInput.exit_code) for problem in told)
    if not by_source:
        raise BadInput(f"{path} holds no records with a text in {fields.text!r}: name the field with --text-field")
    return Recordings(by_source, tuple(problems))


def _records(path: Path, fields: Fields) -> Iterable[Record | BadInput]:
    if path.suffix.casefold() in LINES:
        return _lines(path)
    if path.stat().st_size > LIMITS.file:
        raise BadInput(f"{path} is larger than {LIMITS.file // MEGABYTE} MB: split it, or make it JSON Lines, which are read line by line")
    try:
        return json_records(path.read_bytes(), fields)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error


def _lines(path: Path) -> Iterator[Record | BadInput]:
    with path.open("rb") as stream:
        yield from json_line_records(stream)


def _source(record: Record | BadInput, fields: Fields, uri: str) -> str | None:
    """The identity that `read_sources` gives the record's document."""
    if isinstance(record, BadInput):
        return None
    try:
        return f"{uri}#{record_text(record, fields).key}"
    except BadInput:
        return None
