"""Builds sdist → wheel, installs the wheel in an empty environment outside the checkout, and loads every resource there."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]

LOAD = """
import pathlib, sys
import semkg, semkg.resources as resources
assert pathlib.Path(semkg.__file__).resolve().is_relative_to(sys.prefix), semkg.__file__
import pyoxigraph as ox
from semkg.quality import Shapes
from semkg.sparql import catalogue
loaded = {"ontologies": 0, "shapes": 0, "queries": 0, "prompts": 0}
for kind in ("ontologies", "shapes"):
    for path in resources.files(kind, ".ttl"):
        assert list(ox.parse(path.read_bytes(), ox.RdfFormat.TURTLE)), path
        loaded[kind] += 1
for query in catalogue():
    ox.Store().query(query.text, use_default_graph_as_union=True)
    loaded["queries"] += 1
for path in resources.files("prompts", ".md"):
    assert path.read_text(encoding="utf-8").startswith("---"), path
    loaded["prompts"] += 1
Shapes.packaged()
assert all(loaded.values()), loaded
print("loaded from the installed wheel:", ", ".join(f"{count} {kind}" for kind, count in loaded.items()))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _run([sys.executable, "-m", "build", "--outdir", str(folder / "dist"), str(CHECKOUT)], folder)
        wheel = next((folder / "dist").glob("*.whl"))
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / "bin" / "python"
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "-q", "install", "-c", str(CHECKOUT / "constraints.txt")]
        _run([*pip, str(wheel)], folder)
        _run([str(python), "-c", LOAD], folder)
        _run([str(folder / "env" / "bin" / "semkg"), "--version"], folder)


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"})


if __name__ == "__main__":
    main()
