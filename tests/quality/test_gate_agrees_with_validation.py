"""Gate and validation of the whole graph come to the same verdict, over a store that evolves by generated change sets.

The gate looks at what a change can affect and trusts that the rest conformed; the validation looks at everything. The generator adds
well-formed nodes, adds single quads of every predicate that the shapes speak about, and removes quads, types and whole nodes. A
conforming change is kept, another one taken back.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pyoxigraph as ox
import pytest

from semkg.model import Conformance
from semkg.quality import Gate, Shapes, validate
from semkg.store import OxigraphStore
from semkg.vocab import DCAT, DCTERMS, FOAF, OA, OWL, PROV, RDF, RDFS, SEMKG, SH, SKOS, VS, XSD
from tests.quality.examples import GRAPH, context, parsed, store_of

Change = tuple[list[ox.Quad], list[ox.Quad]]
Term = ox.NamedNode | ox.Literal


def agree(store: OxigraphStore, shapes: Shapes, gate: Gate, change: Change) -> Conformance:
    """Compare the two on one change; keep the change where the graph still conforms."""
    additions, removals = change
    before = set(store.quads())
    by_gate = gate.check(additions, removals, store)
    store.commit(additions, removals)
    after = set(store.quads())
    by_validation = validate(store, shapes)
    told = f"added {additions}, removed {removals}"
    assert by_gate.conformance is by_validation.conformance, told
    assert set(by_gate.violations) == set(by_validation.violations), told
    if by_gate.conformance is not Conformance.CONFORMS:
        store.commit(before - after, after - before)
    return by_gate.conformance


class Generator:
    """Change sets over a graph that holds all classes of the packaged shapes."""

    LABELS = ("Brest", "Ouessant", "Introduction", "the captain of", "E = mc²", "f()", "(cid:3)", "x" * 61, "..... 3", "Élise", "")
    LITERALS = (
        *(ox.Literal(text) for text in (*LABELS, "RUNS", "runsTo", "0" * 64, "stable", "new")),
        *(ox.Literal(number, datatype=XSD.integer) for number in ("-1", "0", "1", "5", "34", "05")),
        *(ox.Literal(number, datatype=XSD.decimal) for number in ("0.5", "0.50", "1.5", "-0.1")),
        *(ox.Literal(f"2026-01-01T00:00:0{second}Z", datatype=XSD.dateTime) for second in range(7)),
        ox.Literal("1950", datatype=XSD.gYear),
        ox.Literal("Brest", language="br"),
        ox.Literal(True),
    )
    PREDICATES = (
        *(RDF.type, RDF.subject, RDF.predicate, RDF.object, RDFS.label, RDFS.domain, RDFS.range, RDFS.subClassOf),
        *(SKOS.prefLabel, SKOS.altLabel, SKOS.definition, SKOS.notation, VS.term_status, FOAF.primaryTopic),
        *(DCTERMS.title, DCTERMS.source, DCTERMS.isPartOf, DCTERMS.abstract, DCTERMS.created),
        *(OA.exact, OA.start, OA.end, OA.hasSource, PROV.wasGeneratedBy, PROV.wasAssociatedWith, PROV.startedAtTime),
        *(PROV.endedAtTime, PROV.wasDerivedFrom, PROV.hadMember, SEMKG.text, SEMKG.start, SEMKG.end, SEMKG.readingState),
        *(SEMKG.mentionedIn, SEMKG.evidence, SEMKG.confidence, SEMKG.votes, SEMKG.status, SEMKG.mergedInto, SEMKG.mayLoop),
        *(SEMKG.validFrom, SEMKG.validUntil, SEMKG.hasEvidence, SEMKG.level, SEMKG.reason, SEMKG.sha256),
    )
    CLASSES = (
        *(SEMKG.Entity, SEMKG.Chunk, SEMKG.Triplet, SEMKG.Reading, SEMKG.HyperNode, SEMKG.Refusal, OWL.Class, OWL.ObjectProperty),
        *(
            OWL.DatatypeProperty,
            OA.TextQuoteSelector,
            OA.TextPositionSelector,
            PROV.Entity,
            PROV.Person,
            DCAT.Resource,
            SH.ValidationReport,
        ),
    )

    def __init__(self, seed: int, store: OxigraphStore) -> None:
        self._random = random.Random(seed)
        self._store = store
        self._number = 0

    def change(self) -> Change:
        additions: list[ox.Quad] = []
        removals: list[ox.Quad] = []
        for _ in range(self._random.choice((1, 1, 2, 3))):
            action: Callable[[], Change] = self._random.choice(
                (self._add_nodes, self._add_nodes, self._add_quad, self._replace, self._remove)
            )
            added, removed = action()
            additions += added
            removals += removed
        return additions, removals

    def _nodes(self) -> list[ox.NamedNode]:
        return sorted({quad.subject for quad in self._store.quads() if isinstance(quad.subject, ox.NamedNode)}, key=str)

    def _of(self, *classes: ox.NamedNode) -> list[ox.NamedNode]:
        found = {quad.subject for class_ in classes for quad in self._store.quads(None, RDF.type, class_)}
        return sorted((node for node in found if isinstance(node, ox.NamedNode)), key=str)

    def _name(self, *classes: ox.NamedNode) -> str:
        nodes = self._of(*classes)
        return str(self._random.choice(nodes)) if nodes else "ex:nobody"

    def _add_nodes(self) -> Change:
        """A new entity, piece of evidence and triplet, right as far as the nodes that they point at are."""
        self._number += 1
        number, chunk, quote = self._number, self._name(SEMKG.Chunk), self._name(OA.TextQuoteSelector)
        label = self._random.choice((f"Captain {number}", f"Port {number}", *self.LABELS))
        class_ = self._random.choice(("ex:Person", "ex:Captain", "ex:Place", self._name(OWL.Class)))
        relation = self._name(OWL.ObjectProperty, OWL.DatatypeProperty)
        subject, object = (self._random.choice((f"ex:e{number}", self._name(SEMKG.Entity))) for _ in range(2))
        start = self._random.randrange(4)
        text = f"""
            @prefix ex: <https://example.org/kg/> . @prefix semkg: <{SEMKG.base}> . @prefix rdf: <{RDF.base}> . @prefix oa: <{OA.base}> .
            @prefix skos: <{SKOS.base}> . @prefix prov: <{PROV.base}> .
            ex:e{number} a semkg:Entity , {class_} ; skos:prefLabel "{label}" ; semkg:confidence 0.9 ; semkg:mentionedIn {chunk} .
            ex:q{number} a oa:TextQuoteSelector , oa:TextPositionSelector ;
                oa:exact "{"Élise"[start:]}" ; oa:start {start} ; oa:end 5 ; oa:hasSource {chunk} .
            ex:t{number} a semkg:Triplet ; rdf:subject {subject} ; rdf:predicate {relation} ; rdf:object {object} ;
                semkg:evidence {self._random.choice((quote, f"ex:q{number}"))} ; semkg:confidence 0.8 ; semkg:votes 1 ;
                semkg:status semkg:Asserted ; prov:wasGeneratedBy {self._name(SEMKG.Reading)} .
        """
        kept = self._random.choice(("e", "q", "eq", "eqt", "t"))
        return [quad for quad in parsed(text) if str(quad.subject).rpartition("/")[2][0] in kept], []

    def _add_quad(self) -> Change:
        node = self._random.choice(self._nodes())
        return [ox.Quad(node, predicate := self._random.choice(self.PREDICATES), self._value(predicate), GRAPH)], []

    def _value(self, predicate: ox.NamedNode) -> Term:
        if predicate == RDF.type:
            return self._random.choice((*self.CLASSES, *self._of(OWL.Class)))
        used = [quad.object for quad in self._store.quads(None, predicate)]
        pool = [term for term in used if isinstance(term, ox.NamedNode | ox.Literal)]
        return self._random.choice((*pool, *self._nodes(), *self.LITERALS, *pool))

    def _replace(self) -> Change:
        """One value for another, which keeps the counts."""
        old = self._random.choice(sorted(self._store.quads(), key=str))
        return [ox.Quad(old.subject, old.predicate, self._value(old.predicate), GRAPH)], [old]

    def _remove(self) -> Change:
        """A quad, all values of a property, or a node with or without what points at it."""
        chosen = self._random.choice(sorted(self._store.quads(), key=str))
        patterns = self._random.choice(
            (
                [(chosen.subject, chosen.predicate, chosen.object)],
                [(chosen.subject, chosen.predicate, None)],
                [(chosen.subject, None, None)],
                [(chosen.subject, None, None), (None, None, chosen.subject)],
            )
        )
        return [], [quad for pattern in patterns for quad in self._store.quads(*pattern)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_gate_agrees_with_the_validation_of_the_whole_graph(seed: int) -> None:
    store, shapes = store_of(context()), Shapes.packaged()
    gate, generator = Gate(shapes), Generator(seed, store)
    verdicts = [agree(store, shapes, gate, generator.change()) for _ in range(300)]
    assert verdicts.count(Conformance.CONFORMS) > 60
    assert verdicts.count(Conformance.VIOLATES) > 60


EX = "https://example.org/"

EVERY_CONSTRUCT = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <https://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:A-shape a sh:NodeShape ; sh:targetClass ex:A ;
    sh:property [ sh:path ex:p ; sh:class ex:B ; sh:minCount 1 ] , [ sh:path ( ex:p ex:q ) ; sh:maxCount 2 ] ,
        [ sh:path [ sh:inversePath ex:q ] ; sh:maxCount 2 ] , [ sh:path [ sh:zeroOrMorePath ex:r ] ; sh:maxCount 3 ] .
ex:B-shape a sh:NodeShape ; sh:targetClass ex:B ;
    sh:property [ sh:path ex:q ; sh:node ex:Leaf ] , [ sh:path ( [ sh:inversePath ex:p ] ex:r ) ; sh:maxCount 1 ] ;
    sh:or ( [ sh:path ex:r ; sh:minCount 1 ] [ sh:path ex:q ; sh:maxCount 1 ] ) .
ex:Hub a sh:NodeShape ; sh:targetClass ex:D ; sh:property [ sh:path ex:t ; sh:class ex:A ; sh:minCount 1 ] .
ex:Leaf a sh:NodeShape ; sh:property [ sh:path ex:r ; sh:maxCount 1 ; sh:nodeKind sh:IRI ] .
ex:Closed a sh:NodeShape ; sh:targetSubjectsOf ex:s ; sh:closed true ;
    sh:ignoredProperties ( <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ) ;
    sh:property [ sh:path ex:s ; sh:maxCount 1 ] , [ sh:path ex:p ] , [ sh:path ex:r ] .
ex:Objects a sh:NodeShape ; sh:targetObjectsOf ex:s ; sh:nodeKind sh:IRI ; sh:not [ sh:class ex:B ] .
ex:One a sh:PropertyShape ; sh:targetNode ex:n1 ; sh:path ex:p ; sh:maxCount 2 ;
    sh:qualifiedValueShape [ sh:path ex:r ; sh:minCount 1 ] ; sh:qualifiedMaxCount 1 .
ex:Pairs a sh:NodeShape ; sh:targetClass ex:C ; sh:property [ sh:path ex:p ; sh:disjoint ex:r ] ,
    [ sh:path [ sh:alternativePath ( ex:q ex:r ) ] ; sh:maxCount 2 ] , [ sh:path ( ex:p [ sh:oneOrMorePath ex:r ] ) ; sh:class ex:A ] .
ex:Sparql a sh:NodeShape ; sh:targetClass ex:A , ex:C ; sh:sparql [ sh:message "x {?x}" ; sh:prefixes ex:prefixes ; sh:select \"\"\"
        SELECT $this ?x WHERE { $this ex:p ?x . ?x ex:q/ex:r ?y . OPTIONAL { ?y ex:q ?z } FILTER(?x = ?y || ?z = $this) } \"\"\" ] ,
    [ sh:prefixes ex:prefixes ; sh:select \"\"\"SELECT $this WHERE { $this a ?type . ?other ex:r $this ; a ex:B .
        FILTER NOT EXISTS { ?other (ex:q|^ex:p)* ?end . ?end a ex:A } }\"\"\" ] .
ex:prefixes sh:declare [ sh:prefix "ex" ; sh:namespace "https://example.org/" ] .
"""


