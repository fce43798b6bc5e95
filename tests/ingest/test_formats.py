"""What the text, title and language of a document are, format by format."""

from __future__ import annotations

import builtins
import json
import logging
from collections.abc import Callable

import pytest

from semkg.errors import Misconfigured
from semkg.ingest.formats import convert
from semkg.ingest.hypertext import read_html
from tests.ingest.writers import docx, epub, pptx, xlsx, zipped

PAGE = """<html lang="fr"><head><title>Ada Lovelace — Encyclopédie</title><style>p {}</style><script>track()</script></head><body>
<nav><a href="/">Accueil</a></nav><header>Encyclopédie</header>
<main><header><h1>Ada <i>Lovelace</i></h1></header>
<p>Elle est <b>née</b> à <a href="https://example.org/l">Londres</a> en 1815 (snake_case).</p>
<p hidden>caché</p><p style="display: none">caché</p><ul><li>un<li>deux</ul>
<table><tr><th>an</th><th>lieu</th></tr><tr><td>1815</td><td>Londres</td></tr></table><pre><code>x = 1 * 2</code></pre></main>
<footer>Contact</footer></body></html>"""


def test_a_page_is_its_main_content_without_markup_between_the_words() -> None:
    page = read_html(PAGE.encode())
    assert page.text.startswith("# Ada Lovelace\n\nElle est née à Londres en 1815 (snake_case).\n\n- un\n- deux")
    assert "| 1815 | Londres |" in page.text
    assert "```\nx = 1 * 2\n```" in page.text
    assert not any(word in page.text for word in ("Accueil", "Contact", "caché", "track", "http", "Encyclopédie"))


def test_a_page_tells_its_title_and_language() -> None:
    page = read_html(PAGE.encode())
    assert (page.title, page.language) == ("Ada Lovelace", "fr")
    assert read_html(b"<title>Only\n this</title><p>Words").title == "Only this"
    assert read_html(b"<h1>Heading</h1><p>Words").title == "Heading"
    assert read_html(b"<title>Site</title><h1>One</h1><h1>Two</h1>").title == "Site"


def test_a_page_without_body_tag_is_read() -> None:
    assert read_html(b"<p>One<p>Two").text == "One\n\nTwo"


@pytest.mark.parametrize("depth", [100, 100_000])
def test_a_deeply_nested_page_keeps_its_words(depth: int) -> None:
    assert read_html(b"<div>" * depth + b"inner" + b"</div>" * depth + b"<p>after").text.split() == ["inner", "after"]


def test_a_page_of_opening_comments_does_not_hang() -> None:
    assert read_html(b"<!--" * 100_000 + b"--><p>after").text.split() == ["after"]


def test_markdown_states_its_title_in_the_front_matter_or_the_first_heading() -> None:
    assert convert(b'---\ntitle: "The Aare"\nlang: en\n---\n# Head\n', ".md").title == "The Aare"
    assert convert(b"---\ntitle: x\n---\n# Head\n", ".md").text == "# Head\n"
    assert convert(b"Words.\n\n## The [Aare](a.md) *river* ##\n", ".md").title == "The Aare river"
    assert convert(b"The Aare\n========\n", ".md").title == "The Aare"
    assert convert(b"```\n# comment\n```\n\n# Real\n", ".md").title == "Real"
    assert convert(b"No heading.\n", ".md").title == ""


def test_a_rule_at_the_beginning_is_no_front_matter() -> None:
    assert convert(b"---\nWords without an end.\n", ".md").text == "---\nWords without an end.\n"


def test_a_word_document_has_headings_and_a_title() -> None:
    document = convert(docx("The Aare", ["It rises in the Alps."], core_title="Draft 7"), ".docx")
    assert (document.text, document.title) == ("# The Aare\n\nIt rises in the Alps.", "The Aare")
    assert convert(docx("", ["Words."], core_title="Rivers"), ".docx").title == "Rivers"
    assert convert(docx("", ["Words."], core_title="Word Document"), ".docx").title == ""


def test_slides_are_read_without_the_converter_s_comments() -> None:
    slides = convert(pptx("Rivers", "The Aare is long."), ".pptx")
    assert (slides.title, slides.text) == ("Rivers", "# Rivers\nThe Aare is long.")


def test_empty_cells_stay_empty() -> None:
    assert "| Aare |  | 288 |" in convert(xlsx([["river", "note", "km"], ["Aare", None, 288]]), ".xlsx").text


def test_a_book_is_read_in_the_order_of_its_spine() -> None:
    book = convert(epub("Rivers", {"z.xhtml": "<h1>First</h1><p>One.</p>", "a.xhtml": "<h1>Second</h1><p>Two.</p>"}, "en-GB"), ".epub")
    assert (book.text, book.title, book.language) == ("# First\n\nOne.\n\n# Second\n\nTwo.", "Rivers", "en-GB")


def test_a_table_of_values_is_a_table() -> None:
    assert convert("Fluss;Länge\nAare;288".encode("cp1252").replace(b";", b","), ".csv").text.splitlines()[0] == "| Fluss | Länge |"


def test_a_notebook_is_text_and_code() -> None:
    cells = [{"cell_type": "markdown", "source": ["# Study\n", "Words."]}, {"cell_type": "code", "source": ["x = 1"]}]
    notebook = convert(json.dumps({"cells": cells, "metadata": {}}).encode(), ".ipynb")
    assert (notebook.title, "```python\nx = 1\n```" in notebook.text) == ("Study", True)


def test_control_characters_behind_entities_do_not_reach_the_text() -> None:
    text = convert(b"<p>A page that is long enough" + b" and longer" * 20 + b"&#1;&#xD800;!</p>", ".html").text
    assert "\x01" not in text
    assert text.encode()


def test_converters_stay_silent(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    with caplog.at_level(logging.DEBUG):
        convert(docx("Title", ["Words."]), ".docx")
        convert(b"<p>Words.", ".html")
    assert capfd.readouterr() == ("", "")
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_without_the_converters_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    original: Callable[..., object] = builtins.__import__

    def without(name: str, *args: object, **kwargs: object) -> object:
        if name.startswith(("markitdown", "pdfminer", "bs4")):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return original(name, *args, **kwargs)

    content = docx("Title", ["Words."])
    monkeypatch.setattr(builtins, "__import__", without)
    for suffix, data in ((".docx", content), (".html", b"<p>Words.")):
        with pytest.raises(Misconfigured, match=r"pip install 'semkg\[formats\]'"):
            convert(data, suffix)


def test_office_files_without_their_parts_are_damaged() -> None:
    for suffix in (".docx", ".pptx", ".xlsx", ".epub"):
        with pytest.raises(Exception, match=f"it cannot be read as {suffix}"):
            convert(zipped({"a.txt": "a"}), suffix)
