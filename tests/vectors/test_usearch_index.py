from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from semkg.errors import PermissionDenied, SemkgError, StorageError, UsageError
from semkg.ports import ModelId
from semkg.vectors import UsearchIndex
from tests.contracts.vector_index import DIMENSION, VectorIndexContract, directions

MODEL = ModelId("test", DIMENSION)
NODES = [f"https://example.org/{number}" for number in range(30)]


class TestInMemory(VectorIndexContract):
    @pytest.fixture
    def make(self) -> Callable[[], UsearchIndex]:
        return lambda: UsearchIndex.open(None, MODEL)


class TestOnDisk(VectorIndexContract):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Callable[[], UsearchIndex]:
        numbers = iter(range(1000))

        def make() -> UsearchIndex:
            folder = tmp_path / str(next(numbers))
            folder.mkdir()
            return UsearchIndex.open(folder / "chunk.usearch", MODEL)

        return make


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chunk.usearch"


@pytest.fixture
def saved(path: Path) -> Path:
    index = UsearchIndex.open(path, MODEL)
    index.add(NODES, directions(30))
    index.save(5)
    return path


def files(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir())


def test_a_saved_index_is_the_same_when_opened_again(saved: Path) -> None:
    index = UsearchIndex.open(saved, MODEL)
    assert (index.generation, index.problem, list(index.nodes())) == (5, None, NODES)
    assert index.search(directions(30)[4], 1)[0].node == NODES[4]


def test_a_missing_index_is_empty_and_no_problem(path: Path) -> None:
    index = UsearchIndex.open(path, MODEL)
    assert (len(index), index.generation, index.problem) == (0, -1, None)


def test_saving_again_leaves_only_the_files_that_the_manifest_names(saved: Path) -> None:
    before = files(saved)
    index = UsearchIndex.open(saved, MODEL)
    index.remove(NODES[:1])
    index.save(6)
    assert len(files(saved)) == len(before) == 3
    assert len(UsearchIndex.open(saved, MODEL)) == 29


def test_saving_what_has_not_changed_writes_nothing(saved: Path) -> None:
    before = files(saved)
    UsearchIndex.open(saved, MODEL).save(5)
    assert files(saved) == before


def test_a_change_is_saved_though_the_generation_is_the_same(saved: Path) -> None:
    index = UsearchIndex.open(saved, MODEL)
    index.remove(NODES[:1])
    index.save(5)
    assert len(UsearchIndex.open(saved, MODEL)) == 29


def test_an_empty_index_can_be_saved(path: Path) -> None:
    UsearchIndex.open(path, MODEL).save(0)
    index = UsearchIndex.open(path, MODEL)
    assert (len(index), index.generation, index.problem) == (0, 0, None)
    index.add(NODES, directions(30))
    assert len(index.search(directions(1)[0], 5)) == 5


def test_the_holes_of_removed_nodes_are_closed(saved: Path) -> None:
    size = saved.with_name("chunk.1.usearch").stat().st_size
    index = UsearchIndex.open(saved, MODEL)
    index.remove(NODES[3:])
    index.save(6)
    assert saved.with_name("chunk.2.usearch").stat().st_size < size / 2
    again = UsearchIndex.open(saved, MODEL)
    assert [hit.node for hit in again.search(directions(30)[1], 1)] == [NODES[1]]
    again.add(NODES[3:], directions(30)[3:])
    assert [again.search(row, 1)[0].node for row in directions(30)] == NODES


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x55
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [truncate, flip, empty, Path.unlink])
@pytest.mark.parametrize("name", ["chunk.1.usearch", "chunk.1.nodes.json", "chunk.usearch.json"])
def test_a_damaged_file_is_reported_and_leaves_an_empty_index(saved: Path, name: str, damage: Callable[[Path], None]) -> None:
    damage(saved.with_name(name))
    index = UsearchIndex.open(saved, MODEL)
    assert (len(index), index.generation) == (0, -1)
    if (name, damage) == ("chunk.usearch.json", Path.unlink):
        assert index.problem is None  # as if there had never been an index
    else:
        assert index.problem is not None
        assert str(saved.with_name(name)) in index.problem
    index.add(NODES, directions(30))
    index.save(6)
    assert UsearchIndex.open(saved, MODEL).generation == 6
    assert len(files(saved)) == 3


@pytest.mark.parametrize(
    ("field", "value"),
    [("count", 29), ("format", 99), ("dimension", "8"), ("unknown", 1), ("generation", None), ("number", 7), ("model", 3), ("count", True)],
)
def test_a_manifest_that_cannot_be_true_is_reported(saved: Path, field: str, value: object) -> None:
    manifest = saved.with_name("chunk.usearch.json")
    said = {**json.loads(manifest.read_text()), field: value}
    del said["sha256"]
    # Sealed anew, as a program would that writes another format.
    manifest.write_text(json.dumps({**said, "sha256": hashlib.sha256(json.dumps(said).encode()).hexdigest()}))
    index = UsearchIndex.open(saved, MODEL)
    assert len(index) == 0
    assert index.problem


@pytest.mark.parametrize("model", [ModelId("other", DIMENSION), ModelId("test", DIMENSION * 2)])
def test_vectors_of_another_model_are_not_opened(saved: Path, model: ModelId) -> None:
    index = UsearchIndex.open(saved, model)
    assert len(index) == 0
    assert index.problem
    assert str(model) in index.problem


