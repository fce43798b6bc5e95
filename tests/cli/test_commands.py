"""The command line: every command has help and --json, every failure its message and exit code, and no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from semkg.cli.main import cli
from tests.faults.collection import records, write

ENVIRONMENT = {**os.environ, "SEMKG_EMBEDDER": "hashing-64", "COLUMNS": "120"}
ENVIRONMENT.pop("SEMKG_CHAT_MODEL", None)


def semkg(*arguments: str | Path, given: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "semkg", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, input=given, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def parsed(*arguments: str | Path) -> Any:
    done = semkg(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small graph on disk, made by the command line."""
    place = tmp_path_factory.mktemp("cli")
    source = write(place / "rows.jsonl", records(12, 3))
    done = semkg("build", source, "--id-field", "id", "--kg", place / "kg")
    assert done.returncode == 0, done.stderr
    assert "triplets" in done.stdout
    return place / "kg"


def commands(group: click.Group, prefix: str = "") -> dict[str, click.Command]:
    """Every command by its full name; a group stands for the commands in it."""
    found: dict[str, click.Command] = {}
    for name, command in group.commands.items():
        found |= commands(command, f"{prefix}{name} ") if isinstance(command, click.Group) else {prefix + name: command}
    return found


COMMANDS = commands(cli)
ON_FILES_ALONE = {"evaluate compare", "evaluate plot"}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_documented(name: str) -> None:
    command = COMMANDS[name]
    assert command.help
    options = {option for parameter in command.params for option in parameter.opts}
    assert {"--json", "--quiet"} <= options
    assert ("--kg" in options) is (name not in ON_FILES_ALONE)
    undocumented = [p.name for p in command.params if isinstance(p, click.Option) and not p.help]
    assert undocumented == []
    reference = (Path(__file__).parents[2] / "docs" / "reference.md").read_text(encoding="utf-8")
    assert f"semkg {name}" in reference


def test_help_loads_nothing_heavy() -> None:
    script = "import sys; from semkg.cli.main import run; run(['--help']); print(','.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    for heavy in ("torch", "spacy", "sentence_transformers", "openai", "pyshacl", "rdflib", "usearch", "numpy", "markitdown", "rich"):
        assert heavy not in loaded.splitlines()[-1].split(",")


