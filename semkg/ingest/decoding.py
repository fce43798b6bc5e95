"""Bytes to text: byte order marks, declared character sets, detection (WHATWG Encoding's order: mark, declaration, guess)."""

from __future__ import annotations

import codecs
import re

from semkg.errors import BadInput

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""<(?:meta|\?xml)\b[^>]{0,200}?\b(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9._:-]{2,40})""", re.IGNORECASE)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_NEWLINE = re.compile("\r\n?|[\x0b\x0c]")
# What XML 1.0 (and so RDF/XML) has no way to write, half surrogate pairs aside.
_UNWRITABLE = re.compile("[\x00-\x08\x0e-\x1f\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LATIN = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßŒœŠšŽž«»“”‘’„–—…€£§°·¡¿©®™\xa0")

_SAMPLE = 65_536
_TRUSTED_LENGTH = 400
"""From here on statistics know better than the assumption of Western European text."""
_MAX_BROKEN = 0.01


def decoded(content: bytes, declared: str = "") -> str:
    """The text of a file, with newlines as `\\n` and without NULs and other control characters.

    Args:
        content: the file's bytes.
        declared: the character set that the file or its container names, if any.

    Raises:
        BadInput: the bytes are no text, or more than one character in a hundred has no meaning in the most likely encoding.

    >>> decoded(b"\\xef\\xbb\\xbfa\\r\\nb"), decoded("Zoë".encode("cp1252"))
    ('a\\nb', 'Zoë')
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _checked(content[len(mark) :].decode(encoding, "replace"))
    if wide := _wide(content):
        return _checked(content.decode(wide, "replace"))
    if b"\0" in content[:_SAMPLE]:
        raise BadInput("it looks binary, not like text: give the file the extension of its format or leave it out")
    return _checked(_narrow(content, declared))


def declared_charset(content: bytes) -> str:
    """The character set that HTML or XML names in its first bytes, or an empty string.

    >>> declared_charset(b'<html><head><meta charset="iso-8859-2">')
    'iso-8859-2'
    """
    found = _DECLARED.search(content[:4096])
    return found.group(1).decode("ascii") if found else ""


def cleaned(text: str) -> str:
    """A text as semkg keeps it: `\\n` for newlines, nothing that RDF/XML cannot write.

    Raises:
        BadInput: it is mostly control characters, or more than one character in a hundred is undecodable.
    """
    return _checked(text)


def writable(text: str) -> str:
    """A text without what UTF-8 or XML 1.0 cannot hold: half surrogate pairs become U+FFFD, control characters go."""
    return _UNWRITABLE.sub("", _SURROGATE.sub("\ufffd", text))


def _checked(text: str) -> str:
    if len(_CONTROLS.findall(text)) > _MAX_BROKEN * len(text):
        raise BadInput("it looks binary, not like text: give the file the extension of its format or leave it out")
    whole = _SURROGATE.sub("\ufffd", text)
    if whole.count("\ufffd") > _MAX_BROKEN * len(whole):
        raise BadInput("its encoding cannot be recognised: save it as UTF-8")
    return writable(_NEWLINE.sub("\n", whole))


def _wide(content: bytes) -> str:
    """UTF-16 without a byte order mark: every second byte of Western text is zero."""
    sample = content[:4096]
    if len(sample) < 4 or (len(sample) % 2 and len(content) < 4096):
        return ""
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * half and odd < 0.05 * half else ""


def _narrow(content: bytes, declared: str) -> str:
    seven_bit = declared.casefold().startswith(("iso-2022", "hz", "utf-7"))
    for encoding in (declared, "utf-8") if seven_bit else ("utf-8", declared):
        text = _strict(content, encoding)
        if text is not None:
            return text
    western = _strict(content, "cp1252")
    if western is not None and len(content) < _TRUSTED_LENGTH and _looks_western(western):
        return western
    return content.decode(_guessed(content), "replace")


def _strict(content: bytes, encoding: str) -> str | None:
    """The text, or None where the encoding is unknown or does not fit."""
    try:
        return str(content, encoding) if encoding else None
    except (LookupError, UnicodeError):
        return None


def _looks_western(text: str) -> bool:
    beyond = [character for character in text if character > "\x7f"]
    return len(beyond) <= max(2, 0.3 * len(text)) and all(character in _LATIN for character in beyond)


def _guessed(content: bytes) -> str:
    """The most likely encoding by statistics; few broken bytes in UTF-8 do not make it something else."""
    from charset_normalizer import from_bytes

    loose = content.decode("utf-8", "replace")
    beyond = sum(character > "\x7f" for character in loose)
    if loose.count("\ufffd") < 0.1 * beyond:
        return "utf-8"
    best = from_bytes(content[:_SAMPLE]).best()
    return best.encoding if best else "cp1252"
