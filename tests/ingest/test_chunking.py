"""What always holds for pieces, whatever the text, and what each chunker promises."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from semkg.errors import UsageError
from semkg.ingest import Chunker, Piece, chunk
from semkg.model import Structure

FRAGMENTS = """# One|### Three|## Two|- item|  - inner|1. first|> quoted|```|    indented|---|<div>|Title|===|[x]: y
Dr. A. Lee paid 3.5 of it. |Really? |これは文です。次の文。|word |नमस्ते। |e\u0301|👩\u200d👧|🇨🇭🇫🇷|\u1100\u1161\u11a8|*|`|\\|~~~""".replace(
    "\n", "|"
).split("|")
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
WHITE = ["\n", "\n\n", " ", "\t", "\r\n", "\u2028", "\u00a0", "\x00", "\x0c"]
MARKUP = st.lists(st.sampled_from([*FRAGMENTS, TABLE, *WHITE, "\n", "\n"]), max_size=80).map("".join)
TEXTS = st.one_of(st.text(max_size=400), MARKUP)
WINDOWS = st.integers(1, 90).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.sampled_from(Chunker), WINDOWS, st.booleans())
@example("", Chunker.STRUCTURAL, (10, 2), True)
@example("x" + " " * 300 + "y", Chunker.FIXED_SIZE, (20, 10), False)
@example("a\u0301" * 50, Chunker.SENTENCE, (7, 3), True)
@example("# a\n" * 40, Chunker.STRUCTURAL, (20, 5), True)
def test_pieces_hold_the_whole_text_at_their_offsets(text: str, chunker: Chunker, window: tuple[int, int], markdown: bool) -> None:
    size, overlap = window
    pieces = chunk(text, chunker, size, overlap, markdown)
    covered: set[int] = set()
    before = 0
    for number, piece in enumerate(pieces):
        assert text[piece.start : piece.end] == piece.text
        assert piece.text == piece.text.strip() != ""
        assert len(piece.text) <= size
        assert number == 0 or piece.start > pieces[number - 1].start
        assert piece.overlap == max(0, before - piece.start) <= overlap
        before = piece.end
        covered.update(range(piece.start, piece.end))
    assert all(position in covered or character.isspace() for position, character in enumerate(text))


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.sampled_from(Chunker), st.integers(30, 90))
def test_the_new_parts_of_the_pieces_are_the_text(text: str, chunker: Chunker, size: int) -> None:
    pieces = chunk(text, chunker, size, size // 3)
    joined = "".join(piece.text[piece.overlap :] for piece in pieces)
    assert "".join(joined.split()) == "".join(text.split())


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("ab \u0301\u0308👩\u200d🏽"), max_size=200), st.sampled_from(Chunker))
def test_no_piece_begins_with_a_combining_mark(text: str, chunker: Chunker) -> None:
    if any(len(word) > 20 for word in text.split()):
        return
    for piece in chunk(text, chunker, size=60, overlap=20):
        # A mark on a space has no grapheme of its own once the space is gone.
        assert not unicodedata.combining(piece.text[0]) or piece.start == 0 or text[piece.start - 1].isspace()


def texts(pieces: list[Piece]) -> list[str]:
    return [piece.text for piece in pieces]


GUIDE = """# Alpine rivers

Water comes from glaciers. It feeds four seas.

## The Rhine

The Rhine rises in Graubünden.

- Upper Rhine
- Lower Rhine

## The Rhone

The Rhone crosses Lake Geneva.
"""


def test_sections_do_not_share_a_piece_and_keep_their_headings() -> None:
    pieces = chunk(GUIDE, size=120, overlap=20)
    assert [piece.heading for piece in pieces] == ["Alpine rivers", "Alpine rivers › The Rhine", "Alpine rivers › The Rhone"]
    assert pieces[1].text.startswith("## The Rhine\n\nThe Rhine rises")
    assert pieces[1].text.endswith("- Lower Rhine")


def test_a_heading_goes_with_the_text_below_it() -> None:
    filler = "Water flows downhill in most of the cases that were seen. " * 3
    pieces = chunk(f"{filler}\n\n### Floods\n\n{filler}", size=190, overlap=0)
    assert texts(pieces)[1].startswith("### Floods\n\nWater")


def test_small_paragraphs_of_one_section_share_a_piece() -> None:
    assert len(chunk("\n\n".join(["A short paragraph."] * 10), size=400)) == 1


def test_a_long_paragraph_is_cut_after_sentences_and_repeats_a_sentence() -> None:
    text = " ".join(f"Sentence number {number} stands here." for number in range(20))
    pieces = chunk(text, size=150, overlap=40)
    assert len(pieces) > 4
    assert all(piece.text.endswith(".") and piece.text.startswith("Sentence") for piece in pieces)
    assert all(piece.overlap > 0 for piece in pieces[1:])


def test_nothing_is_repeated_where_nothing_long_was_cut() -> None:
    assert all(piece.overlap == 0 for piece in chunk(GUIDE, size=120, overlap=60))


@pytest.mark.parametrize(
    ("text", "structure"),
    [
        ("# Only a heading", Structure.HEADING),
        ("Some words.", Structure.BODY),
        ("- one\n- two", Structure.LIST_ITEM),
        ("```python\nprint(1)\n```", Structure.CODE),
        ("| a | b |\n|---|---|\n| 1 | 2 |", Structure.TABLE),
        ("# Head\n\n| a | b |\n|---|---|\n| 1 | 2 |", Structure.TABLE),
    ],
)
def test_pieces_say_what_they_are_made_of(text: str, structure: Structure) -> None:
    assert [piece.structure for piece in chunk(text)] == [structure]


def test_a_long_table_is_cut_between_rows() -> None:
    table = "| n | square |\n|---|---|\n" + "".join(f"| {n} | {n * n} |\n" for n in range(100))
    assert all(piece.text.startswith("|") and piece.text.endswith("|") for piece in chunk(table, size=200, overlap=0))


def test_a_long_section_is_parted_before_its_code() -> None:
    prose = "The valve opens when the pressure falls below the limit. " * 2
    pieces = chunk(f"{prose}\n\n```\nvalve.open()\n```\n", size=250)
    assert texts(pieces)[1] == "```\nvalve.open()\n```"


def test_a_markdown_sign_in_plain_text_is_no_heading() -> None:
    assert [(piece.heading, piece.structure) for piece in chunk("# of items: 3", markdown=False)] == [("", Structure.BODY)]


def test_each_sentence_is_a_piece() -> None:
    assert texts(chunk("# Lakes\n\nLake Thun is deep. Is it? Yes!", Chunker.SENTENCE)) == [
        "# Lakes",
        "Lake Thun is deep.",
        "Is it?",
        "Yes!",
    ]


def test_each_paragraph_is_a_piece() -> None:
    assert texts(chunk("One.\nStill one.\n\nTwo.\n \nThree.", Chunker.PARAGRAPH)) == ["One.\nStill one.", "Two.", "Three."]


def test_semantic_pieces_are_whole_sentences_as_many_as_fit() -> None:
    text = "Aaaa bbbb. Cccc dddd. Eeee ffff. Gggg hhhh."
    assert texts(chunk(text, Chunker.SEMANTIC, size=22, overlap=5)) == ["Aaaa bbbb. Cccc dddd.", "Eeee ffff. Gggg hhhh."]


def test_fixed_size_pieces_overlap_and_begin_with_whole_words() -> None:
    text = " ".join(f"word{number:03}" for number in range(100))
    pieces = chunk(text, Chunker.FIXED_SIZE, size=100, overlap=20)
    assert all(piece.text.startswith("word") and piece.overlap >= 7 for piece in pieces[1:])


def test_a_text_without_spaces_is_cut_at_its_full_stops() -> None:
    text = "河流从山上流下来，进入湖泊。" * 40
    assert all(piece.text.endswith("。") for piece in chunk(text, size=100, overlap=20))


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_an_overlap_must_be_smaller_than_the_size(size: int, overlap: int) -> None:
    with pytest.raises(UsageError, match="smaller than the chunk size"):
        chunk("text", size=size, overlap=overlap)


MILLION = 1_000_000
HOSTILE = {
    "quotes": ">" * MILLION,
    "nested quotes": "> " * (MILLION // 2),
    "brackets": "[" * MILLION,
    "link definitions": "[a]: <" * (MILLION // 6),
    "lists in lists": "".join(" " * depth + "- a\n" for depth in range(1400)),
    "bullets": "- " * (MILLION // 2),
    "stops": "." * MILLION + "x",
    "closing quotes": "." + '"' * MILLION,
    "spaces": "x" + " " * MILLION + "y",
    "marks": "a" + "\u0301" * MILLION,
    "flags": "🇨" * MILLION,
    "pipes": "|" * MILLION,
    "backticks": "`" * MILLION,
    "comments": "<!-- " * (MILLION // 5),
    "headings": "# a\n" * (MILLION // 8),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_megabyte_takes_seconds_at_most(name: str) -> None:
    started = time.perf_counter()
    assert chunk(HOSTILE[name])
    assert time.perf_counter() - started < 10


def test_a_megabyte_of_prose_and_thousands_of_passages_are_cut_quickly() -> None:
    prose = "The Aare rises in the Alps, as Dr. J. K. Lee wrote in 1999. Why? Nobody knows!\n\n" * 12_500
    started = time.perf_counter()
    for chunker in Chunker:
        chunk(prose, chunker)
    for _ in range(6_000):
        chunk(prose[:480])
    # Measured on two idle cores: 1.1 s and 0.8 s; the rest is room for a busy machine.
    assert time.perf_counter() - started < 15
