"""The SQLite file of the lexical index: how it is made, checked, sealed and, where it is damaged, replaced.

A seal is the file's sha256 in a file beside it. It is broken before the first change and made again when the index is closed, so a file
without a seal belongs to a process that works or was stopped: SQLite then checks what it holds.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from semkg.config import write_atomically
from semkg.errors import Corrupt, Locked, PermissionDenied, SemkgError, StorageError, StorageFull, translated_os_errors
from semkg.vectors.manifest import sha256

NOTHING = -1
"""The generation of an index that shows no state of the graph."""

FORMAT = 1

_BUSY_SECONDS = 30.0
_SCHEMA = (
    "CREATE TABLE state (generation INTEGER NOT NULL)",
    f"INSERT INTO state VALUES ({NOTHING})",
    "CREATE TABLE type (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE node (id INTEGER PRIMARY KEY, iri TEXT NOT NULL UNIQUE, type INTEGER NOT NULL REFERENCES type)",
    f"PRAGMA user_version = {FORMAT}",
)


def words_table(type: int) -> str:
    """The statement that makes the table of one type's words."""
    # Marks belong to the words of Indic and other scripts; accents are gone already (`words.indexed`).
    tokenizer = "porter unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
    return f'CREATE VIRTUAL TABLE IF NOT EXISTS words_{type} USING fts5(text, tokenize="{tokenizer}")'


def in_memory() -> sqlite3.Connection:
    """An empty index that is gone when the connection is closed."""
    connection = _connect(":memory:")
    _create(connection)
    return connection


@dataclass(frozen=True, slots=True)
class LexicalFile:
    """One file and its seal."""

    path: Path

    @property
    def _seal(self) -> Path:
        return self._beside(".sha256")

    def open(self) -> tuple[sqlite3.Connection, str | None]:
        """A connection that may write, and what was wrong with the file where a new one took its place."""
        self._beside(".sha256.tmp").unlink(missing_ok=True)
        try:
            return self._trusted(), None
        except Corrupt as problem:
            self._remove()
            missing = isinstance(problem.__cause__, FileNotFoundError)
            return self._fresh(), None if missing else str(problem)

    def open_read_only(self) -> tuple[sqlite3.Connection, str | None]:
        """A connection that reads; where the file cannot be trusted, one to an empty index in memory, and the reason."""
        try:
            if not self.path.exists():
                return in_memory(), None
            with translated(self):
                connection = _connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)
            with _closed_on_error(connection), translated(self):
                self._check(connection, thorough=False)
            return connection, None
        except Corrupt as problem:
            return in_memory(), str(problem)

    def seal(self) -> None:
        """Keep the sha256 of the file, which nobody is writing."""
        if not self._seal.exists():
            write_atomically(self._seal, sha256(self.path).encode())

    def break_seal(self) -> None:
        """Say that the file is about to change."""
        with translated_os_errors(self._seal):
            self._seal.unlink(missing_ok=True)

    def _trusted(self) -> sqlite3.Connection:
        if not self.path.exists():
            raise Corrupt(f"{self.path} is missing") from FileNotFoundError(self.path)
        with translated(self):
            connection = _connect(str(self.path))
        with _closed_on_error(connection), translated(self):
            self._check(connection, thorough=True)
            self._settle(connection)
            # No -wal or -shm file is ever left, and a folder that may only be read can still be searched.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA synchronous = NORMAL")
            # Readers are locked out while a transaction is written, so it is written at its end and not before.
            connection.execute("PRAGMA cache_spill = OFF")
        return connection

    def _fresh(self) -> sqlite3.Connection:
        with translated(self):
            connection = _connect(str(self.path))
            with _closed_on_error(connection):
                _create(connection)
            connection.close()
        return self._trusted()

    def _settle(self, connection: sqlite3.Connection) -> None:
        """Have SQLite remove the journal of a transaction that ended before it changed the file: only writing does."""
        if self._beside("-journal").exists():
            self.break_seal()
            connection.execute(f"PRAGMA user_version = {FORMAT}")

    def _beside(self, suffix: str) -> Path:
        return self.path.with_name(self.path.name + suffix)

    def _check(self, connection: sqlite3.Connection, thorough: bool) -> None:
        """Raise `Corrupt` where the file is not what was written."""
        (format,) = connection.execute("PRAGMA user_version").fetchone()
        if format != FORMAT:
            raise Corrupt(f"{self.path} is of format {format}, not {FORMAT}")
        if self._sealed():
            return
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise Corrupt(f"{self.path} is damaged: {verdict}")
        connection.execute("SELECT generation, iri FROM state LEFT JOIN node ON node.id = 0").fetchone()
        for (type,) in connection.execute("SELECT id FROM type").fetchall():
            statement = f"INSERT INTO words_{type} (words_{type}) VALUES ('integrity-check')"
            connection.execute(statement if thorough else f"SELECT count(*) FROM words_{type} WHERE rowid = 1")

    def _sealed(self) -> bool:
        """Whether the file is the one that was sealed.

        Raises:
            Corrupt: it is another one.
        """
        seal = self._read_seal()
        if not seal:
            return False
        if seal == sha256(self.path):
            return True
        if self._read_seal() != seal:
            # A writer began while a reader looked.
            return False
        raise Corrupt(f"{self.path} is damaged: its sha256 is not the one in {self._seal.name}")

    def _read_seal(self) -> str:
        with translated_os_errors(self._seal):
            try:
                return self._seal.read_text(encoding="ascii", errors="replace")
            except FileNotFoundError:
                return ""

    def _remove(self) -> None:
        for suffix in ("", "-journal", "-wal", "-shm", ".sha256"):
            path = self._beside(suffix)
            with translated_os_errors(path):
                path.unlink(missing_ok=True)


@contextlib.contextmanager
def translated(file: LexicalFile | None) -> Iterator[None]:
    """Translate SQLite's errors into those of `semkg.errors`."""
    try:
        yield
    except sqlite3.Error as error:
        if not hasattr(error, "sqlite_errorcode"):
            # Not an answer of SQLite, but a wrong call of the library.
            raise
        raise _translation(error, file.path if file else Path(":memory:")) from error


def _translation(error: sqlite3.Error, path: Path) -> SemkgError:
    # An extended result code has the primary one in its lowest byte (sqlite.org/rescode.html).
    code = error.sqlite_errorcode & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Locked(f"{path} is being written by another process: wait for it to end, and try again")
    if code == sqlite3.SQLITE_FULL:
        return StorageFull(f"no space left while writing {path}: free some space and run the same command again")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_CANTOPEN):
        return PermissionDenied(f"not allowed to read or write {path} ({error}): check its owner and its permissions")
    if code == sqlite3.SQLITE_IOERR:
        return StorageError(f"{path} could not be read or written ({error}): look at the disk, then try again")
    return Corrupt(f"{path} is damaged ({error}): open the knowledge graph again, which makes this index anew from the graph")


@contextlib.contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        stack.callback(connection.close)
        yield
        stack.pop_all()


def _connect(database: str, uri: bool = False) -> sqlite3.Connection:
    # Transactions are begun by hand, and one lock of `FtsIndex` orders the threads.
    return sqlite3.connect(database, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=uri)


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        for statement in _SCHEMA:
            connection.execute(statement)
