"""The text of an EPUB publication: the pages of its spine in reading order (EPUB 3.3 §5)."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree import ElementTree

from semkg.errors import BadInput
from semkg.ingest.archives import check_document, opened
from semkg.ingest.decoding import declared_charset, decoded
from semkg.ingest.hypertext import Converted, html_to_markdown

_CONTAINER = "META-INF/container.xml"
_ROOT_FILE = ".//{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"
_OPF = "{http://www.idpf.org/2007/opf}"
_DC = "{http://purl.org/dc/elements/1.1/}"


def read_epub(content: bytes) -> Converted:
    """The pages of the spine as Markdown, with the title and language that the package document states.

    Raises:
        BadInput: it is damaged, encrypted, a bomb, or no EPUB.
    """
    check_document(content, entities_allowed=True)
    with opened(content) as archive:
        location, package = _package(archive)
        text = "\n\n".join(page for page in _pages(archive, location, package) if page)
    title = " ".join((package.findtext(f".//{_DC}title") or "").split())
    return Converted(text, title, (package.findtext(f".//{_DC}language") or "").strip())


def _package(archive: zipfile.ZipFile) -> tuple[str, ElementTree.Element]:
    """The path and the content of the package document."""
    root = ElementTree.fromstring(archive.read(_CONTAINER)).find(_ROOT_FILE)
    location = root.get("full-path", "") if root is not None else ""
    if location not in archive.namelist():
        raise BadInput("it names no package document, so it is no EPUB: make or download it again")
    return location, ElementTree.fromstring(archive.read(location))


def _pages(archive: zipfile.ZipFile, location: str, package: ElementTree.Element) -> Iterator[str]:
    folder, names = posixpath.dirname(location), set(archive.namelist())
    items = {item.get("id", ""): item for item in package.iter(f"{_OPF}item")}
    for reference in package.iter(f"{_OPF}itemref"):
        item = items.get(reference.get("idref", ""))
        if item is None or "nav" in item.get("properties", "").split():
            continue
        name = posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
        if name in names:
            page = archive.read(name)
            yield html_to_markdown(decoded(page, declared_charset(page))).text
