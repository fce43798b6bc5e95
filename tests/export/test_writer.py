"""What an export holds, how it looks, and what it refuses."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from semkg.errors import BadInput, StorageFull
from semkg.export import Format, export
from semkg.export.records import ordered
from semkg.vocab import OWL, PROV, RDF, RDFS, SEMKG, SKOS, XSD
from tests.export.datasets import FACTS, NAMES, exported, store_of

ADA = ox.NamedNode(NAMES.root + "entity/Ada-1")
ROME = ox.NamedNode(NAMES.root + "entity/Rome-2")
BORN = ox.NamedNode(NAMES.root + "schema/bornIn")
CORPUS, SCHEMA, VECTORS = NAMES.graph("corpus"), NAMES.graph("schema"), NAMES.graph("vectors")

QUADS = [
    ox.Quad(ADA, SKOS.prefLabel, ox.Literal("Ada"), FACTS),
    ox.Quad(ADA, RDF.type, SEMKG.Entity, FACTS),
    ox.Quad(ADA, BORN, ROME, FACTS),
    ox.Quad(ADA, SEMKG.confidence, ox.Literal("0.9", datatype=XSD.decimal), FACTS),
    ox.Quad(ADA, SKOS.prefLabel, ox.Literal("Ada"), CORPUS),
    ox.Quad(ADA, SEMKG.position, ox.Literal("3", datatype=XSD.integer), CORPUS),
    ox.Quad(BORN, RDF.type, OWL.ObjectProperty, SCHEMA),
    ox.Quad(ADA, SEMKG.embedding, ox.Literal("AAAA", datatype=SEMKG.float16Vector), VECTORS),
]


def test_turtle_is_the_union_of_the_graphs_with_the_dataset_s_prefixes() -> None:
    text = exported(store_of(QUADS), Format.TURTLE).decode()
    body = text[text.index("entity:Ada-1") :]
    assert body == (
        'entity:Ada-1 a semkg:Entity ;\n\tskos:prefLabel "Ada" ;\n\tschema:bornIn entity:Rome-2 ;\n'
        "\tsemkg:confidence 0.9 ;\n\tsemkg:position 3 .\nschema:bornIn a owl:ObjectProperty .\n"
    )


def test_json_ld_is_compact_and_typed_by_its_context() -> None:
    document = json.loads(exported(store_of(QUADS), Format.JSONLD))
    assert document["@context"]["entity"] == NAMES.root + "entity/"
    assert document["@context"]["schema:bornIn"] == {"@type": "@id"}
    assert document["@graph"] == [
        {"@id": "graph:corpus", "@graph": [{"@id": "entity:Ada-1", "skos:prefLabel": "Ada", "semkg:position": 3}]},
        {
            "@id": "graph:facts",
            "@graph": [
                {
                    "@id": "entity:Ada-1",
                    "@type": "semkg:Entity",
                    "skos:prefLabel": "Ada",
                    "schema:bornIn": "entity:Rome-2",
                    "semkg:confidence": "0.9",
                }
            ],
        },
        {"@id": "graph:schema", "@graph": [{"@id": "schema:bornIn", "@type": "owl:ObjectProperty"}]},
    ]


def test_an_empty_dataset_is_an_empty_document() -> None:
    store = store_of([])
    assert exported(store, Format.NQUADS) == b""
    assert json.loads(exported(store, Format.JSONLD))["@graph"] == []
    assert list(ox.parse(exported(store, Format.RDFXML), ox.RdfFormat.RDF_XML)) == []


def test_the_number_of_written_statements_is_returned() -> None:
    counts = {format: export(store_of(QUADS), io.BytesIO(), format, NAMES) for format in Format if format.readable}
    assert counts == {Format.TURTLE: 6, Format.TRIG: 7, Format.NQUADS: 7, Format.JSONLD: 7, Format.RDFXML: 6}


def test_vectors_are_written_on_demand_only() -> None:
    store = store_of(QUADS)
    assert b"float16Vector" not in exported(store, Format.NQUADS)
    assert b"float16Vector" in exported(store, Format.NQUADS, vectors=True)
    assert exported(store, Format.NQUADS, [VECTORS]).count(b"\n") == 1


def test_chosen_graphs_are_written_once_each() -> None:
    text = exported(store_of(QUADS), Format.NQUADS, [SCHEMA, CORPUS, SCHEMA])
    assert {quad.graph_name for quad in ox.parse(text, ox.RdfFormat.N_QUADS)} == {SCHEMA, CORPUS}
    assert text.count(b"\n") == 3


def test_json_ld_keeps_iris_that_read_like_compact_ones() -> None:
    odd = ox.Quad(ox.NamedNode("prov:x"), ox.NamedNode("entity:p"), ox.NamedNode("rdf:type"), ox.NamedNode("graph:g"))
    text = exported(store_of([odd]), Format.JSONLD)
    assert list(ox.parse(text, ox.RdfFormat.JSON_LD)) == [odd]


def statement(predicate: str = "urn:x:p", value: ox.Literal | None = None) -> ox.Quad:
    return ox.Quad(ADA, ox.NamedNode(predicate), value or ox.Literal("x"), FACTS)


REFUSED_IN_XML = [
    (statement("urn:x:1"), "predicate <urn:x:1> has no name in XML"),
    (statement("http://example.org/"), "predicate <http://example.org/> has no name in XML"),
    (statement(RDF.base + "li"), "has no name in XML"),
    (statement(value=ox.Literal("a\x00b")), r"Ada-1> holds U\+0000, which XML cannot"),
    (statement(value=ox.Literal("a\ufffeb")), r"holds U\+FFFE"),
]


@pytest.mark.parametrize(("quad", "message"), REFUSED_IN_XML)
def test_rdf_xml_refuses_what_xml_cannot_hold(quad: ox.Quad, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        exported(store_of([quad]), Format.RDFXML)


def test_terms_of_rdf_1_2_are_refused() -> None:
    nested = ox.Triple(ADA, BORN, ROME)
    with pytest.raises(BadInput, match=r"a term of RDF 1\.2"):
        exported(store_of([ox.Quad(ADA, RDFS.comment, nested, FACTS)]), Format.NQUADS)


def test_sorting_in_many_runs_gives_what_sorting_in_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semkg.export.records.RUN_BYTES", 50)
    lines = [f"{number * 7919 % 1000:04}\n".encode() for number in range(3000)]
    assert list(ordered(lines)) == sorted(set(lines))


def test_a_full_disk_for_temporary_files_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    monkeypatch.setattr("semkg.export.records.RUN_BYTES", 1)
    monkeypatch.setattr("tempfile.TemporaryFile", lambda: full.open("r+b", buffering=0))
    with pytest.raises(StorageFull, match="no space left"):
        list(ordered([b"b\n", b"a\n"]))


@pytest.mark.parametrize("format", [format for format in Format if format.readable])
def test_memory_does_not_grow_with_the_dataset(format: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semkg.export.records.RUN_BYTES", 2**16)
    store = store_of(many_quads())
    sink = Sink()
    tracemalloc.start()
    written = export(store, sink, format, NAMES)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert written == 40_000
    assert sink.size > 5_000_000
    assert peak < 3_000_000


class Sink(io.BytesIO):
    """Counts bytes and forgets them."""

    size = 0

    def write(self, data: object) -> int:
        written = len(bytes(data))  # type: ignore[call-overload]  # any buffer
        self.size += written
        return int(written)


def many_quads() -> Iterator[ox.Quad]:
    for number in range(40_000):
        yield ox.Quad(ox.NamedNode(f"{NAMES.root}chunk/{number % 10000}"), PROV.used, ox.Literal(f"{number} " + "words " * 20), FACTS)
