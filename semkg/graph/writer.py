"""The one door: change set → SHACL gate, embedding → one atomic commit → indexes (DESIGN §2, law 2; RAGA §3.5, Algorithm 2).

Everything that changes the graph comes through `Writer`. Where the gate refuses something, the rest goes on without what depends on
it; where the embedder fails, nothing of the change set is in the graph: vectors are written in the same commit as what they stand for, so
that the compensation of Algorithm 2 is never needed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semkg.errors import BadInput, Misconfigured
from semkg.graph import rdf
from semkg.graph.candidates import nodes_of, without
from semkg.graph.indexes import EMBEDDED, Indexes, Kind
from semkg.graph.layout import Layout
from semkg.graph.ledger import Ledger
from semkg.graph.plan import Plan, Planner
from semkg.graph.removal import NOTHING, Removal
from semkg.graph.texts import texts_of
from semkg.graph.touched import Touched
from semkg.ids import Names
from semkg.model import ChangeSet, Conformance, Outcome, Refusal, Report, Violation
from semkg.ports import Clock, Embedder, GraphStore
from semkg.quality import Gate, Shapes, report_quads, validate
from semkg.store import OxigraphStore
from semkg.vectors import codec
from semkg.vocab import RDF, SEMKG

if TYPE_CHECKING:
    from semkg.ports import Vectors

    Embedded = Mapping[Kind, tuple[Sequence[str], Vectors]]
    """Kind → nodes and their vectors."""

ROUNDS = 6
"""How often what is left of a change set may go back to the gate."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a writer works with."""

    store: GraphStore
    names: Names
    layout: Layout
    gate: Gate
    embedder: Embedder
    indexes: Indexes
    clock: Clock


