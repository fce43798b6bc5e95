"""What the SPARQL constraints among the packaged shapes look at, worked out beforehand: `shapes/looks.json`.

Parsing these queries takes half a second, which every process that writes to a graph would spend anew. An entry is found by the sha256 of
its query, so a constraint that was edited is parsed until `make looks` has written the file again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache

import pyoxigraph as ox

from semkg import resources
from semkg.quality.looks import Step

FILE = "looks.json"


def known_steps(select: str) -> tuple[Step, ...] | None:
    """The steps of a constraint's query with its prefixes; None for one that is not in the file."""
    rows = _entries().get(_digest(select))
    return None if rows is None else tuple(_step(*row) for row in rows)


def entries(selects: Iterable[str]) -> dict[str, list[list[object]]]:
    """What the file has to hold for some queries with their prefixes."""
    from semkg.quality.sparql_looks import steps_of

    return {_digest(select): [_row(step) for step in steps_of(select)] for select in sorted(selects, key=_digest)}


@cache
def _entries() -> dict[str, list[tuple[int, list[str], bool, bool, bool]]]:
    found: dict[str, list[tuple[int, list[str], bool, bool, bool]]] = json.loads(resources.read("shapes", FILE))
    return found


def _digest(select: str) -> str:
    return hashlib.sha256(select.encode("utf-8")).hexdigest()


def _row(step: Step) -> list[object]:
    return [step.start, sorted(predicate.value for predicate in step.predicates), step.forward, step.backward, step.repeated]


def _step(start: int, predicates: Iterable[str], forward: bool, backward: bool, repeated: bool) -> Step:
    return Step(start, frozenset(map(ox.NamedNode, predicates)), forward, backward, repeated)


def write() -> None:
    """Write the file anew."""
    from semkg.quality.shapes import Shapes

    found = entries(check.sparql.select for check in Shapes.packaged().checks if check.sparql)
    lines = (f"  {json.dumps(key)}: {json.dumps(rows)}" for key, rows in found.items())
    (resources.folder("shapes") / FILE).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
