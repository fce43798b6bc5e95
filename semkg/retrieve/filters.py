"""What may be found: nodes of one kind, of one document, of one run."""

from __future__ import annotations

from dataclasses import dataclass

import pyoxigraph as ox

from semkg.errors import NotFound
from semkg.graph.indexes import Kind
from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.sparql import query
from semkg.vocab import RDF, SEMKG

_MANY = {Kind.CHUNK: "chunks", Kind.ENTITY: "entities", Kind.TRIPLET: "triplets", Kind.HYPERNODE: "hypernodes"}


@dataclass(frozen=True, slots=True)
class Filter:
    """`kind`: what is searched, which the mode `vector` alone can choose. `document`, `run`: IRIs; empty for any."""

    kind: Kind = Kind.CHUNK
    document: str = ""
    run: str = ""

    @property
    def open(self) -> bool:
        """Does it let every node of its kind pass?"""
        return not (self.document or self.run)


ANYTHING = Filter()
"""Every chunk."""


def allowed(store: GraphStore, layout: Layout, filter: Filter) -> frozenset[str]:
    """The nodes of the filter's kind that belong to its document and were made, or read, in its run.

    Raises:
        NotFound: there is no such document, or no such run.
    """
    for iri in (filter.document, filter.run):
        if iri and not _is_iri(iri):
            raise NotFound(f"{iri!r} is no IRI: name the document or the run by its IRI")
    sets = []
    if filter.document:
        if not any(True for _ in store.quads(ox.NamedNode(filter.document), RDF.type, None, layout.corpus)):
            raise NotFound(f"{filter.document} is no document of this graph: `semkg stats --documents` lists them")
        sets.append(_nodes(store, layout, f"retrieve/list-{_MANY[filter.kind]}-of-document", document=filter.document))
    if filter.run:
        if not any(True for _ in store.quads(ox.NamedNode(filter.run), RDF.type, SEMKG.Run, layout.provenance)):
            raise NotFound(f"{filter.run} is no run of this graph: `semkg why` names the run of each statement")
        sets.append(_nodes(store, layout, f"retrieve/list-{_MANY[filter.kind]}-of-run", run=filter.run))
    return frozenset.intersection(*sets)


def _is_iri(text: str) -> bool:
    try:
        ox.NamedNode(text)
    except ValueError:
        return False
    return True


def _nodes(store: GraphStore, layout: Layout, name: str, **bound: str) -> frozenset[str]:
    text = query(name).bind(**{key: [ox.NamedNode(iri)] for key, iri in bound.items()})
    return frozenset(
        solution["node"].value for solution in store.select(text, layout.validated) if isinstance(solution["node"], ox.NamedNode)
    )
