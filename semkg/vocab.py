"""The IRIs that semkg uses, one class a vocabulary; a name that is not declared here fails at once.

Every name below is declared with its annotation; `mypy` finds a typo before it runs and Python when it runs.
"""

from __future__ import annotations

from typing import ClassVar

from pyoxigraph import NamedNode


class Vocabulary:
    """Turns the annotations of a subclass into IRIs below `base`."""

    base: ClassVar[str]

    def __init_subclass__(cls, *, base: str) -> None:
        cls.base = base
        for name in cls.__annotations__:
            # A Python keyword or a name with a trailing underscore stands for the term without it.
            setattr(cls, name, NamedNode(base + name.rstrip("_")))

    @classmethod
    def terms(cls) -> dict[str, NamedNode]:
        """All declared terms by their Python name."""
        return {name: getattr(cls, name) for name in cls.__annotations__}


class SEMKG(Vocabulary, base="https://w3id.org/semkg/ns#"):
    """semkg's own terms (`ontologies/semkg.ttl`): what the standards lack."""

    # classes
    Chunk: NamedNode
    Entity: NamedNode
    Triplet: NamedNode
    Community: NamedNode
    HyperNode: NamedNode
    Activity: NamedNode
    Run: NamedNode
    Reading: NamedNode
    Import: NamedNode
    Merge: NamedNode
    Unmerge: NamedNode
    Deletion: NamedNode
    Embedding: NamedNode
    Clustering: NamedNode
    Evaluation: NamedNode
    ReviewItem: NamedNode
    Refusal: NamedNode
    EmbeddingModel: NamedNode
    ReadingState: NamedNode
    TripletStatus: NamedNode
    StructureLabel: NamedNode
    # individuals
    Pending: NamedNode
    BeingRead: NamedNode
    Verified: NamedNode
    Archived: NamedNode
    Failed: NamedNode
    Staged: NamedNode
    Asserted: NamedNode
    Retracted: NamedNode
    Heading: NamedNode
    Body: NamedNode
    ListItem: NamedNode
    Code: NamedNode
    Table: NamedNode
    # properties
    sha256: NamedNode
    text: NamedNode
    start: NamedNode
    end: NamedNode
    overlap: NamedNode
    position: NamedNode
    structure: NamedNode
    heading: NamedNode
    readingState: NamedNode
    leaseHolder: NamedNode
    leaseExpires: NamedNode
    confidence: NamedNode
    mentionedIn: NamedNode
    evidence: NamedNode
    votes: NamedNode
    status: NamedNode
    lastSeen: NamedNode
    validFrom: NamedNode
    validUntil: NamedNode
    mergedInto: NamedNode
    mergeBasis: NamedNode
    mergedEntity: NamedNode
    level: NamedNode
    summaryFor: NamedNode
    hasEvidence: NamedNode
    embedding: NamedNode
    embeddingModel: NamedNode
    modelName: NamedNode
    dimension: NamedNode
    commitCount: NamedNode
    removedCount: NamedNode
    keptCount: NamedNode
    hashBefore: NamedNode
    hashAfter: NamedNode
    reason: NamedNode
    retrievalMode: NamedNode
    retrievalSettings: NamedNode
    mayLoop: NamedNode
    # datatypes
    float16Vector: NamedNode


class RDF(Vocabulary, base="http://www.w3.org/1999/02/22-rdf-syntax-ns#"):
    type: NamedNode
    Statement: NamedNode
    Property: NamedNode
    subject: NamedNode
    predicate: NamedNode
    object: NamedNode
    first: NamedNode
    rest: NamedNode
    nil: NamedNode


class RDFS(Vocabulary, base="http://www.w3.org/2000/01/rdf-schema#"):
    label: NamedNode
    comment: NamedNode
    domain: NamedNode
    range: NamedNode
    subClassOf: NamedNode
    isDefinedBy: NamedNode
    Class: NamedNode


class OWL(Vocabulary, base="http://www.w3.org/2002/07/owl#"):
    Class: NamedNode
    ObjectProperty: NamedNode
    DatatypeProperty: NamedNode
    Thing: NamedNode
    differentFrom: NamedNode
    imports: NamedNode


class XSD(Vocabulary, base="http://www.w3.org/2001/XMLSchema#"):
    string: NamedNode
    boolean: NamedNode
    integer: NamedNode
    decimal: NamedNode
    double: NamedNode
    date: NamedNode
    dateTime: NamedNode
    gYear: NamedNode
    gYearMonth: NamedNode
    anyURI: NamedNode


