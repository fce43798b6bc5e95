"""The example collection is what its generator writes, reads well in every format, and answers its questions from two pages each."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import TypedDict

import pytest

from semkg.ingest.formats import convert

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "observatory"
PAGES = sorted((FOLDER / "pages").iterdir())


class Question(TypedDict):
    """An entry of `questions.json`."""

    id: str
    question: str
    answer: str
    aliases: list[str]
    documents: list[str]


QUESTIONS: list[Question] = json.loads((FOLDER / "questions.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("observatory_generate", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_generating_again_gives_the_same_bytes(generator: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("docx")
    pytest.importorskip("fpdf")
    generator.main(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {path.name: path.read_bytes() for path in PAGES}


def test_each_format_has_at_least_two_small_pages() -> None:
    formats = [path.suffix for path in PAGES]
    assert len(formats) >= 12
    assert {suffix: formats.count(suffix) >= 2 for suffix in formats} == dict.fromkeys((".docx", ".html", ".md", ".pdf"), True)
    assert max(path.stat().st_size for path in PAGES) < 60_000


@pytest.mark.parametrize("path", PAGES, ids=[path.name for path in PAGES])
def test_a_page_reads_back_with_its_title_headings_and_text(path: Path, generator: ModuleType) -> None:
    (page,) = (page for page in generator.read_pages() if page.file == path.name)
    converted = convert(path.read_bytes(), path.suffix)
    assert converted.title == page.title
    assert 120 <= len(page.text.split()) <= 250
    expected = [f"# {page.title}", *(f"## {text}" if heading else text for heading, text in page.blocks)]
    assert [line for line in converted.text.splitlines() if line.strip()] == expected


def test_every_page_is_named_on_another_page(generator: ModuleType) -> None:
    pages = generator.read_pages()
    for page in pages:
        assert any(page.title in other.text for other in pages if other is not page), page.title


@pytest.mark.parametrize("question", QUESTIONS, ids=[question["id"] for question in QUESTIONS])
def test_a_question_needs_both_of_its_pages(question: Question, generator: ModuleType) -> None:
    texts = {page.file: f"{page.title}\n{page.text}" for page in generator.read_pages()}
    first, second = (texts[name] for name in question["documents"])
    assert question["answer"] in second
    assert question["answer"] not in first
