"""Replaying another extractor's names and statements: what becomes of a row, where its evidence is, and what is told of the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode

from semkg import KnowledgeGraph
from semkg.errors import BadInput
from semkg.extract import ReplayingReader, read_recordings
from semkg.extract.recorded import Recorded, recorded, relation_of, value_of
from semkg.ids import Names
from semkg.ingest import Fields
from semkg.models import HashEmbedder
from semkg.vocab import XSD
from tests.extract.readings import Facts, document, in_chunks

TEXT = "Mira Holt was born in Vale in 1931. She founded Holt Optics. Holt Optics, of Vale, made lenses of quartz."
RECORD = {
    "title": "Mira Holt",
    "text": TEXT,
    "entities": ["Mira Holt", "Vale", "Holt Optics", "1931"],
    "triples": [
        ["Mira Holt", "born in", "Vale"],
        ["Mira Holt", "born in", "1931"],
        ["mira holt", "founded", "holt optics"],
        ["Holt Optics", "made", "lenses of quartz"],
        ["Holt Optics", "has sales of", "12,500"],
    ],
}


def found_in(record: object) -> Recorded:
    """What is usable of a JSON record."""
    return recorded(json.loads(json.dumps(record)))


def read(record: object, text: str = TEXT, title: str = "Mira Holt") -> Facts:
    """The reading of one record."""
    source = document(text, title)
    reader = ReplayingReader(Names(), {source[0].source: found_in(record)})
    (reading,) = reader.read_many([source])
    return Facts(reading)


class TestWhatARowBecomes:
    def test_listed_names_are_nodes_and_other_objects_literals(self) -> None:
        found = read(RECORD)
        assert found.triples == {
            ("Mira Holt", "bornIn", "Vale"),
            ("Mira Holt", "bornIn", "1931"),
            ("Mira Holt", "founded", "Holt Optics"),
            ("Holt Optics", "madeValue", "lenses of quartz"),
            ("Holt Optics", "hasSalesOfValue", "12500"),
        }

    def test_every_entity_is_of_the_most_general_class(self) -> None:
        assert read(RECORD).types == dict.fromkeys(("Mira Holt", "Vale", "Holt Optics", "1931"), "Concept")

    def test_a_year_that_the_record_lists_is_a_node_that_passages_share(self) -> None:
        first = read({"entities": ["1931"], "triples": []}).reading.entities[0]
        second = read({"entities": ["1931"], "triples": []}, "It rained in 1931.", "Rain").reading.entities[0]
        assert first == second

    def test_a_relation_to_a_literal_never_shares_the_property_of_one_between_things(self) -> None:
        terms = {term.label: term.kind.value for term in read(RECORD).reading.terms}
        assert terms["made"] == "DatatypeProperty"
        assert terms["born in"] == "ObjectProperty"

    def test_an_unlisted_object_is_a_name_where_it_is_capitalised_or_something_is_said_about_it(self) -> None:
        found = found_in(
            {"entities": [], "triples": [["Ada", "plays", "the harp"], ["Ada", "visited", "Orlo"], ["the harp", "has", "strings"]]}
        )
        assert [fact.object for fact in found.facts] == ["the harp", "Orlo", Literal("strings")]

    @pytest.mark.parametrize(
        ("phrase", "value"),
        [
            ("1931", Literal("1931", datatype=XSD.gYear)),
            ("May 3, 1931", Literal("1931-05-03", datatype=XSD.date)),
            ("12,500", Literal("12500", datatype=XSD.integer)),
            ("500", Literal("500", datatype=XSD.integer)),
            ("about 12,500", None),
            ("1.355 in 2018", None),
        ],
    )
    def test_only_what_is_plainly_a_date_or_number_is_one(self, phrase: str, value: Literal | None) -> None:
        assert value_of(phrase) == value

    @given(st.text("AaBb 12_", max_size=12), st.text("AaBb 12_", max_size=12))
    def test_different_relations_have_different_properties(self, first: str, second: str) -> None:
        from semkg.ids import camel

        one, other = relation_of(first), relation_of(second)
        assert (one == other) == (camel(one) == camel(other))


class TestEvidence:
    def test_it_is_the_smallest_span_that_names_both_ends(self) -> None:
        quotes = read(RECORD).quotes
        assert quotes["Mira Holt born in Vale"] == "Mira Holt was born in Vale"
        assert quotes["Holt Optics made lenses of quartz"] == "Holt Optics, of Vale, made lenses of quartz"

    def test_it_is_the_sentence_of_the_one_that_is_named(self) -> None:
        found = read({"entities": ["The company", "Vale"], "triples": [["The company", "works in", "Vale"]]})
        assert found.quotes == {"The company works in Vale": "Mira Holt was born in Vale in 1931."}

    def test_it_is_the_whole_passage_where_neither_is_named(self) -> None:
        found = read({"entities": ["Orlo"], "triples": [["Orlo", "near", "Sund"]]})
        assert found.quotes == {"Orlo near Sund": TEXT}

    def test_a_name_within_a_longer_word_is_no_mention(self) -> None:
        found = read({"entities": ["Hol"], "triples": []}, title="")
        assert [piece.exact for piece in found.reading.evidence] == [TEXT]

    def test_the_words_of_a_statement_stand_for_the_mention_of_its_ends(self) -> None:
        found = read({"entities": ["Mira Holt", "Vale", "Holt Optics"], "triples": [["Mira Holt", "born in", "Vale"]]}, title="")
        quoted = {piece.iri: piece.exact for piece in found.reading.evidence}
        label = {entity.iri: entity.label for entity in found.reading.entities}
        assert {label[mention.entity]: quoted[mention.evidence] for mention in found.reading.mentions} == {
            "Mira Holt": "Mira Holt was born in Vale",
            "Vale": "Mira Holt was born in Vale",
            "Holt Optics": "Holt Optics",
        }
        assert len(quoted) == 2

    def test_confidence_follows_what_the_text_names(self) -> None:
        rows = [["Mira Holt", "born in", "Vale"], ["Mira Holt", "born in", "Orlo"], ["Sund", "near", "Orlo"]]
        found = read({"entities": ["Mira Holt", "Vale", "Orlo", "Sund"], "triples": rows})
        assert [triplet.confidence for triplet in found.reading.triplets] == [0.8, 0.7, 0.5]

    def test_the_chunk_that_names_both_ends_makes_the_statement(self) -> None:
        source = in_chunks([("Mira Holt left.", 0), ("Mira Holt saw Orlo. ", 0)], "Mira Holt")
        reader = ReplayingReader(Names(), {"Mira Holt": Recorded(("Mira Holt", "Orlo"), found_in(SAW).facts)})
        (reading,) = reader.read_many([source])
        assert [triplet.chunk for triplet in reading.triplets] == [source[1][1].iri]
        assert len(reading.mentions) == 3

    @settings(max_examples=60)
    @given(st.text("aB İß\n\t.é1", max_size=40), st.lists(st.text("aB İß.é1", min_size=1, max_size=4), max_size=3))
    def test_whatever_the_text_every_quotation_stands_there(self, text: str, phrases: list[str]) -> None:
        rows = [[first, "sees", second] for first in phrases for second in phrases]
        reading = read({"entities": phrases, "triples": rows}, text or "x", "").reading
        assert all(piece.exact and (text or "x")[piece.start : piece.end] == piece.exact for piece in reading.evidence)
        mentioned = {mention.entity for mention in reading.mentions}
        assert mentioned >= {entity.iri for entity in reading.entities}
        assert all(triplet.evidence for triplet in reading.triplets)


SAW = {"entities": [], "triples": [["Mira Holt", "saw", "Orlo"]]}


class TestTopic:
    def test_it_is_the_entity_that_bears_the_title(self) -> None:
        found = read(RECORD)
        assert found.labels[topic(found)] == "Mira Holt"

    def test_brackets_of_a_title_do_not_hide_it(self) -> None:
        found = read({"entities": ["Mira Holt"], "triples": []}, title="Mira Holt (optician)")
        assert found.labels[topic(found)] == "Mira Holt"

    def test_a_title_that_looks_like_a_name_is_one(self) -> None:
        found = read({"entities": [], "triples": []}, "Nobody knows it.", "Port of Sund")
        assert found.labels[topic(found)] == "Port of Sund"
        assert [piece.exact for piece in found.reading.evidence] == ["Nobody knows it."]

    def test_a_heading_is_none(self) -> None:
        assert read({"entities": [], "triples": []}, title="introduction").reading.topic is None


def topic(found: Facts) -> NamedNode:
    assert found.reading.topic is not None
    return found.reading.topic


class TestRowsThatCannotBeUsed:
    @pytest.mark.parametrize(
        ("row", "told"),
        [
            ("Ada saw Orlo", "is a text"),
            (["Ada", "saw"], "has 2 parts"),
            (["Ada", "saw", "Orlo", "in", "Vale"], "has 5 parts"),
            (["Ada", "saw", ["Orlo"]], "a list for its object"),
            (["Ada", None, "Orlo"], "nothing for its relation"),
            (["Ada", "saw", " - "], "an empty object"),
            (["which was seen by", "saw", "Orlo"], "no name"),
            (["Ada", "…²", "Orlo"], "without letters"),
            (["Ada", "is", "the Ada"], "to itself"),
        ],
    )
    def test_each_is_told_and_the_others_stay(self, row: object, told: str) -> None:
        found = found_in({"entities": ["Ada"], "triples": [row, ["Ada", "saw", "Sund"]]})
        assert len(found.facts) == 1
        (problem,) = found.problems
        assert problem.startswith("triple 1 ")
        assert told in problem

    def test_names_that_are_none_are_told(self) -> None:
        found = found_in({"entities": ["Ada", "x" * 61, 5, "{}", "www.example.org", "U.S."], "triples": []})
        assert found.names == ("Ada", "U.S")
        assert [problem.split(" is ")[0] for problem in found.problems] == ["entity 2", "entity 3", "entity 4", "entity 5"]

    def test_missing_lists_are_told(self) -> None:
        assert len(found_in({}).problems) == 2
        assert "an object in the field 'triples'" in found_in({"entities": [], "triples": {}}).problems[0]

    @given(st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=4), max_leaves=12))
    def test_no_json_is_too_strange(self, value: object) -> None:
        found = found_in({"entities": value, "triples": value})
        assert all(fact.subject in found.names for fact in found.facts)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    other = {
        "title": "Vale",
        "text": "Vale is a town on the Sund. Its mayor was Mira Holt.",
        "entities": ["Vale", "Sund"],
        "triples": [["Vale", "lies on", "Sund"], ["Vale", "has mayor", "Mira Holt"], ["Vale", "lies"]],
    }
    path = tmp_path / "found.json"
    path.write_text(json.dumps([RECORD, other]), encoding="utf-8")
    return path


def graph() -> KnowledgeGraph:
    return KnowledgeGraph.in_memory(embedder=HashEmbedder())


class TestBuilding:
    def test_records_become_documents_with_gated_statements(self, file: Path) -> None:
        kg = graph()
        report = kg.build_from_triples(file)
        assert (report.new, report.triplets, report.refused) == (2, 7, 0)
        assert [problem.message for problem in report.problems] == [
            'record 2: triple 3 has 2 parts instead of subject, relation and object: ["Vale", "lies"]'
        ]
        assert kg.validate().conformance.value == "conforms"
        assert kg.doctor().healthy
        (statement,) = [said for said in kg.why("Vale") if said.object_label == "Sund"]
        assert statement.origins[0].exact == "Vale is a town on the Sund"

    def test_doing_it_again_changes_nothing(self, file: Path) -> None:
        kg = graph()
        kg.build_from_triples(file)
        before = kg.parts.store.generation, kg.hash()
        report = kg.build_from_triples(file)
        assert (report.documents, report.unchanged, len(report.problems)) == (0, 2, 1)
        assert (kg.parts.store.generation, kg.hash()) == before

    def test_the_order_of_the_records_does_not_matter(self, file: Path) -> None:
        hashes = set()
        for step in (1, -1):
            file.write_text(json.dumps(json.loads(file.read_text())[::step]))
            kg = graph()
            kg.build_from_triples(file)
            hashes.add(kg.hash())
        assert len(hashes) == 1

    def test_json_lines_and_the_field_names_of_result_files_are_read(self, tmp_path: Path) -> None:
        record = {"idx": "a", "passage": TEXT, "extracted_entities": ["Vale"], "extracted_triples": [["Vale", "saw", "Orlo"]]}
        for name, text in (("a.jsonl", json.dumps(record) + "\n"), ("a.json", json.dumps({"docs": [record], "count": 1}))):
            (tmp_path / name).write_text(text)
            recordings = read_recordings(tmp_path / name, Fields(text="passage", id="idx"))
            assert [len(found.facts) for found in recordings.by_source.values()] == [1]
            assert graph().build_from_triples(tmp_path / name, Fields(text="passage", id="idx")).triplets == 1

    def test_one_document_with_two_lists_of_triples_is_told(self, file: Path) -> None:
        file.write_text(json.dumps([RECORD, {**RECORD, "triples": []}]))
        recordings = read_recordings(file, Fields())
        assert len(recordings.by_source) == 1
        assert "join the two records" in recordings.problems[0].message

    @pytest.mark.parametrize(("content", "told"), [("[", "no JSON"), ("[]", "no records"), ('[{"title": "x"}]', "no records with a text")])
    def test_a_file_of_something_else_is_refused(self, content: str, told: str, tmp_path: Path) -> None:
        path = tmp_path / "other.json"
        path.write_text(content)
        with pytest.raises(BadInput, match=told):
            read_recordings(path, Fields())

    def test_a_document_that_another_build_left_unread_is_left_to_it(self, file: Path) -> None:
        reader = ReplayingReader(Names(), read_recordings(file, Fields()).by_source)
        assert not reader.covers(document("Something else.")[0])
