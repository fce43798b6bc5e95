"""How long the gate takes on a graph of 20,000 entities, in memory and on disk (median and p95 of warm calls).

python benchmarks/gate.py [--entities 20000] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyoxigraph as ox

from semkg.graph import rdf
from semkg.graph.layout import Layout
from semkg.ids import Names
from semkg.model import Activity, Agent, Chunk, Conformance, Document, Entity, Evidence, Mention, SchemaTerm, TermKind, Triplet
from semkg.quality import Gate, Shapes, validate
from semkg.store import OxigraphStore
from semkg.vocab import SEMKG

NAMES = Names()
LAYOUT = Layout.of(NAMES)
PERSON = NAMES.schema("Person")
KNOWS = NAMES.schema("knows")
AGENT = Agent(NAMES.agent("bench", "1"), "bench 1")
START = datetime(2026, 1, 1, tzinfo=UTC)

LIMITS = {"ten new entities, each": 1.0, "one new entity": 3.0, "one violation": 5.0}
"""Milliseconds that the median must not pass."""


@dataclass(frozen=True, slots=True)
class Measured:
    store: str
    what: str
    nodes: int
    median_ms: float
    p95_ms: float


def schema() -> Iterator[ox.Quad]:
    yield from rdf.schema_quads(SchemaTerm(PERSON, TermKind.CLASS, "Person"), LAYOUT)
    yield from rdf.schema_quads(SchemaTerm(KNOWS, TermKind.OBJECT_PROPERTY, "knows", "KNOWS", PERSON, PERSON), LAYOUT)
    yield from rdf.agent_quads(AGENT, LAYOUT)


def document(number: int, entities: int, triplets: int) -> list[ox.Quad]:
    """A document with one chunk, new entities, triplets between them, and a piece of evidence for each entity and each triplet."""
    names = [f"Person {number}-{i}" for i in range(entities)]
    text = " ".join(f"{name} knows somebody." for name in names)
    iri = NAMES.document(f"bench:{number}")
    chunk = Chunk(NAMES.chunk(iri, 0, len(text), text), iri, text, 0, len(text), 0)
    reading = Activity(NAMES.activity("reading", str(number)), SEMKG.Reading, AGENT.iri, START, START, (iri,))
    quads = [*rdf.document_quads(Document(iri, f"bench:{number}", f"Document {number}", "text/plain", "en", "0" * 64), LAYOUT)]
    quads += [*rdf.chunk_quads(chunk, LAYOUT), *rdf.activity_quads(reading, LAYOUT)]
    found = [Entity(NAMES.entity(name, PERSON), name, PERSON, 0.9) for name in names]
    for entity in found:
        start = text.index(entity.label)
        quote = Evidence(
            NAMES.evidence(chunk.iri, start, start + len(entity.label)), chunk.iri, start, start + len(entity.label), entity.label
        )
        quads += [*rdf.entity_quads(entity, LAYOUT), *rdf.evidence_quads(quote, LAYOUT)]
        quads += rdf.mention_quads(Mention(entity.iri, quote.iri), chunk.iri, LAYOUT)
    for i in range(triplets):
        quads += statement(found[i % entities], found[(i + 1) % entities], chunk, reading, i)
    return quads


def statement(subject: Entity, object: Entity, chunk: Chunk, reading: Activity, number: int) -> Iterator[ox.Quad]:
    end = len(chunk.text) - number
    quote = Evidence(NAMES.evidence(chunk.iri, 0, end), chunk.iri, 0, end, chunk.text[:end])
    iri = NAMES.triplet(subject.iri, KNOWS, object.iri, chunk.iri)
    triplet = Triplet(iri, subject.iri, KNOWS, object.iri, chunk.iri, (quote.iri,), 0.8, activity=reading.iri)
    yield from (*rdf.evidence_quads(quote, LAYOUT), *rdf.triplet_quads(triplet, LAYOUT))
    yield ox.Quad(subject.iri, KNOWS, object.iri, LAYOUT.facts)


def fill(store: OxigraphStore, entities: int) -> None:
    quads = [*schema()]
    for number in range(entities // 8):
        quads += document(number, 8, 6)
    store.load(quads)


def entity_quads(chunk: ox.NamedNode, *labels: str) -> list[ox.Quad]:
    quads: list[ox.Quad] = []
    for label in labels:
        entity = Entity(NAMES.entity(label, PERSON), label, PERSON, 0.9)
        quads += [*rdf.entity_quads(entity, LAYOUT), rdf.mentioned_quad(entity.iri, chunk, LAYOUT)]
    return quads


def timed(action: Callable[[int], Conformance], expected: Conformance, rounds: int) -> tuple[float, float]:
    """Median and 95th percentile in milliseconds, after three calls to warm up."""
    times = []
    for number in range(rounds + 3):
        before = time.perf_counter()
        found = action(number)
        times.append((time.perf_counter() - before) * 1000)
        assert found is expected, f"expected that the change {expected.value}, found that it {found.value}"
    warm = sorted(times[3:])
    return statistics.median(warm), warm[int(len(warm) * 0.95)]


def measure(name: str, store: OxigraphStore, entities: int, rounds: int) -> Iterator[Measured]:
    gate = Gate(Shapes.packaged())
    chunks = [quad.subject for quad in store.quads(None, SEMKG.structure, None, LAYOUT.corpus)]
    chunk = next(node for node in chunks if isinstance(node, ox.NamedNode))

    def check(quads: Sequence[ox.Quad]) -> Conformance:
        return gate.check(quads, (), store).conformance

    prepared = {
        "one new entity": ([entity_quads(chunk, f"Grace Hopper {i}") for i in range(rounds + 3)], 1, Conformance.CONFORMS),
        "ten new entities, each": (
            [entity_quads(chunk, *(f"Ada Lovelace {i}-{j}" for j in range(10))) for i in range(rounds + 3)],
            10,
            Conformance.CONFORMS,
        ),
        "one violation": ([entity_quads(chunk, f"{i}. Introduction") for i in range(rounds + 3)], 1, Conformance.VIOLATES),
    }
    for what, (changes, nodes, expected) in prepared.items():
        median, p95 = timed(lambda number, changes=changes: check(changes[number]), expected, rounds)  # type: ignore[misc]
        yield Measured(name, what, nodes, median / nodes, p95 / nodes)
    batch = [[quad for i in range(64) for quad in document(10_000_000 + 64 * n + i, 8, 6)] for n in range(8)]
    nodes = 64 * (8 + 6 + 14 + 3)
    median, p95 = timed(lambda number: check(batch[number]), Conformance.CONFORMS, 5)
    yield Measured(name, f"64 documents ({nodes} nodes), each node", nodes, median / nodes, p95 / nodes)
    before = time.perf_counter()
    report = validate(store, Shapes.packaged(), LAYOUT.validated)
    took = (time.perf_counter() - before) * 1000
    assert report.conformance is Conformance.CONFORMS, report
    yield Measured(name, f"full validation of {entities} entities", entities, took, took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--entities", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    found: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, store in (("memory", OxigraphStore.in_memory()), ("disk", OxigraphStore.open(Path(folder) / "store"))):
            fill(store, options.entities)
            for measured in measure(name, store, options.entities, options.rounds):
                limit = LIMITS.get(measured.what)
                verdict = "" if limit is None else f"   at most {limit}: {'yes' if measured.median_ms <= limit else 'NO'}"
                print(f"{measured.store:7} {measured.what:40} median {measured.median_ms:8.3f} ms   p95 {measured.p95_ms:8.3f} ms{verdict}")
                found.append(measured)
            store.close()
    if options.json:
        options.json.write_text(json.dumps([asdict(one) for one in found], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
