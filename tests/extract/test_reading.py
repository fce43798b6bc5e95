"""A reading is a function of its document alone, its spans are true, and nothing in a text can break it."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semkg.extract import EmbeddedReader
from semkg.ids import Names
from semkg.model import Chunk, Reading, Structure
from tests.extract.readings import Facts, Source, document, facts, in_chunks

pytestmark = pytest.mark.model

SENTENCES = (
    "Ada Lind( born 3 May 1950) is a Polish painter.",
    "She was married to Emil Holm, a chemist from Oslo.",
    "Vega Instruments (VI) was founded in 1951 by Otto Braun and employs 420 people.",
    'The film" Two Moons" was directed by Eva Holt and released on 3 March 1961.',
    "Guy's widow, Marozia, lived in Rome, Italy.",
    "It lies in Norway and has a population of 12,500 .",
    "Al- Noor 's tower is 45 metres tall.",
    "El Niño 😀 東京 is not code: f(x) = 3; return x.",
    "\n\n",
)
PARTS = st.one_of(st.sampled_from(SENTENCES), st.text(max_size=30))


def sources() -> list[Source]:
    random_order = random.Random(7)
    return [document(" ".join(random_order.sample(SENTENCES, 5)), title) for title in ("Ada Lind", "Two Moons (film)", "", "Vale", "Rome")]


def check(reading: Reading, chunks: list[Chunk]) -> None:
    """Every IRI that is referred to is there, every span is true."""
    texts = {chunk.iri: chunk.text for chunk in chunks}
    entities = {entity.iri for entity in reading.entities}
    evidence = {piece.iri: piece for piece in reading.evidence}
    assert len(evidence) == len(reading.evidence)
    assert len({triplet.iri for triplet in reading.triplets}) == len(reading.triplets)
    for piece in reading.evidence:
        assert 0 <= piece.start < piece.end
        assert texts[piece.chunk][piece.start : piece.end] == piece.exact
    for mention in reading.mentions:
        assert mention.entity in entities
        assert mention.evidence in evidence
    for triplet in reading.triplets:
        assert triplet.subject in entities
        assert triplet.evidence
        assert {evidence[iri].chunk for iri in triplet.evidence} == {triplet.chunk}
        assert 0 < triplet.confidence <= 1
        assert triplet.text
    assert reading.topic is None or reading.topic in entities


def test_a_reading_does_not_depend_on_order_or_company(reader: EmbeddedReader) -> None:
    documents = sources()
    together = list(reader.read_many(documents))
    alone = [next(reader.read_many([each])) for each in documents]
    backwards = list(EmbeddedReader(Names()).read_many(documents[::-1]))[::-1]
    assert together == alone == backwards


def test_there_is_one_reading_a_document_in_order(reader: EmbeddedReader) -> None:
    documents = [*sources(), document(""), document("Zwei Worte", language="de"), (document("x")[0], [])]
    assert [reading.document for reading in reader.read_many(documents)] == [doc.iri for doc, _ in documents]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PARTS, max_size=6), st.sampled_from(["", "Ada Lind", "Two Moons (film)"]))
def test_all_spans_are_true_for_any_text(reader: EmbeddedReader, parts: list[str], title: str) -> None:
    source = document(" ".join(parts), title)
    (reading,) = reader.read_many([source])
    check(reading, source[1])


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "x" * 1_000_000,
        "word " * 30_000,
        "Ada Lind 😀👩‍👩‍👧 founded 🜂 Works.",
        "ولدت آدا في القاهرة سنة 1950.",
        "def f(x):\n    return {'a': [x ** 2 for x in range(10)]}",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "((((((((((((((((" * 200,
        '"' * 5_000,
        "\x00\x01\ufffe Ada Lind \u202e wrote Dust.",
        "A" + "\u0301" * 300,
    ],
)
def test_no_text_breaks_the_reader(reader: EmbeddedReader, text: str) -> None:
    source = document(text, "Ada Lind")
    (reading,) = reader.read_many([source])
    check(reading, source[1])


def test_a_long_text_is_read_to_its_end(reader: EmbeddedReader) -> None:
    text = "Nothing happened here at all. " * 1_000 + "Ada Lind founded Vega Instruments."
    assert ("Ada Lind", "founded", "Vega Instruments") in facts(reader, text).triples


@pytest.mark.parametrize("structure", [Structure.CODE, Structure.TABLE, Structure.HEADING])
def test_code_tables_and_headings_hold_no_sentences(reader: EmbeddedReader, structure: Structure) -> None:
    (reading,) = reader.read_many([document("Ada Lind founded Vega Instruments.", structure=structure)])
    assert not reading.triplets


def test_a_sentence_in_the_overlap_is_read_once(reader: EmbeddedReader) -> None:
    first, second = "Ada Lind founded Vega Instruments. ", "She moved to Oslo."
    source = in_chunks([(first, 0), (first + second, len(first))], "Ada Lind")
    (reading,) = reader.read_many([source])
    check(reading, source[1])
    founded = [triplet for triplet in reading.triplets if triplet.predicate.value.endswith("founded")]
    assert [triplet.chunk for triplet in founded] == [source[1][0].iri]
    assert any(triplet.chunk == source[1][1].iri for triplet in reading.triplets)


def test_names_and_pronouns_are_resolved_across_chunks(reader: EmbeddedReader) -> None:
    source = in_chunks([("Ada Lind was a painter. ", 0), ("Lind was born in Oslo. ", 0)], "Ada Lind")
    (reading,) = reader.read_many([source])
    assert ("Ada Lind", "bornIn", "Oslo") in Facts(reading).triples


@pytest.mark.parametrize("language", ["de", "fr", "und"])
def test_other_languages_give_names_and_no_relations(reader: EmbeddedReader, language: str) -> None:
    text = "Adele Linde wurde von der Firma Vega Werke nach Oslo geschickt, wo sie auch ihren Mann kennenlernte und lange lebte."
    source = document(text, "Adele Linde", language)
    (reading,) = reader.read_many([source])
    check(reading, source[1])
    assert not reading.triplets
    assert "Adele Linde" in {entity.label for entity in reading.entities}


def test_a_text_of_unknown_language_that_looks_english_is_read(reader: EmbeddedReader) -> None:
    (reading,) = reader.read_many([document("Ada Lind was the founder of the company and it was sold in 1950.", "Ada Lind", "und")])
    assert reading.triplets


@pytest.mark.parametrize("heading", ["# Ada Lind\n\n", "## Early life\n", "Ada Lind\n========\n\n", "Career\n---\n"])
def test_a_heading_is_no_part_of_the_sentence_below_it(reader: EmbeddedReader, heading: str) -> None:
    text = "Ada Lind was a painter. She was born in Oslo."
    source = document(heading + text, "Ada Lind")
    (reading,) = reader.read_many([source])
    check(reading, source[1])
    assert Facts(reading).triples == facts(reader, text, "Ada Lind").triples
    assert Facts(reading).types == {"Ada Lind": "Person", "Oslo": "Place"}
