"""What a change can affect beyond the nodes that it names, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox
import pytest

from semkg.model import Conformance
from semkg.quality import Gate, Shapes, validate
from semkg.store import OxigraphStore
from semkg.vocab import DCTERMS, OA, OWL, RDF, RDFS, SEMKG, SKOS, XSD
from tests.quality.examples import GRAPH, PREFIXES, context, parsed, store_of

PREFIX = f"""@prefix ex: <{PREFIXES["ex"]}> . @prefix semkg: <{SEMKG.base}> . @prefix oa: <{OA.base}> . @prefix rdf: <{RDF.base}> .
@prefix skos: <{SKOS.base}> . @prefix prov: <http://www.w3.org/ns/prov#> . @prefix dcterms: <{DCTERMS.base}> . """

TRIPLET = """ex:t a semkg:Triplet ; rdf:subject ex:elise ; rdf:predicate ex:runs ; rdf:object ex:brest ; semkg:evidence ex:quote ;
    semkg:confidence 0.8 ; semkg:votes 1 ; semkg:status semkg:Asserted ; prov:wasGeneratedBy ex:reading ."""


def ex(name: str) -> ox.NamedNode:
    return ox.NamedNode(PREFIXES["ex"] + name)


def quads(text: str) -> list[ox.Quad]:
    return parsed(PREFIX + text)


def said(store: OxigraphStore, node: ox.NamedNode) -> list[ox.Quad]:
    return list(store.quads(node))


def focus_of(store: OxigraphStore, additions: list[ox.Quad], removals: list[ox.Quad]) -> set[str]:
    report = Gate(Shapes.packaged()).check(additions, removals, store)
    return {violation.focus.value.removeprefix(PREFIXES["ex"]) for violation in report.violations}


@pytest.fixture
def store() -> OxigraphStore:
    return store_of(context(), quads(TRIPLET))


def test_nothing_to_change_conforms(store: OxigraphStore) -> None:
    assert Gate(Shapes.packaged()).check((), (), store).conformance is Conformance.CONFORMS


def test_removing_an_entity_leaves_its_triplets_dangling(store: OxigraphStore) -> None:
    assert focus_of(store, [], said(store, ex("brest"))) == {"t"}


def test_removing_an_entity_with_its_triplets_conforms(store: OxigraphStore) -> None:
    assert focus_of(store, [], said(store, ex("brest")) + said(store, ex("t"))) == set()


def test_removing_evidence_leaves_what_rests_on_it_without_support(store: OxigraphStore) -> None:
    assert focus_of(store, [], said(store, ex("quote"))) == {"t", "elise"}


def test_another_text_of_a_chunk_makes_its_evidence_wrong(store: OxigraphStore) -> None:
    old = list(store.quads(ex("chunk"), SEMKG.text))
    new = [ox.Quad(ex("chunk"), SEMKG.text, ox.Literal("Elise 🚢 runs the harbour of Brest."), GRAPH)]
    assert focus_of(store, new, old) == {"quote"}


def test_a_narrower_domain_makes_triplets_wrong_that_were_right(store: OxigraphStore) -> None:
    old = list(store.quads(ex("runs"), RDFS.domain))
    assert focus_of(store, [ox.Quad(ex("runs"), RDFS.domain, ex("Place"), GRAPH)], old) == {"t"}


def test_a_class_that_leaves_its_superclass_leaves_the_domain(store: OxigraphStore) -> None:
    assert focus_of(store, [], list(store.quads(ex("Captain"), RDFS.subClassOf))) == {"t"}


def test_taking_a_class_out_of_the_schema_leaves_its_instances_without_one(store: OxigraphStore) -> None:
    assert focus_of(store, [], said(store, ex("Place"))) == {"brest"}


def test_instances_of_a_new_subclass_come_under_the_shapes_of_the_superclass(store: OxigraphStore) -> None:
    store.commit([ox.Quad(ex("thing"), RDF.type, ex("Thing"), GRAPH)])
    assert focus_of(store, [ox.Quad(ex("Thing"), RDFS.subClassOf, SEMKG.Entity, GRAPH)], []) == {"thing"}


def test_an_old_violation_elsewhere_does_not_hold_up_a_change(store: OxigraphStore) -> None:
    store.commit(quads('ex:bad a semkg:Entity ; skos:prefLabel "Introduction" .'))
    assert focus_of(store, quads("ex:elise semkg:mentionedIn ex:chunk ."), []) == set()


