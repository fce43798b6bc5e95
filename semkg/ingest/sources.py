"""Reads documents from files, folders, patterns, archives, records and standard input: one by one, each with its problem if any."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from urllib.parse import quote
from zipfile import ZipFile

from semkg.errors import BadInput, Misconfigured, SemkgError, translated_os_errors
from semkg.ingest.archives import LIMITS, MEGABYTE, opened, read_member
from semkg.ingest.decoding import writable
from semkg.ingest.finding import READABLE, RECORD_SUFFIXES, Found, find_files, hidden
from semkg.ingest.formats import convert, media_type
from semkg.ingest.hypertext import Converted
from semkg.ingest.language import language_of
from semkg.ingest.records import DEFAULT_FIELDS, Fields, Record, json_line_records, json_records, record_text

STANDARD_INPUT = "-"

_REMOTE = ("http://", "https://", "ftp://")

_MAX_COUNTED = 64 * MEGABYTE
_RECORD_MEDIA_TYPES = {".json": "application/json", ".jsonl": "application/jsonl", ".ndjson": "application/x-ndjson"}
_NOT_MARKDOWN = frozenset({"text/plain", *_RECORD_MEDIA_TYPES.values()})


@dataclass(frozen=True, slots=True)
class SourceText:
    """One document, ready to be cut into chunks."""

    source: str
    """Its identity: a file URI, with `#key` for a record, `#path` for a member of an archive; `stdin:…` for standard input."""
    title: str
    """On one line: what the document calls itself, else its file's name without extension."""
    titled: bool
    """Whether the document states its title itself."""
    text: str
    """Markdown where the format has structure, else plain text; newlines are `\\n`."""
    media_type: str
    """Of the original (IANA)."""
    language: str
    """BCP 47; `und` where it is not sure."""
    sha256: str
    """Of the title and the text, as hexadecimal digits: another one means that the document has to be read again."""

    @property
    def markdown(self) -> bool:
        """Whether the text is Markdown."""
        return self.media_type not in _NOT_MARKDOWN


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """An input that was not read; the others go on."""

    source: str
    message: str
    exit_code: int


Source = SourceText | SourceProblem


def read_sources(sources: Sequence[str], fields: Fields = DEFAULT_FIELDS, stdin: BinaryIO | None = None) -> Iterator[Source]:
    """Read the documents that `sources` name, one after the other, in a fixed order.

    Nothing is fetched from the network, archives are checked before they are unpacked, and JSON Lines are streamed. A file that is
    named twice, and a record without identity that occurs twice in its file, is read once.

    Args:
        sources: files, folders (recursively, without hidden files), patterns, `file:` URIs, and `-` for standard input.
        fields: which fields of JSON records to read.
        stdin: read for `-` instead of the process's own standard input.

    Yields:
        A `SourceText` for each document and a `SourceProblem` for each input that cannot be read.

    Raises:
        Misconfigured: a format needs packages that are not installed.
    """
    seen: set[str] = set()
    for source in sources:
        if source == STANDARD_INPUT:
            yield from _guarded(_from_stdin(stdin or sys.stdin.buffer, fields), "stdin:", "standard input")
            continue
        if source.startswith(_REMOTE):
            yield SourceProblem(
                source, f"{source} is an address on the web, and nothing is fetched: download it and give the file", BadInput.exit_code
            )
            continue
        for found in find_files(source):
            if found.error is not None:
                yield _problem(found.uri, found.error, source)
            elif found.uri not in seen:
                seen.add(found.uri)
                yield from _guarded(_from_file(found, fields), found.uri, str(found.path))


def count_sources(sources: Sequence[str], fields: Fields = DEFAULT_FIELDS) -> int | None:
    """How many documents and problems `read_sources` will give at most, or None where counting would cost as much as reading."""
    total = 0
    paths: set[Path] = set()
    for source in sources:
        if source == STANDARD_INPUT:
            return None
        if source.startswith(_REMOTE):
            total += 1
            continue
        for found in find_files(source):
            count = 0 if found.path in paths else _count(found, fields)
            if count is None:
                return None
            paths.add(found.path)
            total += count
    return total


def _count(found: Found, fields: Fields) -> int | None:
    if found.error is not None or found.suffix not in {*RECORD_SUFFIXES, ".zip"}:
        return 1
    try:
        if found.suffix == ".zip" or found.path.stat().st_size > _MAX_COUNTED:
            return None
        content = found.path.read_bytes()
        return len(json_records(content, fields)) if found.suffix == ".json" else sum(bool(line.strip()) for line in content.splitlines())
    except (OSError, SemkgError):
        return 1


def _guarded(texts: Iterator[Source], source: str, path: str = "") -> Iterator[Source]:
    """The texts up to the first error, which becomes a problem; a missing package ends the run."""
    try:
        yield from texts
    except Misconfigured:
        raise
    except SemkgError as error:
        yield _problem(source, error, path)


def _problem(source: str, error: SemkgError, path: str = "") -> SourceProblem:
    message = str(error)
    where = path or source
    return SourceProblem(source, writable(message if where in message else f"{where}: {message}"), error.exit_code)


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where texts come from."""

    source: str
    shown: str
    """How messages name it."""
    name: str
    """What stands for a missing title."""
    suffix: str
    separator: str = "#"
    """What stands between the identity and a record's key."""


