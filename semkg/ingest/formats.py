"""One document's bytes to its text, by the format that its name's extension tells."""

from __future__ import annotations

import io
import logging
import re
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from xml.etree import ElementTree

from semkg.errors import BadInput, Misconfigured, SemkgError
from semkg.ingest.archives import check_document
from semkg.ingest.decoding import cleaned, decoded
from semkg.ingest.epub import read_epub
from semkg.ingest.hypertext import MARKDOWN_OPTIONS, Converted, read_html
from semkg.ingest.pdf import read_pdf
from semkg.ingest.structure import plain_title

_OFFICE = "application/vnd.openxmlformats-officedocument."
MEDIA_TYPES = {
    ".txt": "text/plain",
    ".text": "text/plain",
    ".rst": "text/plain",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".mkd": "text/markdown",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".pdf": "application/pdf",
    ".docx": f"{_OFFICE}wordprocessingml.document",
    ".pptx": f"{_OFFICE}presentationml.presentation",
    ".xlsx": f"{_OFFICE}spreadsheetml.sheet",
    ".epub": "application/epub+zip",
    ".csv": "text/csv",
    ".ipynb": "application/x-ipynb+json",
}
"""Extension → media type (IANA) of the formats that hold one document."""

_HEADING = re.compile(r"(?m)^ {0,3}#{1,6}[ \t]+(\S[^\n]{0,400}?)[ \t]*#*[ \t]*$|^(\S[^\n]{0,400})\n(?:={2,}|-{2,})[ \t]*$")
_FENCE = re.compile(r"(?ms)^ {0,3}(```|~~~).*?^ {0,3}\1|<!--.*?-->")
_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:[^\n]*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FIELD = re.compile(r"(?m)^(title|lang|language):[ \t]*[\"']?([^\n]*?)[\"']?[ \t]*$")
_SLIDE_COMMENT = re.compile(r"<!-- Slide number: \d+ -->\n?")
_IMAGE = re.compile(r"!\[([^\[\]]*)\]\([^()\n]*\)")
_EMPTY_CELL = re.compile(r"(?<=\| )(?:NaN|Unnamed: \d+)(?= \|)")
_PLACEHOLDER_TITLES = frozenset({"powerpoint presentation", "word document", "untitled", "document1", "title"})
_STYLES = "p[style-name='Title'] => h1:fresh\np[style-name='title'] => h1:fresh"
"""For mammoth: a document's title in Word is a heading too."""
_NOISY_LOGGERS = ("pdfminer", "markitdown", "mammoth", "openpyxl", "charset_normalizer")


def media_type(suffix: str) -> str:
    """The media type for an extension such as `.md`; unknown ones are plain text."""
    return MEDIA_TYPES.get(suffix, "text/plain")


def convert(content: bytes, suffix: str) -> Converted:
    """The text of one document.

    Args:
        content: the file's bytes.
        suffix: the lower-case extension of its name, one of `MEDIA_TYPES`.

    Raises:
        BadInput: it is damaged, encrypted, empty, or holds no text.
        Misconfigured: the optional converters are not installed.
    """
    with _quiet(), _failures_translated(suffix):
        converted = _READERS.get(suffix, _read_text)(content)
    text = cleaned(converted.text)
    if not text.strip():
        raise BadInput("it holds no text: leave it out or check that it was saved completely")
    return replace(converted, text=text)


def markdown_title(text: str) -> str:
    """The first heading of a Markdown text, without markup; empty where there is none.

    >>> markdown_title("Intro.\\n\\n# The *Aare* #\\n")
    'The Aare'
    """
    found = _HEADING.search(_FENCE.sub("", text[:20_000]))
    return plain_title(found.group(1) or found.group(2)) if found else ""


def _read_text(content: bytes) -> Converted:
    return Converted(decoded(content))


def _read_markdown(content: bytes) -> Converted:
    text = decoded(content)
    fields: dict[str, str] = {}
    if front := _FRONT_MATTER.match(text):
        fields = {name: value for name, value in _FIELD.findall(front.group(1)) if value}
        text = text[front.end() :]
    return Converted(text, fields.get("title", "") or markdown_title(text), fields.get("lang", "") or fields.get("language", ""))


def _read_docx(content: bytes) -> Converted:
    return _read_office(content, "DocxConverter")


def _read_pptx(content: bytes) -> Converted:
    return _read_office(content, "PptxConverter")


def _read_office(content: bytes, converter: str) -> Converted:
    check_document(content)
    text = _IMAGE.sub(r"\1", _SLIDE_COMMENT.sub("", _by_markitdown(content, converter)[0]))
    stated, language = _core_properties(content)
    opening = markdown_title(text) if text.lstrip().startswith("#") else ""
    return Converted(text, opening or stated or markdown_title(text), language)


def _read_xlsx(content: bytes) -> Converted:
    check_document(content)
    stated, language = _core_properties(content)
    return Converted(_EMPTY_CELL.sub("", _by_markitdown(content, "XlsxConverter")[0]), stated, language)


def _read_csv(content: bytes) -> Converted:
    return Converted(_by_markitdown(decoded(content).encode("utf-8"), "CsvConverter")[0])


def _read_notebook(content: bytes) -> Converted:
    text, title = _by_markitdown(content, "IpynbConverter")
    return Converted(text, title or markdown_title(text))


_READERS: dict[str, Callable[[bytes], Converted]] = {
    ".md": _read_markdown,
    ".markdown": _read_markdown,
    ".mkd": _read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".pdf": read_pdf,
    ".docx": _read_docx,
    ".pptx": _read_pptx,
    ".xlsx": _read_xlsx,
    ".epub": read_epub,
    ".csv": _read_csv,
    ".ipynb": _read_notebook,
}


def _by_markitdown(content: bytes, converter: str) -> tuple[str, str]:
    """Markdown and title by one of markitdown's converters; those for web services are never asked, so nothing is fetched."""
    from markitdown import StreamInfo, converters

    result = getattr(converters, converter)().convert(
        io.BytesIO(content), StreamInfo(charset="utf-8"), **MARKDOWN_OPTIONS, style_map=_STYLES
    )
    return str(result.markdown or "").strip(), " ".join(str(result.title or "").split())


def _core_properties(content: bytes) -> tuple[str, str]:
    """Title and language in the core properties of an Office Open XML file (ECMA-376 part 2); empty where not stated."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if "docProps/core.xml" not in archive.namelist():
            return "", ""
        root = ElementTree.fromstring(archive.read("docProps/core.xml"))
    title = " ".join((root.findtext("{http://purl.org/dc/elements/1.1/}title") or "").split())
    language = (root.findtext("{http://purl.org/dc/elements/1.1/}language") or "").strip()
    return "" if title.casefold() in _PLACEHOLDER_TITLES else title, language


@contextmanager
def _quiet() -> Iterator[None]:
    """The converters' own warnings stay off the terminal: what matters is in the error."""
    loggers = [logging.getLogger(name) for name in _NOISY_LOGGERS]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _failures_translated(suffix: str) -> Iterator[None]:
    try:
        yield
    except SemkgError:
        raise
    except ImportError as error:
        raise Misconfigured(f"reading {suffix} files needs more packages ({error}): pip install 'semkg[formats]'") from error
    except Exception as error:
        # The parsers of ten formats meet damaged files with whatever error comes first: none of them may end the run.
        raise BadInput(f"it cannot be read as {suffix} ({type(error).__name__}: {error}): it may be damaged; save it again") from error
