"""Quads as sortable lines, and an external merge sort over them, so that equal datasets are written as equal bytes in bounded memory.

A record is four tab-separated fields: graph, subject, predicate, object, as canonical N-Quads writes them (RDF 1.1 N-Quads; it escapes
tabs and line feeds). The default graph is the empty field, and `rdf:type` is `!`, which sorts before every IRI.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby, islice
from typing import IO

import pyoxigraph as ox

from semkg.errors import BadInput, translated_os_errors
from semkg.vocab import RDF

RUN_BYTES = 8 * 2**20
MAX_RUNS = 64

_TYPE = b"!"
_TYPE_IRI = str(RDF.type).encode()
_BATCH = 2000

Fields = tuple[bytes, bytes, bytes, bytes]


def record(quad: ox.Quad, *, union: bool) -> bytes:
    """The record of a quad; with `union` its graph is left out.

    Raises:
        BadInput: a term of RDF 1.2, which not every format can hold.
    """
    value = quad.object
    if isinstance(value, ox.Triple) or (isinstance(value, ox.Literal) and value.direction is not None):
        raise BadInput(f"{value} is a term of RDF 1.2 and cannot be written in RDF 1.1: remove the statement about {quad.subject}")
    graph = "" if union or isinstance(quad.graph_name, ox.DefaultGraph) else quad.graph_name
    predicate = "!" if quad.predicate == RDF.type else quad.predicate
    return f"{graph}\t{quad.subject}\t{predicate}\t{value}\n".encode()


def fields(line: bytes) -> Fields:
    """Graph, subject, predicate and object of a record."""
    graph, subject, predicate, value = line[:-1].split(b"\t")
    return graph, subject, _TYPE_IRI if predicate == _TYPE else predicate, value


def nquads(records: Iterable[bytes]) -> Iterator[bytes]:
    """The records as lines of N-Quads."""
    for line in records:
        graph, subject, predicate, value = fields(line)
        yield b"%b %b %b %b .\n" % (subject, predicate, value, graph) if graph else b"%b %b %b .\n" % (subject, predicate, value)


def quads(records: Iterable[bytes]) -> Iterator[ox.Quad]:
    """The records as quads again."""
    lines = nquads(records)
    while batch := b"".join(islice(lines, _BATCH)):
        yield from ox.parse(batch, ox.RdfFormat.N_QUADS)


def ordered(records: Iterable[bytes]) -> Iterator[bytes]:
    """The distinct records in code point order.

    Runs of about `RUN_BYTES` are sorted in memory and wait in unnamed temporary files, so that memory does not grow with the dataset;
    what fits into one run touches no disk.

    Raises:
        StorageFull: the folder for temporary files is full.
    """
    with ExitStack() as files:
        runs: list[IO[bytes]] = []
        last: list[bytes] = []
        for run in _runs(records):
            if last:
                runs = [*_few(runs, files), _spill(last, files)]
            last = run
        yield from (line for line, _ in groupby(heapq.merge(*runs, last)))


def _runs(records: Iterable[bytes]) -> Iterator[list[bytes]]:
    run: list[bytes] = []
    size = 0
    for line in records:
        run.append(line)
        size += len(line)
        if size >= RUN_BYTES:
            yield sorted(run)
            run, size = [], 0
    yield sorted(run)


def _few(runs: list[IO[bytes]], files: ExitStack) -> list[IO[bytes]]:
    """The same runs, merged into one when there are as many as may be open."""
    if len(runs) < MAX_RUNS:
        return runs
    merged = _spill(heapq.merge(*runs), files)
    for run in runs:
        run.close()
    return [merged]


def _spill(lines: Iterable[bytes], files: ExitStack) -> IO[bytes]:
    with translated_os_errors(tempfile.gettempdir()):
        file = files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
        file.writelines(lines)
        file.seek(0)
        return file