class PROV(Vocabulary, base="http://www.w3.org/ns/prov#"):
    Entity: NamedNode
    Activity: NamedNode
    Agent: NamedNode
    SoftwareAgent: NamedNode
    Person: NamedNode
    Collection: NamedNode
    used: NamedNode
    generated: NamedNode
    invalidated: NamedNode
    wasGeneratedBy: NamedNode
    wasInvalidatedBy: NamedNode
    wasAssociatedWith: NamedNode
    wasInformedBy: NamedNode
    wasDerivedFrom: NamedNode
    hadMember: NamedNode
    startedAtTime: NamedNode
    endedAtTime: NamedNode


class OA(Vocabulary, base="http://www.w3.org/ns/oa#"):
    TextQuoteSelector: NamedNode
    TextPositionSelector: NamedNode
    exact: NamedNode
    start: NamedNode
    end: NamedNode
    hasSource: NamedNode


class SKOS(Vocabulary, base="http://www.w3.org/2004/02/skos/core#"):
    prefLabel: NamedNode
    altLabel: NamedNode
    definition: NamedNode
    notation: NamedNode


class DCTERMS(Vocabulary, base="http://purl.org/dc/terms/"):
    title: NamedNode
    source: NamedNode
    format: NamedNode
    language: NamedNode
    isPartOf: NamedNode
    identifier: NamedNode
    abstract: NamedNode
    created: NamedNode
    extent: NamedNode


class DCAT(Vocabulary, base="http://www.w3.org/ns/dcat#"):
    Resource: NamedNode
    Dataset: NamedNode
    Distribution: NamedNode


class DQV(Vocabulary, base="http://www.w3.org/ns/dqv#"):
    QualityMeasurement: NamedNode
    Metric: NamedNode
    isMeasurementOf: NamedNode
    computedOn: NamedNode
    value: NamedNode
    expectedDataType: NamedNode


class FOAF(Vocabulary, base="http://xmlns.com/foaf/0.1/"):
    primaryTopic: NamedNode


class VS(Vocabulary, base="http://www.w3.org/2003/06/sw-vocab-status/ns#"):
    term_status: NamedNode


class SH(Vocabulary, base="http://www.w3.org/ns/shacl#"):
    NodeShape: NamedNode
    PropertyShape: NamedNode
    ValidationReport: NamedNode
    ValidationResult: NamedNode
    Violation: NamedNode
    IRI: NamedNode
    Literal: NamedNode
    conforms: NamedNode
    result: NamedNode
    focusNode: NamedNode
    resultPath: NamedNode
    resultMessage: NamedNode
    resultSeverity: NamedNode
    sourceConstraintComponent: NamedNode
    sourceShape: NamedNode
    value: NamedNode
    targetClass: NamedNode
    targetNode: NamedNode
    targetSubjectsOf: NamedNode
    targetObjectsOf: NamedNode
    property: NamedNode
    path: NamedNode
    message: NamedNode
    severity: NamedNode
    sparql: NamedNode
    select: NamedNode
    prefixes: NamedNode
    declare: NamedNode
    prefix: NamedNode
    namespace: NamedNode
    deactivated: NamedNode
    SPARQLConstraintComponent: NamedNode
    # SHACL Core's parameters and paths
    class_: NamedNode
    datatype: NamedNode
    nodeKind: NamedNode
    minCount: NamedNode
    maxCount: NamedNode
    minExclusive: NamedNode
    minInclusive: NamedNode
    maxExclusive: NamedNode
    maxInclusive: NamedNode
    minLength: NamedNode
    maxLength: NamedNode
    pattern: NamedNode
    flags: NamedNode
    languageIn: NamedNode
    uniqueLang: NamedNode
    equals: NamedNode
    disjoint: NamedNode
    lessThan: NamedNode
    lessThanOrEquals: NamedNode
    not_: NamedNode
    and_: NamedNode
    or_: NamedNode
    xone: NamedNode
    node: NamedNode
    qualifiedValueShape: NamedNode
    qualifiedMinCount: NamedNode
    qualifiedMaxCount: NamedNode
    qualifiedValueShapesDisjoint: NamedNode
    closed: NamedNode
    ignoredProperties: NamedNode
    hasValue: NamedNode
    in_: NamedNode
    inversePath: NamedNode
    alternativePath: NamedNode
    zeroOrMorePath: NamedNode
    oneOrMorePath: NamedNode
    zeroOrOnePath: NamedNode
    # what does not constrain
    name: NamedNode
    description: NamedNode
    order: NamedNode
    group: NamedNode
    defaultValue: NamedNode


VOCABULARIES: tuple[type[Vocabulary], ...] = (SEMKG, RDF, RDFS, OWL, XSD, PROV, OA, SKOS, DCTERMS, DCAT, DQV, FOAF, VS, SH)
"""Every vocabulary of this module."""

PREFIXES: dict[str, str] = {vocabulary.__name__.lower(): vocabulary.base for vocabulary in VOCABULARIES}
"""Prefix → namespace, as used in queries, shapes and exports."""
