"""`semkg search` from the command line: what a result says, what may be found, and refusals that say what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from semkg.cli.main import run
from semkg.retrieve import MODES
from semkg.retrieve.guided import GuidedWalk

RECORDS = [
    ("Quiet Lamp", "Mira Holt built the Quiet Lamp.", [["Mira Holt", "built", "Quiet Lamp"]]),
    ("Mira Holt", "Mira Holt was born in Vale.", [["Mira Holt", "born in", "Vale"]]),
    ("Rain", "It rained on the Old Mill.", [["Rain", "fell on", "Old Mill"]]),
]
QUESTION = "Where was the builder of the Quiet Lamp born?"

Result = dict[str, Any]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMKG_EMBEDDER", "hashing-64")
    for name in ("SEMKG_CHAT_MODEL", "SEMKG_KG", "SEMKG_RERANKER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("searching")
    rows = [
        {"title": title, "text": text, "entities": [label for row in triples for label in row[::2]], "triples": triples}
        for title, text, triples in RECORDS
    ]
    (place / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SEMKG_EMBEDDER", "hashing-64")
        assert run(["build", "--triples", str(place / "rows.json"), "--kg", str(place / "kg"), "--quiet"]) == 0
    return str(place / "kg")


@pytest.fixture
def searched(kg: str, capsys: pytest.CaptureFixture[str]) -> Any:
    def search(*options: str, text: str = QUESTION) -> Result:
        capsys.readouterr()
        code = run(["search", text, "--kg", kg, "--json", *options])
        told = capsys.readouterr()
        assert (code, told.err) == (0, "")
        found: Result = json.loads(told.out)
        return found

    return search


@pytest.mark.parametrize("mode", MODES)
def test_a_result_tells_where_it_stands_and_what_each_stream_says_of_it(searched: Any, mode: str) -> None:
    found = searched("--mode", mode, "--limit", "2")
    assert set(found) == {"results", "notes"}
    assert found["notes"] == []
    assert 1 <= len(found["results"]) <= 2
    texts = {title: text for title, text, _ in RECORDS}
    for result in found["results"]:
        assert set(result) == {"iri", "type", "score", "text", "start", "end", "document", "streams", "path"}
        assert set(result["document"]) == {"iri", "title", "source"}
        assert result["type"] == "Chunk"
        assert texts[result["document"]["title"]][result["start"] : result["end"]] == result["text"]
        for place in result["streams"].values():
            assert set(place) == {"rank", "score"}
            assert place["rank"] >= 1
        assert all(set(step) == {"relation", "label", "iri"} for step in result["path"])


def test_a_path_leads_from_the_question_to_the_passage(searched: Any, kg: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = {result["document"]["title"]: result for result in searched("--set", "pagerank=0")["results"]}
    assert [step["relation"] for step in found["Mira Holt"]["path"]] == ["the question names", "“Quiet Lamp” speaks of"]
    assert found["Mira Holt"]["path"][1]["label"] == "mira holt"
    assert run(["search", QUESTION, "--kg", kg, "--set", "pagerank=0"]) == 0
    assert "because the question names quiet lamp — “Quiet Lamp” speaks of mira holt" in capsys.readouterr().out


def test_nodes_of_a_type_are_found(searched: Any) -> None:
    triplets = searched("--mode", "vector", "--type", "Triplet")["results"]
    assert {result["type"] for result in triplets} == {"Triplet"}
    assert len(triplets) == len(RECORDS)
    labels = {result["text"] for result in searched("--mode", "vector", "--type", "Entity", "--limit", "50")["results"]}
    assert {"Mira Holt", "Quiet Lamp", "Vale"} <= labels


def test_the_document_and_the_run_bound_what_is_found(searched: Any, kg: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert {result["document"]["title"] for result in searched("--document", "Rain")["results"]} == {"Rain"}
    (tmp_path / "runs.rq").write_text("SELECT ?run { ?run a <https://w3id.org/semkg/ns#Run> }", encoding="utf-8")
    assert run(["query", str(tmp_path / "runs.rq"), "--kg", kg, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["results"]["bindings"][0]["run"]["value"]
    assert len(searched("--mode", "vector", "--run", made)["results"]) == len(RECORDS)


def test_a_parameter_changes_the_ranking(searched: Any) -> None:
    plain = searched("--set", "vector=0", "--set", "subject=0", "--set", "reciprocal=true")["results"]
    assert all("vector" not in result["streams"] for result in plain)
    assert plain[0]["score"] <= 2 / 61


def test_a_stream_that_fails_is_told_and_the_others_answer(
    searched: Any, kg: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*given: object) -> None:
        raise RuntimeError("torn")

    monkeypatch.setattr(GuidedWalk, "__call__", fail)
    found = searched()
    assert found["notes"] == ["without the graph stream: it failed (RuntimeError: torn)"]
    assert found["results"]
    assert run(["search", QUESTION, "--kg", kg]) == 0
    told = capsys.readouterr()
    assert "without the graph stream" in told.err
    assert "Quiet Lamp" in told.out


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--type", "Person"), 2, "Chunk, Entity, Triplet, HyperNode"),
        (("--type", "Entity"), 2, "use the mode vector"),
        (("--mode", "magic"), 2, "vector, lexical, kg, fusion, deep"),
        (("--limit", "0"), 2, "limit"),
        (("--document", "Nowhere"), 65, "no document 'Nowhere'"),
        (("--run", "nowhere"), 65, "no IRI"),
        (("--run", "https://example.org/run"), 65, "no run of this graph"),
        (("--set", "speed=1"), 2, "no retrieval parameter 'speed'"),
        (("--set", "pagerank=much"), 2, "pagerank must be a number"),
        (("--set", "pagerank=-1"), 2, "at least 0"),
        (("--set", "pagerank=NaN"), 2, "at least 0"),
        (("--set", "sources=1.5"), 2, "whole number"),
        (("--set", "pagerank"), 2, "NAME=VALUE"),
    ],
)
def test_a_search_that_cannot_be_is_refused(
    kg: str, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], code: int, message: str
) -> None:
    assert run(["search", QUESTION, "--kg", kg, *options]) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert message in told.err


def test_a_reranker_without_its_model_is_a_matter_of_configuration(
    kg: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEMKG_RERANKER", "chat")
    assert run(["search", QUESTION, "--kg", kg]) == 78
    assert "SEMKG_CHAT_MODEL" in capsys.readouterr().err
    assert run(["stats", "--kg", kg]) == 0


def test_every_option_of_the_search_is_in_the_reference() -> None:
    from semkg.cli.asking import search

    section = (Path(__file__).parents[2] / "docs" / "reference.md").read_text(encoding="utf-8").split("## Searching")[1].split("\n## ")[0]
    shared = {"kg", "as_json", "quiet", "text"}
    for parameter in search.params:
        assert parameter.name in shared or f"`{parameter.opts[0]}" in section or parameter.opts[0] == "--mode"
    assert all(f"| `{mode}` |" in section for mode in MODES)
