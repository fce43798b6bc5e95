"""`semkg build --triples`: another extractor's file into a graph that answers for every statement."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from semkg import KnowledgeGraph
from semkg.cli.main import run
from semkg.config import KgConfig
from semkg.models import HashEmbedder

RECORD = {
    "title": "Mira Holt",
    "text": "Mira Holt was born in Vale.",
    "entities": ["Mira Holt", "Vale"],
    "triples": [["Mira Holt", "born in", "Vale"], ["Mira Holt", ["born"], "Vale"]],
}


@pytest.fixture
def kg(tmp_path: Path) -> Path:
    KnowledgeGraph.open(tmp_path / "kg", create=True, config=KgConfig(embedder="hashing-64"), embedder=HashEmbedder(64)).close()
    return tmp_path / "kg"


@dataclass(frozen=True)
class Done:
    """What a call returned and wrote."""

    code: int
    out: str
    err: str


@pytest.fixture
def build(kg: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    def call(*arguments: str | Path) -> Done:
        code = run(["build", *map(str, arguments), "--kg", str(kg), "--json", "--quiet"])
        return Done(code, *capsys.readouterr())

    return call


def test_triples_are_replayed_and_a_bad_row_is_told(build: Callable[..., Done], tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    file.write_text(json.dumps([RECORD]))
    done = build("--triples", file)
    report = json.loads(done.out)
    assert (report["new"], report["triplets"], len(report["problems"])) == (1, 1, 1)
    assert done.code == 65
    assert "record 1: triple 2 has a list for its relation" in done.err


def test_a_file_without_bad_rows_is_a_success(build: Callable[..., Done], tmp_path: Path) -> None:
    file = tmp_path / "found.jsonl"
    file.write_text(json.dumps({**RECORD, "triples": RECORD["triples"][:1]}))
    assert build("--triples", file).code == 0
    assert json.loads(build("--triples", file).out)["unchanged"] == 1


def test_sources_and_triples_are_two_calls(build: Callable[..., Done], tmp_path: Path) -> None:
    done = build(tmp_path, "--triples", tmp_path / "found.json")
    assert done.code == 2
    assert "make it two" in done.err


def test_a_file_that_is_not_there_is_named(build: Callable[..., Done], tmp_path: Path) -> None:
    done = build("--triples", tmp_path / "none.json")
    assert done.code == 74
    assert "none.json" in done.err
