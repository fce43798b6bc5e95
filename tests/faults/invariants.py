"""What must hold after every fault (DESIGN §6), checked on a folder as a later process finds it."""

from __future__ import annotations

from pathlib import Path

from semkg import KnowledgeGraph
from semkg.model import Conformance

EXPECTED = {"semkg.toml", "store.commits", "store", "index", "cache"}


def broken(folder: Path) -> list[str]:
    """Open the graph as any command would, and list what does not hold: I1 to I6 and I8."""
    acknowledged = int((folder / "store.commits").read_text() or 0) if (folder / "store.commits").exists() else 0
    with KnowledgeGraph.open(folder) as graph:
        found = [f"{finding.invariant} {finding.node} {finding.message}" for finding in graph.doctor().findings]
        report = graph.validate()
        if report.conformance is not Conformance.CONFORMS:
            found.append(f"I4 {report.conformance.value}: {report.reason} {[v.message for v in report.violations[:3]]}")
        if graph.parts.store.generation < acknowledged:
            found.append(f"I6 {acknowledged} commits were acknowledged, {graph.parts.store.generation} are there")
    return found + [f"I8 {path} should not be there" for path in strangers(folder)]


def strangers(folder: Path) -> list[Path]:
    """Files that no graph should leave behind."""
    top = [path for path in folder.iterdir() if path.name not in EXPECTED]
    inside = [
        path
        for path in (folder / "index").rglob("*")
        if path.suffix in (".tmp", ".part") or path.name.endswith(("-journal", "-wal", "-shm"))
    ]
    return top + inside