def test_a_quad_that_goes_and_comes_stays(store: OxigraphStore) -> None:
    types = list(store.quads(ex("brest"), RDF.type))
    assert focus_of(store, types, types) == set()


def test_a_triple_in_two_graphs_stays_when_one_of_them_goes(store: OxigraphStore) -> None:
    other = ox.NamedNode("https://example.org/kg/other")
    types = list(store.quads(ex("brest"), RDF.type))
    store.commit([ox.Quad(quad.subject, quad.predicate, quad.object, other) for quad in types])
    assert focus_of(store, [], types) == set()


def test_two_spellings_of_one_number_are_one_value(store: OxigraphStore) -> None:
    again = [ox.Quad(ex("elise"), SEMKG.confidence, ox.Literal("0.90", datatype=XSD.decimal), GRAPH)]
    assert focus_of(store, again, []) == set()


def hub_of(mentions: int) -> tuple[list[ox.Quad], list[ox.NamedNode]]:
    text = "".join(
        f"""ex:c{i} a semkg:Chunk , prov:Entity ; dcterms:isPartOf ex:document ; semkg:text "x" ; semkg:start {i} ; semkg:end {i + 1} ;
        semkg:position {i} ; semkg:overlap 0 ; semkg:structure semkg:Body ; semkg:readingState semkg:Pending .
        ex:brest semkg:mentionedIn ex:c{i} . """
        for i in range(mentions)
    )
    return quads(text), [ex(f"c{i}") for i in range(mentions)]


def test_a_hub_is_refused_when_any_chunk_that_mentions_it_goes() -> None:
    hub, chunks = hub_of(12)
    store = store_of(context(), hub)
    for chunk in chunks:
        assert focus_of(store, [], said(store, chunk)) == {"brest"}


def test_what_becomes_an_entity_is_looked_at_with_all_that_was_said_of_it_before() -> None:
    store = store_of(context(), quads("ex:old semkg:mentionedIn ex:chunk , ex:document , ex:brest , ex:agent ."))
    entity = quads('ex:old a semkg:Entity , ex:Place ; skos:prefLabel "Old" ; semkg:confidence 0.5 .')
    values = {violation.value for violation in Gate(Shapes.packaged()).check(entity, (), store).violations}
    assert values == {str(ex(name)) for name in ("document", "brest", "agent")}


class Counting(OxigraphStore):
    """A store that counts the quads that it hands out."""

    read = 0

    def quads(self, *pattern: ox.NamedNode | ox.Literal | None, **named: ox.NamedNode | ox.Literal | None) -> Iterator[ox.Quad]:
        for quad in super().quads(*pattern, **named):  # type: ignore[arg-type]  # passed on as it came
            self.read += 1
            yield quad


def test_a_new_mention_of_a_hub_does_not_read_its_other_mentions() -> None:
    hub, _ = hub_of(3000)
    store = Counting.in_memory()
    store.commit([*context(), *hub])
    assert isinstance(store, Counting)
    report = Gate(Shapes.packaged()).check(quads("ex:brest semkg:mentionedIn ex:chunk ; skos:altLabel 'Port' ."), (), store)
    assert report.conformance is Conformance.CONFORMS
    assert store.read < 50


def test_blank_nodes_are_checked_like_others(store: OxigraphStore) -> None:
    report = Gate(Shapes.packaged()).check(
        quads('[] a semkg:Entity , ex:Place ; skos:prefLabel "Pier" ; semkg:confidence 0.5 .'), (), store
    )
    assert [violation.focus.value.startswith("urn:semkg:blank:") for violation in report.violations] == [True]


def test_more_violations_than_a_report_holds_are_counted() -> None:
    bad = [ox.Quad(ex(f"e{number}"), RDF.type, OWL.Class, GRAPH) for number in range(700)]
    report = Gate(Shapes.packaged()).check(bad, (), store_of(context()))
    assert (len(report.violations), report.reason) == (1000, "1000 of 1400 violations are listed")
    whole = validate(store_of(context(), bad), Shapes.packaged())
    assert (len(whole.violations), whole.reason) == (1000, "1000 of 1400 violations are listed")
