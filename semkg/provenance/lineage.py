"""The lineage of statements: triplet → evidence → chunk → document → activity → agent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import pyoxigraph as ox

from semkg.ports import GraphStore
from semkg.sparql import query
from semkg.vocab import PROV, RDF, RDFS


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one statement was made. Offsets count code points of the chunk's text; times are xsd:dateTime texts."""

    exact: str
    start: int
    end: int
    text: str
    chunk: str
    document: str
    title: str
    source: str
    activity: str = ""
    activity_type: str = ""
    started: str = ""
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A triplet with its labels and its origins."""

    triplet: str
    subject: str
    subject_label: str
    predicate: str
    predicate_label: str
    object: str
    """The IRI of an entity, or empty where the object is a literal."""
    object_label: str
    confidence: float
    status: str
    origins: tuple[Origin, ...] = ()

    @property
    def text(self) -> str:
        """The statement in words."""
        return f"{self.subject_label} {self.predicate_label} {self.object_label}"


def trace(store: GraphStore, triplets: Iterable[ox.NamedNode], graphs: Sequence[ox.NamedNode]) -> list[Statement]:
    """The statements that the triplets make, in the order in which they were asked for."""
    wanted = list(dict.fromkeys(triplets))
    if not wanted:
        return []
    found: dict[str, Statement] = {}
    for row in store.select(query("provenance/trace-triplets").bind(triplet=wanted), graphs):
        statement = found.setdefault(_text(row["triplet"]), _statement(row))
        origin = _origin(row)
        origins = _with_makers(store, ox.NamedNode(statement.triplet), origin)
        new = (found_origin for found_origin in origins if found_origin not in statement.origins)
        found[statement.triplet] = replace(statement, origins=(*statement.origins, *new))
    return [found[node.value] for node in wanted if node.value in found]


def statements_about(store: GraphStore, entity: ox.NamedNode, graphs: Sequence[ox.NamedNode]) -> list[ox.NamedNode]:
    """The triplets about an entity and all that was merged into it, the most certain first."""
    rows = store.select(query("provenance/list-statements").bind(entity=entity), graphs)
    return [node for row in rows if isinstance(node := row["triplet"], ox.NamedNode)]


def supporters(
    store: GraphStore, edges: Sequence[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]], graphs: Sequence[ox.NamedNode]
) -> dict[tuple[str, str, str], list[ox.NamedNode]]:
    """Edge (as N-Triples terms) → the asserted triplets behind it, the most certain first."""
    if not edges:
        return {}
    found: dict[tuple[str, str, str], list[ox.NamedNode]] = {}
    for row in store.select(query("provenance/list-supporters").bind(s__p__o=edges), graphs):
        if isinstance(node := row["triplet"], ox.NamedNode):
            found.setdefault((str(row["s"]), str(row["p"]), str(row["o"])), []).append(node)
    return found


def _statement(row: ox.QuerySolution) -> Statement:
    predicate = _text(row["predicate"])
    return Statement(
        triplet=_text(row["triplet"]),
        subject=_text(row["subject"]),
        subject_label=_text(row["subjectLabel"]) or _text(row["subject"]),
        predicate=predicate,
        predicate_label=_text(row["predicateLabel"]) or _local(predicate),
        object=_text(row["object"]) if isinstance(row["object"], ox.NamedNode) else "",
        object_label=_text(row["objectLabel"]) or _text(row["object"]),
        confidence=float(_text(row["confidence"])),
        status=_local(_text(row["status"])),
    )


def _origin(row: ox.QuerySolution) -> Origin:
    return Origin(
        exact=_text(row["exact"]),
        start=int(_text(row["start"])),
        end=int(_text(row["end"])),
        text=_text(row["text"]),
        chunk=_text(row["chunk"]),
        document=_text(row["document"]),
        title=_text(row["title"]),
        source=_text(row["source"]),
    )


def _with_makers(store: GraphStore, triplet: ox.NamedNode, origin: Origin) -> list[Origin]:
    """The origin once for each activity that made the triplet.

    Looked up node by node: joined to the query, an engine may read every activity of the graph for each triplet.
    """
    activities = sorted(
        (quad.object for quad in store.quads(triplet, PROV.wasGeneratedBy) if isinstance(quad.object, ox.NamedNode)), key=str
    )
    made = [
        replace(
            origin,
            activity=activity.value,
            activity_type=_local(_first(store, activity, RDF.type)),
            started=_first(store, activity, PROV.startedAtTime),
            agent=_agent(store, activity),
        )
        for activity in activities
    ]
    return made or [origin]


def _agent(store: GraphStore, activity: ox.NamedNode) -> str:
    agents = (quad.object for quad in store.quads(activity, PROV.wasAssociatedWith))
    return min((_first(store, agent, RDFS.label) for agent in agents if isinstance(agent, ox.NamedNode)), default="")


def _first(store: GraphStore, node: ox.NamedNode, predicate: ox.NamedNode) -> str:
    return min((_text(quad.object) for quad in store.quads(node, predicate)), default="")


def _text(term: object) -> str:
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else ""


def _local(iri: str) -> str:
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]
