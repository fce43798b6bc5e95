"""How long personalised PageRank takes on a graph of a million edges.

    python benchmarks/pagerank.py [--edges 1000000] [--questions 50] [--seed 0] [--json FILE]

The graph is random, with degrees that follow a power law: entities that few or many passages mention, triplets between entities, and
passages that speak of what others are about. Measured are building the transition matrix and, for questions that start from 20 passages and
10 entities each, 10 and 20 iterations; and whether the median stays below 200 ms.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from latency import resident_mb

from semkg.evaluate.environment import machine, versions
from semkg.evaluate.latency import percentile
from semkg.retrieve.adjacency import NONE, Adjacency, incidence
from semkg.retrieve.pagerank import personalised_pagerank, transition
from semkg.retrieve.tuning import DEFAULT

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Numbers = NDArray[np.int32]

LIMIT_MS = 200.0
ITERATIONS = (10, 20)

MENTIONS, TRIPLETS, SPOKEN = 0.6, 0.2, 0.15
"""Shares of the edges; the rest leads from names to the passages about what bears them, one each."""

EDGES_PER_PASSAGE = 20
ENTITIES_PER_PASSAGE = 5
EXPONENT = 0.75
"""Of the power law: the weight of the n-th node is n to the minus this."""

PASSAGE_SEEDS, ENTITY_SEEDS = 20, 10


def drawn(rng: np.random.Generator, size: int, count: int) -> Numbers:
    """Numbers below `size`, the low ones often."""
    weights = np.arange(1, size + 1, dtype=np.float64) ** -EXPONENT
    return rng.choice(size, count, p=weights / weights.sum()).astype(np.int32)


def matrix(rng: np.random.Generator, shape: tuple[int, int], edges: int, even_rows: bool) -> csr_array:
    """A random matrix of exactly so many ones; `even_rows`: the power law holds for the columns alone."""
    surplus = 2 * edges
    rows = rng.integers(0, shape[0], surplus, dtype=np.int32) if even_rows else drawn(rng, shape[0], surplus)
    columns = drawn(rng, shape[1], surplus) if even_rows else rng.integers(0, shape[1], surplus, dtype=np.int32)
    pairs = np.unique(np.stack([rows, columns]), axis=1)
    kept = rng.permutation(pairs.shape[1])[:edges]
    return incidence(pairs[0, kept], pairs[1, kept], shape)


def graph(edges: int, seed: int) -> Adjacency:
    """A random adjacency with so many edges to walk on."""
    rng = np.random.default_rng(seed)
    passages = edges // EDGES_PER_PASSAGE
    entities, triplets, spoken = passages * ENTITIES_PER_PASSAGE, int(TRIPLETS * edges), int(SPOKEN * edges)
    every = np.arange(passages, dtype=np.int32)
    about = incidence(every, every, (passages, passages))
    mentions = matrix(rng, (entities, passages), edges - triplets - spoken - passages, even_rows=False)
    speaks = matrix(rng, (passages, passages), spoken, even_rows=True)
    return Adjacency(
        generation=1,
        passages=names("passage", passages),
        entities=names("entity", entities),
        triplets=names("triplet", triplets),
        names=names("name", passages),
        merged=(),
        found=speaks,
        about=about,
        speaks=speaks,
        mentions=mentions,
        words=np.zeros(0, np.uint32),
        word_starts=np.zeros(passages + 1, np.int64),
        name_of=np.full(entities, NONE, np.int32),
        subject_of=drawn(rng, entities, triplets),
        object_of=drawn(rng, entities, triplets),
        passage_of=rng.integers(0, passages, triplets, dtype=np.int32),
    )


def names(kind: str, count: int) -> tuple[str, ...]:
    return tuple(f"urn:{kind}:{number:08d}" for number in range(count))


def question(rng: np.random.Generator, adjacency: Adjacency) -> NDArray[np.float32]:
    """Where a random question starts, shape (entities + passages,)."""
    entities = len(adjacency.entities)
    reset = np.zeros(entities + len(adjacency.passages), np.float32)
    reset[entities + rng.integers(0, len(adjacency.passages), PASSAGE_SEEDS)] = rng.random(PASSAGE_SEEDS, np.float32)
    reset[rng.integers(0, entities, ENTITY_SEEDS)] = rng.random(ENTITY_SEEDS, np.float32)
    return reset


def times(matrix: csr_array, resets: list[NDArray[np.float32]], iterations: int) -> dict[str, float | bool]:
    """Milliseconds a question."""
    found = []
    for reset in resets:
        begun = time.perf_counter()
        personalised_pagerank(matrix, reset, DEFAULT.damping, iterations)
        found.append(1000 * (time.perf_counter() - begun))
    median = statistics.median(found)
    return {"median_ms": round(median, 2), "p99_ms": round(percentile(found, 0.99), 2), "within_limit": median <= LIMIT_MS}


def measure(edges: int, questions: int, seed: int) -> dict[str, object]:
    """Build the graph and its matrix, and ask."""
    adjacency = graph(edges, seed)
    before, begun = resident_mb(), time.perf_counter()
    moves = transition(adjacency)
    seconds = time.perf_counter() - begun
    rng = np.random.default_rng(seed + 1)
    resets = [question(rng, adjacency) for _ in range(questions)]
    personalised_pagerank(moves, resets[0], DEFAULT.damping, 1)
    return {
        "edges": adjacency.edges,
        "passages": len(adjacency.passages),
        "entities": len(adjacency.entities),
        "largest_degree": int(np.diff(adjacency.mentions.indptr).max()),
        "questions": questions,
        "transition_seconds": round(seconds, 2),
        "transition_matrix_mb": round((moves.data.nbytes + moves.indices.nbytes + moves.indptr.nbytes) / 2**20, 1),
        "memory_grown_mb": round(resident_mb() - before, 1),
        "limit_ms": LIMIT_MS,
        "iterations": {str(count): times(moves, resets, count) for count in ITERATIONS},
        "seed": seed,
        "versions": versions(),
        "machine": asdict(machine()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    result = measure(given.edges, given.questions, given.seed)
    print(json.dumps(result, indent=2))
    if given.json:
        given.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
