"""Damaged, missing or foreign files, a full disk, a kill: repaired from the graph, or refused with a message; never an empty graph."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from semkg import KnowledgeGraph
from semkg.errors import Corrupt, Misconfigured
from semkg.models import HashEmbedder
from tests.faults import kill_builds
from tests.faults.collection import records, write
from tests.faults.invariants import broken, strangers

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("damage")
    source = write(place / "rows.jsonl", records(20, 9))
    with KnowledgeGraph.open(place / "kg", create=True, embedder=HashEmbedder(64)) as graph:
        graph.build([source])
    return place / "kg"


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    shutil.copytree(made, tmp_path / "kg")
    return tmp_path / "kg"


def found(folder: Path) -> list[tuple[str, float]]:
    with KnowledgeGraph.open(folder, embedder=HashEmbedder(64)) as graph:
        return [(passage.iri, round(passage.score, 6)) for passage in graph.search("Who founded Orion Glass?")]


def index_files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "index").iterdir() if path.is_file())


def test_a_graph_at_rest_leaves_nothing_behind(folder: Path) -> None:
    assert strangers(folder) == []
    assert broken(folder) == []


@pytest.mark.parametrize("damage", ["truncated", "flipped", "empty", "removed"])
def test_every_index_file_is_rebuilt_from_the_graph(folder: Path, damage: str) -> None:
    expected = found(folder)
    for number in range(len(index_files(folder))):
        # A repaired index has another file, in the same place of the list.
        path = index_files(folder)[number]
        content = bytearray(path.read_bytes())
        if damage == "truncated":
            content = content[: len(content) // 2]
        elif damage == "empty":
            content = bytearray()
        else:
            middle = len(content) // 2
            content[middle : middle + 64] = bytes(byte ^ 0xFF for byte in content[middle : middle + 64])
        path.unlink() if damage == "removed" else path.write_bytes(bytes(content))
        with KnowledgeGraph.open(folder, embedder=HashEmbedder(64)) as graph:
            # The checksum beside the lexical index may be missing after a crash; without it the index itself is checked.
            unneeded = path.suffix == ".sha256"
            # This graph has no HyperNodes: an index of none that is gone has lost nothing.
            unneeded |= damage == "removed" and path.name.startswith("hypernode") and graph.stats().hypernodes == 0
            assert graph.repairs or unneeded, f"{path.name} was damaged and nobody noticed"
        assert found(folder) == expected, path.name
    assert broken(folder) == []


def test_an_index_of_another_model_is_not_used(folder: Path, tmp_path: Path) -> None:
    source = write(tmp_path / "rows.jsonl", records(20, 9))
    with KnowledgeGraph.open(tmp_path / "other", create=True, embedder=HashEmbedder(128)) as graph:
        graph.build([source])
    expected = found(folder)
    for path in index_files(folder):
        if "sqlite" not in path.name:
            path.unlink()
    for path in index_files(tmp_path / "other"):
        if "sqlite" not in path.name:
            shutil.copy(path, folder / "index")
    assert found(folder) == expected


def test_another_model_than_that_of_the_graph_is_refused(folder: Path) -> None:
    with pytest.raises(Misconfigured, match="semkg reembed"):
        KnowledgeGraph.open(folder, embedder=HashEmbedder(128))


def test_a_reader_with_damaged_indexes_still_answers(folder: Path) -> None:
    expected = found(folder)
    for path in index_files(folder):
        path.write_bytes(b"garbage")
    with KnowledgeGraph.open(folder, embedder=HashEmbedder(64), read_only=True) as graph:
        assert [(passage.iri, round(passage.score, 6)) for passage in graph.search("Who founded Orion Glass?")] == expected


def test_a_log_that_was_cut_is_refused_and_can_be_accepted_and_built_again(folder: Path, made: Path) -> None:
    source = made.parent / "rows.jsonl"
    with KnowledgeGraph.open(made, embedder=HashEmbedder(64)) as graph:
        expected = graph.hash()
        person = graph.documents()[0].iri
        graph.delete(person)
        # A copy of the open folder is what a power cut leaves: the last commits are in the log alone.
        shutil.rmtree(folder)
        shutil.copytree(made, folder)
        graph.build([source])
    log = max((folder / "store").glob("*.log"), key=lambda path: path.stat().st_size)
    os.truncate(log, log.stat().st_size // 2)
    with pytest.raises(Corrupt, match="--accept-loss"):
        KnowledgeGraph.open(folder, embedder=HashEmbedder(64))
    with KnowledgeGraph.open(folder, embedder=HashEmbedder(64), accept_loss=True) as graph:
        graph.build([source])
        assert graph.hash() == expected
    assert broken(folder) == []


def test_a_store_that_is_gone_is_not_opened_as_an_empty_graph(folder: Path) -> None:
    shutil.rmtree(folder / "store")
    with pytest.raises(Corrupt, match="0 are in it"):
        KnowledgeGraph.open(folder, embedder=HashEmbedder(64))


@contextlib.contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[Path]:
    """A file system of this size."""
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place)], capture_output=True, check=False)
    if made.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {made.stderr.decode().strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.slow
def test_a_full_disk_stops_the_build_with_its_code_and_loses_nothing(tmp_path: Path) -> None:
    source = write(tmp_path / "rows.jsonl", records(250, 2))
    with small_disk(tmp_path / "disk", 8) as disk:
        done = subprocess.run(
            kill_builds.command(source, disk / "kg"), capture_output=True, text=True, env=kill_builds.ENVIRONMENT, check=False
        )
        assert done.returncode == 73, done.stderr
        assert "no space" in done.stderr
        assert "Traceback" not in done.stderr
        # On a larger disk the same command goes on from what was committed.
        shutil.copytree(disk / "kg", tmp_path / "kg")
    assert (
        subprocess.run(
            kill_builds.command(source, tmp_path / "kg"), env=kill_builds.ENVIRONMENT, check=False, capture_output=True
        ).returncode
        == 0
    )
    assert broken(tmp_path / "kg") == []


@pytest.mark.slow
def test_killed_builds_come_to_the_same_graph(tmp_path: Path) -> None:
    tally = kill_builds.run(kills=2, seed=11, documents=120, place=tmp_path)
    assert tally.kills == 2
    assert tally.finished >= 1
