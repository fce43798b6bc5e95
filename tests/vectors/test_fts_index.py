from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from semkg.errors import StorageFull, UsageError
from semkg.vectors import FtsIndex
from tests.contracts.lexical_index import A, B, LexicalIndexContract


class TestInMemory(LexicalIndexContract):
    @pytest.fixture
    def make(self) -> Callable[[], FtsIndex]:
        return lambda: FtsIndex.open(None)


class TestOnDisk(LexicalIndexContract):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Callable[[], FtsIndex]:
        numbers = iter(range(1000))
        return lambda: FtsIndex.open(tmp_path / f"{next(numbers)}.sqlite")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "lexical.sqlite"
    index = FtsIndex.open(path)
    index.update([(f"https://example.org/{number}", "Chunk", f"lamp number{number}") for number in range(500)], [], 5)
    index.close()
    return path


def files(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir())


def test_a_closed_index_is_the_same_when_opened_again_and_leaves_no_stray_file(saved: Path) -> None:
    index = FtsIndex.open(saved)
    assert (index.generation, len(index), index.problem) == (5, 500, None)
    assert index.search("number77", 5)[0].node == "https://example.org/77"
    index.close()
    assert files(saved) == ["lexical.sqlite", "lexical.sqlite.sha256"]


def test_a_missing_index_is_empty_and_no_problem(tmp_path: Path) -> None:
    index = FtsIndex.open(tmp_path / "lexical.sqlite")
    assert (len(index), index.generation, index.problem) == (0, -1, None)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5000])


def cut_to_one_page(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:4096])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-3000] ^= 0x20
    path.write_bytes(content)


def flip_the_header(path: Path) -> None:
    path.write_bytes(b"XQLite" + path.read_bytes()[6:])


def garbage(path: Path) -> None:
    path.write_bytes(b"no database " * 1000)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def another_format(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def without_a_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE node")
    connection.close()


DAMAGES = [truncate, cut_to_one_page, flip, flip_the_header, garbage, empty, another_format, without_a_table]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_reported_and_replaced_by_an_empty_index(saved: Path, damage: Callable[[Path], None]) -> None:
    damage(saved)
    index = FtsIndex.open(saved)
    assert (len(index), index.generation) == (0, -1)
    assert index.problem is not None
    assert str(saved) in index.problem
    index.update([(A, "Chunk", "lamp")], [], 6)
    index.close()
    again = FtsIndex.open(saved)
    assert (again.generation, again.problem) == (6, None)


@pytest.mark.parametrize("damage", [damage for damage in DAMAGES if damage is not flip])
def test_damage_is_found_without_a_seal(saved: Path, damage: Callable[[Path], None]) -> None:
    """As after a process that was killed: SQLite's own checks find what is not merely another letter of a text."""
    saved.with_name("lexical.sqlite.sha256").unlink()
    damage(saved)
    assert FtsIndex.open(saved).problem


def test_words_that_do_not_belong_to_their_texts_are_found_without_a_seal(saved: Path) -> None:
    saved.with_name("lexical.sqlite.sha256").unlink()
    connection = sqlite3.connect(saved)
    with connection:
        connection.execute("UPDATE words_1_content SET c0 = 'door' WHERE id = 7")
    connection.close()
    assert FtsIndex.open(saved).problem


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_reader_finds_nothing_in_a_damaged_file_and_leaves_it_alone(saved: Path, damage: Callable[[Path], None]) -> None:
    damage(saved)
    before = saved.read_bytes()
    index = FtsIndex.open(saved, read_only=True)
    assert (len(index), index.generation) == (0, -1)
    assert index.problem
    assert saved.read_bytes() == before


def test_a_reader_makes_no_file(tmp_path: Path) -> None:
    index = FtsIndex.open(tmp_path / "lexical.sqlite", read_only=True)
    assert (index.generation, index.problem) == (-1, None)
    assert list(tmp_path.iterdir()) == []


def test_a_reader_does_not_write(saved: Path) -> None:
    index = FtsIndex.open(saved, read_only=True)
    index.update([], [], 5)  # nothing to do
    with pytest.raises(UsageError, match="reading"):
        index.update([(A, "Chunk", "lamp")], [], 6)
    index.close()
    assert files(saved) == ["lexical.sqlite", "lexical.sqlite.sha256"]


def test_readers_in_other_processes_see_what_a_writer_committed(saved: Path) -> None:
    writer = FtsIndex.open(saved)
    writer.update([(A, "Chunk", "quince")], [], 6)
    script = textwrap.dedent(f"""
        import pathlib
        from semkg.vectors import FtsIndex
        index = FtsIndex.open(pathlib.Path({str(saved)!r}), read_only=True)
        print(index.generation, index.problem, len(index.search("quince", 5)))
        index.close()
    """)
    seen = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], check=True, capture_output=True, text=True)
    assert seen.stdout.split() == ["6", "None", "1"]
    writer.update([(B, "Chunk", "quince")], [], 7)
    writer.close()
    assert files(saved) == ["lexical.sqlite", "lexical.sqlite.sha256"]


