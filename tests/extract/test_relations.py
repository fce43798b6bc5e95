"""What sentences state becomes triplets, what they deny, doubt or ask does not."""

from __future__ import annotations

import pytest
from pyoxigraph import Literal, NamedNode

from semkg.extract import EmbeddedReader
from tests.extract.readings import facts

pytestmark = pytest.mark.model

FILM = "Two Moons (1961 film)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # active and passive agree in name and direction
        ("Ridley Marr directed Ember.", ("Ridley Marr", "directed", "Ember")),
        ("Ember was directed by Ridley Marr.", ("Ridley Marr", "directed", "Ember")),
        ("The film Ember, directed by Ridley Marr, won the Hale Prize.", ("Ridley Marr", "directed", "Ember")),
        # copula with a relational noun
        ("Odo Marr was the son of Guy Marr.", ("Odo Marr", "sonOf", "Guy Marr")),
        ("Vienna is the capital of Austria.", ("Vienna", "capitalOf", "Austria")),
        ("Odo Marr was one of the founders of Vega Instruments.", ("Odo Marr", "founderOf", "Vega Instruments")),
        ("Odo Marr is a great-grandson of Guy Marr.", ("Odo Marr", "greatGrandsonOf", "Guy Marr")),
        # apposition
        ("Marie Lind, daughter of Pierre Lind, moved to Lyon.", ("Marie Lind", "daughterOf", "Pierre Lind")),
        ("Eva Holt lives in Warsaw, Poland.", ("Warsaw", "locatedIn", "Poland")),
        # prepositions
        ("Marie Lind was born in Warsaw.", ("Marie Lind", "bornIn", "Warsaw")),
        ("Vega Instruments is based in Oslo.", ("Vega Instruments", "basedIn", "Oslo")),
        ("Marie Lind made her debut for Vega Instruments.", ("Marie Lind", "madeDebutFor", "Vega Instruments")),
        ("Marie Lind served as director of the Nordic Survey.", ("Marie Lind", "directorOf", "Nordic Survey")),
        # possessives
        ("Guy's widow, Marozia, lived in Rome.", ("Marozia", "widowOf", "Guy")),
        # dates
        ("Marie Lind died on 4 July 1934.", ("Marie Lind", "diedOn", "1934-07-04")),
        ("Vega Instruments was founded in 1951.", ("Vega Instruments", "foundedOnDate", "1951")),
        # quantities
        ("Springfield has a population of 12,500.", ("Springfield", "population", "12500")),
        ("Vega Instruments employs 420 people.", ("Vega Instruments", "numberOfPeopleEmployed", "420")),
        ("Aurora Optics raised $3 million.", ("Aurora Optics", "raisedInDollars", "3000000")),
        # adjectives
        ("Marie Lind was married to Pierre Curtis.", ("Marie Lind", "married", "Pierre Curtis")),
    ],
)
def test_a_sentence_states_a_triplet(reader: EmbeddedReader, text: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(reader, text).triples


@pytest.mark.parametrize(
    "text",
    [
        "Ridley Marr did not direct Ember.",
        "Ridley Marr never directed Ember.",
        "Ridley Marr may direct Ember.",
        "Ridley Marr would have directed Ember.",
        "Ridley Marr allegedly directed Ember.",
        "Ridley Marr wanted to direct Ember.",
        "If Ridley Marr directed Ember, nobody saw it.",
        "Eva Holt claimed that Ridley Marr directed Ember.",
        "Did Ridley Marr direct Ember?",
        "Ridley Marr is not the son of Guy Marr.",
    ],
)
def test_what_is_not_asserted_gives_no_triplet(reader: EmbeddedReader, text: str) -> None:
    assert not facts(reader, text).triples


def test_subjects_verbs_and_objects_are_distributed(reader: EmbeddedReader) -> None:
    assert facts(reader, "Eva Holt and Karl Marr founded Vega Instruments and wrote Ember.").triples >= {
        (subject, *rest) for subject in ("Eva Holt", "Karl Marr") for rest in (("founded", "Vega Instruments"), ("wrote", "Ember"))
    }
    assert facts(reader, "Odo Marr was the son of Guy Marr and Berta Holm.").triples >= {
        ("Odo Marr", "sonOf", "Guy Marr"),
        ("Odo Marr", "sonOf", "Berta Holm"),
    }


def test_what_modifies_a_description_is_said_of_what_it_describes(reader: EmbeddedReader) -> None:
    text = "Two Moons is a 1961 film directed by Ada Lind, written by Karl Marr, and starring Eva Holt and Max Berg."
    assert facts(reader, text, FILM).triples >= {
        ("Ada Lind", "directed", FILM),
        ("Karl Marr", "wrote", FILM),
        (FILM, "starred", "Eva Holt"),
        (FILM, "starred", "Max Berg"),
        (FILM, "definition", "1961 film"),
    }


def test_brackets_tell_lives(reader: EmbeddedReader) -> None:
    text = "Ada Lind( 18 February 1929, Trabzon – 21 September 1989, Istanbul, Turkey) was a Polish painter."
    assert facts(reader, text, "Ada Lind").triples == {
        ("Ada Lind", "bornOn", "1929-02-18"),
        ("Ada Lind", "bornIn", "Trabzon"),
        ("Ada Lind", "diedOn", "1989-09-21"),
        ("Ada Lind", "diedIn", "Istanbul"),
        ("Ada Lind", "definition", "Polish painter"),
    }


@pytest.mark.parametrize("bracket", ["c. 1204 – c. 1230", "reigned 863 – 925", "1990s", "see page 12"])
def test_vague_or_other_numbers_in_brackets_are_no_lives(reader: EmbeddedReader, bracket: str) -> None:
    relations = {relation for _, relation, _ in facts(reader, f"Ada Lind ({bracket}) was a Polish painter.").triples}
    assert not relations & {"bornOn", "diedOn"}


def test_a_lifespan_of_something_else_is_no_life(reader: EmbeddedReader) -> None:
    assert not {r for _, r, _ in facts(reader, "The Baltic War (1914 – 1918) was a war in Europe.", "Baltic War").triples} & {
        "bornOn",
        "diedOn",
    }


@pytest.mark.parametrize(
    ("text", "alias"),
    [
        ("International Harbour Works (IHW) is a company.", "IHW"),
        ("Ada Lind, also known as Ada Star, is a painter.", "Ada Star"),
        ("Ada Lind (née Holm) is a painter.", "Holm"),
        ("Ada Lind (French: Adèle Linde) is a painter.", "Adèle Linde"),
    ],
)
def test_other_names_are_alternative_labels(reader: EmbeddedReader, text: str, alias: str) -> None:
    assert alias in {value for _, relation, value in facts(reader, text).triples if relation == "altLabel"}


def test_letters_that_do_not_abbreviate_a_name_are_no_alias(reader: EmbeddedReader) -> None:
    assert not {t for t in facts(reader, "Harbour Works of the Nordic Trade League (NTL) is a company.").triples if t[1] == "altLabel"} - {
        ("Nordic Trade League", "altLabel", "NTL")
    }


def test_literals_and_things_never_share_a_property(reader: EmbeddedReader) -> None:
    text = "Eva Holt was born on Crete in 1950. Ember was released on Polydor on 3 May 1970. Ember is based on Dust."
    triplets = facts(reader, text).reading.triplets
    things = {t.predicate for t in triplets if isinstance(t.object, NamedNode)}
    literals = {t.predicate for t in triplets if isinstance(t.object, Literal)}
    assert things
    assert literals
    assert not things & literals


def test_the_evidence_is_the_span_from_subject_to_object(reader: EmbeddedReader) -> None:
    quotes = facts(reader, "In a cold year, Ada Lind founded Vega Instruments with joy. Nothing else happened.").quotes
    assert quotes["Ada Lind founded Vega Instruments"] == "Ada Lind founded Vega Instruments"


def test_the_evidence_quotes_the_text_as_it_stands(reader: EmbeddedReader) -> None:
    quotes = facts(reader, "Ada Lind( born 3 May 1950) founded Al- Noor Works.").quotes
    assert quotes["Ada Lind founded Al-Noor Works"] == "Ada Lind( born 3 May 1950) founded Al- Noor Works"


def test_a_rank_behind_a_father_is_not_the_daughters(reader: EmbeddedReader) -> None:
    assert ("Helene Lind", "princeOf", "Vale") not in facts(
        reader, "Helene Lind, daughter of Otto Lind, prince of Vale, lived in Rome."
    ).triples


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Vega Instruments has its office in Oslo.", ("Vega Instruments", "officeIn", "Oslo")),
        ("Vega Instruments is old. Its headquarters are in Oslo.", ("Vega Instruments", "headquartersIn", "Oslo")),
        ("Vega Instruments is a company in Oslo.", ("Vega Instruments", "locatedIn", "Oslo")),
        ("Vega Instruments was named after Eva Holt.", ("Vega Instruments", "namedAfter", "Eva Holt")),
        ("The Hale Prize was given by Vega Instruments.", ("Vega Instruments", "gave", "Hale Prize")),
        ("Vega Instruments lost money. Eva Holt was one of its directors.", ("Eva Holt", "directorOf", "Vega Instruments")),
    ],
)
def test_what_belongs_to_a_company_is_said_of_it(reader: EmbeddedReader, text: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(reader, text, "Vega Instruments").triples


def test_what_happened_to_a_building_did_not_happen_to_its_town(reader: EmbeddedReader) -> None:
    assert not {t for t in facts(reader, "Eva Holt built a library in Oslo, which was opened in 1902.").triples if t[0] == "Oslo"}


def test_who_made_a_part_of_a_film_had_a_part_in_the_film(reader: EmbeddedReader) -> None:
    found = facts(reader, "Ember is a drama film. The music was composed by Eva Holt.", "Ember").triples
    assert ("Eva Holt", "composedMusicOf", "Ember") in found
    assert not {t for t in facts(reader, "Skarn is a village. The music was composed by Eva Holt.", "Skarn").triples if t[0] == "Eva Holt"}