@pytest.mark.model
class TestOnAGraph:
    def test_stats_count(self, kg: Path) -> None:
        assert parsed("stats", "--kg", kg)["documents"] == 12
        assert len(parsed("stats", "--documents", "--kg", kg)["documents"]) == 12

    def test_a_graph_that_conforms_is_valid_and_healthy(self, kg: Path) -> None:
        assert parsed("validate", "--kg", kg)["conformance"] == "conforms"
        assert parsed("doctor", "--kg", kg)["healthy"] is True

    def test_search_has_the_promised_form(self, kg: Path) -> None:
        for mode in ("vector", "lexical", "kg", "fusion"):
            results = parsed("search", "Orion Glass", "--mode", mode, "--limit", "3", "--kg", kg)["results"]
            assert 0 < len(results) <= 3
            assert {"iri", "type", "score", "text", "document", "streams", "path"} <= set(results[0])
            assert {"iri", "title", "source"} == set(results[0]["document"])

    def test_an_answer_has_the_promised_form_and_cites_the_store(self, kg: Path) -> None:
        person = next(row["title"] for row in records(12, 3) if row["title"] in row["text"][:60])
        answer = parsed("ask", f"Where was {person} born?", "--kg", kg)
        assert answer["known"] is True
        assert answer["answer"]
        for citation in answer["citations"]:
            assert {"document", "chunk", "start", "end", "quote"} <= set(citation)
            query = f"SELECT ?t {{ <{citation['chunk']}> <https://w3id.org/semkg/ns#text> ?t }}"
            found = json.loads(semkg("query", "-", "--json", "--kg", kg, given=query).stdout)
            text = found["results"]["bindings"][0]["t"]["value"]
            assert text[citation["start"] : citation["end"]] == citation["quote"]

    def test_what_the_graph_does_not_hold_is_not_known(self, kg: Path) -> None:
        answer = parsed("ask", "Which river flows through Ulan Bator?", "--kg", kg)
        assert answer["known"] is False
        assert answer["answer"] == ""

    def test_why_leads_from_the_fact_to_the_words(self, kg: Path) -> None:
        statements = parsed("why", "Orion Glass", "--kg", kg)["statements"]
        origin = statements[0]["origins"][0]
        assert origin["text"][origin["start"] : origin["end"]] == origin["exact"]
        assert origin["source"].startswith("file://")
        assert origin["agent"]
        told = semkg("why", statements[0]["triplet"], "--kg", kg).stdout
        for word in ("triplet", "evidence", "chunk", "document", "activity", "agent"):
            assert word in told

    def test_show_tells_what_is_said_about_an_entity(self, kg: Path) -> None:
        card = parsed("show", "orion glass", "--kg", kg)
        assert card["label"] == "Orion Glass"
        assert card["statements"]
        told = semkg("show", "orion glass", "--kg", kg).stderr
        assert f"mentioned in {card['mentions']} chunk" in told

    @pytest.mark.parametrize("format", ["trig", "nquads", "jsonld"])
    def test_exporting_and_importing_gives_the_same_hash(self, kg: Path, format: str, tmp_path: Path) -> None:
        from semkg import KnowledgeGraph

        file = tmp_path / f"graph.{format}"
        assert semkg("export", "--format", format, "-o", file, "--kg", kg).returncode == 0
        copy = tmp_path / "copy"
        assert parsed("import", file, "--format", format, "--kg", _empty(copy))["restored"] is True
        with KnowledgeGraph.open(kg, read_only=True) as one, KnowledgeGraph.open(copy) as other:
            assert one.hash() == other.hash()
            assert other.doctor().healthy

    @pytest.mark.parametrize("format", ["turtle", "rdfxml"])
    def test_a_format_without_named_graphs_comes_back_whole_too(self, kg: Path, format: str, tmp_path: Path) -> None:
        from semkg import KnowledgeGraph

        file = tmp_path / "graph"
        assert semkg("export", "--format", format, "-o", file, "--kg", kg).returncode == 0
        copy = tmp_path / "copy"
        assert semkg("import", file, "--format", format, "--kg", _empty(copy)).returncode == 0
        with KnowledgeGraph.open(kg, read_only=True) as one, KnowledgeGraph.open(copy) as other:
            assert one.hash() == other.hash()

    def test_provenance_is_exported_in_both_prov_formats(self, kg: Path) -> None:
        assert semkg("export", "--format", "provn", "--kg", kg).stdout.startswith("document")
        assert "activity" in json.loads(semkg("export", "--format", "provjson", "--kg", kg).stdout)

    def test_other_peoples_triples_pass_the_gate_and_have_evidence(self, kg: Path, tmp_path: Path) -> None:
        file = tmp_path / "foreign.ttl"
        file.write_text(
            "@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
            "ex:ada rdfs:label 'Ada Lovelace' ; a ex:Person ; ex:workedWith ex:charles ; ex:born 1815 .\n"
            "ex:charles rdfs:label 'Charles Babbage' ; ex:knows ex:charles .\n",
            encoding="utf-8",
        )
        copy = _empty(tmp_path / "foreign")
        done = semkg("import", file, "--kg", copy, "--json")
        report = json.loads(done.stdout)
        assert done.returncode == 65, "the self-loop is refused"
        assert report["triplets"] == 2
        assert "Charles Babbage" in {s["object_label"] for s in parsed("why", "Ada Lovelace", "--kg", copy)["statements"]}
        assert parsed("doctor", "--kg", copy)["healthy"] is True

    def test_a_document_can_be_deleted_by_its_title(self, kg: Path, tmp_path: Path) -> None:
        copy = _empty(tmp_path / "deletion")
        assert semkg("build", "-", "--kg", copy, given="Anna Brandt was born in Lyon.").returncode == 0
        row = parsed("stats", "--documents", "--kg", copy)["documents"][0]
        receipt = parsed("delete", row["iri"], "--kg", copy)
        assert receipt["removed"]["documents"] == 1
        assert receipt["hash_before"] != receipt["hash_after"]
        assert parsed("stats", "--kg", copy)["entities"] == 0

    def test_another_embedding_model_is_a_command(self, kg: Path, tmp_path: Path) -> None:
        copy = _empty(tmp_path / "reembedded")
        semkg("build", "-", "--kg", copy, given="Anna Brandt was born in Lyon. Anna Brandt founded Orion Glass.")
        nodes = parsed("reembed", "hashing-128", "--kg", copy)["nodes"]
        assert nodes > 3
        assert parsed("doctor", "--kg", copy)["healthy"] is True
        assert parsed("search", "Lyon", "--kg", copy)["results"]