def test_an_unfinished_save_leaves_no_file_after_the_next_opening(saved: Path) -> None:
    for name in ("chunk.2.usearch", "chunk.2.nodes.json", "chunk.usearch.json.tmp"):
        saved.with_name(name).write_bytes(b"half")
    saved.with_name("chunks.9.usearch").write_bytes(b"another index")
    assert len(UsearchIndex.open(saved, MODEL)) == 30
    assert files(saved) == ["chunk.1.nodes.json", "chunk.1.usearch", "chunk.usearch.json", "chunks.9.usearch"]


def test_a_reader_touches_no_file(saved: Path) -> None:
    saved.with_name("chunk.2.usearch").write_bytes(b"what a writer is writing")
    reader = UsearchIndex.open(saved, MODEL, read_only=True)
    assert len(reader) == 30
    assert saved.with_name("chunk.2.usearch").exists()
    reader.remove(NODES[:1])
    with pytest.raises(UsageError, match="reading"):
        reader.save(6)


def test_equal_calls_give_equal_indexes(tmp_path: Path) -> None:
    contents = []
    for name in ("first", "second"):
        index = UsearchIndex.open(tmp_path / f"{name}.usearch", MODEL)
        index.add([f"https://example.org/{number}" for number in range(3000)], directions(3000))
        index.save(1)
        contents.append((tmp_path / f"{name}.1.usearch").read_bytes())
    assert contents[0] == contents[1]


def test_a_large_index_finds_nearly_all_of_the_nearest() -> None:
    rows = np.random.default_rng(1).normal(size=(4000, 32)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    index = UsearchIndex.open(None, ModelId("test", 32))
    index.add([str(number) for number in range(4000)], rows)
    found = 0
    for row in rows[:50]:
        nearest = {str(number) for number in np.argsort(-(rows @ row))[:10]}
        found += len(nearest & {hit.node for hit in index.search(row, 10)})
    assert found / 500 > 0.95


@pytest.mark.parametrize("stop", range(1, 12))
def test_a_save_that_is_killed_leaves_the_old_index_or_the_new_one(saved: Path, stop: int) -> None:
    """The process ends, without any clean-up, before the `stop`-th call that changes the folder."""
    script = textwrap.dedent(f"""
        import os, pathlib, sys
        from semkg.vectors import UsearchIndex
        from semkg.ports import ModelId
        from tests.contracts.vector_index import directions
        calls = 0
        def dying(real):
            def call(*arguments, **options):
                global calls
                calls += 1
                if calls == {stop}:
                    os._exit(9)
                return real(*arguments, **options)
            return call
        index = UsearchIndex.open(pathlib.Path({str(saved)!r}), ModelId("test", {DIMENSION}))
        index.add(["https://example.org/new"], directions(1))
        os.fsync = dying(os.fsync)
        pathlib.Path.write_bytes = dying(pathlib.Path.write_bytes)
        pathlib.Path.replace = dying(pathlib.Path.replace)
        pathlib.Path.unlink = dying(pathlib.Path.unlink)
        index.save(6)
    """)
    ended = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], check=False)
    assert ended.returncode in (0, 9)
    index = UsearchIndex.open(saved, MODEL)
    assert index.problem is None
    assert (index.generation, len(index)) in ((5, 30), (6, 31))
    assert len(files(saved)) == 3


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_named(saved: Path) -> None:
    index = UsearchIndex.open(saved, MODEL)
    index.remove(NODES[:1])
    saved.parent.chmod(0o500)
    try:
        with pytest.raises(PermissionDenied, match="chunk"):
            index.save(6)
    finally:
        saved.parent.chmod(0o700)


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    index = UsearchIndex.open(folder / "chunk.usearch", MODEL)
    index.add(NODES, directions(30))
    folder.rmdir()
    with pytest.raises(StorageError, match="chunk"):
        index.save(6)


def test_a_full_disk_keeps_the_old_index(saved: Path) -> None:
    script = textwrap.dedent(f"""
        import pathlib, resource, signal, sys
        from semkg.errors import SemkgError
        from semkg.vectors import UsearchIndex
        from semkg.ports import ModelId
        from tests.contracts.vector_index import directions
        index = UsearchIndex.open(pathlib.Path({str(saved)!r}), ModelId("test", {DIMENSION}))
        index.add([str(number) for number in range(2000)], directions(2000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        try:
            index.save(6)
        except SemkgError as error:
            print(type(error).__name__, error)
            sys.exit(error.exit_code)
    """)
    ended = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], check=False, capture_output=True, text=True)
    assert ended.returncode in (73, 74), ended.stderr
    assert "chunk" in ended.stdout
    index = UsearchIndex.open(saved, MODEL)
    assert (index.generation, len(index), index.problem) == (5, 30, None)
    assert len(files(saved)) == 3


def test_errors_of_opening_are_those_of_semkg(saved: Path) -> None:
    saved.with_name("chunk.usearch.json").unlink()
    saved.with_name("chunk.usearch.json").mkdir()
    with pytest.raises(SemkgError, match=r"chunk\.usearch\.json"):
        UsearchIndex.open(saved, MODEL)
