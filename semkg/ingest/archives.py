"""Looks into ZIP containers (DOCX, PPTX, XLSX, EPUB, plain ZIP) before anybody reads them: no bombs, no escapes, no entities."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath

from semkg.errors import BadInput

MEGABYTE = 1_000_000
_XML = (".xml", ".rels", ".opf", ".ncx", ".xhtml", ".html", ".htm", ".svg", ".vml")
_ENCRYPTED = 0x1
_BLOCK = MEGABYTE
_PDF_BLOCK = 65_536
_DOCUMENTS = (".docx", ".pptx", ".xlsx", ".epub")


@dataclass(frozen=True, slots=True)
class Limits:
    """What an input may cost at most; bytes are uncompressed ones unless said otherwise."""

    file: int = 200 * MEGABYTE
    """The size of a file that is read at once, as it lies on the disk."""
    members: int = 10_000
    """Files in one container."""
    unpacked: int = 500 * MEGABYTE
    """All members of a container, or all streams of a PDF, together."""
    ratio: int = 200
    """How much larger than packed a member may be that is larger than `ratio_from`."""
    ratio_from: int = 10 * MEGABYTE


LIMITS = Limits()


@contextmanager
def opened(content: bytes, limits: Limits = LIMITS) -> Iterator[zipfile.ZipFile]:
    """A ZIP container that is safe to read.

    Raises:
        BadInput: it is damaged or encrypted, a name leads outside, or it would unpack to more than `limits` allow.
    """
    with _damage_translated():
        archive = zipfile.ZipFile(io.BytesIO(content))
    with archive:
        _check(archive.infolist(), limits)
        yield archive


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of one member.

    Raises:
        BadInput: it is damaged or empty.
    """
    with _damage_translated():
        content = archive.read(name)
    if not content.strip():
        raise BadInput("it is empty: leave it out or check that it was saved completely")
    return content


def check_document(content: bytes, entities_allowed: bool = False, limits: Limits = LIMITS) -> None:
    """Refuse an office or e-book container that is a bomb or declares XML entities.

    Args:
        content: the container's bytes.
        entities_allowed: whether a document type may be declared (EPUB's pages do); entities never may.
        limits: what it may unpack to.

    Raises:
        BadInput: see `opened`.
    """
    forbidden = (b"<!ENTITY",) if entities_allowed else (b"<!ENTITY", b"<!DOCTYPE")
    with opened(content, limits) as archive:
        for member in archive.infolist():
            name = member.filename.casefold()
            if name.endswith((".zip", *_DOCUMENTS)) and not _embeds(name):
                raise BadInput(f"it holds another archive, {member.filename}: unpack it and give the files themselves")
            if name.endswith(_XML):
                _refuse_markup(archive, member, forbidden)


def _embeds(name: str) -> bool:
    """Office files keep attached workbooks in `embeddings` folders; nobody here opens them."""
    return "embeddings" in PurePosixPath(name).parts


def _check(members: list[zipfile.ZipInfo], limits: Limits) -> None:
    if len(members) > limits.members:
        raise BadInput(f"it holds {len(members):,} files, more than {limits.members:,}: unpack it and give the folder")
    total = 0
    for member in members:
        name = member.filename.replace("\\", "/")
        if name.startswith("/") or ".." in PurePosixPath(name).parts or name[1:2] == ":":
            raise BadInput(f"its member {member.filename!r} would lie outside the archive: it may be an attack, do not use it")
        if member.flag_bits & _ENCRYPTED:
            raise BadInput(f"its member {member.filename!r} is encrypted: unpack it with its password first")
        total += member.file_size
        if total > limits.unpacked:
            raise BadInput(
                f"it unpacks to more than {limits.unpacked // MEGABYTE} MB: it may be a bomb; unpack it yourself where you trust it"
            )
        if member.file_size > limits.ratio_from and member.file_size > limits.ratio * max(1, member.compress_size):
            raise BadInput(f"its member {member.filename!r} unpacks to more than {limits.ratio} times its size: it may be a bomb")


def _refuse_markup(archive: zipfile.ZipFile, member: zipfile.ZipInfo, forbidden: tuple[bytes, ...]) -> None:
    tail = b""
    with _damage_translated(), archive.open(member) as stream:
        while block := stream.read(_BLOCK):
            # UTF-16 is ASCII with zeros in between: without them one search finds both.
            window = tail + block.replace(b"\0", b"").upper()
            if any(mark in window for mark in forbidden):
                raise BadInput(f"its part {member.filename} declares XML entities or a document type: it may be an attack, do not use it")
            tail = window[-16:]


@contextmanager
def _damage_translated() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BadInput(f"it is damaged or no ZIP container ({error}): make or download it again") from error


def check_pdf_streams(content: bytes, limits: Limits = LIMITS) -> None:
    """Refuse a PDF whose deflated streams unpack to more than `limits.unpacked`.

    Raises:
        BadInput: they do.
    """
    room = limits.unpacked
    position = content.find(b"stream")
    while position >= 0:
        start = position + len(b"stream")
        if content[position - 3 : position] != b"end":
            start += len(content[start : start + 2]) - len(content[start : start + 2].lstrip(b"\r\n"))
            room -= _inflated_size(content, start, room)
            if room < 0:
                raise BadInput(f"its streams unpack to more than {limits.unpacked // MEGABYTE} MB: it may be a bomb")
        position = content.find(b"stream", start)


def _inflated_size(content: bytes, start: int, room: int) -> int:
    """How many bytes the deflated stream at `start` gives; stops soon after `room`. Not deflated: 0."""
    inflater = zlib.decompressobj()
    size = 0
    pending = content[start : start + _PDF_BLOCK]
    while pending and not inflater.eof and size <= room:
        try:
            size += len(inflater.decompress(pending, _BLOCK))
        except zlib.error:
            break
        pending = inflater.unconsumed_tail
        if not pending:
            start += _PDF_BLOCK
            pending = content[start : start + _PDF_BLOCK]
    return size
