"""The running text of a PDF: its text layer set back into whole paragraphs, with headings.

Lines are joined, hyphenation at line ends is undone, ligatures and split accents are mended; page numbers, running headers and
rotated stamps are left out. The layout analysis is pdfminer's; which words a hyphen belonged to is decided by the words of the
document itself.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

from semkg.errors import BadInput
from semkg.ingest.archives import check_pdf_streams
from semkg.ingest.hypertext import Converted

if TYPE_CHECKING:
    from pdfminer.layout import LTPage, LTTextLine

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_ACCENTS = {"´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c", "˚": "\u030a", "˘": "\u0306"}
_ACCENTED = re.compile("([´`¨ˆ˜ˇ˚˘]) ?([A-Za-zı])")
_UNMAPPED = re.compile(r"\(cid:\d+\)")
_HYPHENATED = re.compile(r"([^\W\d_]*\w)[-\u2010\u00ad]\n(\w[^\W_]*)(-?)")
_WORD = re.compile(r"\w+(?:-\w+)*")
_CJK_BREAK = re.compile("(?<=[\u3000-\u30ff\u4e00-\u9fff\uff00-\uff65])\n(?=[\u3000-\u30ff\u4e00-\u9fff\uff00-\uff65])")
_PAGE_NUMBER = re.compile(r"[-–—|\s]*(?:page\s*)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|/)\s*\d{1,4})?[-–—|\s]*", re.IGNORECASE)
_SECTION_NUMBER = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z]|[IVX]{1,5})\.?")
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})* [A-Z]")
_BULLET = re.compile(r"^[•‣◦▪●∙·]\s*")
_OPEN_END = re.compile(r"(?:[\w,;–—-]|[)\]”’\"'])\Z")
_FINISHED = re.compile(r"[.!?:。！？]['\"”’)\]]*\Z")
_BOLD = re.compile(r"bold|black|heavy|-medi|-bd", re.IGNORECASE)

_EDGE = 0.09
"""The part of a page's height, at the top and at the bottom, in which headers, footers and page numbers stand."""
_HEADING_LENGTH = 140
_RUNNING_LENGTH = 40
_TITLE_RATIO = 1.25
_HEADING_RATIO = 1.1


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    bold: bool


@dataclass(frozen=True, slots=True)
class _Page:
    height: float
    boxes: tuple[tuple[_Line, ...], ...]

    def edge(self, line: _Line) -> bool:
        return line.bottom > (1 - _EDGE) * self.height or line.top < _EDGE * self.height


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Lines that belong together, still separated by `\\n`; sizes in points."""

    text: str
    size: float
    bold: bool
    page: int
    top: float
    left: float
    right: float


def read_pdf(content: bytes) -> Converted:
    """The text of a PDF as Markdown: paragraphs without line breaks, `##` before headings.

    Raises:
        BadInput: it is damaged, protected by a password, a bomb, or has no text layer.
    """
    if b"%PDF-" not in content[:1024]:
        raise BadInput("it does not begin like a PDF: it may be damaged or something else; open it in a viewer and save it again")
    check_pdf_streams(content)
    pages = _without_running_lines(list(_pages(content)))
    if not any(page.boxes for page in pages):
        raise BadInput("it has no text layer, as scans have none: run text recognition over it first (for example ocrmypdf)")
    body = _body_size(pages)
    paragraphs = _continued(_numbered(_paragraphs(pages)), body)
    title = _title(paragraphs, body)
    return Converted(_rendered(paragraphs, body, title), title=title)


def _pages(content: bytes) -> Iterator[_Page]:
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LAParams
    from pdfminer.pdfdocument import PDFPasswordIncorrect, PDFTextExtractionNotAllowed

    try:
        for page in extract_pages(io.BytesIO(content), laparams=LAParams()):
            yield _Page(page.height, tuple(_boxes(page)))
    except (PDFPasswordIncorrect, PDFTextExtractionNotAllowed) as error:
        raise BadInput("it is protected by a password: save a copy without protection") from error


def _boxes(page: LTPage) -> Iterator[tuple[_Line, ...]]:
    from pdfminer.layout import LTTextBox, LTTextLine

    for box in page:
        if isinstance(box, LTTextBox):
            lines = tuple(line for item in box if isinstance(item, LTTextLine) and (line := _line(item)))
            if lines:
                yield lines


def _line(item: LTTextLine) -> _Line | None:
    """A line of the page, or None where it is blank or not horizontal."""
    from pdfminer.layout import LTChar

    characters = [character for character in item if isinstance(character, LTChar)]
    text = _mended(item.get_text())
    if not text or not characters or 2 * sum(character.upright for character in characters) < len(characters):
        return None
    bold = all(_BOLD.search(character.fontname) for character in characters)
    return _Line(text, item.x0, item.x1, item.y0, item.y1, round(median(character.size for character in characters), 1), bold)


def _mended(text: str) -> str:
    """A line without ligatures, unmapped glyphs and accents that stand before their letters.

    >>> _mended("the \\ufb01rst Kl¨uwer (cid:13) ")
    'the first Klüwer'
    """
    folded = " ".join(_UNMAPPED.sub("", text.translate(_LIGATURES)).split())
    return _ACCENTED.sub(_accented, folded)


def _accented(match: re.Match[str]) -> str:
    letter = "i" if match.group(2) == "ı" else match.group(2)
    joined = unicodedata.normalize("NFC", letter + _ACCENTS[match.group(1)])
    return joined if len(joined) == 1 else match.group()


def _without_running_lines(pages: Sequence[_Page]) -> list[_Page]:
    """The pages without page numbers and without lines that many pages have in common at their edges."""
    shapes = Counter(shape for page in pages for shape in {_shape(line) for box in page.boxes for line in box if page.edge(line)})
    common = {shape for shape, count in shapes.items() if count >= max(2, min(3, len(pages) / 2))}
    return [replace(page, boxes=tuple(_kept_boxes(page, common))) for page in pages]


def _kept_boxes(page: _Page, common: set[str]) -> Iterator[tuple[_Line, ...]]:
    for box in page.boxes:
        lines = tuple(line for line in box if not (page.edge(line) and (_shape(line) in common or _PAGE_NUMBER.fullmatch(line.text))))
        if lines:
            yield lines


def _shape(line: _Line) -> str:
    """A line's text with its numbers made equal."""
    return re.sub(r"\d+", "#", line.text)


