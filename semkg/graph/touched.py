"""What was touched since entities were last resolved and clustered, so that nothing else has to be looked at (RAGA §3.1, §3.5).

The graph of communities says by which activity it was made (`prov:wasGeneratedBy`) as long as merges and clusters show the facts as they
are. The first commit that changes facts takes that statement back, so that a process which dies before it resolved and clustered leaves a
graph that says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.vocab import FOAF, OWL, PROV, RDF, SEMKG, SKOS

NAMING = frozenset({RDF.type, SKOS.prefLabel})
"""What the graph of facts says about an entity by itself."""

TELLING = NAMING | {SEMKG.mentionedIn}
"""What it says about an entity that decides with what it is one."""

DECIDED = frozenset({SEMKG.mergedInto, OWL.differentFrom})
"""What it says about two."""


class Touched:
    """Follows the commits of one writer."""

    def __init__(self, store: GraphStore, layout: Layout) -> None:
        self._store = store
        self._layout = layout
        self._resolved: bool | None = None
        self._clustered: bool | None = None
        """Whether merges and clusters were those of the whole graph before what was touched; None before anybody asked."""
        self.told: set[ox.NamedNode] = set()
        """Entities of which there is something new to know since entities were last resolved."""
        self.gone: set[str] = set()
        """Labels and aliases that somebody had then."""
        self.nodes: Counter[ox.NamedNode] = Counter()
        """What clustering may have to look at anew: among it the ends of the facts that came or went, with how often they were met."""
        self.left: set[ox.NamedNode] = set()
        """The ends among them of facts that went."""
        self.lost: set[str] = set()
        """Labels that went since the clusters were made."""
        self.moved: set[ox.NamedNode] = set()
        """Entities that were merged or parted, and what they were merged into or parted from."""
        self.named: set[ox.NamedNode] = set()
        """Entities whose label, class, or what they were decided to be or not to be, came or went: not merely a fact that they stand in."""

    @property
    def everything(self) -> bool:
        """Whether the whole graph has to be clustered: nobody can say what changed since the clusters were made."""
        self._look()
        return not self._clustered

    @property
    def everybody(self) -> bool:
        """Whether all entities have to be resolved: nobody can say what changed since they were."""
        self._look()
        return not self._resolved

    @property
    def resolved(self) -> bool:
        """Whether the merges show the graph as it is."""
        return not (self.everybody or self.told or self.gone)

    def current(self) -> list[ox.Quad]:
        """The statement that merges and communities show the facts as they are; empty where they do not."""
        graph = self._layout.communities
        return list(self._store.quads(graph, PROV.wasGeneratedBy, None, graph))

    def by(self, additions: Iterable[ox.Quad], removals: Sequence[ox.Quad]) -> list[ox.Quad]:
        """Take note of what a commit is about to change; returns what it must remove besides."""
        self._look()
        if not self._resolved and not self._clustered:
            return []
        known = bool(self.nodes)
        for quad in additions:
            self._quad(quad)
        for quad in removals:
            self._quad(quad)
            if quad.graph_name == self._layout.facts:
                self.left.update(end for end in (quad.subject, quad.object) if isinstance(end, ox.NamedNode))
                if quad.predicate == SKOS.prefLabel and isinstance(quad.object, ox.Literal):
                    self.lost.add(quad.object.value)
            if quad.predicate == PROV.hadMember:
                self._note(quad.object)
        self._without(removals)
        return [] if known or not self.nodes else self.current()

    def by_all(self) -> list[ox.Quad]:
        """Take note that anything may change."""
        self._resolved = self._clustered = False
        return self.current()

    def settle_merges(self) -> None:
        """The merges show the graph as it is."""
        self._resolved = True
        self.told.clear()
        self.gone.clear()

    def settle_clusters(self) -> None:
        """The clusters show the graph as it is."""
        self._clustered = True
        self.nodes.clear()
        self.left.clear()
        self.lost.clear()
        self.moved.clear()
        self.named.clear()

    def _look(self) -> None:
        if self._clustered is None:
            self._resolved = self._clustered = bool(self.current())

    def _quad(self, quad: ox.Quad) -> None:
        graph, predicate = quad.graph_name, quad.predicate
        if graph == self._layout.facts:
            self._fact(quad)
            if predicate in TELLING:
                self._tell(quad.subject)
        elif (graph == self._layout.triplets and predicate in (RDF.subject, RDF.object)) or predicate == FOAF.primaryTopic:
            self._tell(quad.object)

    def _without(self, removals: Sequence[ox.Quad]) -> None:
        """Names that go, and entities that were merged into one that goes."""
        lost = [quad for quad in removals if quad.predicate in (SKOS.prefLabel, RDF.object)]
        self.gone.update(quad.object.value for quad in lost if isinstance(quad.object, ox.Literal))
        nodes = {quad.subject for quad in lost}
        for quad in removals:
            if quad.predicate == SEMKG.mergedInto and quad.object in nodes:
                self._tell(quad.subject)

    def _tell(self, entity: object) -> None:
        if isinstance(entity, ox.NamedNode):
            self.told.add(entity)
            # Clustering looks at what was touched; that one end of a triplet was told is no further edge of it.
            self.nodes[entity] += 0

    def _fact(self, quad: ox.Quad) -> None:
        self._note(quad.subject)
        self._note(quad.object)
        ends = {end for end in (quad.subject, quad.object) if isinstance(end, ox.NamedNode)}
        if quad.predicate == SEMKG.mergedInto:
            self.moved |= ends
        if quad.predicate in DECIDED or quad.predicate in NAMING:
            self.named |= ends
        if quad.predicate in DECIDED:
            # What somebody decided about two may let others be merged, or forbid it.
            self._tell(quad.subject)
            self._tell(quad.object)

    def _note(self, end: object) -> None:
        if isinstance(end, ox.NamedNode):
            self.nodes[end] += 1
