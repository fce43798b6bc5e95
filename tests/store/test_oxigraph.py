"""The Oxigraph adapter: the contract in memory and on disk, and what it does when files are lost, cut or locked."""

from __future__ import annotations

import gc
import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pyoxigraph as ox
import pytest

from semkg.errors import Corrupt, Locked, UsageError
from semkg.ports import GraphStore
from semkg.store import OxigraphStore, oxigraph
from tests.contracts.graph_store import GraphStoreContract, quad


class TestInMemory(GraphStoreContract):
    @pytest.fixture
    def make(self) -> Callable[[], GraphStore]:
        return OxigraphStore.in_memory


class TestOnDisk(GraphStoreContract):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Callable[[], GraphStore]:
        numbers = itertools.count()
        return lambda: OxigraphStore.open(tmp_path / str(next(numbers)) / "store")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store of three commits as a killed process leaves it: everything is still in the log."""
    store = OxigraphStore.open(tmp_path / "store")
    for number in range(3):
        store.commit([quad(f"n{number}", "x" * 500)])
    del store
    gc.collect()
    return tmp_path / "store"


def test_what_was_closed_does_not_depend_on_the_log(folder: Path) -> None:
    store = OxigraphStore.open(folder)
    store.commit([quad("later")])
    store.close()
    del store
    gc.collect()
    for log in folder.glob("*.log"):
        os.truncate(log, 0)
    store = OxigraphStore.open(folder)
    assert (store.generation, len(list(store.quads()))) == (4, 4)


def test_what_was_committed_is_there_after_opening_again(folder: Path) -> None:
    store = OxigraphStore.open(folder)
    assert store.generation == 3
    assert len(list(store.quads())) == 3


def test_the_counter_is_not_among_the_quads(folder: Path) -> None:
    assert all("semkg:store" not in str(quad) for quad in OxigraphStore.open(folder).quads())


def test_a_second_writer_is_told_that_the_graph_is_locked(folder: Path) -> None:
    store = OxigraphStore.open(folder)
    with pytest.raises(Locked, match="another process"):
        OxigraphStore.open(folder)
    store.close()


def test_a_reader_beside_a_writer_sees_the_graph_as_it_was(folder: Path) -> None:
    writer = OxigraphStore.open(folder)
    reader = OxigraphStore.open_read_only(folder)
    writer.commit([quad("later")])
    assert len(list(reader.quads())) == 3
    with pytest.raises(UsageError, match="reading only"):
        reader.commit([quad("no")])


@pytest.mark.parametrize("keep", [0, 0.2, 0.5, 0.9])
def test_a_log_that_was_cut_is_never_opened_as_a_smaller_graph(folder: Path, keep: float) -> None:
    log = max(folder.glob("*.log"), key=lambda path: path.stat().st_size)
    os.truncate(log, int(log.stat().st_size * keep))
    with pytest.raises(Corrupt, match="lost acknowledged work"):
        OxigraphStore.open(folder)
    with pytest.raises(Corrupt, match="lost acknowledged work"):
        OxigraphStore.open_read_only(folder)


def test_a_log_that_was_removed_is_noticed(folder: Path) -> None:
    for log in folder.glob("*.log"):
        log.unlink()
    with pytest.raises(Corrupt, match=r"[Rr]estore a backup"):
        OxigraphStore.open(folder)


def test_a_store_that_was_removed_is_not_replaced_by_an_empty_one(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    with pytest.raises(Corrupt, match="3 commits were made, 0 are in it"):
        OxigraphStore.open(folder)


def test_a_loss_can_be_accepted_on_purpose(folder: Path) -> None:
    for log in folder.glob("*.log"):
        log.unlink()
    store = OxigraphStore.open(folder, accept_loss=True)
    left = store.generation
    assert left < 3
    store.close()
    assert OxigraphStore.open(folder).generation == left


def test_a_damaged_manifest_is_reported(folder: Path) -> None:
    (folder / "CURRENT").write_text("garbage\n")
    with pytest.raises(Corrupt, match="cannot be opened"):
        OxigraphStore.open(folder)


def test_a_counter_that_holds_no_number_is_reported(folder: Path) -> None:
    folder.with_name("store.commits").write_text("many")
    with pytest.raises(Corrupt, match="commit count"):
        OxigraphStore.open(folder)


def test_a_store_that_is_ahead_of_its_counter_is_fine(folder: Path) -> None:
    folder.with_name("store.commits").write_text("00000000000000000002\n")
    assert OxigraphStore.open(folder).generation == 3
    assert int(folder.with_name("store.commits").read_text()) == 3


def test_a_backup_is_a_store_of_its_own(folder: Path, tmp_path: Path) -> None:
    store = OxigraphStore.open(folder)
    store.backup(tmp_path / "copy")
    store.commit([quad("after")])
    copy = OxigraphStore.open(tmp_path / "copy")
    assert copy.generation == 3
    assert len(list(copy.quads())) == 3
    with pytest.raises(UsageError, match="exists already"):
        store.backup(tmp_path / "copy")


def test_a_closed_store_says_so(folder: Path) -> None:
    store = OxigraphStore.open(folder)
    store.close()
    with pytest.raises(UsageError, match="closed"):
        list(store.quads())


def test_a_commit_that_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    script = """
import os, signal, sys
from pathlib import Path
from semkg.store import OxigraphStore
from tests.contracts.graph_store import quad
store = OxigraphStore.open(Path(sys.argv[1]))
for number in range(20):
    print(store.commit([quad(f"k{number}")]), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "store")], capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr
    store = OxigraphStore.open(tmp_path / "store")
    assert store.generation == 20
    assert len(list(store.quads())) == 20


def test_blank_nodes_cannot_slip_into_an_update_unnoticed() -> None:
    store = OxigraphStore.in_memory()
    store.commit([ox.Quad(ox.BlankNode("b"), quad("a").predicate, ox.Literal("x"), ox.NamedNode("https://example.org/graph"))])
    assert sum(1 for _ in store.quads()) == 1


@pytest.mark.parametrize(("after", "tables"), [(1000, 3), (1_000_000, 1)])
def test_many_quads_are_flushed_in_between(after: int, tables: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oxigraph, "FLUSH_AFTER", after)
    flushed: list[int] = []
    with closing(OxigraphStore.open(tmp_path / "store")) as store:
        flush = store._flush

        def counted() -> None:
            flushed.append(store.generation)
            flush()

        monkeypatch.setattr(store, "_flush", counted)
        for round in range(12):
            store.commit([quad(f"k{round}-{number}") for number in range(300)])
    assert len(flushed) == tables, "closing flushes what is left"
    with closing(OxigraphStore.open(tmp_path / "store")) as store:
        assert sum(1 for _ in store.quads()) == 3600
