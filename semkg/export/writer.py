"""Exports a dataset, or some of its graphs, in one of the formats: equal graphs give equal bytes, and memory does not grow with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

import pyoxigraph as ox

from semkg.export import jsonld, prov_document, rdfxml
from semkg.export.context import Context, prefixes
from semkg.export.formats import Format
from semkg.export.records import nquads, ordered, quads, record
from semkg.ids import Names
from semkg.ports import GraphStore
from semkg.vocab import OWL, RDF

_BUFFER = 2**16


def export(
    store: GraphStore,
    out: BinaryIO,
    format: Format,
    names: Names,
    graphs: Sequence[ox.NamedNode] | None = None,
    vectors: bool = False,
) -> int:
    """Write a dataset and return the number of statements written (for PROV the number of its records).

    A format without named graphs gets the union of the graphs, each statement once. Without `graphs` the whole store is read in one
    pass, so that the export shows one state of it while somebody writes.

    Args:
        store: what to read.
        out: where to write bytes; it stays open.
        format: PROV-N and PROV-JSON hold the provenance only, and are made in memory.
        names: the names of the dataset; its kinds of IRI become prefixes.
        graphs: only these graphs; all where None.
        vectors: with None as `graphs`, the graph of vectors too.

    Raises:
        BadInput: the format cannot hold a term; nothing says so earlier than the term itself, so write to a scratch file.
        StorageFull: no space for temporary files.
        OSError: `out` could not be written.
    """
    if not format.readable:
        return prov_document.write(_quads(store, names, graphs or prov_document.graphs(names), vectors), out, format, names)
    union = not format.keeps_graphs
    counted = _Counted(ordered(record(quad, union=union) for quad in _quads(store, names, graphs, vectors)))
    if format in (Format.TURTLE, Format.TRIG):
        _serialize(counted, out, format, names)
    else:
        _write(_fragments(counted, format, store, names), out)
    return counted.count


class _Counted:
    """Counts what passes."""

    def __init__(self, records: Iterable[bytes]) -> None:
        self._records = records
        self.count = 0

    def __iter__(self) -> Iterator[bytes]:
        for line in self._records:
            self.count += 1
            yield line


def _quads(store: GraphStore, names: Names, graphs: Sequence[ox.NamedNode] | None, vectors: bool) -> Iterator[ox.Quad]:
    if graphs is not None:
        return (quad for graph in dict.fromkeys(graphs) for quad in store.quads(graph=graph))
    left_out = None if vectors else names.graph("vectors")
    return (quad for quad in store.quads() if quad.graph_name != left_out)


def _serialize(records: Iterable[bytes], out: BinaryIO, format: Format, names: Names) -> None:
    found = quads(records)
    if format is Format.TURTLE:
        ox.serialize((quad.triple for quad in found), out, ox.RdfFormat.TURTLE, prefixes=prefixes(names))
    else:
        ox.serialize(found, out, ox.RdfFormat.TRIG, prefixes=prefixes(names))


def _fragments(records: Iterable[bytes], format: Format, store: GraphStore, names: Names) -> Iterator[bytes]:
    if format is Format.NQUADS:
        return nquads(records)
    if format is Format.RDFXML:
        return (text.encode() for text in rdfxml.write(records, prefixes(names)))
    return (text.encode() for text in jsonld.write(records, Context.of(names, _object_properties(store, names))))


def _object_properties(store: GraphStore, names: Names) -> list[ox.NamedNode]:
    found = store.quads(None, RDF.type, OWL.ObjectProperty, names.graph("schema"))
    return sorted((quad.subject for quad in found if isinstance(quad.subject, ox.NamedNode)), key=lambda term: term.value)


def _write(fragments: Iterable[bytes], out: BinaryIO) -> None:
    buffer = bytearray()
    for fragment in fragments:
        buffer += fragment
        if len(buffer) >= _BUFFER:
            out.write(buffer)
            buffer.clear()
    out.write(buffer)
