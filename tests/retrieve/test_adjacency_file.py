"""The adjacency on disk: what was saved comes back, and a file that is not whole is as good as none."""

from __future__ import annotations

import errno
import hashlib
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semkg import KnowledgeGraph
from semkg.errors import PermissionDenied, StorageError, StorageFull
from semkg.models import HashEmbedder
from semkg.ports import FrozenClock
from semkg.retrieve import adjacency_file
from semkg.retrieve.adjacency import Adjacency
from semkg.retrieve.adjacency_file import load, save
from semkg.retrieve.derivation import derive
from semkg.retrieve.graph_index import FILE, GraphIndex
from tests.graph.worlds import graph
from tests.retrieve.test_pagerank import graphs
from tests.retrieve.worlds import adjacency, enter, same

FACT = [("Mira Holt met Jan Vale.", [("Mira Holt", "MET", "Jan Vale")])]

DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda content: content[: len(content) // 2],
    "cut by a byte": lambda content: content[:-1],
    "a byte flipped in the middle": lambda content: content[:500] + bytes([content[500] ^ 1]) + content[501:],
    "a byte flipped in the digest": lambda content: bytes([content[0] ^ 1]) + content[1:],
    "shorter than a digest": lambda content: content[:7],
    "emptied": lambda content: b"",
    "prolonged": lambda content: content + b"\0",
    "something else": lambda content: b"not an adjacency",
}


def in_memory() -> KnowledgeGraph:
    kg = graph()
    enter(kg, "holt", FACT, "Mira Holt", "Mira Holt")
    enter(kg, "vale", [("Jan Vale was late.", [("Jan Vale", "MET", "Mira Holt")])], "José Ñandú (poet)", "Jan Vale")
    return kg


@pytest.fixture(scope="module")
def made() -> Adjacency:
    kg = in_memory()
    return derive(kg.parts.store, kg.parts.layout)


def test_where_there_is_no_file_there_is_nothing(tmp_path: Path) -> None:
    assert load(tmp_path / FILE) is None


def test_what_was_saved_comes_back(made: Adjacency, tmp_path: Path) -> None:
    save(made, tmp_path / FILE)
    back = load(tmp_path / FILE)
    assert back is not None
    same(back, made)
    assert {type(key) for key in (*back.passages, *back.names)} == {str}
    assert isinstance(back.generation, int)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graphs, st.integers(0, 2**40))
def test_any_adjacency_comes_back(tmp_path: Path, made: Adjacency, generation: int) -> None:
    save(replace(made, generation=generation), tmp_path / FILE)
    back = load(tmp_path / FILE)
    assert back is not None
    same(back, replace(made, generation=generation))


def test_a_graph_of_nothing_comes_back(tmp_path: Path) -> None:
    save(adjacency(0), tmp_path / FILE)
    back = load(tmp_path / FILE)
    assert back is not None
    same(back, adjacency(0))


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_as_good_as_none(made: Adjacency, tmp_path: Path, damage: str) -> None:
    path = tmp_path / FILE
    save(made, path)
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert load(path) is None


def test_a_file_of_another_format_is_as_good_as_none(made: Adjacency, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / FILE
    save(made, path)
    monkeypatch.setattr(adjacency_file, "FORMAT", adjacency_file.FORMAT + 1)
    assert load(path) is None


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_read_or_passed_over(tmp_path: Path, content: bytes, signed: bool) -> None:
    path = tmp_path / FILE
    path.write_bytes(hashlib.sha256(content).digest() + content if signed else content)
    assert load(path) is None


def test_nothing_is_left_beside_the_file(made: Adjacency, tmp_path: Path) -> None:
    for _ in range(2):
        save(made, tmp_path / FILE)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize(
    ("number", "error"),
    [(errno.ENOSPC, StorageFull), (errno.EDQUOT, StorageFull), (errno.EIO, StorageError), (errno.EROFS, PermissionDenied)],
)
def test_a_file_that_cannot_be_written_leaves_the_old_one(
    made: Adjacency, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, error: type[Exception]
) -> None:
    path = tmp_path / FILE
    save(made, path)

    def refuse(handle: int) -> None:
        raise OSError(number, "refused")

    monkeypatch.setattr("semkg.config.os.fsync", refuse)
    with pytest.raises(error, match=str(path)):
        save(replace(made, generation=99), path)
    monkeypatch.undo()
    back = load(path)
    assert back is not None
    assert back.generation == made.generation
    assert [left.name for left in tmp_path.iterdir()] == [FILE]


def test_a_file_that_cannot_be_read_is_told(made: Adjacency, tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(StorageError, match=FILE):
        load(tmp_path / FILE)


# --- in a knowledge graph on disk ----------------------------------------------------------------------------------------------------


def opened(folder: Path, read_only: bool = False) -> KnowledgeGraph:
    return KnowledgeGraph.open(folder, create=not read_only, read_only=read_only, embedder=HashEmbedder(), clock=FrozenClock())


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph whose adjacency is on disk."""
    folder = tmp_path_factory.mktemp("written") / "kg"
    with opened(folder) as kg:
        enter(kg, "holt", FACT, "Mira Holt", "Mira Holt")
        kg._retriever.graphs.save()
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    shutil.copytree(written, tmp_path / "kg")
    return tmp_path / "kg"


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_search_beside_a_damaged_file_finds_what_it_should(folder: Path, damage: str) -> None:
    path = folder / "index" / FILE
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    with opened(folder, read_only=True) as kg:
        found = kg.search("Who did Mira Holt meet?")
        assert [passage.title for passage in found] == ["Mira Holt"]
        assert not found.notes
        assert "graph" in found[0].streams


def test_a_file_of_a_later_generation_is_not_believed(folder: Path) -> None:
    path = folder / "index" / FILE
    saved = load(path)
    assert saved is not None
    save(replace(adjacency(3, names=["lamp"]), generation=saved.generation + 5), path)
    with opened(folder) as kg:
        same(kg._retriever.graphs.graph().adjacency, saved)
        kg._retriever.graphs.save()
    back = load(path)
    assert back is not None
    same(back, saved)


def test_what_is_in_step_is_not_written_again(folder: Path) -> None:
    path = folder / "index" / FILE
    before = path.stat().st_mtime_ns
    with opened(folder) as kg:
        kg._retriever.graphs.save()
        assert path.stat().st_mtime_ns == before
        enter(kg, "vale", [("Jan Vale was late.", [])])
        kg._retriever.graphs.save()
    assert path.stat().st_mtime_ns > before


def test_a_reader_beside_a_stale_file_sees_the_graph_as_it_is_and_writes_nothing(folder: Path) -> None:
    path = folder / "index" / FILE
    with opened(folder) as kg:
        enter(kg, "vale", [("Ida Quist sang.", [])], "Ida Quist")
    before = path.read_bytes()
    with opened(folder, read_only=True) as kg:
        found = kg.search("Ida Quist")
        assert found[0].title == "Ida Quist"
        assert "graph" in found[0].streams
    assert path.read_bytes() == before


def test_a_graph_in_memory_saves_nothing() -> None:
    kg = in_memory()
    GraphIndex(kg.parts.store, kg.parts.layout, kg.parts.indexes).save()
    assert kg._retriever.graphs.graph().adjacency.generation == kg.parts.store.generation