def random_changes(seed: int, store: OxigraphStore) -> Iterator[Change]:
    """Changes of a graph of eight nodes, four classes and five predicates."""
    chance = random.Random(seed)
    nodes = [ox.NamedNode(f"{EX}n{number}") for number in range(8)]
    classes = [ox.NamedNode(f"{EX}{name}") for name in ("A", "B", "C", "D")]
    predicates = [ox.NamedNode(f"{EX}{name}") for name in "pqrst"]

    def quad() -> ox.Quad:
        graph = ox.NamedNode(f"{EX}graph{chance.randrange(2)}")
        kind = chance.random()
        if kind < 0.3:
            return ox.Quad(chance.choice(nodes), RDF.type, chance.choice(classes), graph)
        if kind < 0.35:
            return ox.Quad(chance.choice(classes), RDFS.subClassOf, chance.choice(classes), graph)
        values: list[Term] = [*nodes, *nodes, ox.Literal(str(chance.randrange(3)))]
        return ox.Quad(chance.choice(nodes), chance.choice(predicates), chance.choice(values), graph)

    while True:
        there = sorted(store.quads(), key=str)
        removed = chance.sample(there, min(len(there), chance.randrange(3)))
        yield [quad() for _ in range(chance.randrange(1 if removed else 0, 4))], removed


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_gate_agrees_with_the_validation_for_every_construct_of_shacl(seed: int) -> None:
    store, shapes = OxigraphStore.in_memory(), Shapes.from_turtle([EVERY_CONSTRUCT], trusted=True)
    gate, changes = Gate(shapes), random_changes(seed, store)
    verdicts = [agree(store, shapes, gate, next(changes)) for _ in range(400)]
    assert verdicts.count(Conformance.CONFORMS) > 100
    assert verdicts.count(Conformance.VIOLATES) > 60
