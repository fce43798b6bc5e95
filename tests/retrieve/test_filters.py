"""Filters: a search finds the nodes that it may find, and no others."""

from __future__ import annotations

from collections.abc import Sequence

import pyoxigraph as ox
import pytest

from semkg import KnowledgeGraph
from semkg.errors import NotFound, UsageError
from semkg.graph.indexes import Kind
from semkg.retrieve import MODES, Filter
from semkg.vocab import OA, RDF, SEMKG
from tests.graph.worlds import NAMES, graph
from tests.retrieve.worlds import enter, iri

KINDS = [kind.value for kind in Kind]
EVERYTHING = 1_000


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeGraph:
    """Two documents that were entered as they are, and two runs with one document each."""
    made = graph()
    enter(made, "lamp", [("Mira Holt built the Quiet Lamp.", [("Mira Holt", "BUILT", "Quiet Lamp")]), ("It is green.", [])], "Quiet Lamp")
    enter(made, "holt", [("Holt met Jan Vale.", [("Holt", "MET", "Jan Vale")])], "Mira Holt")
    made.merge(iri("Holt"), iri("Mira Holt"))
    folder = tmp_path_factory.mktemp("runs")
    for number, name in enumerate(("Ida Quist", "Tom Fell")):
        file = folder / f"{number}.json"
        file.write_text(
            f'[{{"title": "{name}", "text": "{name} met Sue Bell.", "entities": ["{name}", "Sue Bell"],'
            f' "triples": [["{name}", "met", "Sue Bell"]]}}]',
            encoding="utf-8",
        )
        made.build_from_triples(file)
    return made


def runs(kg: KnowledgeGraph) -> list[str]:
    layout = kg.parts.layout
    return sorted(str(quad.subject)[1:-1] for quad in kg.parts.store.quads(None, RDF.type, SEMKG.Run, layout.provenance))


def texts(kg: KnowledgeGraph, given: Filter, mode: str = "vector") -> list[str]:
    return sorted(passage.text for passage in kg.search("Who met whom?", mode, EVERYTHING, filter=given))


def nodes(kg: KnowledgeGraph, kind: Kind) -> set[str]:
    return set(kg.parts.indexes.vectors[kind].nodes())


@pytest.mark.parametrize("type", KINDS)
def test_a_search_by_type_finds_exactly_the_nodes_of_this_type(kg: KnowledgeGraph, type: str) -> None:
    found = kg.search("Who met whom?", "vector", EVERYTHING, filter=kg.filter(type))
    assert {passage.type for passage in found} == {type}
    assert {passage.iri for passage in found} == nodes(kg, Kind(type))
    assert [passage.streams["vector"].rank for passage in found] == list(range(1, len(found) + 1))
    assert all(passage.text for passage in found)


def test_a_hypernode_is_found_by_its_label(kg: KnowledgeGraph) -> None:
    assert "Mira Holt" in texts(kg, kg.filter("HyperNode"))


def test_a_statement_is_found_with_the_document_that_says_it(kg: KnowledgeGraph) -> None:
    (found,) = kg.search("Who built the lamp?", "vector", 1, filter=kg.filter("Triplet", "Quiet Lamp"))
    assert "Mira Holt" in found.text
    assert "Quiet Lamp" in found.text
    assert (found.document, found.title, found.source) == (NAMES.document("lamp").value, "Quiet Lamp", "lamp")


@pytest.mark.parametrize("mode", MODES)
def test_a_search_in_one_document_finds_its_chunks_alone(kg: KnowledgeGraph, mode: str) -> None:
    assert set(texts(kg, kg.filter(document="Quiet Lamp"), mode)) <= {"Mira Holt built the Quiet Lamp.", "It is green."}


def test_in_the_mode_vector_all_chunks_of_the_document_are_found(kg: KnowledgeGraph) -> None:
    assert texts(kg, kg.filter(document="Quiet Lamp")) == ["It is green.", "Mira Holt built the Quiet Lamp."]


@pytest.mark.parametrize("document", [NAMES.document("lamp").value, "lamp", "Quiet Lamp"])
def test_a_document_is_named_by_iri_source_or_title(kg: KnowledgeGraph, document: str) -> None:
    assert kg.filter(document=document).document == NAMES.document("lamp").value


