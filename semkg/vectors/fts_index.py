"""BM25 (Robertson and Zaragoza 2009) over words, by SQLite's FTS5, keyed by IRI.

Every type of node has a table of its own, so that the lengths and frequencies of labels do not distort the ranking of passages. The
index is derived from the graph (DESIGN §2, law 1): a file that cannot be trusted is replaced by an empty index, and `problem` says why.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from semkg.errors import UsageError
from semkg.ports import Hit
from semkg.vectors import lexical_file, words
from semkg.vectors.lexical_file import LexicalFile

_BATCH = 500
"""Variables in one statement; SQLite takes at least 999."""


class FtsIndex:
    """Implements `LexicalIndex`. Safe to share between threads."""

    def __init__(self, connection: sqlite3.Connection, file: LexicalFile | None, read_only: bool, problem: str | None) -> None:
        """See `open`."""
        self.problem = problem
        """What was wrong with the file on disk, where it was not used."""
        self._connection: sqlite3.Connection | None = connection
        self._file = file
        self._read_only = read_only
        self._lock = threading.RLock()

    @classmethod
    def open(cls, path: Path | None, read_only: bool = False) -> FtsIndex:
        """Open the index in a file; without a path it lives in memory.

        Where there is no file, or a damaged one, the index is empty and its generation is -1.

        Args:
            path: for example `index/lexical.sqlite`; its folder exists.
            read_only: another process may be writing: touch no file.

        Raises:
            Locked: another process is writing and does not end.
            StorageError, PermissionDenied: the file cannot be read or written.
        """
        file = LexicalFile(path) if path else None
        if file is None:
            return cls(lexical_file.in_memory(), None, False, None)
        connection, problem = file.open_read_only() if read_only else file.open()
        return cls(connection, file, read_only, problem)

    @property
    def generation(self) -> int:
        with self._reading() as connection:
            found: int = connection.execute("SELECT generation FROM state").fetchone()[0]
        return found

    def __len__(self) -> int:
        with self._reading() as connection:
            found: int = connection.execute("SELECT count(*) FROM node").fetchone()[0]
        return found

    def nodes(self) -> Iterator[str]:
        with self._reading() as connection:
            return iter([iri for (iri,) in connection.execute("SELECT iri FROM node ORDER BY id")])

    def update(self, added: Iterable[tuple[str, str, str]], removed: Iterable[str], generation: int) -> None:
        rows = {iri: (type, text) for iri, type, text in added}
        gone = dict.fromkeys(removed)
        if not rows and not gone and generation == self.generation:
            return
        with self._writing() as connection:
            _delete(connection, [*gone, *(iri for iri in rows if iri not in gone)])
            _insert(connection, rows)
            connection.execute("UPDATE state SET generation = ?", (generation,))

    def search(self, text: str, limit: int, type: str | None = None) -> list[Hit]:
        expression = words.expression(text)
        if not expression or limit < 1:
            return []
        with self._reading() as connection:
            tables = [id for id, name in connection.execute("SELECT id, name FROM type ORDER BY id") if type in (None, name)]
            hits = [hit for table in tables for hit in _matches(connection, table, expression, limit)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.node))[:limit]

    def close(self) -> None:
        """Close the file and seal it, so that damage is seen when it is opened again."""
        with self._lock:
            if self._connection is None:
                return
            self._connection.close()
            self._connection = None
            if self._file and not self._read_only:
                self._file.seal()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, lexical_file.translated(self._file):
            if self._connection is None:
                raise UsageError("this lexical index is closed")
            yield self._connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        with self._reading() as connection:
            if self._read_only:
                raise UsageError("this lexical index was opened for reading only")
            if self._file:
                self._file.break_seal()
            connection.execute("BEGIN IMMEDIATE")
            with connection:
                yield connection


def _matches(connection: sqlite3.Connection, table: int, expression: str, limit: int) -> list[Hit]:
    # FTS5's bm25 is smaller for a better match.
    found = connection.execute(
        f"SELECT node.iri, -rank FROM words_{table} JOIN node ON node.id = words_{table}.rowid "
        f"WHERE words_{table} MATCH ? ORDER BY rank, node.iri LIMIT ?",
        (expression, limit),
    )
    return [Hit(iri, score) for iri, score in found]


def _delete(connection: sqlite3.Connection, nodes: list[str]) -> None:
    doomed: dict[int, list[tuple[int]]] = {}
    for start in range(0, len(nodes), _BATCH):
        batch = nodes[start : start + _BATCH]
        places = ",".join("?" * len(batch))
        for id, type in connection.execute(f"SELECT id, type FROM node WHERE iri IN ({places})", batch):
            doomed.setdefault(type, []).append((id,))
    for type, ids in doomed.items():
        connection.executemany(f"DELETE FROM words_{type} WHERE rowid = ?", ids)
        connection.executemany("DELETE FROM node WHERE id = ?", ids)


def _insert(connection: sqlite3.Connection, rows: dict[str, tuple[str, str]]) -> None:
    types = {name: _type_id(connection, name) for name in dict.fromkeys(type for type, _ in rows.values())}
    first = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM node").fetchone()[0]
    numbered = list(enumerate(rows.items(), first))
    connection.executemany("INSERT INTO node VALUES (?, ?, ?)", ((id, iri, types[type]) for id, (iri, (type, _)) in numbered))
    for name, number in types.items():
        texts = ((id, words.indexed(text)) for id, (_, (type, text)) in numbered if type == name)
        connection.executemany(f"INSERT INTO words_{number} (rowid, text) VALUES (?, ?)", texts)


def _type_id(connection: sqlite3.Connection, name: str) -> int:
    """The number of a type; the first node of a type makes its table."""
    connection.execute("INSERT OR IGNORE INTO type (name) VALUES (?)", (name,))
    found: int = connection.execute("SELECT id FROM type WHERE name = ?", (name,)).fetchone()[0]
    connection.execute(lexical_file.words_table(found))
    return found
