"""The provenance as PROV-N and PROV-JSON: valid, readable by `prov`, and the lineage of a triplet is in it."""

from __future__ import annotations

import json

import pyoxigraph as ox
from prov.model import ProvDocument

from semkg.export import Format
from semkg.vocab import DCAT, DCTERMS, OA, PROV, RDF, RDFS, SEMKG, XSD
from tests.export.datasets import NAMES, exported, store_of

CORPUS, PROVENANCE, TRIPLETS = NAMES.graph("corpus"), NAMES.graph("provenance"), NAMES.graph("triplets")


def node(kind: str, local: str) -> ox.NamedNode:
    return ox.NamedNode(f"{NAMES.root}{kind}/{local}")


FILE = ox.NamedNode("file:///texts/a%20(1).md")
DOCUMENT, CHUNK, TRIPLET, EVIDENCE = node("document", "d1"), node("chunk", "c1"), node("triplet", "t1"), node("evidence", "e1")
READING, RUN, DELETION = (node("activity", name) for name in ("reading-1", "run-1", "deletion-1"))
READER = node("agent", "reader-1.0")


def time(text: str) -> ox.Literal:
    return ox.Literal(text, datatype=XSD.dateTime)


LINEAGE = [
    ox.Quad(DOCUMENT, RDF.type, DCAT.Resource, CORPUS),
    ox.Quad(DOCUMENT, RDF.type, PROV.Entity, CORPUS),
    ox.Quad(DOCUMENT, DCTERMS.title, ox.Literal('A "title"'), CORPUS),
    ox.Quad(DOCUMENT, PROV.wasDerivedFrom, FILE, CORPUS),
    ox.Quad(CHUNK, RDF.type, SEMKG.Chunk, CORPUS),
    ox.Quad(CHUNK, DCTERMS.isPartOf, DOCUMENT, CORPUS),
    ox.Quad(EVIDENCE, OA.hasSource, CHUNK, TRIPLETS),
    ox.Quad(TRIPLET, RDF.type, SEMKG.Triplet, TRIPLETS),
    ox.Quad(TRIPLET, SEMKG.evidence, EVIDENCE, TRIPLETS),
    ox.Quad(TRIPLET, PROV.wasGeneratedBy, READING, TRIPLETS),
    ox.Quad(READING, RDF.type, SEMKG.Reading, PROVENANCE),
    ox.Quad(READING, PROV.used, DOCUMENT, PROVENANCE),
    ox.Quad(READING, PROV.wasAssociatedWith, READER, PROVENANCE),
    ox.Quad(READING, PROV.wasInformedBy, RUN, PROVENANCE),
    ox.Quad(READING, PROV.startedAtTime, time("2026-01-01T00:00:00Z"), PROVENANCE),
    ox.Quad(READING, PROV.endedAtTime, time("2026-01-01T00:00:05Z"), PROVENANCE),
    ox.Quad(RUN, RDF.type, SEMKG.Run, PROVENANCE),
    ox.Quad(DELETION, PROV.invalidated, node("triplet", "t0"), PROVENANCE),
    ox.Quad(READER, RDF.type, PROV.SoftwareAgent, PROVENANCE),
    ox.Quad(READER, RDFS.label, ox.Literal("reader"), PROVENANCE),
    ox.Quad(node("entity", "Ada"), RDFS.label, ox.Literal("no provenance"), NAMES.graph("facts")),
]
RECORDS = {
    "entity(document:d1, [prov:type='dcat:Resource', prov:type='prov:Entity', prov:label=\"A \\\"title\\\"\"])",
    "entity(ns1:a%20\\(1\\).md)",
    "entity(chunk:c1, [prov:type='semkg:Chunk'])",
    "entity(triplet:t1, [prov:type='semkg:Triplet'])",
    "entity(triplet:t0)",
    "activity(activity:reading-1, 2026-01-01T00:00:00+00:00, 2026-01-01T00:00:05+00:00, [prov:type='semkg:Reading'])",
    "activity(activity:run-1, -, -, [prov:type='semkg:Run'])",
    "activity(activity:deletion-1, -, -)",
    "agent(agent:reader-1.0, [prov:type='prov:SoftwareAgent', prov:label=\"reader\"])",
    "used(activity:reading-1, document:d1, -)",
    "wasAssociatedWith(activity:reading-1, agent:reader-1.0, -)",
    "wasInformedBy(activity:reading-1, activity:run-1)",
    "wasGeneratedBy(triplet:t1, activity:reading-1, -)",
    "wasInvalidatedBy(triplet:t0, activity:deletion-1, -)",
    "wasDerivedFrom(document:d1, ns1:a%20\\(1\\).md, -, -, -)",
    "wasDerivedFrom(chunk:c1, document:d1, -, -, -)",
    "wasDerivedFrom(triplet:t1, chunk:c1, -, -, -)",
}


def records_of(provn: str) -> set[str]:
    return {line.strip() for line in provn.splitlines() if "(" in line}


def test_prov_n_holds_the_lineage_of_a_triplet() -> None:
    assert records_of(exported(store_of(LINEAGE), Format.PROVN).decode()) == RECORDS


def test_prov_json_and_prov_n_say_the_same() -> None:
    text = exported(store_of(LINEAGE), Format.PROVJSON).decode()
    assert json.loads(text)["prefix"]["chunk"] == NAMES.root + "chunk/"
    read = ProvDocument.deserialize(content=text, format="json")
    assert read == ProvDocument.deserialize(content=exported(store_of(LINEAGE), Format.PROVN).decode(), format="provn")


def test_equal_provenance_gives_equal_bytes() -> None:
    for format in (Format.PROVN, Format.PROVJSON):
        assert exported(store_of(LINEAGE), format) == exported(store_of(LINEAGE[::-1]), format)


def test_a_dataset_without_provenance_is_a_valid_document() -> None:
    assert ProvDocument.deserialize(content=exported(store_of([]), Format.PROVJSON).decode(), format="json") == ProvDocument()
