"""`ontologies/semkg.ttl` defines the terms that the code, the shapes and the queries name, in OWL 2 RL, without contradiction."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pyoxigraph as ox
import pytest

from semkg import __version__, resources
from semkg.vocab import OWL, RDF, RDFS, SEMKG

ONTOLOGY = ox.NamedNode("https://w3id.org/semkg/ns")
WORD = re.compile(r"(?<![\w@])semkg:([A-Za-z]\w*)")


@pytest.fixture(scope="module")
def ontology() -> ox.Store:
    store = ox.Store()
    store.load(path=resources.folder("ontologies") / "semkg.ttl", format=ox.RdfFormat.TURTLE)
    return store


def objects(store: ox.Store, subject: ox.NamedNode, predicate: ox.NamedNode) -> list[object]:
    return [quad.object for quad in store.quads_for_pattern(subject, predicate, None, None)]


def test_the_vocabulary_module_and_the_ontology_name_the_same_terms(ontology: ox.Store) -> None:
    defined = {quad.subject for quad in ontology if isinstance(quad.subject, ox.NamedNode) and quad.subject.value.startswith(SEMKG.base)}
    assert defined == set(SEMKG.terms().values())


@pytest.mark.parametrize("term", SEMKG.terms().values(), ids=lambda term: term.value.rpartition("#")[2])
def test_every_term_has_a_type_a_label_a_comment_and_its_ontology(ontology: ox.Store, term: ox.NamedNode) -> None:
    assert objects(ontology, term, RDF.type)
    for predicate in (RDFS.label, RDFS.comment):
        assert [text.language for text in objects(ontology, term, predicate) if isinstance(text, ox.Literal)] == ["en"]
    assert objects(ontology, term, RDFS.isDefinedBy) == [ONTOLOGY]


def test_the_ontology_says_its_version_and_its_licence(ontology: ox.Store) -> None:
    said = {
        quad.predicate.value.rpartition("/")[2].rpartition("#")[2]: quad.object
        for quad in ontology.quads_for_pattern(ONTOLOGY, None, None, None)
    }
    assert said["versionIRI"] == ox.NamedNode(f"{ONTOLOGY.value}/{__version__}")
    assert said["license"] == ox.NamedNode("https://www.apache.org/licenses/LICENSE-2.0")
    assert isinstance(said["title"], ox.Literal)


def text_resources() -> list[Path]:
    return [*resources.files("shapes", ".ttl"), *resources.files("queries", ".rq", ".ru")]


@pytest.mark.parametrize("path", text_resources(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_term_used_in_shapes_and_queries_is_defined(path: Path) -> None:
    text = re.sub(r"PREFIX\s+semkg:|@prefix\s+semkg:", "", path.read_text(encoding="utf-8"), flags=re.IGNORECASE)
    used = set(WORD.findall(text)) | set(re.findall(rf"<{re.escape(SEMKG.base)}(\w+)>", text))
    assert used <= {term.value.removeprefix(SEMKG.base) for term in SEMKG.terms().values()}


def test_a_misspelt_term_fails_at_once() -> None:
    with pytest.raises(AttributeError):
        _ = SEMKG.Tripplet  # type: ignore[attr-defined]  # misspelt on purpose


ALLOWED_OWL = {
    *("Ontology", "Class", "ObjectProperty", "DatatypeProperty", "AnnotationProperty", "NamedIndividual", "Thing"),
    *("AllDisjointClasses", "AllDifferent", "members", "distinctMembers", "versionIRI", "versionInfo"),
}
"""The OWL constructs that the ontology uses, all of them in OWL 2 RL (OWL 2 Profiles §4.2): a new one is to be looked up first."""


def test_the_ontology_keeps_to_owl_2_rl(ontology: ox.Store) -> None:
    terms = {term.value for quad in ontology for term in (quad.subject, quad.predicate, quad.object) if isinstance(term, ox.NamedNode)}
    assert {term.removeprefix(OWL.base) for term in terms if term.startswith(OWL.base)} <= ALLOWED_OWL


def test_class_expressions_are_names_only(ontology: ox.Store) -> None:
    for predicate in (RDFS.subClassOf, RDFS.domain, RDFS.range):
        assert all(isinstance(quad.object, ox.NamedNode) for quad in ontology.quads_for_pattern(None, predicate, None, None))


def reason(ontology: ox.Store, folder: Path, *further: tuple[ox.NamedNode, ox.NamedNode]) -> list[object]:
    """The classes that HermiT finds inconsistent in the ontology with some more (individual, class) pairs."""
    if shutil.which("java") is None:
        pytest.skip("HermiT needs a Java runtime, and there is none on the path")
    owlready2 = pytest.importorskip("owlready2")
    store = ox.Store()
    store.extend(ontology)
    for individual, class_ in further:
        store.extend(ox.Quad(individual, RDF.type, type) for type in (class_, ox.NamedNode(OWL.base + "NamedIndividual")))
    # owlready2 does not read Turtle.
    path = folder / "ontology.nt"
    store.dump(path, ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
    world = owlready2.World()
    with world.get_ontology(path.as_uri()).load():
        # HermiT has no value space for our own datatype, nor needs one.
        owlready2.sync_reasoner_hermit(world, debug=0, ignore_unsupported_datatypes=True)
    return list(world.inconsistent_classes())


@pytest.mark.java
def test_hermit_finds_the_ontology_consistent(ontology: ox.Store, tmp_path: Path) -> None:
    assert reason(ontology, tmp_path) == []


@pytest.mark.java
def test_hermit_finds_a_chunk_that_is_an_entity_contradictory(ontology: ox.Store, tmp_path: Path) -> None:
    owlready2 = pytest.importorskip("owlready2")
    node = ox.NamedNode("https://example.org/x")
    with pytest.raises(owlready2.OwlReadyInconsistentOntologyError):
        reason(ontology, tmp_path, (node, SEMKG.Chunk), (node, SEMKG.Entity))
