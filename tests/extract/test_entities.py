"""One thing is one entity within a document: its names meet, namesakes stay apart, pronouns are resolved only where that is safe."""

from __future__ import annotations

import pytest

from semkg.extract import EmbeddedReader
from semkg.extract.classes import CONFIDENCE
from semkg.model import TermKind
from tests.extract.readings import NAMES, document, facts

pytestmark = pytest.mark.model


@pytest.mark.parametrize(
    ("title", "text", "type"),
    [
        ("Ada Lind", "Ada Lind was a Polish astronomer.", "Person"),
        ("Ember", "Ember is a 1942 drama film.", "Work"),
        ("Vale", "Vale is a village in Norway.", "Place"),
        ("Vega Instruments", "Vega Instruments is a manufacturer of lenses.", "Organization"),
        ("Hale Prize", "The Hale Prize is an award for chemists.", "Award"),
        ("Ember (1942 film)", "It was shot in Rome.", "Work"),
    ],
)
def test_the_definition_tells_what_the_topic_is(reader: EmbeddedReader, title: str, text: str, type: str) -> None:
    found = facts(reader, text, title)
    assert found.types[title] == type
    assert found.labels[found.reading.topic] == title  # type: ignore[index]  # the test fails where there is no topic


def test_a_heading_is_no_topic(reader: EmbeddedReader) -> None:
    (reading,) = reader.read_many([document("Ada Lind was a painter.", "Introduction")])
    assert reading.topic is None


def test_a_title_with_brackets_keeps_namesakes_apart(reader: EmbeddedReader) -> None:
    painter = facts(reader, "Ada Lind is a Polish painter.", "Ada Lind (painter)")
    singer = facts(reader, "Ada Lind is a Polish singer.", "Ada Lind (singer)")
    assert painter.reading.topic != singer.reading.topic
    assert ("Ada Lind (painter)", "altLabel", "Ada Lind") in painter.triples


def test_a_fuller_name_at_the_beginning_is_the_topic(reader: EmbeddedReader) -> None:
    found = facts(reader, 'Ada Maria "Mimi" Lind (born 3 May 1950) is a Polish painter.', "Ada Lind")
    assert set(found.types) == {"Ada Lind"}
    assert ("Ada Lind", "altLabel", "Ada Maria Lind") in found.triples


def test_a_title_with_another_rank_is_someone_else(reader: EmbeddedReader) -> None:
    found = facts(reader, "Otto Lind, 6th Duke of Vale, was the son of Otto Lind, 3rd Duke of Vale.", "Otto Lind, 6th Duke of Vale")
    assert ("Otto Lind, 6th Duke of Vale", "sonOf", "Otto Lind, 3rd Duke of Vale") in found.triples


def test_a_surname_stands_for_the_only_one_who_has_it(reader: EmbeddedReader) -> None:
    found = facts(reader, "Ada Lind is a painter. Lind studied at Oxford University.", "Ada Lind")
    assert ("Ada Lind", "studiedAt", "Oxford University") in found.triples
    assert "Lind" not in found.types


def test_a_surname_that_two_share_stands_for_neither(reader: EmbeddedReader) -> None:
    found = facts(reader, "Emil Lind met Otto Lind in Paris. Lind moved to Rome.")
    assert not {t for t in found.triples if t[1] == "movedTo" and t[0] != "Lind"}


def test_a_name_has_one_class_in_a_document(reader: EmbeddedReader) -> None:
    found = facts(reader, "Skarn was born in Oslo. The label signed Skarn. Skarn left Oslo for Bergen. Skarn married Eva Holt.")
    assert [entity.label for entity in found.reading.entities].count("Skarn") == 1


def test_a_pronoun_stands_for_the_topic(reader: EmbeddedReader) -> None:
    found = facts(reader, "Ada Lind was an actress. She was born in Oslo. Her brother Emil lived in Rome.", "Ada Lind")
    assert {("Ada Lind", "bornIn", "Oslo"), ("Emil", "brotherOf", "Ada Lind")} <= found.triples
    assert found.quotes["Ada Lind born in Oslo"] == "She was born in Oslo"


def test_a_description_stands_for_the_topic_of_its_kind(reader: EmbeddedReader) -> None:
    found = facts(reader, "Ember is a documentary film. The film was directed by Ada Lind. The book was written by Emil Holm.", "Ember")
    assert ("Ada Lind", "directed", "Ember") in found.triples
    assert not {t for t in found.triples if t[1] == "wrote"}


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lind was an actress. He was born in Oslo.",
        "Ada Lind was an actress. It was built in Oslo.",
        "Ada Lind was a writer. Her editor was Emil Holm. The singer was ill. She died in Oslo.",
    ],
)
def test_a_pronoun_that_does_not_agree_stands_for_nobody(reader: EmbeddedReader, text: str) -> None:
    assert not {t for t in facts(reader, text, "Ada Lind").triples if t[2] == "Oslo"}


