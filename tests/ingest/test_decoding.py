"""Text in many encodings, and bytes that are none."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.errors import BadInput
from semkg.ingest.decoding import cleaned, declared_charset, decoded

GERMAN = "Die Flüsse fließen über große Steine ins Tal, und die Brücken führen darüber. " * 8
RUSSIAN = "Река течёт через город, и мосты ведут на другой берег. " * 12
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy u řeky. " * 12
JAPANESE = "川は山から流れて、海に入ります。橋は町の中にあります。" * 12
CHINESE = "河流从山上流下来，进入湖泊。桥在城市的中间。" * 12


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "latin-1"),
        (GERMAN, "cp1252"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (GERMAN, "utf-16"),
        (GERMAN, "utf-32"),
        ("Zoë’s café", "cp1252"),
        (RUSSIAN, "cp1251"),
        (CZECH, "cp1250"),
        (JAPANESE, "shift_jis"),
        (CHINESE, "gb18030"),
    ],
)
def test_the_encoding_is_recognised(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding)) == text


def test_a_declared_character_set_is_used_where_the_bytes_are_not_utf_8() -> None:
    assert decoded("Łódź nad rzeką".encode("iso-8859-2"), "iso-8859-2") == "Łódź nad rzeką"


def test_a_false_declaration_does_not_spoil_utf_8() -> None:
    assert decoded("Łódź".encode(), "iso-8859-1") == "Łódź"


def test_an_unknown_declaration_is_ignored() -> None:
    assert decoded("Zürich".encode("latin-1"), "no-such-charset") == "Zürich"


@pytest.mark.parametrize("page", [b'<meta charset="koi8-r">', b"<?xml version='1.0' encoding='KOI8-R'?>"])
def test_pages_declare_their_character_set(page: bytes) -> None:
    assert declared_charset(page).lower() == "koi8-r"


def test_newlines_become_one_kind_and_control_characters_go() -> None:
    assert decoded(b"a\r\nb\rc\x0cd" + b"x" * 200 + b"\x01") == "a\nb\nc\nd" + "x" * 200


def test_a_few_broken_bytes_show_and_do_not_change_the_rest() -> None:
    text = decoded(GERMAN.encode() + b"\xff" + GERMAN.encode())
    assert text.count("\ufffd") == 1
    assert text.startswith(GERMAN)


@pytest.mark.parametrize("content", [b"\x00\x01\x02\x03" * 50 + b"text", bytes(range(1, 32)) * 20, codecs.BOM_UTF16_LE + b"\x00\xd8" * 50])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(BadInput, match=r"looks binary|encoding cannot be recognised"):
        decoded(content)


@given(st.text(max_size=200))
def test_a_text_that_was_cleaned_can_be_written_and_is_clean(text: str) -> None:
    try:
        clean = cleaned(text)
    except BadInput:
        return
    assert clean.encode("utf-8").decode("utf-8") == clean
    assert cleaned(clean) == clean
    assert not {"\r", "\0", "\x0c"} & set(clean)


@given(st.binary(max_size=300))
def test_any_bytes_are_decoded_or_refused(content: bytes) -> None:
    try:
        text = decoded(content)
    except BadInput:
        return
    assert "\0" not in text