def _body_size(pages: Iterable[_Page]) -> float:
    """The size in which most of the text is set."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for box in page.boxes:
            for line in box:
                sizes[round(line.size)] += len(line.text)
    return float(sizes.most_common(1)[0][0])


def _paragraphs(pages: Sequence[_Page]) -> Iterator[_Paragraph]:
    for number, page in enumerate(pages):
        for box in page.boxes:
            left = min(line.left for line in box)
            group = [box[0]]
            for line in box[1:]:
                if _opens_paragraph(group[-1], line, left):
                    yield _paragraph(group, number)
                    group = []
                group.append(line)
            yield _paragraph(group, number)


def _opens_paragraph(before: _Line, line: _Line, left: float) -> bool:
    """A change of size or weight, a bullet, or an indented line after a finished sentence."""
    if abs(line.size - before.size) > 0.12 * before.size or line.bold != before.bold or _BULLET.match(line.text):
        return True
    return line.left - left > 0.6 * line.size and bool(_FINISHED.search(before.text))


def _paragraph(lines: Sequence[_Line], page: int) -> _Paragraph:
    text = "\n".join(line.text for line in lines)
    size = median(line.size for line in lines)
    return _Paragraph(text, size, all(line.bold for line in lines), page, lines[0].top, lines[0].left, lines[0].right)


def _numbered(paragraphs: Iterable[_Paragraph]) -> Iterator[_Paragraph]:
    """Section numbers joined with the headings on the same line of the page."""
    number: _Paragraph | None = None
    for paragraph in paragraphs:
        if number is not None:
            if _same_line(number, paragraph):
                paragraph = replace(paragraph, text=f"{number.text} {paragraph.text}")
            else:
                yield number
        number = paragraph if _SECTION_NUMBER.fullmatch(paragraph.text) else None
        if number is None:
            yield paragraph
    if number is not None:
        yield number


def _same_line(number: _Paragraph, paragraph: _Paragraph) -> bool:
    near = 0 < paragraph.left - number.right < 4 * number.size
    return near and paragraph.page == number.page and abs(paragraph.top - number.top) < 0.7 * number.size


def _continued(paragraphs: Iterable[_Paragraph], body: float) -> list[_Paragraph]:
    """Paragraphs that a column, page, figure or footnote had torn apart are whole again; crumbs of one page stand together."""
    whole: list[_Paragraph] = []
    last = -1
    for paragraph in paragraphs:
        sized = abs(paragraph.size - body) < 0.1 * body
        running = sized and len(paragraph.text) > _RUNNING_LENGTH
        if last >= 0 and paragraph.text[0].islower() and _awaits(whole[last].text, running, sized):
            whole[last] = replace(whole[last], text=f"{whole[last].text}\n{paragraph.text}")
        elif whole and _crumb(paragraph, body) and _crumb(whole[-1], body) and whole[-1].page == paragraph.page:
            whole[-1] = replace(whole[-1], text=f"{whole[-1].text} {paragraph.text}")
        else:
            whole.append(paragraph)
            last = len(whole) - 1 if running else last
    return whole


def _awaits(text: str, running: bool, sized: bool) -> bool:
    """Whether a paragraph goes on in the next one, which is running text or at least of its size."""
    return bool(_OPEN_END.search(text)) and (running or (sized and text.endswith(("-", "\u2010"))))


def _crumb(paragraph: _Paragraph, body: float) -> bool:
    """A cell, a label of a figure or a piece of a formula."""
    lines = paragraph.text.split("\n")
    if paragraph.bold or paragraph.size >= _HEADING_RATIO * body or (paragraph.text.isupper() and len(paragraph.text) > 8):
        return False
    return max(map(len, lines)) < 25 and not _FINISHED.search(paragraph.text)


def _title(paragraphs: Sequence[_Paragraph], body: float) -> str:
    """The largest text of the first page, where it is clearly larger than the rest."""
    first = [p for p in paragraphs if p.page == 0 and sum(c.isalpha() for c in p.text) > 3]
    if not first:
        return ""
    largest = max(paragraph.size for paragraph in first)
    if largest < _TITLE_RATIO * body:
        return ""
    text = "\n".join(paragraph.text for paragraph in first if paragraph.size > 0.95 * largest)
    joined = _joined(text, Counter()).rstrip("*∗†‡§¶ ")
    return joined if len(joined) <= 300 else ""


def _rendered(paragraphs: Sequence[_Paragraph], body: float, title: str) -> str:
    # Halves of words at line ends are no words of the document.
    words = Counter(word for p in paragraphs for word in _words(_HYPHENATED.sub(" ", p.text)))
    texts = [_joined(paragraph.text, words) for paragraph in paragraphs]
    parts = []
    for paragraph, text, following in zip(paragraphs, texts, [*texts[1:], ""], strict=True):
        # What is as large as the body and stands above no text is a cell of a table.
        heads = paragraph.size >= _HEADING_RATIO * body or len(following) > _RUNNING_LENGTH or bool(_NUMBERED.match(following))
        mark = _heading_mark(paragraph, text, body, title) if heads else ""
        parts.append(mark + _BULLET.sub("- ", text))
    return "\n\n".join(parts)


def _words(text: str) -> Iterator[str]:
    """The words of a text, case-folded; a hyphenated one counts as itself and as its parts."""
    for word in _WORD.findall(text.casefold()):
        yield word
        if "-" in word:
            yield from word.split("-")


def _heading_mark(paragraph: _Paragraph, text: str, body: float, title: str) -> str:
    if title and text.rstrip("*∗†‡§¶ ") == title:
        return "# "
    # Small capitals are set smaller than the body.
    strong = paragraph.bold or (text.isupper() and "\n" not in paragraph.text)
    if paragraph.size < _HEADING_RATIO * body and not (strong and paragraph.size > 0.75 * body):
        return ""
    letters = sum(character.isalpha() for character in text)
    # Two commas make a list of authors.
    if len(text) > _HEADING_LENGTH or 2 * letters < len(text) or letters < 4 or text.count(",") > 1 or text.endswith((".", ",")):
        return ""
    if not text[0].isalnum():
        return ""
    numbers = re.match(r"\d+((?:\.\d+)*)", text)
    return "#" * (2 + (numbers.group(1).count(".") if numbers else 0)) + " "


def _joined(text: str, words: Counter[str]) -> str:
    """A paragraph on one line.

    >>> _joined("experi-\\nments with a state-\\nof-the-art model", Counter())
    'experiments with a state-of-the-art model'
    """
    flowing = _HYPHENATED.sub(lambda match: _unhyphenated(match, words), text)
    return " ".join(_CJK_BREAK.sub("", flowing).replace("\u00ad", "").split())


def _unhyphenated(match: re.Match[str], words: Counter[str]) -> str:
    """The two halves of a word: joined, or with the hyphen that it has elsewhere."""
    left, right, more = match.groups()
    plain, hyphened = words[(left + right).casefold()], words[f"{left}-{right}".casefold()]
    both = words[left.casefold()] > 0 and words[right.casefold()] > 0
    compound = bool(more) or not right[0].islower() or left[-1].isdigit() or left.isupper()
    keep = hyphened > plain if hyphened or plain else compound or (both and len(left) > 2 and len(right) > 2)
    return f"{left}{'-' if keep else ''}{right}{more}"