def test_a_resolved_pronoun_is_less_certain(reader: EmbeddedReader) -> None:
    direct = facts(reader, "Ada Lind was an actress. Ada Lind was born in Oslo.", "Ada Lind").reading
    resolved = facts(reader, "Ada Lind was an actress. She was born in Oslo.", "Ada Lind").reading
    born = NAMES.schema("bornIn")
    assert {t.confidence for t in resolved.triplets if t.predicate == born} < {
        t.confidence for t in direct.triplets if t.predicate == born
    } or (
        max(t.confidence for t in resolved.triplets if t.predicate == born)
        < max(t.confidence for t in direct.triplets if t.predicate == born)
    )


def test_quoted_titles_are_works(reader: EmbeddedReader) -> None:
    assert facts(reader, "Ada Lind wrote “The Glass Bell” and *Dust*.").types == {
        "Ada Lind": "Person",
        "The Glass Bell": "Work",
        "Dust": "Work",
    }


def test_confidence_depends_on_the_class_alone(reader: EmbeddedReader) -> None:
    found = facts(reader, "Ada Lind met Emil Holm in Oslo. Ada Lind left Oslo.")
    assert {e.label: e.confidence for e in found.reading.entities} == {label: CONFIDENCE[type] for label, type in found.types.items()}


def test_every_class_and_property_is_a_proposed_term(reader: EmbeddedReader) -> None:
    reading = facts(reader, "Ada Lind was born in Oslo on 3 May 1950.", "Ada Lind").reading
    assert {(term.label, term.notation, term.kind, term.status) for term in reading.terms} == {
        ("Person", "", TermKind.CLASS, "unstable"),
        ("Place", "", TermKind.CLASS, "unstable"),
        ("born in", "BORN_IN", TermKind.OBJECT_PROPERTY, "unstable"),
        ("born on", "BORN_ON", TermKind.DATATYPE_PROPERTY, "unstable"),
    }


def test_what_the_topic_is_said_to_be_beats_what_its_name_looks_like(reader: EmbeddedReader) -> None:
    text = "Odo Marr is a comet. It was found by Eva Holt in 1921. Odo Marr came back in 1960. Odo Marr was seen again in 1999."
    found = facts(reader, text, "Odo Marr")
    assert found.types["Odo Marr"] == "Concept"
    assert ("Eva Holt", "found", "Odo Marr") in found.triples


@pytest.mark.parametrize(
    ("text", "label", "type"),
    [
        ("Eva Holt lived in Skarn. Skarn is small. The town of Skarn lies on a hill.", "Skarn", "Place"),
        ("Eva Holt studied at the University of Skarn. Skarn was small.", "Skarn", "Place"),
        ("The Marr Camera was given by Eva Holt.", "Marr Camera", "Product"),
        ("Eva Holt printed the Skarn Atlas in 1930.", "Skarn Atlas", "Work"),
        ("Skarn Observatory bought two lenses.", "Skarn Observatory", "Organization"),
        ("Vega Instruments is a maker of lenses.", "Vega Instruments", "Organization"),
        ("Eva Holt photographed the Moon. The Moon was bright.", "Moon", "Concept"),
        ("Eva Holt had two daughters, Klara and Berta.", "Berta", "Person"),
    ],
)
def test_the_words_of_a_name_and_those_around_it_tell_its_class(reader: EmbeddedReader, text: str, label: str, type: str) -> None:
    assert facts(reader, text).types[label] == type


def test_a_description_stands_for_the_only_thing_whose_name_says_so(reader: EmbeddedReader) -> None:
    text = "Eva Holt went to Skarn Observatory in 1930. In 1932 she became the director of the observatory."
    assert ("Eva Holt", "directorOf", "Skarn Observatory") in facts(reader, text, "Eva Holt").triples
    two = "Eva Holt left Vale Observatory. She went to Skarn Observatory. In 1932 she became the director of the observatory."
    assert not {t for t in facts(reader, two, "Eva Holt").triples if t[1] == "directorOf"}


def test_a_pronoun_may_stand_for_who_did_something_to_the_topic(reader: EmbeddedReader) -> None:
    text = "Skarn Observatory is an observatory. He led it well. It was founded by Eva Holt. She was born in Oslo."
    assert ("Eva Holt", "bornIn", "Oslo") in facts(reader, text, "Skarn Observatory").triples
