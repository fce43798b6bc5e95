"""What was touched since entities were last clustered, so that clustering looks at nothing else (RAGA §3.1).

The graph of communities says by which activity it was made (`prov:wasGeneratedBy`) as long as it shows the facts as they are. The first
commit that changes facts takes that statement back, so that a process which dies before it clustered leaves a graph that says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pyoxigraph as ox

from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.vocab import PROV, SEMKG


class Touched:
    """Follows the commits of one writer."""

    def __init__(self, store: GraphStore, layout: Layout) -> None:
        self._store = store
        self._layout = layout
        self._lost = False
        self.nodes: Counter[ox.NamedNode] = Counter()
        """Subjects and objects of the facts that came or went, with how often they were met."""
        self.moved: set[ox.NamedNode] = set()
        """Entities that were merged or parted, and what they were merged into or parted from."""

    @property
    def everything(self) -> bool:
        """Whether the whole graph has to be looked at: nobody can say what changed since the clusters were made."""
        return self._lost or not (self.nodes or self.current())

    def current(self) -> list[ox.Quad]:
        """The statement that the communities show the facts as they are; empty where they do not."""
        graph = self._layout.communities
        return list(self._store.quads(graph, PROV.wasGeneratedBy, None, graph))

    def by(self, additions: Iterable[ox.Quad], removals: Iterable[ox.Quad]) -> list[ox.Quad]:
        """Take note of what a commit is about to change; returns what it must remove besides."""
        if self._lost:
            return []
        known = bool(self.nodes)
        for quad in additions:
            if quad.graph_name == self._layout.facts:
                self._fact(quad)
        for quad in removals:
            if quad.graph_name == self._layout.facts:
                self._fact(quad)
            elif quad.predicate == PROV.hadMember:
                self._note(quad.object)
        if known or not self.nodes:
            return []
        current = self.current()
        self._lost = not current
        return current

    def by_all(self) -> list[ox.Quad]:
        """Take note that anything may change."""
        self._lost = True
        return self.current()

    def settle(self) -> None:
        """Begin again: the clusters show the graph as it is."""
        self._lost = False
        self.nodes.clear()
        self.moved.clear()

    def _fact(self, quad: ox.Quad) -> None:
        self._note(quad.subject)
        self._note(quad.object)
        if quad.predicate == SEMKG.mergedInto:
            self.moved |= {end for end in (quad.subject, quad.object) if isinstance(end, ox.NamedNode)}

    def _note(self, end: object) -> None:
        if isinstance(end, ox.NamedNode):
            self.nodes[end] += 1
