"""What is exported and read again is the same dataset, in every RDF format and with odd content."""

from __future__ import annotations

import io

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from semkg.export import Format, parse
from semkg.graph.canonical import hash_quads
from semkg.store.oxigraph import OxigraphStore
from tests.export.datasets import ANY_TEXT, IRIS, VOCABULARY, XML_PREDICATES, XML_TEXT, datasets, exported, store_of

GENERATED = {format: datasets(ANY_TEXT, IRIS | st.sampled_from(VOCABULARY)) for format in Format if format.readable}
GENERATED[Format.RDFXML] = datasets(XML_TEXT, XML_PREDICATES)
"""RDF/XML cannot hold everything; that it refuses the rest is another test."""


def content_hash(store: OxigraphStore, format: Format) -> str:
    if format.keeps_graphs:
        return hash_quads(store.quads())
    return hash_quads(ox.Quad(quad.subject, quad.predicate, quad.object) for quad in store.quads())


@pytest.mark.parametrize("format", GENERATED, ids=[known.value for known in GENERATED])
@given(choice=st.data())
@settings(max_examples=150, deadline=None)
def test_a_dataset_survives_export_and_parse(format: Format, choice: st.DataObject) -> None:
    store = store_of(choice.draw(GENERATED[format]))
    text = exported(store, format)
    assert hash_quads(parse(io.BytesIO(text), format)) == content_hash(store, format), text.decode()


def read_by_rdflib(text: bytes, format: str) -> str:
    """The canonical hash of what rdflib reads."""
    dataset = rdflib.Dataset()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rdflib, "NORMALIZE_LITERALS", False)
        dataset.parse(data=text, format=format)
        quads = ox.parse(dataset.serialize(format="nquads").encode(), ox.RdfFormat.N_QUADS)
    return hash_quads(quads if format == "json-ld" else (ox.Quad(quad.subject, quad.predicate, quad.object) for quad in quads))


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib", "ignore:Parsing weird boolean:UserWarning")
@pytest.mark.parametrize(("format", "name"), [(Format.JSONLD, "json-ld"), (Format.RDFXML, "xml")])
@given(choice=st.data())
@settings(max_examples=30, deadline=None)
def test_another_library_reads_the_same(format: Format, name: str, choice: st.DataObject) -> None:
    store = store_of(choice.draw(GENERATED[format]))
    text = exported(store, format)
    assert read_by_rdflib(text, name) == content_hash(store, format), text.decode()


@pytest.mark.parametrize("format", GENERATED, ids=[known.value for known in GENERATED])
@given(choice=st.data())
@settings(max_examples=25, deadline=None)
def test_equal_graphs_give_equal_bytes(format: Format, choice: st.DataObject) -> None:
    quads = choice.draw(GENERATED[format])
    shuffled = choice.draw(st.permutations(quads))
    assert exported(store_of(quads), format) == exported(store_of(shuffled), format)
