"""Kills builds at random moments and checks what is left.

    python -m tests.faults.kill_builds --kills 100 --seed 1

Each round starts `semkg build`, kills it with SIGKILL at a random moment after its first commit, and opens the graph again: I1 to I6 and
I8 of DESIGN §6 must hold. A build that got through is compared with an undisturbed one by canonical hash (I7), and a new one begins.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from semkg import KnowledgeGraph
from tests.faults.collection import records, write
from tests.faults.invariants import broken

ENVIRONMENT = {**os.environ, "SEMKG_EMBEDDER": "hashing-64"}
"""The embedder without a model: what is killed here is the writing, and a process that starts quickly is killed more often."""


@dataclass(slots=True)
class Tally:
    """What a run of kills came to."""

    kills: int = 0
    finished: int = 0
    before_first_commit: int = 0


def run(kills: int, seed: int, documents: int, place: Path) -> Tally:
    """Kill builds `kills` times.

    Raises:
        AssertionError: something that must hold did not.
    """
    chosen = random.Random(seed)
    source = write(place / "documents.jsonl", records(documents, seed))
    expected, seconds = _undisturbed(source, place / "undisturbed")
    tally, number = Tally(), 0
    while tally.kills < kills:
        folder = place / f"kg{number}"
        number += 1
        while tally.kills < kills and not _killed_build(source, folder, chosen.uniform(0, seconds), tally):
            left = broken(folder) if (folder / "semkg.toml").exists() else []
            assert not left, f"after kill {tally.kills}: {left}"
        if tally.kills < kills:
            assert _hash(folder) == expected, "the finished graph differs from an undisturbed build"
            tally.finished += 1
    # Whatever the last kill left is built to its end too.
    subprocess.run(command(source, folder), check=True, capture_output=True, env=ENVIRONMENT)
    assert not broken(folder)
    assert _hash(folder) == expected, "the finished graph differs from an undisturbed build"
    tally.finished += 1
    return tally


def _undisturbed(source: Path, folder: Path) -> tuple[str, float]:
    """The hash of a build that nothing disturbs, and how long it takes after its first commit."""
    process = subprocess.Popen(command(source, folder), stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    _first_commit(process, folder)
    begun = time.monotonic()
    assert process.wait() == 0
    return _hash(folder), time.monotonic() - begun


def _killed_build(source: Path, folder: Path, delay: float, tally: Tally) -> bool:
    """Start a build and kill it `delay` seconds after its first commit; True where it was done before."""
    before = _commits(folder)
    process = subprocess.Popen(command(source, folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT)
    if _first_commit(process, folder, before):
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
    _, told = process.communicate()
    if process.returncode == 0:
        return True
    assert process.returncode == -signal.SIGKILL, told.decode()
    tally.kills += 1
    return False


def _first_commit(process: subprocess.Popen[bytes], folder: Path, before: int = 0) -> bool:
    while process.poll() is None:
        if _commits(folder) > before:
            return True
        time.sleep(0.005)
    return False


def _commits(folder: Path) -> int:
    path = folder / "store.commits"
    return int(path.read_text() or 0) if path.exists() else 0


def command(source: Path, folder: Path) -> list[str]:
    """The build that is killed."""
    return [sys.executable, "-m", "semkg", "build", str(source), "--id-field", "id", "--kg", str(folder), "--quiet"]


def _hash(folder: Path) -> str:
    with KnowledgeGraph.open(folder, read_only=True) as graph:
        return graph.hash()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--documents", type=int, default=300)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        tally = run(given.kills, given.seed, given.documents, Path(place))
    print(f"{tally.kills} kills, {tally.finished} builds came to the same canonical hash, every invariant held after each")


if __name__ == "__main__":
    main()
