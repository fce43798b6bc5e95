"""What `read_sources` gives for files, folders, patterns, archives, records and standard input."""

from __future__ import annotations

import io
import json
import os
import tempfile
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from semkg.ingest import Fields, SourceProblem, SourceText, count_sources, read_sources
from tests.ingest.writers import column, docx, pdf, zipped


def read(*sources: str | Path, fields: Fields | None = None, stdin: bytes = b"") -> tuple[list[SourceText], list[SourceProblem]]:
    found = list(read_sources([str(source) for source in sources], fields or Fields(), io.BytesIO(stdin)))
    return [item for item in found if isinstance(item, SourceText)], [item for item in found if isinstance(item, SourceProblem)]


def only_problem(*sources: str | Path, fields: Fields | None = None, stdin: bytes = b"") -> SourceProblem:
    texts, problems = read(*sources, fields=fields, stdin=stdin)
    assert not texts
    assert len(problems) == 1
    return problems[0]


def only_text(*sources: str | Path, stdin: bytes = b"") -> SourceText:
    texts, problems = read(*sources, stdin=stdin)
    assert not problems
    assert len(texts) == 1
    return texts[0]


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.txt").write_text("Two.")
    (tmp_path / "a.md").write_text("# One\n\nText.")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / ".secret.md").write_text("no")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config.txt").write_text("no")
    return tmp_path


def test_a_folder_is_read_recursively_in_order_without_hidden_and_unknown_files(collection: Path) -> None:
    texts, problems = read(collection)
    assert [text.source for text in texts] == [(collection / "a.md").as_uri(), (collection / "b" / "two.txt").as_uri()]
    assert not problems


def test_a_pattern_finds_files_in_all_folders(collection: Path) -> None:
    texts, problems = read(f"{collection}/**/*.txt", f"{collection}/*.md")
    assert [text.title for text in texts] == ["two", "One"]
    assert not problems


def test_a_file_named_twice_is_read_once(collection: Path) -> None:
    texts, _ = read(collection / "a.md", collection, f"{collection}/*.md")
    assert [text.title for text in texts] == ["One", "two"]


