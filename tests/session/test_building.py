"""Building with the embedded reader: same input, same graph, whatever the order; nothing to do is nothing done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from semkg import KnowledgeGraph
from semkg.ingest import Fields
from semkg.models import HashEmbedder
from tests.faults.collection import records, write

pytestmark = pytest.mark.model

FIELDS = Fields(id="id")
ROWS = records(24, 5)


def graph() -> KnowledgeGraph:
    return KnowledgeGraph.in_memory(embedder=HashEmbedder())


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("documents") / "rows.jsonl", ROWS)


@pytest.fixture(scope="module")
def expected(source: Path) -> str:
    kg = graph()
    kg.build([source], FIELDS)
    return kg.hash()


def test_a_build_reads_every_document_and_the_graph_is_healthy(source: Path) -> None:
    kg = graph()
    report = kg.build([source], FIELDS)
    assert (report.new, report.problems) == (24, [])
    stats = kg.stats()
    assert stats.chunks == {"Verified": 24}
    assert stats.entities > 20
    assert stats.triplets["Asserted"] >= 4 * 24
    assert kg.doctor().healthy


def test_building_twice_changes_nothing(source: Path, expected: str) -> None:
    kg = graph()
    kg.build([source], FIELDS)
    commits = kg.parts.store.generation
    report = kg.build([source], FIELDS)
    assert (report.documents, report.unchanged) == (0, 24)
    assert (kg.parts.store.generation, kg.hash()) == (commits, expected)


@pytest.mark.parametrize("batch", [5, 11])
def test_the_order_and_the_batches_do_not_matter(batch: int, source: Path, expected: str) -> None:
    kg = graph()
    for first in range(0, 24, batch):
        write(source, list(reversed(ROWS))[first : first + batch])
        kg.build([source], FIELDS)
    write(source, ROWS)
    assert kg.hash() == expected


def test_a_document_that_was_deleted_comes_back_the_same(source: Path, expected: str) -> None:
    kg = graph()
    kg.build([source], FIELDS)
    kg.delete(f"{source.as_uri()}#7")
    assert kg.hash() != expected
    kg.build([source], FIELDS)
    assert kg.hash() == expected


def test_a_changed_document_gives_the_graph_of_its_new_version(source: Path) -> None:
    changed = [*ROWS[:3], {**ROWS[3], "text": "Clara Costa was born in Lyon. Clara Costa founded Orion Glass in 1901."}, *ROWS[4:]]
    kg, fresh = graph(), graph()
    kg.build([source], FIELDS)
    write(source, changed)
    report = kg.build([source], FIELDS)
    assert (report.changed, report.unchanged) == (1, 23)
    fresh.build([source], FIELDS)
    write(source, ROWS)
    assert kg.hash() == fresh.hash()


def test_what_an_earlier_build_left_pending_is_read_first(source: Path, expected: str) -> None:
    kg = graph()

    class Stopped(Exception):  # noqa: N818  # stands for a kill, not for an error of ours
        pass

    class StoppingReader:
        def __init__(self) -> None:
            self.agent = kg._reader.agent

        def read_many(self, documents: object) -> object:
            raise Stopped

    with pytest.raises(Stopped):
        kg.build([source], FIELDS, reader=StoppingReader())  # type: ignore[arg-type]  # it never reads anything
    assert set(kg.stats().chunks) == {"BeingRead"}
    report = kg.build([], FIELDS)
    assert report.resumed == 24
    assert kg.hash() == expected


def test_bad_inputs_are_told_one_by_one_while_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Anna Brandt\n\nAnna Brandt was born in Lyon in 1901.\n", encoding="utf-8")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    (tmp_path / "records.jsonl").write_text(json.dumps({"title": "x"}) + "\n{not json\n")
    kg = graph()
    report = kg.build([tmp_path, tmp_path / "missing.txt"])
    assert report.new == 1
    told = {problem.source.rsplit("/", 1)[-1].split("#")[0]: problem for problem in report.problems}
    assert set(told) >= {"empty.txt", "broken.pdf", "missing.txt"}
    assert told["missing.txt"].exit_code == 74
    assert all(problem.message for problem in report.problems)


def test_names_with_accents_and_other_scripts_survive(tmp_path: Path) -> None:
    (tmp_path / "é.md").write_text(
        "# Émile Žák\n\nÉmile Žák was a Czech painter. He was born in Łódź. 東京 is the capital of Japan.\n", encoding="utf-8"
    )
    kg = graph()
    kg.build([tmp_path])
    assert kg.show("Émile Žák").label == kg.show("emile zak").label == "Émile Žák"
    assert kg.doctor().healthy
