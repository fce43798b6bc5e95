"""The provenance of a dataset as PROV-N and PROV-JSON (W3C Recommendation PROV-N, Member Submission PROV-JSON), through `prov`.

Documents, chunks and triplets are PROV entities: a chunk is derived from its document, a triplet from the chunks that its evidence lies in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

import pyoxigraph as ox

from semkg.export.context import prefixes
from semkg.export.formats import Format
from semkg.ids import Names
from semkg.vocab import DCAT, DCTERMS, OA, PROV, RDF, RDFS, SEMKG

if TYPE_CHECKING:
    from prov.identifier import Namespace, QualifiedName
    from prov.model import ProvDocument

Node = ox.NamedNode | ox.BlankNode

ENTITY_TYPES = frozenset({PROV.Entity, PROV.Collection, DCAT.Resource, SEMKG.Chunk, SEMKG.Triplet})
AGENT_TYPES = frozenset({PROV.Agent, PROV.SoftwareAgent, PROV.Person})

RELATIONS: dict[ox.NamedNode, tuple[str, str, str]] = {
    PROV.used: ("used", "activity", "entity"),
    PROV.wasGeneratedBy: ("wasGeneratedBy", "entity", "activity"),
    PROV.wasInvalidatedBy: ("wasInvalidatedBy", "entity", "activity"),
    PROV.wasAssociatedWith: ("wasAssociatedWith", "activity", "agent"),
    PROV.wasInformedBy: ("wasInformedBy", "activity", "activity"),
    PROV.wasDerivedFrom: ("wasDerivedFrom", "entity", "entity"),
    PROV.hadMember: ("hadMember", "entity", "entity"),
}
"""Predicate → the relation of PROV-DM, and what its subject and its object are (PROV-CONSTRAINTS, constraint 50, typing)."""

INVERSES = {PROV.generated: PROV.wasGeneratedBy, PROV.invalidated: PROV.wasInvalidatedBy}


def graphs(names: Names) -> tuple[ox.NamedNode, ...]:
    """The graphs that hold provenance."""
    return names.graph("corpus"), names.graph("provenance"), names.graph("triplets"), names.graph("evaluation")


def write(quads: Iterable[ox.Quad], out: BinaryIO, format: Format, names: Names) -> int:
    """Write the provenance in `quads` as PROV-N or PROV-JSON and return the number of PROV records."""
    document = _document(_gather(quads), names)
    text = document.get_provn() if format is Format.PROVN else document.serialize(format="json", indent=1)
    out.write((text + "\n").encode())
    return len(document.records)


@dataclass(slots=True)
class _Provenance:
    """What the quads say about provenance."""

    types: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    kinds: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    times: dict[tuple[str, ox.NamedNode], str] = field(default_factory=dict)
    relations: set[tuple[str, str, str]] = field(default_factory=set)
    evidence: set[tuple[str, str]] = field(default_factory=set)
    sources: dict[str, str] = field(default_factory=dict)

    def relate(self, predicate: ox.NamedNode, subject: str, value: str) -> None:
        name, left, right = RELATIONS[predicate]
        self.relations.add((name, subject, value))
        self.kinds[subject] = left
        self.kinds[value] = right


def _gather(quads: Iterable[ox.Quad]) -> _Provenance:
    found = _Provenance()
    for quad in quads:
        subject, predicate, value = quad.subject, quad.predicate, quad.object
        if isinstance(subject, ox.Triple) or isinstance(value, ox.Triple):
            continue
        if isinstance(value, ox.Literal):
            _gather_literal(found, subject.value, predicate, value.value)
        else:
            _gather_node(found, subject.value, predicate, value)
    for triplet, evidence in found.evidence:
        if found.kinds.get(triplet) == "entity" and evidence in found.sources:
            found.relate(PROV.wasDerivedFrom, triplet, found.sources[evidence])
    return found


def _gather_literal(found: _Provenance, subject: str, predicate: ox.NamedNode, value: str) -> None:
    if predicate in (RDFS.label, DCTERMS.title):
        found.labels[subject] = min(value, found.labels.get(subject, value))
    elif predicate in (PROV.startedAtTime, PROV.endedAtTime):
        found.times[subject, predicate] = value
        found.kinds[subject] = "activity"


def _gather_node(found: _Provenance, subject: str, predicate: ox.NamedNode, value: Node) -> None:
    if predicate == RDF.type:
        found.types[subject].add(value.value)
        if value in ENTITY_TYPES or value in AGENT_TYPES:
            found.kinds[subject] = "entity" if value in ENTITY_TYPES else "agent"
    elif predicate in RELATIONS:
        found.relate(predicate, subject, value.value)
    elif predicate in INVERSES:
        found.relate(INVERSES[predicate], value.value, subject)
    elif predicate == DCTERMS.isPartOf:
        found.relate(PROV.wasDerivedFrom, subject, value.value)
    elif predicate == SEMKG.evidence:
        found.evidence.add((subject, value.value))
    elif predicate == OA.hasSource:
        found.sources[subject] = value.value


def _document(found: _Provenance, names: Names) -> ProvDocument:
    from prov.constants import PROV_LABEL, PROV_TYPE
    from prov.model import ProvDocument

    document = ProvDocument()
    name = _Names(document, names)
    for node, kind in sorted(found.kinds.items()):
        attributes = [(PROV_TYPE, name(type)) for type in sorted(found.types.get(node, ()))]
        attributes += [(PROV_LABEL, found.labels[node])] if node in found.labels else []
        if kind == "activity":
            times = (found.times.get((node, edge)) for edge in (PROV.startedAtTime, PROV.endedAtTime))
            document.activity(name(node), *times, attributes)
        else:
            (document.agent if kind == "agent" else document.entity)(name(node), attributes)
    for relation, subject, value in sorted(found.relations):
        getattr(document, relation)(name(subject), name(value))
    return document


class _Names:
    """Makes qualified names and declares the namespaces that they need, numbered in the order of their first use."""

    def __init__(self, document: ProvDocument, names: Names) -> None:
        self._document = document
        self._declared = {namespace: prefix for prefix, namespace in prefixes(names).items()}
        self._namespaces: dict[str, Namespace] = {}

    def __call__(self, iri: str) -> QualifiedName:
        cut = max(iri.rfind("/", 0, -1), iri.rfind("#", 0, -1), iri.find(":")) + 1
        namespace = iri[:cut] or "urn:x-blank:"
        if namespace not in self._namespaces:
            prefix = self._declared.get(namespace, f"ns{len(self._namespaces) + 1}")
            self._namespaces[namespace] = self._document.add_namespace(prefix, namespace)
        return self._namespaces[namespace][iri[cut:]]