def test_relative_names_and_file_uris_give_the_same_identity(collection: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(collection)
    assert only_text("b/two.txt").source == only_text((collection / "b" / "two.txt").as_uri()).source


def test_a_name_with_signs_of_a_pattern_is_a_name_where_it_exists(tmp_path: Path) -> None:
    (tmp_path / "notes [1].txt").write_text("Numbered.")
    assert only_text(tmp_path / "notes [1].txt").source.endswith("notes%20%5B1%5D.txt")


def test_a_file_whose_name_is_no_utf_8_is_read(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_text("Coffee.")
    text = only_text(tmp_path)
    assert text.text == "Coffee."
    assert text.source.endswith("caf%E9.txt")


@pytest.mark.parametrize(
    ("name", "content", "says", "code"),
    [
        ("empty.txt", b"", "is empty", 65),
        ("blank.md", b" \n\t\n", "is empty", 65),
        ("noise.txt", bytes(range(1, 32)) * 20, "looks binary", 65),
        ("picture.png", b"\x89PNG", "of a format that semkg does not read", 65),
        ("broken.pdf", b"%PDF-1.7\ngarbage", "cannot be read as .pdf", 65),
        ("text.pdf", b"only text", "does not begin like a PDF", 65),
        ("scan.pdf", pdf([[]]), "no text layer", 65),
        ("broken.docx", b"PK\x03\x04garbage", "damaged or no ZIP container", 65),
        ("cut.docx", docx("Title", ["Words."])[:-2000], "damaged or no ZIP container", 65),
        ("other.docx", zipped({"a.xml": "<a/>"}), "cannot be read as .docx", 65),
        ("comment.html", b"<html><body><script>x()</script></body></html>", "holds no text", 65),
        ("broken.json", b'{"text": ', "is no JSON (Expecting value at line 1 column 10)", 65),
        ("deep.json", b"[" * 200_000, "nested too deeply", 65),
        ("none.json", b"[]", "holds no records", 65),
        ("fields.json", b'{"a": 1}', "neither a field 'text' nor exactly one list", 65),
    ],
)
def test_a_bad_file_is_reported_and_the_others_go_on(tmp_path: Path, name: str, content: bytes, says: str, code: int) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / "good.txt").write_text("Good.")
    texts, problems = read(tmp_path / name, tmp_path / "good.txt")
    assert [text.text for text in texts] == ["Good."]
    assert [(problem.source, problem.exit_code) for problem in problems] == [((tmp_path / name).as_uri(), code)]
    assert says in problems[0].message
    assert str(tmp_path / name) in problems[0].message


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    problem = only_problem(tmp_path / "none.txt")
    assert (problem.exit_code, "does not exist" in problem.message) == (74, True)


def test_a_pattern_without_matches_is_reported(collection: Path) -> None:
    problem = only_problem(f"{collection}/*.pdf")
    assert (problem.exit_code, "matches no file" in problem.message) == (74, True)


def test_a_folder_without_documents_is_reported(tmp_path: Path) -> None:
    problem = only_problem(tmp_path)
    assert (problem.exit_code, "holds no file of a format" in problem.message) == (65, True)


def test_an_address_is_not_fetched() -> None:
    problem = only_problem("https://example.org/page.html")
    assert (problem.source, problem.exit_code) == ("https://example.org/page.html", 65)
    assert "nothing is fetched" in problem.message


@contextmanager
def as_an_ordinary_user() -> Iterator[None]:
    """The superuser may read everything, so tests about permissions give up that power for a while."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_file_or_folder_that_may_not_be_read_is_reported() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "closed.txt").write_text("Closed.")
        (folder / "closed.txt").chmod(0)
        (folder / "locked").mkdir(mode=0)
        (folder / "good.txt").write_text("Good.")
        with as_an_ordinary_user():
            texts, problems = read(folder)
    assert [text.text for text in texts] == ["Good."]
    assert [problem.exit_code for problem in problems] == [77, 77]
    assert f"not allowed to read or write {folder / 'closed.txt'}" in problems[0].message
    assert f"not allowed to read or write {folder / 'locked'}" in problems[1].message


def test_a_pipe_in_a_folder_is_left_alone_and_reported_when_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "good.txt").write_text("Good.")
    assert only_text(tmp_path).text == "Good."
    assert "neither a file nor a folder" in only_problem(tmp_path / "pipe.txt").message


def test_a_folder_that_links_to_itself_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("Good.")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert only_text(tmp_path).text == "Good."


def test_a_changed_title_or_text_has_another_checksum(tmp_path: Path) -> None:
    checksums = set()
    for content in ("# A\n\nText.", "# B\n\nText.", "# A\n\nText!"):
        (tmp_path / "page.md").write_text(content)
        checksums.add(only_text(tmp_path).sha256)
    assert len(checksums) == 3


RECORDS = [
    {"title": "Aare", "text": "It rises.", "meta": {"id": "r 1"}},
    {"title": "Reuss", "text": ["It flows.", "It ends."], "meta": {"id": 2}},
]


def test_each_record_of_a_list_is_a_document(tmp_path: Path) -> None:
    (tmp_path / "rivers.json").write_text(json.dumps(RECORDS))
    texts, problems = read(tmp_path / "rivers.json", fields=Fields(id="meta.id"))
    assert not problems
    assert [text.source.rpartition("/")[2] for text in texts] == ["rivers.json#r%201", "rivers.json#2"]
    assert [(text.title, text.titled, text.text) for text in texts] == [
        ("Aare", True, "It rises."),
        ("Reuss", True, "It flows.\n\nIt ends."),
    ]
    assert not texts[0].markdown


def test_an_object_with_one_list_gives_its_records(tmp_path: Path) -> None:
    (tmp_path / "rivers.json").write_text(json.dumps({"version": 1, "tags": ["a"], "rivers": RECORDS}))
    assert [text.title for text in read(tmp_path)[0]] == ["Aare", "Reuss"]


def test_one_object_is_one_record_and_fields_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "river.json").write_text(json.dumps({"name": "Aare", "body": {"long": "It rises."}}))
    texts, _ = read(tmp_path, fields=Fields(title="name", text="body.long"))
    assert [(text.title, text.text) for text in texts] == [("Aare", "It rises.")]


def test_a_record_without_identity_keeps_its_own_when_others_come_and_go(tmp_path: Path) -> None:
    path = tmp_path / "rivers.json"
    path.write_text(json.dumps(RECORDS))
    before = {text.source for text in read(path)[0]}
    path.write_text(json.dumps([{"title": "Limmat", "text": "New."}, *reversed(RECORDS)]))
    assert before < {text.source for text in read(path)[0]}


def test_a_record_that_occurs_twice_is_one_document(tmp_path: Path) -> None:
    (tmp_path / "rivers.json").write_text(json.dumps([RECORDS[0], RECORDS[0]]))
    assert only_text(tmp_path).title == "Aare"


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"title": "No text", "id": "x"}, "record 2 has no text in the field 'text': name the field with --text-field (it has id, title)"),
        ({"title": "Blank", "text": " ", "id": "x"}, "record 2 has no text"),
        ({"title": "Number", "text": 5, "id": "x"}, "record 2 holds no text but something else in the field 'text'"),
        ({"title": "Anonymous", "text": "Words."}, "record 2 has no identity in the field 'id'"),
        ({"title": "Twin", "text": "Words.", "id": 1}, "record 2 has the identity '1', which an earlier record has"),
        ("a string", "record 2 is not an object with fields"),
    ],
)
def test_a_bad_record_is_reported_and_the_others_go_on(tmp_path: Path, record: object, says: str) -> None:
    good = [{"title": str(n), "text": "Words.", "id": n} for n in (1, 3)]
    (tmp_path / "list.json").write_text(json.dumps([good[0], record, good[1]]))
    texts, problems = read(tmp_path / "list.json", fields=Fields(id="id"))
    assert [text.title for text in texts] == ["1", "3"]
    assert [problem.exit_code for problem in problems] == [65]
    assert says in problems[0].message


def test_half_a_surrogate_pair_in_a_record_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text(json.dumps([{"title": "\ud83d", "text": "A long enough text about emoji. " * 9 + "\ud83d"}]))
    text = only_text(tmp_path)
    assert text.text.encode().endswith("\ufffd".encode())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_lines_of_json_are_read_in_any_encoding_and_bad_ones_named(tmp_path: Path, encoding: str) -> None:
    lines = ['{"title": "Zürich", "text": "One."}', "no json", "", '{"title": "B", "text": "Two."}']
    (tmp_path / "rivers.jsonl").write_bytes("\r\n".join(lines).encode(encoding))
    texts, problems = read(tmp_path)
    assert [text.title for text in texts] == ["Zürich", "B"]
    assert len(problems) == 1
    assert "rivers.jsonl: line 2: it is no JSON" in problems[0].message


def test_lines_of_json_are_streamed(tmp_path: Path) -> None:
    with (tmp_path / "big.jsonl").open("w") as stream:
        for number in range(1_000):
            stream.write(json.dumps({"title": str(number), "text": f"{number} " + "word " * 1_000}) + "\n")
    tracemalloc.start()
    read_so_far = sum(1 for _ in read_sources([str(tmp_path / "big.jsonl")]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert read_so_far == 1_000
    assert peak < 2_000_000 < (tmp_path / "big.jsonl").stat().st_size


def test_reading_is_lazy(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("First.")
    texts: Iterator[SourceText | SourceProblem] = read_sources([str(tmp_path / "a.txt"), str(tmp_path / "b.txt")])
    assert isinstance(next(texts), SourceText)
    (tmp_path / "b.txt").write_text("Written later.")
    later = next(texts)
    assert isinstance(later, SourceText)
    assert later.text == "Written later."


def test_members_of_an_archive_are_documents(tmp_path: Path) -> None:
    members: dict[str, bytes | str] = {
        "notes/b.md": "# B\n\nText.",
        "a.docx": docx("A", ["Text."]),
        "rivers.json": json.dumps(RECORDS),
        "__MACOSX/._b.md": "no",
        ".hidden/c.txt": "no",
        "picture.png": b"no",
        "empty.txt": "",
        "inner.zip": zipped({"x.txt": "x"}),
    }
    (tmp_path / "all.zip").write_bytes(zipped(members))
    texts, problems = read(tmp_path, fields=Fields(id="meta.id"))
    uri = (tmp_path / "all.zip").as_uri()
    assert [text.source for text in texts] == [
        f"{uri}#a.docx", f"{uri}#notes/b.md", f"{uri}#rivers.json%23r%201", f"{uri}#rivers.json%232",
    ]  # fmt: skip
    assert [problem.source for problem in problems] == [f"{uri}#empty.txt", f"{uri}#inner.zip"]
    assert "archive in an archive" in problems[1].message


@pytest.mark.parametrize(
    ("content", "title", "media_type"),
    [
        (b"Just words.", "standard input", "text/plain"),
        (b"# Head\n\nWords.", "Head", "text/markdown"),
        (b"<!doctype html><title>Page</title><p>Words.", "Page", "text/html"),
        (pdf([column("Words on paper.")]), "standard input", "application/pdf"),
    ],
)
def test_standard_input_is_recognised(content: bytes, title: str, media_type: str) -> None:
    text = only_text("-", stdin=content)
    assert (text.title, text.media_type) == (title, media_type)
    assert text.source.startswith("stdin:")
    assert text.source == only_text("-", stdin=content).source


def test_records_come_from_standard_input_too() -> None:
    lines = b'{"title": "A", "text": "One."}\n{"title": "B", "text": "Two."}\n'
    texts, problems = read("-", stdin=lines)
    assert [text.title for text in texts] == ["A", "B"]
    assert not problems
    assert len(read("-", stdin=b'[{"title": "A", "text": "One."}]')[0]) == 1


@pytest.mark.parametrize(
    ("content", "says"), [(b"", "is empty"), (zipped({"a.txt": "a"}), "ZIP container"), (b"\0\1" * 99, "looks binary")]
)
def test_bad_standard_input_is_reported(content: bytes, says: str) -> None:
    problem = only_problem("-", stdin=content)
    assert says in problem.message
    assert problem.message.startswith("standard input: ")


def test_documents_are_counted_before_they_are_read(collection: Path) -> None:
    (collection / "r.json").write_text(json.dumps(RECORDS))
    (collection / "r.jsonl").write_text('{"text": "a"}\n\n{"text": "b"}\n')
    (collection / "bad.json").write_text("{")
    assert count_sources([str(collection), str(collection / "a.md"), str(collection / "none.txt")]) == 8
    texts, problems = read(collection, collection / "none.txt")
    assert len(texts) + len(problems) == 8


def test_what_cannot_be_counted_cheaply_has_no_total(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"a.txt": "a"}))
    assert count_sources(["-"]) is None
    assert count_sources([str(tmp_path)]) is None
