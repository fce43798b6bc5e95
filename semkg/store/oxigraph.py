"""The Oxigraph adapter of the `GraphStore` port, in memory or on disk.

Oxigraph makes every single call atomic but does not sync its log, and opens a shortened log as a smaller store without a
word. So a commit is one `update()` call that also raises a counter inside the store, then an `fdatasync` of the log, then the same
counter in a file beside the store; at open the two are compared.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pyoxigraph as ox

from semkg.errors import BadQuery, Corrupt, Locked, StorageError, UsageError, from_os_error, translated_os_errors
from semkg.store.counter import CommitCounter
from semkg.vocab import SEMKG

COUNTER_GRAPH = ox.NamedNode("urn:semkg:store")
"""Holds the commit counter; it belongs to the store, not to a dataset, and no reader sees it."""

_COUNTER_SUBJECT = ox.NamedNode("urn:semkg:store#commits")
_COUNTER = SEMKG.commitCount
FLUSH_AFTER = 60_000
"""Quads between two flushes: what is not flushed lies in memory, some 1.5 KB a quad, and again in the log."""

READ_ATTEMPTS = 5
READ_PAUSE = 0.05
"""Seconds between two attempts to open a store that another process is compacting."""

BULK = 50_000
"""Above this many quads `load` uses Oxigraph's bulk loader."""


