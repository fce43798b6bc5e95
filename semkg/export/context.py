"""The inline `@context` of the compact JSON-LD (JSON-LD 1.1 §4.1): prefixes, and types for the properties of semkg's vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pyoxigraph import NamedNode

from semkg.ids import Names
from semkg.vocab import DCTERMS, DQV, FOAF, OA, OWL, PREFIXES, PROV, RDF, RDFS, SEMKG, XSD

ID = "@id"

IRI_VALUED = (
    *(RDF.subject, RDF.predicate, RDFS.domain, RDFS.range, RDFS.subClassOf, RDFS.isDefinedBy, OWL.differentFrom),
    *(PROV.used, PROV.generated, PROV.invalidated, PROV.wasGeneratedBy, PROV.wasInvalidatedBy, PROV.wasAssociatedWith),
    *(PROV.wasInformedBy, PROV.wasDerivedFrom, PROV.hadMember, OA.hasSource, DCTERMS.isPartOf, FOAF.primaryTopic),
    *(SEMKG.structure, SEMKG.readingState, SEMKG.mentionedIn, SEMKG.evidence, SEMKG.status, SEMKG.mergedInto, SEMKG.mergedEntity),
    *(SEMKG.summaryFor, SEMKG.hasEvidence, DQV.isMeasurementOf, DQV.computedOn, DQV.expectedDataType),
)
"""Properties whose values are nodes."""

TYPED: Mapping[NamedNode, NamedNode] = {
    **dict.fromkeys((SEMKG.confidence, SEMKG.mergeBasis), XSD.decimal),
    **dict.fromkeys((PROV.startedAtTime, PROV.endedAtTime, SEMKG.lastSeen, SEMKG.leaseExpires, DCTERMS.created), XSD.dateTime),
    SEMKG.embedding: SEMKG.float16Vector,
}
"""Properties whose values have one datatype that JSON itself lacks."""

KINDS = ("graph", "document", "chunk", "entity", "evidence", "triplet", "activity", "agent", "review", "schema", "measurement", "metric")
"""The kinds of IRI that `Names` makes; each gets a prefix, so that no compact IRI needs a slash."""


def prefixes(names: Names) -> dict[str, str]:
    """Prefix → namespace: the vocabularies, and the dataset's own kinds of IRI."""
    return PREFIXES | {kind: f"{names.root}{kind}/" for kind in KINDS}


@dataclass(frozen=True, slots=True)
class Context:
    """A JSON-LD context.

    Attributes:
        namespaces: namespace → prefix.
        coercions: IRI of a property → `@id` or the IRI of a datatype; each of these properties has a prefix.
    """

    namespaces: Mapping[str, str]
    coercions: Mapping[str, str]

    @classmethod
    def of(cls, names: Names, object_properties: Iterable[NamedNode] = ()) -> Context:
        """The context of a dataset, given the object properties of its schema."""
        known = cls({namespace: prefix for prefix, namespace in prefixes(names).items()}, {})
        types = dict.fromkeys((term.value for term in object_properties), ID)
        types |= dict.fromkeys((term.value for term in IRI_VALUED), ID)
        types |= {term.value: type.value for term, type in TYPED.items()}
        return cls(known.namespaces, {iri: type for iri, type in sorted(types.items()) if known.compact(iri) != iri})

    def compact(self, iri: str) -> str:
        """The compact IRI, or the IRI itself where no prefix fits.

        >>> Context.of(Names()).compact("http://www.w3.org/ns/prov#used")
        'prov:used'
        """
        cut = max(iri.rfind("/"), iri.rfind("#")) + 1
        prefix = self.namespaces.get(iri[:cut]) if cut < len(iri) else None
        return f"{prefix}:{iri[cut:]}" if prefix else iri

    def clashes(self, iri: str) -> bool:
        """Whether the IRI itself would be read as a compact one: `prov:x` is an IRI, too.

        >>> Context.of(Names()).clashes("prov:x")
        True
        """
        return iri.partition(":")[0] in self.namespaces.values()

    def document(self) -> dict[str, object]:
        """The value of `@context`."""
        terms = {self.compact(iri): {"@type": self.compact(type)} for iri, type in self.coercions.items()}
        return {"@version": 1.1, **{prefix: namespace for namespace, prefix in self.namespaces.items()}, **terms}
