"""Writes small documents of many formats for the tests, so that no binary files lie in the repository."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docx import Document
from openpyxl import Workbook
from pptx import Presentation


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text on a page: position in points from the lower left corner."""

    text: str
    x: float
    y: float
    size: float = 10
    bold: bool = False


def pdf(pages: Iterable[Iterable[Words]]) -> bytes:
    """A PDF 1.4 with a text layer in Helvetica; its page is 612 by 792 points."""
    streams = [zlib.compress("\n".join(_show(words) for words in page).encode("cp1252")) for page in pages]
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(b"%d 0 R" % (5 + 2 * n) for n in range(len(streams))), len(streams)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for number, stream in enumerate(streams):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % (6 + 2 * number)
        )
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream))
    return _assembled(objects)


def _show(words: Words) -> str:
    escaped = words.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F{2 if words.bold else 1} {words.size} Tf {words.x} {words.y} Td ({escaped}) Tj ET"


def _assembled(objects: Iterable[bytes]) -> bytes:
    out, offsets = io.BytesIO(), []
    out.write(b"%PDF-1.4\n")
    for number, content in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    table = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1))
    for offset in offsets:
        out.write(b"%010d 00000 n \n" % offset)
    out.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, table))
    return out.getvalue()


def column(*lines: str, x: float = 72, top: float = 700, size: float = 10) -> list[Words]:
    """Lines one below the other."""
    return [Words(line, x, top - 12 * number, size) for number, line in enumerate(lines)]


def zipped(members: Mapping[str, bytes | str]) -> bytes:
    """A compressed ZIP container."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def docx(title: str, paragraphs: Iterable[str], core_title: str = "") -> bytes:
    """A Word document whose title has the style Title."""
    document = Document()
    document.core_properties.title = core_title
    if title:
        document.add_heading(title, 0)
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def pptx(title: str, body: str) -> bytes:
    """A presentation of one slide."""
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = title
    slide.placeholders[1].text = body
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def xlsx(rows: Iterable[Iterable[str | int | None]]) -> bytes:
    """A workbook of one sheet."""
    workbook = Workbook()
    for row in rows:
        workbook.active.append(list(row))
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()


def epub(title: str, pages: Mapping[str, str], language: str = "en") -> bytes:
    """An EPUB 3 whose spine has the pages in the given order; values are the bodies of the pages."""
    items = "".join(f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(pages))
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(pages)))
    members: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="book/package.opf"/></rootfiles></container>',
        "book/package.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata><dc:title>{title}</dc:title><dc:language>{language}</dc:language></metadata>"
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
    }
    for name, body in pages.items():
        members[f"book/{name}"] = f"<!DOCTYPE html><html><head><title>{name}</title></head><body>{body}</body></html>"
    return zipped(members)
