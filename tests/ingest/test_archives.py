"""Containers that would harm: escapes, bombs, entities, encryption."""

from __future__ import annotations

import io
import time
import zipfile
import zlib

import pytest

from semkg.errors import BadInput
from semkg.ingest.archives import Limits, check_document, check_pdf_streams, opened
from semkg.ingest.formats import convert
from tests.ingest.writers import column, docx, epub, pdf, zipped

ENTITIES = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'


def refusal(content: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(BadInput) as caught, opened(content, limits or Limits()):
        pass
    return str(caught.value)


@pytest.mark.parametrize("name", ["../a.txt", "a/../../b.txt", "/etc/a.txt", "C:\\a.txt", "..\\a.txt"])
def test_names_that_lead_outside_are_refused(name: str) -> None:
    assert "would lie outside the archive" in refusal(zipped({name: "x"}))


def test_names_with_dots_are_allowed() -> None:
    with opened(zipped({"a..b/c...txt": "x"})) as archive:
        assert archive.namelist() == ["a..b/c...txt"]


def test_too_many_members_are_refused() -> None:
    assert "holds 11 files, more than 10" in refusal(zipped({f"{n}.txt": "x" for n in range(11)}), Limits(members=10))


def test_too_much_in_all_is_refused() -> None:
    assert "unpacks to more than 1 MB" in refusal(zipped({f"{n}.txt": "x" * 400_000 for n in range(3)}), Limits(unpacked=1_000_000))


def test_a_member_that_grows_too_much_is_refused_and_a_small_one_is_not() -> None:
    assert "more than 200 times its size" in refusal(zipped({"a.txt": b"0" * 11_000_000}))
    with opened(zipped({"a.txt": b"0" * 900_000})) as archive:
        assert len(archive.infolist()) == 1


def test_encrypted_members_are_refused() -> None:
    content = bytearray(zipped({"a.txt": "secret"}))
    directory = content.index(b"PK\x01\x02")
    content[directory + 8] |= 1
    assert "is encrypted" in refusal(bytes(content))


def test_a_lie_about_the_size_does_not_unpack_more() -> None:
    content = bytearray(zipped({"a.txt": b"0" * 5_000_000}))
    directory = content.index(b"PK\x01\x02")
    content[directory + 24 : directory + 28] = (100).to_bytes(4, "little")
    with opened(bytes(content)) as archive, pytest.raises(zipfile.BadZipFile):
        archive.read("a.txt")


def test_entities_in_office_files_are_refused() -> None:
    content = io.BytesIO(docx("Title", ["Words."]))
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("word/footnotes.xml", ENTITIES)
    with pytest.raises(BadInput, match=r"word/footnotes.xml declares XML entities"):
        convert(content.getvalue(), ".docx")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be"])
def test_entities_are_found_in_every_encoding_and_behind_long_comments(encoding: str) -> None:
    hidden = f"<!--{'x' * 1_100_000}-->{ENTITIES}".encode(encoding)
    with pytest.raises(BadInput, match="declares XML entities"):
        check_document(zipped({"word/document.xml": hidden}))


def test_a_document_type_is_allowed_in_books_and_entities_are_not() -> None:
    assert convert(epub("Book", {"a.xhtml": "<p>Words.</p>"}), ".epub").text == "Words."
    with pytest.raises(BadInput, match="declares XML entities"):
        check_document(zipped({"a.xhtml": ENTITIES}), entities_allowed=True)


def test_archives_inside_of_documents_are_refused_and_embedded_workbooks_left_alone() -> None:
    with pytest.raises(BadInput, match="holds another archive"):
        check_document(zipped({"word/inner.zip": "x"}))
    check_document(zipped({"ppt/embeddings/Chart.xlsx": "x"}))


@pytest.mark.parametrize("length", [0, 1, 10, 60])
def test_damaged_containers_are_reported(length: int) -> None:
    assert "damaged or no ZIP container" in refusal(zipped({"a.txt": "some words"})[:length])


def test_a_pdf_that_unpacks_to_too_much_is_refused_quickly() -> None:
    bomb = zlib.compress(b"0" * 60_000_000)
    content = b"%PDF-1.4\n" + b"<< /Filter /FlateDecode >>\nstream\r\n" + bomb + b"\nendstream\n"
    started = time.perf_counter()
    with pytest.raises(BadInput, match="may be a bomb"):
        check_pdf_streams(content * 20)
    assert time.perf_counter() - started < 20
    check_pdf_streams(pdf([column("Fine.")]))