def test_a_reader_that_is_open_follows_the_writer(saved: Path) -> None:
    reader, writer = FtsIndex.open(saved, read_only=True), FtsIndex.open(saved)
    writer.update([(A, "Chunk", "quince")], [], 6)
    assert reader.generation == 6
    assert reader.search("quince", 5)


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_update_that_is_killed_is_there_as_a_whole_or_not_at_all(saved: Path, when: str) -> None:
    script = textwrap.dedent(f"""
        import os, pathlib, sqlite3
        from semkg.vectors import FtsIndex
        index = FtsIndex.open(pathlib.Path({str(saved)!r}))
        def rows():
            for number in range(2000):
                yield f"https://example.org/new{{number}}", "Chunk", "quince " * 50
        if {when!r} == "after":
            index.update(rows(), [], 6)
            os._exit(9)
        connection = index._connection
        connection.set_progress_handler(lambda: os._exit(9) if connection.total_changes > 3000 else 0, 1000)
        index.update(rows(), [], 6)
    """)
    ended = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], check=False)
    assert ended.returncode == 9
    index = FtsIndex.open(saved)
    assert index.problem is None
    assert (index.generation, len(index)) == ((6, 2500) if when == "after" else (5, 500))
    assert len(index.search("quince", 3)) == (3 if when == "after" else 0)
    index.close()
    assert files(saved) == ["lexical.sqlite", "lexical.sqlite.sha256"]


def test_an_update_that_fails_changes_nothing(saved: Path) -> None:
    index = FtsIndex.open(saved)
    with pytest.raises(OverflowError):
        index.update([(A, "Chunk", "quince"), (B, "Chunk", "quince")], ["https://example.org/7"], 2**70)
    assert (index.generation, len(index)) == (5, 500)
    assert index.search("quince", 1) == []


def test_a_full_disk_is_told_and_changes_nothing(saved: Path) -> None:
    index = FtsIndex.open(saved)
    assert index._connection is not None
    index._connection.execute("PRAGMA max_page_count = 60")
    with pytest.raises(StorageFull, match="lexical"):
        index.update([(f"{A}{number}", "Chunk", f"quince{number} " * 100) for number in range(2000)], [], 6)
    assert (index.generation, len(index)) == (5, 500)


def test_many_threads_can_search_while_one_writes(saved: Path) -> None:
    index = FtsIndex.open(saved)
    failures: list[BaseException] = []

    def search() -> None:
        try:
            for _ in range(50):
                assert index.search("lamp", 3)
        except BaseException as error:  # noqa: BLE001  # reported below, whatever it is
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(20):
        index.update([(A, "Chunk", f"lamp {number}")], [], 6 + number)
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_closed_index_says_so(saved: Path) -> None:
    index = FtsIndex.open(saved)
    index.close()
    index.close()
    with pytest.raises(UsageError, match="closed"):
        index.search("lamp", 1)


def test_labels_do_not_distort_the_ranking_of_passages(tmp_path: Path) -> None:
    passages = [(A, "Chunk", "lamp lamp " + "word " * 60), (B, "Chunk", "lamp " + "word " * 20)]
    alone = FtsIndex.open(tmp_path / "alone.sqlite")
    alone.update(passages, [], 1)
    beside = FtsIndex.open(tmp_path / "beside.sqlite")
    beside.update([*passages, *((f"https://example.org/{number}", "Entity", f"lamp {number}") for number in range(300))], [], 1)
    assert alone.search("lamp", 5, "Chunk") == beside.search("lamp", 5, "Chunk")