class OxigraphStore:
    """A dataset in Oxigraph. Make one with `in_memory`, `open` or `open_read_only`."""

    def __init__(self, store: ox.Store, counter: CommitCounter | None, folder: Path | None, writable: bool) -> None:
        self._store: ox.Store | None = store
        self._counter = counter
        self._folder = folder
        self._writable = writable
        self._lock = threading.RLock()
        self._unflushed = 0
        self._generation = self._stored_generation()

    @classmethod
    def in_memory(cls) -> OxigraphStore:
        """A new, empty dataset that lives as long as this object."""
        return cls(ox.Store(), None, None, writable=True)

    @classmethod
    def open(cls, folder: Path, accept_loss: bool = False) -> OxigraphStore:
        """Open or make the dataset in `folder` for reading and writing; one process at a time.

        Args:
            folder: Oxigraph's own folder; the counter lies beside it.
            accept_loss: go on with a store that lost acknowledged commits.

        Raises:
            Locked: another process writes to it.
            Corrupt: files are missing or damaged, or acknowledged commits are gone.
            StorageFull, PermissionDenied, StorageError.
        """
        counter = CommitCounter(folder.with_name(folder.name + ".commits"))
        acknowledged = counter.read()
        if acknowledged and not (folder / "CURRENT").is_file() and not accept_loss:
            raise Corrupt(_loss_message(folder, acknowledged, 0))
        with translated_os_errors(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
        opened = cls(_open(folder), counter, folder, writable=True)
        return opened._checked(acknowledged, accept_loss)

    @classmethod
    def open_read_only(cls, folder: Path) -> OxigraphStore:
        """The dataset as it is now, beside a writer; later commits are not seen.

        Raises:
            Corrupt, StorageError: as `open`.
        """
        if not (folder / "CURRENT").is_file():
            raise Corrupt(f"{folder} is not an Oxigraph store: restore it from a backup or build the graph again")
        # The counter is read first: a commit between the two only makes the store newer than asked for.
        counter = CommitCounter(folder.with_name(folder.name + ".commits"))
        acknowledged = counter.read()
        opened = cls(_open(folder, read_only=True), None, folder, writable=False)
        return opened._checked(acknowledged, accept_loss=False)

    def _checked(self, acknowledged: int, accept_loss: bool) -> OxigraphStore:
        if self._generation < acknowledged and not accept_loss:
            generation = self._generation
            self.close()
            raise Corrupt(_loss_message(self._folder or Path(), acknowledged, generation))
        if self._counter and self._generation != acknowledged:
            self._counter.write(self._generation)
        return self

    @property
    def generation(self) -> int:
        return self._generation

    @property
    def writable(self) -> bool:
        return self._writable

    @property
    def raw(self) -> ox.Store:
        """The store itself.

        Raises:
            UsageError: it was closed.
        """
        if self._store is None:
            raise UsageError("this knowledge graph was closed: open it again")
        return self._store

    def commit(self, additions: Iterable[ox.Quad], removals: Iterable[ox.Quad] = ()) -> int:
        added, removed = list(additions), list(removals)
        if not added and not removed:
            return self._generation
        with self._writing():
            kept = set(added)
            update = _update_text(added, [quad for quad in removed if quad not in kept], self._generation)
            self._call(lambda: self.raw.update(update))
            return self._acknowledge(len(added) + len(removed))

    def load(self, quads: Iterable[ox.Quad]) -> int:
        loaded = list(quads)
        if len(loaded) < BULK:
            return self.commit(loaded)
        with self._writing():
            before = _counter_quad(self._generation)
            self._call(lambda: self.raw.bulk_extend([*loaded, _counter_quad(self._generation + 1)]))
            self._call(self.raw.flush)
            # Until this line two counters stand in the store; the larger one counts.
            self._call(lambda: self.raw.remove(before))
            return self._acknowledge(1)

    def quads(
        self,
        subject: ox.NamedNode | None = None,
        predicate: ox.NamedNode | None = None,
        object: ox.NamedNode | ox.Literal | None = None,
        graph: ox.NamedNode | None = None,
    ) -> Iterator[ox.Quad]:
        found = self.raw.quads_for_pattern(subject, predicate, object, graph)
        if graph is not None or subject not in (None, _COUNTER_SUBJECT) or predicate not in (None, _COUNTER):
            return found
        return (quad for quad in found if quad.graph_name != COUNTER_GRAPH)

    def select(self, query: str, graphs: Sequence[ox.NamedNode] | None = None) -> ox.QuerySolutions:
        found = self.query(query, graphs)
        if not isinstance(found, ox.QuerySolutions):
            raise BadQuery("a SELECT query is needed here")
        return found

    def ask(self, query: str, graphs: Sequence[ox.NamedNode] | None = None) -> bool:
        found = self.query(query, graphs)
        if not isinstance(found, ox.QueryBoolean):
            raise BadQuery("an ASK query is needed here")
        return bool(found)

    def query(self, query: str, graphs: Sequence[ox.NamedNode] | None = None) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        try:
            if graphs is None:
                return self.raw.query(query, use_default_graph_as_union=True)
            return self.raw.query(query, default_graph=list(graphs), named_graphs=list(graphs))
        except SyntaxError as error:
            raise BadQuery(f"the query does not parse: {error.msg if error.msg else error}") from error
        except (OSError, RuntimeError, ValueError) as error:
            raise StorageError(f"the query could not be evaluated: {error}") from error

    def backup(self, target: Path) -> None:
        if target.exists():
            raise UsageError(f"{target} exists already: choose a new folder for the backup")
        if self._folder is None:
            raise UsageError("a graph in memory has no files to back up: export it instead")
        with self._lock:
            self._call(lambda: self.raw.backup(str(target)))
            CommitCounter(target.with_name(target.name + ".commits")).write(self._generation)

    def close(self) -> None:
        """Free the lock. What was acknowledged is on disk already; flushing it spares the next one to open it the log."""
        if self._store is not None and self._writable and self._folder is not None and self._unflushed:
            self._flush()
        self._store = None

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        if not self._writable:
            raise UsageError("this knowledge graph was opened for reading only")
        with self._lock:
            yield

    def _call(self, action: Callable[[], object]) -> None:
        place = self._folder or "the store in memory"
        with translated_os_errors(place):
            try:
                action()
            except (RuntimeError, SyntaxError, ValueError) as error:
                raise StorageError(f"{place}: the store could not be written ({error}); nothing of this commit is in it") from error

    def _acknowledge(self, unflushed: int) -> int:
        if self._folder is not None:
            with translated_os_errors(self._folder):
                _sync_logs(self._folder)
        self._generation += 1
        self._unflushed += unflushed
        if self._counter:
            self._counter.write(self._generation)
        if self._folder is not None and self._unflushed >= FLUSH_AFTER:
            self._flush()
        return self._generation

    def _flush(self) -> None:
        """Write tables and drop the log: a log of a gigabyte takes 20 s to read at every open, and as much memory."""
        self._call(self.raw.flush)
        self._unflushed = 0

    def _stored_generation(self) -> int:
        found = self.raw.quads_for_pattern(_COUNTER_SUBJECT, _COUNTER, None, COUNTER_GRAPH)
        return max((int(quad.object.value) for quad in found if isinstance(quad.object, ox.Literal)), default=0)


def _open(folder: Path, read_only: bool = False) -> ox.Store:
    try:
        return _open_beside_a_writer(folder) if read_only else ox.Store(str(folder))
    except (OSError, RuntimeError) as error:
        text = str(error)
        if "lock" in text.lower():
            raise Locked(f"{folder} is being written by another process: wait for it to end, or stop it, and try again") from error
        if isinstance(error, OSError) and error.errno is not None:
            raise from_os_error(error, folder) from error
        raise Corrupt(f"{folder} cannot be opened ({text}): restore it from a backup or build the graph again in a new folder") from error


def _open_beside_a_writer(folder: Path) -> ox.Store:
    """Open for reading; a writer's compaction may remove a table file between our reading of the manifest and of the file."""
    for _ in range(READ_ATTEMPTS):
        try:
            return ox.Store.read_only(str(folder))
        except (OSError, RuntimeError) as error:
            if "No such file" not in str(error):
                raise
        time.sleep(READ_PAUSE)
    return ox.Store.read_only(str(folder))


def _loss_message(folder: Path, acknowledged: int, found: int) -> str:
    return (
        f"{folder} lost acknowledged work: {acknowledged} commits were made, {found} are in it (a log file was cut or removed). "
        "Restore a backup; or accept the loss with `semkg doctor --accept-loss` and run `semkg build` again, which reads what is missing"
    )


def _counter_quad(value: int) -> ox.Quad:
    return ox.Quad(_COUNTER_SUBJECT, _COUNTER, ox.Literal(value), COUNTER_GRAPH)


def _update_text(added: Sequence[ox.Quad], removed: Sequence[ox.Quad], generation: int) -> str:
    """One SPARQL update request: Oxigraph runs all its operations in one transaction."""
    removals = _quad_data([*removed, _counter_quad(generation)])
    additions = _quad_data([*added, _counter_quad(generation + 1)])
    return f"DELETE DATA {{\n{removals}\n}};\nINSERT DATA {{\n{additions}\n}}"


def _quad_data(quads: Iterable[ox.Quad]) -> str:
    """Quads in the notation of SPARQL's `INSERT DATA`; what follows one another about a node is written as one list of its properties."""
    parts: list[str] = []
    graph = subject = None
    for quad in quads:
        if quad.graph_name != graph:
            parts.append(" }\n" if parts else "")
            graph, subject = quad.graph_name, quad.subject
            parts.append(f"GRAPH {graph} {{ {subject} {quad.predicate} {quad.object}")
        elif quad.subject != subject:
            subject = quad.subject
            parts.append(f" .\n{subject} {quad.predicate} {quad.object}")
        else:
            parts.append(f" ; {quad.predicate} {quad.object}")
    return "".join([*parts, " }"])


def _sync_logs(folder: Path) -> None:
    """Make the write-ahead log durable: all of its files, since it may just have gone on to a new one."""
    for log in folder.glob("*.log"):
        # A log that RocksDB removed meanwhile has been flushed to a table file, which it syncs itself.
        with contextlib.suppress(FileNotFoundError):
            handle = os.open(log, os.O_RDONLY)
            try:
                os.fdatasync(handle)
            finally:
                os.close(handle)