def _from_file(found: Found, fields: Fields) -> Iterator[Source]:
    origin = _Origin(found.uri, str(found.path), found.path.stem, found.suffix)
    if found.suffix in (".jsonl", ".ndjson"):
        with translated_os_errors(found.path), found.path.open("rb") as stream:
            yield from _from_records(json_line_records(stream), fields, origin)
        return
    content = _content(found.path)
    if found.suffix == ".zip":
        yield from _from_zip(content, fields, origin)
    else:
        yield from _from_content(content, fields, origin)


def _content(path: Path) -> bytes:
    with translated_os_errors(path), path.open("rb") as stream:
        content = stream.read(LIMITS.file + 1)
    if len(content) > LIMITS.file:
        raise BadInput(f"it is larger than {LIMITS.file // MEGABYTE} MB: split it, or make it JSON Lines, which are read line by line")
    if not content.strip():
        raise BadInput("it is empty: leave it out or check that it was saved completely")
    return content


def _from_content(content: bytes, fields: Fields, origin: _Origin) -> Iterator[Source]:
    if origin.suffix == ".json":
        yield from _from_records(iter(json_records(content, fields)), fields, origin)
    elif origin.suffix in RECORD_SUFFIXES:
        yield from _from_records(json_line_records(io.BytesIO(content)), fields, origin)
    else:
        yield _source_text(origin.source, origin.name, media_type(origin.suffix), convert(content, origin.suffix))


def _from_records(records: Iterator[Record | BadInput], fields: Fields, origin: _Origin) -> Iterator[Source]:
    """One text a record; a key that another record had is a problem where the record states it, else the same document again."""
    seen: set[str] = set()
    empty = True
    for record in records:
        empty = False
        try:
            if isinstance(record, BadInput):
                raise record
            found = record_text(record, fields)
            if found.key in seen and fields.id:
                raise BadInput(f"{record.place} has the identity {found.key!r}, which an earlier record has: give each its own")
        except BadInput as error:
            yield _problem(origin.source, error, origin.shown)
            continue
        if found.key not in seen:
            seen.add(found.key)
            converted = Converted(found.text, found.title)
            yield _source_text(f"{origin.source}{origin.separator}{found.key}", origin.name, _RECORD_MEDIA_TYPES[origin.suffix], converted)
    if empty:
        raise BadInput("it holds no records: leave it out")


def _from_zip(content: bytes, fields: Fields, outer: _Origin) -> Iterator[Source]:
    """The readable members of an archive, in memory; hidden ones and folders are left out."""
    empty = True
    with opened(content) as archive:
        for name in sorted(member.filename for member in archive.infolist() if not member.is_dir()):
            path = PurePosixPath(name)
            suffix = path.suffix.casefold()
            if suffix not in READABLE or any(hidden(part) for part in path.parts):
                continue
            empty = False
            origin = _Origin(f"{outer.source}#{quote(name)}", f"{outer.shown}#{name}", path.stem, suffix, separator="%23")
            yield from _guarded(_from_member(archive, name, fields, origin), origin.source, origin.shown)
    if empty:
        raise BadInput(f"it holds no file of a format that semkg reads: it reads {' '.join(sorted(READABLE))}")


def _from_member(archive: ZipFile, name: str, fields: Fields, origin: _Origin) -> Iterator[Source]:
    if origin.suffix == ".zip":
        raise BadInput("it is an archive in an archive: unpack the outer one first")
    yield from _from_content(read_member(archive, name), fields, origin)


def _from_stdin(stream: BinaryIO, fields: Fields) -> Iterator[Source]:
    content = stream.read(LIMITS.file + 1)
    if len(content) > LIMITS.file:
        raise BadInput(f"it is longer than {LIMITS.file // MEGABYTE} MB: save it as a file")
    if not content.strip():
        raise BadInput("it is empty: pipe a document into it")
    suffix = _sniffed(content)
    if suffix in RECORD_SUFFIXES:
        yield from _from_records(
            _either(content, fields), fields, _Origin("stdin:", "standard input", "standard input", suffix, separator="")
        )
        return
    source = f"stdin:{hashlib.sha256(content).hexdigest()[:16]}"
    yield from _from_content(content, fields, _Origin(source, "standard input", "standard input", suffix))


def _either(content: bytes, fields: Fields) -> Iterator[Record | BadInput]:
    """One JSON value, or JSON Lines."""
    try:
        records = json_records(content, fields)
    except BadInput:
        if b"\n" not in content.strip():
            raise
        yield from json_line_records(io.BytesIO(content))
    else:
        yield from records


def _sniffed(content: bytes) -> str:
    """The extension that a stream without a name would have."""
    start = content.lstrip(b"\xef\xbb\xbf \t\r\n")[:512].lower()
    if start.startswith(b"%pdf-"):
        return ".pdf"
    if start.startswith((b"<!doctype html", b"<html", b"<?xml")):
        return ".html"
    if start.startswith((b"{", b"[{")) or (start[:1] == b"[" and start[1:].lstrip().startswith(b"{")):
        return ".json"
    if start.startswith(b"pk\x03\x04"):
        raise BadInput("it is a ZIP container: save it as a file with the extension of its format")
    return ".md" if start.startswith((b"# ", b"---\n")) or b"\n## " in content[:20_000] else ".txt"


def _source_text(source: str, name: str, media: str, converted: Converted) -> SourceText:
    title = " ".join(writable(converted.title).split())
    shown = title or " ".join(writable(name).split())
    checksum = hashlib.sha256(f"{shown}\x1f{converted.text}".encode()).hexdigest()
    language = language_of(converted.text, converted.language)
    return SourceText(source, shown, bool(title), converted.text, media, language, checksum)