def _empty(folder: Path) -> Path:
    done = semkg("init", "--kg", folder)
    assert done.returncode == 0, done.stderr
    return folder


class TestFailures:
    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            (("stats",), 78, "holds no knowledge graph"),
            (("ask", "Who?"), 78, "semkg init"),
            (("build",), 2, "Missing argument"),
            (("nonsense",), 2, "No such command"),
            (("init", "--chunk-size", "50", "--chunk-overlap", "60"), 78, "chunk_overlap"),
            (("init", "--dataset", "no spaces"), 78, "cannot be part of an IRI"),
            (("reembed",), 2, "Missing argument"),
        ],
    )
    def test_without_a_graph(self, arguments: tuple[str, ...], code: int, message: str, tmp_path: Path) -> None:
        done = semkg(*arguments, "--kg", tmp_path / "none") if arguments[0] != "nonsense" else semkg(*arguments)
        assert (done.returncode, done.stdout) == (code, "")
        assert message in done.stderr

    @pytest.fixture(scope="class")
    def empty(self, tmp_path_factory: pytest.TempPathFactory) -> Path:
        return _empty(tmp_path_factory.mktemp("empty") / "kg")

    @pytest.mark.parametrize(
        ("arguments", "given", "code", "message"),
        [
            (("ask", "  "), None, 2, "empty"),
            (("ask", "Who?", "--mode", "magic"), None, 2, "no mode"),
            (("show", "Nobody"), None, 65, "no entity"),
            (("why", "Nobody"), None, 65, "no entity"),
            (("delete", "nothing"), None, 65, "no document"),
            (("merge", "a", "b"), None, 65, "no entity"),
            (("unmerge", "a"), None, 65, "no entity"),
            (("query", "-"), "SELECT nonsense", 65, "does not parse"),
            (("query", "-"), "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", 65, "another server"),
            (("query", "-"), "DELETE WHERE { ?s ?p ?o }", 65, "does not parse"),
            (("export", "--graph", "nowhere"), None, 2, "no graph"),
            (("build", "nowhere.txt"), None, 74, "nowhere.txt"),
            (("init",), None, 2, "already"),
        ],
    )
    def test_on_an_empty_graph(self, empty: Path, arguments: tuple[str, ...], given: str | None, code: int, message: str) -> None:
        done = semkg(*arguments, "--kg", empty, given=given)
        assert done.returncode == code, done.stderr
        assert message in done.stderr

    def test_a_folder_of_something_else_is_not_taken(self, tmp_path: Path) -> None:
        (tmp_path / "letter.txt").write_text("dear")
        done = semkg("init", "--kg", tmp_path)
        assert done.returncode == 2
        assert "not empty" in done.stderr

    def test_a_configuration_that_cannot_be_read_is_named(self, tmp_path: Path) -> None:
        folder = _empty(tmp_path / "kg")
        (folder / "semkg.toml").write_text("dataset = [")
        done = semkg("stats", "--kg", folder)
        assert done.returncode == 78
        assert "semkg.toml" in done.stderr

    def test_a_graph_that_another_process_writes_is_locked(self, tmp_path: Path) -> None:
        from semkg import KnowledgeGraph

        folder = _empty(tmp_path / "kg")
        with KnowledgeGraph.open(folder):
            done = semkg("build", "-", "--kg", folder, given="Text.")
        assert done.returncode == 75
        assert "another process" in done.stderr

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_folder_that_may_not_be_written_is_a_matter_of_permission(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o500)
        assert semkg("init", "--kg", tmp_path / "kg").returncode == 77
