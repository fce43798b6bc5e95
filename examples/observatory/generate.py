"""Writes the pages of the observatory collection in Markdown, HTML, DOCX and PDF, the same to the byte on every run.

Usage: python examples/observatory/generate.py [FOLDER]
"""

from __future__ import annotations

import html
import io
import sys
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docx.document import Document as DocxDocument

HERE = Path(__file__).resolve().parent
WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
"""The date that the files carry."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its file name tells the format; `text` holds paragraphs and `##` headings, separated by empty lines."""

    file: str
    title: str
    text: str

    @property
    def blocks(self) -> list[tuple[bool, str]]:
        """The paragraphs and headings in order; the flag tells a heading."""
        parts = (part.strip() for part in self.text.split("\n\n"))
        return [(part.startswith("## "), part.removeprefix("## ")) for part in parts if part]


def read_pages(source: Path = HERE / "pages.toml") -> list[Page]:
    """The pages, as they stand in the source."""
    return [Page(**page) for page in tomllib.loads(source.read_text(encoding="utf-8"))["page"]]


def markdown(page: Page) -> bytes:
    lines = [f"# {page.title}", *(f"## {text}" if heading else text for heading, text in page.blocks)]
    return ("\n\n".join(lines) + "\n").encode()


def hypertext(page: Page) -> bytes:
    body = [f"<h1>{html.escape(page.title)}</h1>"]
    body += [f"<h2>{html.escape(text)}</h2>" if heading else f"<p>{html.escape(text)}</p>" for heading, text in page.blocks]
    head = f'<meta charset="utf-8">\n<title>{html.escape(page.title)}</title>'
    return "\n".join(['<!DOCTYPE html>\n<html lang="en">', f"<head>\n{head}\n</head>", "<body>", *body, "</body>\n</html>\n"]).encode()


def docx(page: Page) -> bytes:
    from docx import Document

    document = Document()
    _without_ballast(document)
    document.core_properties.title = page.title
    document.core_properties.author = "The semkg authors"
    document.core_properties.language = "en"
    document.core_properties.created = document.core_properties.modified = WRITTEN.replace(tzinfo=None)
    document.add_heading(page.title, level=1)
    for heading, text in page.blocks:
        if heading:
            document.add_heading(text, level=2)
        else:
            document.add_paragraph(text)
    out = io.BytesIO()
    document.save(out)
    return _dated(out.getvalue())


def _without_ballast(document: DocxDocument) -> None:
    """Drop what the template of python-docx brings along and these pages do not use: nine tenths of the file."""
    for style in list(document.styles):
        if style.name not in ("Normal", "Heading 1", "Heading 2", "Default Paragraph Font"):
            style.delete()
    for relations in (document.part.rels, document.part.package.rels):
        for key in [
            key for key, relation in relations.items() if relation.reltype.endswith(("/stylesWithEffects", "/customXml", "/thumbnail"))
        ]:
            del relations[key]


def _dated(archive: bytes) -> bytes:
    """The same zip archive, every entry with the same date and stored as it is: compressed bytes depend on the machine's zlib."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name, WRITTEN.timetuple()[:6]), old.read(name))
    return out.getvalue()


def pdf(page: Page) -> bytes:
    from fpdf import FPDF
    from fpdf.enums import XPos, YPos

    document = FPDF(format="A4")
    document.set_compression(False)
    document.set_producer("fpdf2")
    document.set_title(page.title)
    document.set_lang("en")
    document.set_creation_date(WRITTEN)
    document.set_margin(25)
    document.add_page()
    sizes = [(20.0, page.title), *((14.0 if heading else 11.0, text) for heading, text in page.blocks)]
    for size, text in sizes:
        document.set_font("Helvetica", "B" if size > 11 else "", size)
        document.multi_cell(0, size * 0.5, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        document.ln(3)
    return bytes(document.output())


WRITERS: dict[str, Callable[[Page], bytes]] = {".md": markdown, ".html": hypertext, ".docx": docx, ".pdf": pdf}


def main(folder: Path = HERE / "pages") -> None:
    """Write all pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in read_pages():
        (folder / page.file).write_bytes(WRITERS[Path(page.file).suffix](page))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