class Writer:
    """Writes the graph of one dataset; one at a time, whatever the number of threads."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._planner = Planner(parts.store, parts.layout)
        self._lock = threading.RLock()
        self.touched = Touched(parts.store, parts.layout)
        """What the commits changed that clusters of entities depend on."""
        self.ledger = Ledger()
        """What they changed among mentions and triplets."""

    def apply(self, change: ChangeSet, removal: Removal = NOTHING) -> Outcome:
        """Bring a change set through the gate and commit what conforms.

        Args:
            change: what is to enter.
            removal: what goes in the same commit.

        Returns:
            What was created, reused, removed and refused; `commit` is 0 where the graph holds it all already.

        Raises:
            ModelUnavailable: the embedder failed; nothing was written.
            BadInput: the removal itself would leave the graph in breach of its shapes; nothing was written.
            Misconfigured: the shapes could not be evaluated; nothing was written.
            StorageFull, StorageError, PermissionDenied: the store failed; nothing was written.
        """
        with self._lock:
            first = self._planner.plan(change, removal)
            # Most of what is planned conforms: while the gate looks at it, it is embedded.
            with ThreadPoolExecutor(1, "embedding") as thread:
                rows = thread.submit(self._rows, _texts(first))
                plan, refusals = self._admit(change, removal, first)
            additions = [*plan.additions, *self._reviews(refusals)]
            if self._changes_nothing(additions, plan.removals):
                return Outcome(reused=tuple(plan.reused), refused=tuple(refusals))
            vectors = self._embed(plan, rows.result())
            stale = self.touched.by(additions, plan.removals)
            generation = self._parts.store.commit([*additions, *self._vector_quads(vectors)], [*plan.removals, *stale])
            self.ledger.note(generation, additions, plan.removals)
            gone = [node.value for node in removal.nodes if node not in plan.created]
            self._parts.indexes.apply(generation, vectors, plan.texts, gone)
            return Outcome(
                commit=generation,
                created=tuple(plan.created),
                reused=tuple(plan.reused),
                removed=tuple(sorted(removal.nodes, key=str)),
                refused=tuple(refusals),
            )

    def rewrite(
        self, additions: Sequence[ox.Quad], removals: Sequence[ox.Quad], vectors: Embedded | None = None, gone: Sequence[str] = ()
    ) -> int:
        """Commit quads that concern nodes of the graph but no embedded text: merges, leases, receipts. The gate sees them too.

        Args:
            additions: quads that come.
            removals: quads that go.
            vectors: kind → nodes and their vectors, for nodes whose vectors are made from those of others.
            gone: nodes that leave the indexes; the quads of their vectors go with them.

        Raises:
            BadInput: the graph would not conform afterwards; nothing was written.
        """
        with self._lock:
            self._insist(self._parts.gate.check(additions, removals, self._parts.store))
            if self._changes_nothing(additions, removals) and not vectors:
                return 0
            given = vectors or {}
            old = [quad for node in (*gone, *_nodes(given)) for quad in self._vectors_of(ox.NamedNode(node))]
            stale = self.touched.by(additions, removals)
            generation = self._parts.store.commit([*additions, *self._vector_quads(given)], [*removals, *old, *stale])
            self.ledger.note(generation, additions, removals)
            self._parts.indexes.apply(generation, given, {}, gone)
            return generation

    def restore(self, quads: Sequence[ox.Quad]) -> int:
        """Take over the quads of an export as they are, where the graph conforms with them; missing vectors are made.

        Returns:
            The commit.

        Raises:
            BadInput: the graph would not conform to its shapes; nothing was written.
            ModelUnavailable: the embedder failed; nothing was written.
        """
        with self._lock:
            layout = self._parts.layout
            scratch = OxigraphStore.in_memory()
            scratch.load([*quads, *(quad for graph in layout.validated for quad in self._parts.store.quads(graph=graph))])
            self._insist(validate(scratch, Shapes.packaged(), layout.validated))
            plan = Plan()
            for kind in EMBEDDED:
                nodes = (quad.subject for quad in scratch.quads(None, RDF.type, kind.type, kind.graph(layout)))
                bare = [node.value for node in nodes if isinstance(node, ox.NamedNode) and not self._has_vector(node, scratch)]
                plan.texts[kind] = texts_of(scratch, layout, kind.value, bare)
            vectors = self._embed(plan, self._rows(_texts(plan)))
            if stale := self.touched.by_all():
                self._parts.store.commit((), stale)
            generation = self._parts.store.load([*quads, *self._vector_quads(vectors)])
            self._parts.indexes.catch_up(self._parts.store, thorough=True)
            return generation

    def _vectors_of(self, node: ox.NamedNode) -> Iterator[ox.Quad]:
        return self._parts.store.quads(node, SEMKG.embedding, None, self._parts.layout.vectors)

    def _has_vector(self, node: ox.NamedNode, scratch: GraphStore) -> bool:
        graph = self._parts.layout.vectors
        return any(True for store in (scratch, self._parts.store) for _ in store.quads(node, SEMKG.embedding, None, graph))

    def _admit(self, change: ChangeSet, removal: Removal, plan: Plan) -> tuple[Plan, list[Refusal]]:
        """What of a change conforms. `plan`: what is to be done for the whole change."""
        labels = nodes_of(change)
        refusals: list[Refusal] = []
        for _ in range(ROUNDS):
            report = self._parts.gate.check(plan.additions, plan.removals, self._parts.store, plan.fresh)
            if report.conformance is Conformance.CONFORMS:
                return plan, refusals
            refused = _by_candidate(report, labels)
            if not refused:
                self._insist(report)
            refusals += [Refusal(node, labels[node], violations) for node, violations in refused.items()]
            smaller = without(change, refused)
            refusals += _dependents(change, smaller, {refusal.node for refusal in refusals}, labels)
            change, plan = smaller, self._planner.plan(smaller, removal)
        raise BadInput("nothing was written: the gate refuses whatever is left of the change set. Look for shapes that exclude each other")

    def _insist(self, report: Report) -> None:
        if report.conformance is Conformance.UNCHECKED:
            raise Misconfigured(f"nothing was written, because the shapes could not be evaluated: {report.reason}")
        if report.conformance is Conformance.VIOLATES:
            first = report.violations[0]
            raise BadInput(f"nothing was written, because the graph would not conform to its shapes: {first.focus.value}: {first.message}")

    def _changes_nothing(self, additions: Sequence[ox.Quad], removals: Sequence[ox.Quad]) -> bool:
        def there(quad: ox.Quad) -> bool:
            subject, object, graph = quad.subject, quad.object, quad.graph_name
            if (
                not isinstance(subject, ox.NamedNode)
                or not isinstance(graph, ox.NamedNode)
                or not isinstance(object, ox.NamedNode | ox.Literal)
            ):
                return False
            return any(True for _ in self._parts.store.quads(subject, quad.predicate, object, graph))

        # A change that brings something, as most do, is settled by its first new quad.
        return all(there(quad) for quad in additions) and not any(there(quad) for quad in set(removals).difference(additions))

    def _rows(self, texts: Iterable[str]) -> dict[str, Vectors]:
        """Text → its vector, from one call: a model is fastest with many."""
        wanted = list(dict.fromkeys(texts))
        return dict(zip(wanted, self._parts.embedder.embed(wanted), strict=True)) if wanted else {}

    def _embed(self, plan: Plan, known: Mapping[str, Vectors]) -> dict[Kind, tuple[list[str], Vectors]]:
        """The vectors of what is planned. `known`: text → its vector, as far as there are any."""
        import numpy as np

        rows = {**known, **self._rows(text for text in _texts(plan) if text not in known)}
        return {kind: (list(texts), np.stack([rows[text] for text in texts.values()])) for kind, texts in plan.texts.items() if texts}

    def _vector_quads(self, vectors: Embedded) -> list[ox.Quad]:
        if not vectors:
            return []
        model = self._parts.embedder.id
        described = rdf.model_quads(model, self._parts.names.agent(model.name, str(model.dimension)), self._parts.layout)
        return [
            *described,
            *(
                rdf.vector_quad(ox.NamedNode(node), encoded, self._parts.layout)
                for nodes, rows in vectors.values()
                for node, encoded in zip(nodes, codec.encode_many(rows), strict=True)
            ),
        ]

    def _reviews(self, refusals: Sequence[Refusal]) -> list[ox.Quad]:
        """What a person can look at later; what only fell with something else is told in the outcome, not recorded."""
        quads: list[ox.Quad] = []
        for refusal in (refusal for refusal in refusals if refusal.violations):
            review = self._parts.names.review(refusal.node.value)
            if any(True for _ in self._parts.store.quads(review, RDF.type, SEMKG.Refusal, self._parts.layout.reviews)):
                continue
            report = self._parts.names.review(refusal.node.value, "report")
            quads += rdf.refusal_quads(refusal, review, report, self._parts.clock.now(), self._parts.layout)
            quads += report_quads(Report(Conformance.VIOLATES, refusal.violations), report, self._parts.layout.reviews)
        return quads


def _texts(plan: Plan) -> Iterator[str]:
    return (text for texts in plan.texts.values() for text in texts.values())


def _nodes(vectors: Embedded) -> Iterator[str]:
    return (node for nodes, _ in vectors.values() for node in nodes)


def _by_candidate(report: Report, labels: dict[ox.NamedNode, str]) -> dict[ox.NamedNode, tuple[Violation, ...]]:
    refused: dict[ox.NamedNode, tuple[Violation, ...]] = {}
    for violation in report.violations:
        if violation.focus in labels:
            refused[violation.focus] = (*refused.get(violation.focus, ()), violation)
    return refused


def _dependents(before: ChangeSet, after: ChangeSet, known: set[ox.NamedNode], labels: dict[ox.NamedNode, str]) -> list[Refusal]:
    fallen = nodes_of(before).keys() - nodes_of(after).keys() - known
    evidence = {piece.iri for piece in before.evidence}
    return [Refusal(node, labels[node], ()) for node in sorted(fallen - evidence, key=str)]
