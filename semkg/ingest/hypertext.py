"""The main content of a web page as Markdown: words, headings, lists, tables and code, without menus, scripts and link targets."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from semkg.ingest.decoding import declared_charset, decoded

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag


class MarkdownOptions(TypedDict):
    """What markdownify is told (its own names)."""

    strip: list[str]
    escape_asterisks: bool
    escape_underscores: bool
    bullets: str


MARKDOWN_OPTIONS = MarkdownOptions(
    # Evidence quotes the text, and readers parse it: no link targets, emphasis marks or escapes between the words.
    strip=["a", "img", "b", "strong", "em", "i", "u", "s", "del", "strike", "mark", "small", "abbr", "cite", "span", "sub", "sup"],
    escape_asterisks=False,
    escape_underscores=False,
    bullets="-",
)
"""For every format that passes through HTML."""

_NOISE = [
    "script",
    "style",
    "noscript",
    "template",
    "iframe",
    "object",
    "svg",
    "canvas",
    "form",
    "button",
    "input",
    "select",
    "nav",
    "dialog",
]
_FRAME = ["header", "footer", "aside"]
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")
_MAX_DEPTH = 200


@dataclass(frozen=True, slots=True)
class Converted:
    """A document's text with what it states about itself (empty where it states nothing)."""

    text: str
    title: str = ""
    language: str = ""


def read_html(content: bytes) -> Converted:
    """The main content of an HTML or XHTML page.

    `<main>`, a single `<article>` or else `<body>` counts; menus, page headers and footers, forms, scripts and hidden elements do
    not. Nothing is fetched.

    Raises:
        BadInput: the bytes are no text.
    """
    return html_to_markdown(decoded(content, declared_charset(content)))


def html_to_markdown(page: str) -> Converted:
    """The same for a page that is decoded already."""
    from bs4 import BeautifulSoup

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Python's own parser takes minutes for a megabyte of opening comments; lxml stays linear.
        soup = BeautifulSoup(page, "lxml")
    main = _main_content(soup)
    _remove_noise(soup, main)
    root = soup.find("html")
    language = _attribute(root, "lang") or _attribute(root, "xml:lang") if root else ""
    return Converted(_markdown(main), _title(soup, main), language)


def _main_content(soup: BeautifulSoup) -> Tag:
    articles = soup.find_all("article", limit=2)
    return (
        soup.find("main")
        or soup.find(True, attrs={"role": "main"})
        or (articles[0] if len(articles) == 1 else None)
        or soup.find("body")
        or soup
    )


def _remove_noise(soup: BeautifulSoup, main: Tag) -> None:
    # A header inside of the main content holds its title; one of the page holds logos and menus.
    names = [*_NOISE, *(_FRAME if main.name not in ("main", "article") else ())]
    for tag in soup.find_all(lambda tag: tag is not main and (tag.name in names or _hidden(tag))):
        tag.extract()


def _hidden(tag: Tag) -> bool:
    attributes = tag.attrs
    if not attributes:
        return False
    style = attributes.get("style")
    return (
        "hidden" in attributes or attributes.get("aria-hidden") == "true" or (isinstance(style, str) and bool(_HIDDEN_STYLE.search(style)))
    )


def _attribute(tag: Tag, name: str) -> str:
    value = tag.get(name)
    return value.strip() if isinstance(value, str) else ""


def _title(soup: BeautifulSoup, main: Tag) -> str:
    """The page's only first-level heading where `<title>` repeats it with a site's name, else `<title>`."""
    title = soup.find("title")
    stated = " ".join(title.get_text(" ").split()) if title else ""
    headings = [" ".join(heading.get_text(" ").split()) for heading in main.find_all("h1", limit=2)]
    if headings and headings[0] and (not stated or (len(headings) == 1 and headings[0].casefold() in stated.casefold())):
        return headings[0]
    return stated


def _markdown(main: Tag) -> str:
    from markdownify import MarkdownConverter

    if _depth(main) > _MAX_DEPTH:
        # The converter calls itself for every level.
        return main.get_text("\n", strip=True)
    markdown: str = MarkdownConverter(heading_style="atx", **MARKDOWN_OPTIONS).convert_soup(main)
    return _BLANK_LINES.sub("\n\n", markdown).strip()


def _depth(root: Tag) -> int:
    deepest, level = 0, [root]
    while level and deepest <= _MAX_DEPTH:
        deepest += 1
        level = [child for tag in level for child in tag.find_all(True, recursive=False)]
    return deepest
