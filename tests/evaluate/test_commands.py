"""`semkg evaluate` from the command line: tables, files, and refusals that say what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from semkg.cli.main import run
from semkg.retrieve import Results
from semkg.session import KnowledgeGraph
from tests.evaluate.worlds import GIVEN, passages, questions, written


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMKG_EMBEDDER", "hashing-64")
    monkeypatch.setenv("COLUMNS", "140")
    for name in ("SEMKG_CHAT_MODEL", "SEMKG_KG", "SEMKG_DATA"):
        monkeypatch.delenv(name, raising=False)


def arguments(kind: str, files: tuple[Path, Path], kg: Path) -> list[str]:
    return ["evaluate", kind, "--corpus", str(files[0]), "--questions", str(files[1]), "--kg", str(kg)]


def test_a_graph_is_built_measured_recorded_and_drawn(files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, image = tmp_path / "run.json", tmp_path / "run.png"
    code = run([*arguments("openie", files, tmp_path / "kg"), "--mode", "kg", "--record", "--json", str(out), "--plot", str(image)])
    told = capsys.readouterr()
    assert code == 0, told.err
    assert "fjords: 5 questions" in told.out
    assert "recall@5" in told.out
    form = json.loads(out.read_text())
    assert {"metrics", "latency_ms", "settings", "per_question", "dataset", "versions", "seed", "machine"} <= form.keys()
    assert {"recall@2", "recall@5", "recall@10", "ndcg@5", "ndcg@10", "mrr"} <= form["metrics"].keys()
    assert (form["mode"], form["settings"]["mode"], len(form["per_question"])) == ("kg", "kg", 5)
    assert image.read_bytes().startswith(b"\x89PNG")
    assert run(["validate", "--kg", str(tmp_path / "kg")]) == 0
    assert "conforms" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith((".tmp", ".part"))] == []


def test_several_modes_are_one_table_and_one_file(files: tuple[Path, Path], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*arguments("multihop", files, folder), "--mode", "vector", "--mode", "lexical", "--json", "-"]) == 0
    form = json.loads(capsys.readouterr().out)
    assert [one["mode"] for one in form["runs"]] == ["vector", "lexical"]


def test_two_runs_are_compared(files: tuple[Path, Path], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "runs.json"
    assert run([*arguments("multihop", files, folder), "--mode", "vector", "--mode", "kg", "--json", str(out), "--quiet"]) == 0
    capsys.readouterr()
    compared = ["evaluate", "compare", f"{out}#vector", f"{out}#kg", "--metric", "recall@2", "--samples", "500"]
    assert run([*compared, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["metric"], found["questions"], found["samples"]) == ("recall@2", 5, 500)
    assert found["low"] <= found["difference"] <= found["high"]
    assert run(compared) == 0
    assert "95 % interval" in capsys.readouterr().out


def test_kept_runs_are_drawn(files: tuple[Path, Path], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*arguments("multihop", files, folder), "--json", str(tmp_path / "run.json")]) == 0
    capsys.readouterr()
    assert run(["evaluate", "plot", str(tmp_path / "run.json"), "--out", str(tmp_path / "run.pdf"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"] == 1
    assert (tmp_path / "run.pdf").read_bytes().startswith(b"%PDF-")


def test_answers_are_measured(files: tuple[Path, Path], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "answers", "--questions", str(files[1]), "--kg", str(folder), "--limit", "3", "--json", "-"]) == 0
    form = json.loads(capsys.readouterr().out)
    assert {"exact_match", "contained_match", "f1"} <= form["metrics"].keys()
    assert form["settings"]["limit"] == 3


def test_a_known_dataset_is_found_in_the_data_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "multihop"
    place.mkdir()
    written(place / "musique.corpus.json", passages())
    written(place / "musique.questions.json", questions())
    monkeypatch.setenv("SEMKG_DATA", str(tmp_path))
    assert run(["evaluate", "multihop", "--dataset", "musique", "--kg", str(folder)]) == 0
    assert "musique: 5 questions" in capsys.readouterr().out
    assert run(["evaluate", "multihop", "--dataset", "hotpotqa", "--kg", str(folder)]) == 78
    assert "SEMKG_DATA" in capsys.readouterr().err


def test_parameters_of_retrieval_are_numbers_truth_values_or_texts(
    files: tuple[Path, Path], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heard: list[object] = []

    def search(graph: KnowledgeGraph, text: str, mode: str, limit: int, settings: object = None) -> Results:
        heard.append(settings)
        return Results(())

    monkeypatch.setattr(KnowledgeGraph, "search", search)
    chosen = [part for text in ("damping=0.4", "reciprocal=true", "rank_constant=30", "order=by rank") for part in ("--set", text)]
    assert run([*arguments("multihop", files, folder), *chosen, "--json", "-"]) == 0
    wanted = {"damping": 0.4, "reciprocal": True, "rank_constant": 30, "order": "by rank"}
    assert heard == [wanted] * 6
    assert wanted.items() <= json.loads(capsys.readouterr().out)["settings"].items()


@pytest.mark.parametrize(
    ("changed", "code", "message"),
    [
        (["--mode", "magic"], 2, "no mode"),
        (["--json", "nowhere/run.json"], 2, "its folder does not exist"),
        (["--plot", "run.txt"], 2, "png, pdf, svg"),
        (["--set", "damping"], 2, "NAME=VALUE"),
        (["--dataset", "musique"], 2, "--dataset alone"),
        (["--corpus", "nowhere.json"], 2, "does not exist"),
    ],
)
def test_a_wrong_call_is_told(
    changed: list[str], code: int, message: str, files: tuple[Path, Path], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments("multihop", files, folder), *changed]) == code
    told = capsys.readouterr()
    assert message in told.err
    assert told.out == ""


def test_damaged_questions_are_bad_input(
    files: tuple[Path, Path], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text(files[1].read_text()[:200])
    assert run([*arguments("multihop", (files[0], broken), folder)]) == 65
    assert "broken.json" in capsys.readouterr().err


def test_an_interrupted_run_leaves_the_old_file_whole(
    files: tuple[Path, Path], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run.json"
    assert run([*arguments("multihop", files, folder), "--mode", "vector", "--json", str(out)]) == 0
    before = out.read_bytes()
    search = KnowledgeGraph.search
    asked: list[str] = []

    def stopped(graph: KnowledgeGraph, text: str, *rest: Any, **named: Any) -> Results:
        asked.append(text)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return search(graph, text, *rest, **named)

    monkeypatch.setattr(KnowledgeGraph, "search", stopped)
    assert run([*arguments("multihop", files, folder), "--mode", "vector", "--json", str(out)]) == 75
    assert "stopped" in capsys.readouterr().err
    assert out.read_bytes() == before
    assert list(tmp_path.iterdir()) == [out]
    monkeypatch.undo()
    with KnowledgeGraph.open(folder, given=GIVEN) as graph:
        assert graph.stats().documents == 15