def expected(kg: KnowledgeGraph, kind: Kind, document: str) -> set[str]:
    """The nodes of a document, by following each quad."""
    store, layout = kg.parts.store, kg.parts.layout
    chunks = {node for node in nodes(kg, Kind.CHUNK) if store.ask(f"ASK {{ <{node}> <http://purl.org/dc/terms/isPartOf> <{document}> }}")}
    if kind is Kind.CHUNK:
        return chunks
    if kind is Kind.ENTITY:
        places: Sequence[tuple[ox.NamedNode, ox.NamedNode]] = [(SEMKG.mentionedIn, layout.facts)]
    elif kind is Kind.HYPERNODE:
        places = [(SEMKG.hasEvidence, layout.communities)]
    else:
        places = [(SEMKG.evidence, layout.triplets), (OA.hasSource, layout.triplets)]
    return {node for node in nodes(kg, kind) if _ends(kg, node, places) & chunks}


def _ends(kg: KnowledgeGraph, node: str, places: Sequence[tuple[ox.NamedNode, ox.NamedNode]]) -> set[str]:
    ends = {node}
    for predicate, place in places:
        ends = {str(quad.object)[1:-1] for end in ends for quad in kg.parts.store.quads(ox.NamedNode(end), predicate, None, place)}
    return ends


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("title", ["Quiet Lamp", "Mira Holt", "Ida Quist"])
def test_the_nodes_of_a_document_are_exactly_those_with_evidence_in_it(kg: KnowledgeGraph, kind: Kind, title: str) -> None:
    given = kg.filter(kind.value, title)
    found = {passage.iri for passage in kg.search("Who met whom?", "vector", EVERYTHING, filter=given)}
    assert found == expected(kg, kind, given.document)
    assert found or kind is Kind.HYPERNODE


def test_a_run_made_what_its_documents_say(kg: KnowledgeGraph) -> None:
    one, other = runs(kg)
    both = [texts(kg, kg.filter("Triplet", run=run)) for run in (one, other)]
    assert sorted(both) == [["Ida Quist met Sue Bell"], ["Tom Fell met Sue Bell"]]
    assert sorted(texts(kg, kg.filter(run=run)) for run in (one, other)) == [["Ida Quist met Sue Bell."], ["Tom Fell met Sue Bell."]]
    entities = [set(texts(kg, kg.filter("Entity", run=run))) for run in (one, other)]
    assert sorted(map(sorted, entities)) == [["Ida Quist", "Sue Bell"], ["Sue Bell", "Tom Fell"]]


def test_document_and_run_hold_both(kg: KnowledgeGraph) -> None:
    found = {document: [texts(kg, kg.filter(document=document, run=run)) for run in runs(kg)] for document in ("Ida Quist", "Quiet Lamp")}
    assert sorted(found["Ida Quist"]) == [[], ["Ida Quist met Sue Bell."]]
    assert found["Quiet Lamp"] == [[], []]


def test_a_limit_cuts_after_the_filter(kg: KnowledgeGraph) -> None:
    found = kg.search("It rained.", "vector", 1, filter=kg.filter(document="Quiet Lamp"))
    assert [passage.title for passage in found] == ["Quiet Lamp"]


@pytest.mark.parametrize("mode", ["vector", "lexical", "fusion", "deep"])
def test_what_a_filter_lets_pass_is_found_however_far_down_it_is(kg: KnowledgeGraph, mode: str) -> None:
    question = "Mira Holt met Ida Quist, not on a green day"
    few = {"candidates": 1}
    plain = kg.search(question, mode, 1, settings=few)
    found = kg.search(question, mode, 1, filter=kg.filter(document="Tom Fell"), settings=few)
    assert [passage.title for passage in plain] != ["Tom Fell"]
    assert [passage.title for passage in found] == ["Tom Fell"]


@pytest.mark.parametrize("mode", sorted(set(MODES) - {"vector"}))
def test_other_modes_rank_passages_alone(kg: KnowledgeGraph, mode: str) -> None:
    with pytest.raises(UsageError, match="use the mode vector"):
        kg.search("x", mode, filter=Filter(Kind.ENTITY))
    assert kg.search("lamp", mode, filter=Filter(Kind.CHUNK)) is not None


def test_what_is_not_there_cannot_be_searched(kg: KnowledgeGraph) -> None:
    with pytest.raises(UsageError, match="Chunk, Entity, Triplet, HyperNode"):
        kg.filter("Chunks")
    with pytest.raises(NotFound, match="no document"):
        kg.filter(document="Nobody")
    run = runs(kg)[0]
    for wrong in (
        Filter(document=NAMES.document("nowhere").value),
        Filter(document=run),
        Filter(run=NAMES.document("lamp").value),
        Filter(run=NAMES.document("nowhere").value),
    ):
        with pytest.raises(NotFound, match="of this graph"):
            kg.search("x", "vector", filter=wrong)
    for wrong in (Filter(document="no iri"), Filter(run="<>")):
        with pytest.raises(NotFound, match="is no IRI"):
            kg.search("x", "vector", filter=wrong)
