"""The running text of PDFs: whole paragraphs, headings, no page furniture."""

from __future__ import annotations

import pytest

from semkg.errors import BadInput
from semkg.ingest.pdf import read_pdf
from tests.ingest.writers import Words, column, pdf

BODY = (
    "The river rises in the mountains and flows through four large",
    "lakes before it reaches the sea. Its water feeds several towns.",
)


def test_lines_become_paragraphs() -> None:
    text = read_pdf(pdf([[*column(*BODY), *column("A second paragraph stands below and is", "not part of the first.", top=600)]])).text
    assert text == f"{' '.join(BODY)}\n\nA second paragraph stands below and is not part of the first."


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (("We measured the tem-", "perature of the water twice a day."), "the temperature of"),
        (("It is a state-", "of-the-art method that many people use."), "a state-of-the-art method"),
        (("A low-resource case. Another low-", "resource case was found in the south."), "Another low-resource case"),
        (("Names such as Saint-", "Gallen keep their hyphen in the text."), "Saint-Gallen keep"),
    ],
)
def test_hyphens_at_line_ends_are_undone_where_they_only_part_a_line(lines: tuple[str, str], joined: str) -> None:
    assert joined in read_pdf(pdf([column(*lines)])).text


def test_a_paragraph_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    first = column("This paragraph begins on the first page and its last words are", "continued after the break, because the")
    second = column("column was full. Here it ends at last and nothing was lost of it.", top=700)
    text = read_pdf(pdf([first, second])).text
    assert "because the column was full." in text
    assert "\n" not in text


def test_the_largest_line_is_the_title_and_larger_lines_are_headings() -> None:
    page = [Words("Rivers of the Alps", 72, 740, 20), Words("1", 72, 700, 13), Words("Introduction", 100, 700, 13)]
    page += [*column(*BODY, top=670), Words("1.1 Lakes", 72, 620, 13), *column(*BODY, top=590)]
    document = read_pdf(pdf([page]))
    assert document.title == "Rivers of the Alps"
    assert document.text.split("\n\n")[0] == "# Rivers of the Alps"
    assert [line for line in document.text.splitlines() if line.startswith("##")] == ["## 1 Introduction", "### 1.1 Lakes"]


def test_bold_lines_above_text_are_headings() -> None:
    page = [Words("Methods", 72, 720, 10, bold=True), *column(*BODY, top=690)]
    assert read_pdf(pdf([page])).text.startswith("## Methods\n\nThe river")


def test_running_headers_and_page_numbers_are_left_out() -> None:
    pages = [
        [Words("Journal of Rivers", 72, 770), *column(f"Page text number {word} is here.", *BODY, top=650), Words(str(n + 7), 300, 20)]
        for n, word in enumerate(("one", "two", "three", "four"))
    ]
    text = read_pdf(pdf(pages)).text
    assert "Journal" not in text
    assert not any(line.strip().isdigit() for line in text.splitlines())
    assert text.count("Page text number") == 4


def test_bullets_become_a_list() -> None:
    page = [*column(*BODY), *column("• first point of the list", "• second point of the list", top=620)]
    assert "\n\n- first point of the list\n\n- second point of the list" in read_pdf(pdf([page])).text


def test_text_without_a_larger_line_has_no_title() -> None:
    assert read_pdf(pdf([column(*BODY)])).title == ""


def test_a_page_without_text_layer_is_a_scan() -> None:
    with pytest.raises(BadInput, match="run text recognition over it first"):
        read_pdf(pdf([[], []]))


def test_accents_outside_of_western_encodings_are_mended() -> None:
    assert read_pdf(pdf([column("Written by M. Kl¨uwer and Ren´e Dupont in the spring.")])).text.startswith("Written by M. Klüwer and René")
