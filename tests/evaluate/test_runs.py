"""Runs over a real graph: what is measured, that gold stays outside, and how a run is kept, compared, drawn and recorded."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from semkg.errors import BadInput, UsageError
from semkg.evaluate.answering import evaluate_answers
from semkg.evaluate.comparison import compare, paired_bootstrap
from semkg.evaluate.datasets import Dataset
from semkg.evaluate.graphs import graph_over
from semkg.evaluate.plots import labels, plot
from semkg.evaluate.recording import record
from semkg.evaluate.retrieval import evaluate_retrieval, ranked
from semkg.evaluate.runs import Plan, Run, as_json, read_run, read_runs, write_runs
from semkg.model import Conformance
from semkg.retrieve import Results
from semkg.session import KnowledgeGraph
from tests.evaluate.worlds import GIVEN


@pytest.fixture
def run(graph: KnowledgeGraph, dataset: Dataset) -> Run:
    return evaluate_retrieval(graph, dataset, Plan(mode="fusion"))


def test_a_run_measures_every_question(run: Run, dataset: Dataset) -> None:
    assert len(run.per_question) == run.dataset.questions == 5
    for result, question in zip(run.per_question, dataset.questions, strict=True):
        assert result.gold == question.gold
        found = [place for place, position in enumerate(result.ranking, 1) if position in question.gold]
        assert list(result.hits) == found
        assert result.metrics["recall@20"] == len(found) / 2
        assert len(set(result.ranking)) == len(result.ranking)
    for name, value in run.metrics.items():
        assert value == pytest.approx(math.fsum(result.metrics[name] for result in run.per_question) / 5, abs=1e-6)


def test_a_run_says_what_the_graph_was_made_of(run: Run) -> None:
    assert (run.graph.documents, run.graph.chunks, run.graph.triplets) == (15, 15, 15)
    assert run.graph.embedder == "hashing-64"
    (reader,) = run.graph.readers
    assert "recorded triples" in reader


def test_the_passage_that_a_question_names_is_found(run: Run) -> None:
    assert run.metrics["recall@5"] > 0.5
    assert run.metrics["recall@1"] <= run.metrics["recall@2"] <= run.metrics["recall@5"] <= run.metrics["recall@20"]


def test_metrics_are_told_by_type_too(run: Run) -> None:
    assert {type: found["questions"] for type, found in run.metrics_by_type.items()} == {"bridge": 2, "composed": 3}


def test_gold_never_reaches_the_graph(graph: KnowledgeGraph, dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    search = graph.search

    def heard(text: str, *rest: Any, **named: Any) -> Results:
        asked.append(text)
        return search(text, *rest, **named)

    monkeypatch.setattr(graph, "search", heard)
    evaluate_retrieval(graph, dataset, Plan())
    assert asked[1:] == [question.text for question in dataset.questions]
    held = {quad.object.value for quad in graph.parts.store.quads() if isinstance(quad.object, ox.Literal)}
    assert not held & {question.text for question in dataset.questions}


def test_settings_are_passed_on(graph: KnowledgeGraph, dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[dict[str, object]] = []

    def search(text: str, mode: str, limit: int, **named: object) -> Results:
        heard.append(named)
        return Results(())

    monkeypatch.setattr(graph, "search", search)
    run = evaluate_retrieval(graph, dataset, Plan(settings={"damping": 0.4}))
    assert heard == [{"settings": {"damping": 0.4}}] * 6
    assert run.settings["damping"] == 0.4
    assert run.metrics["recall@20"] == 0


def test_the_embedding_of_the_question_is_told_apart(run: Run) -> None:
    for result in run.per_question:
        assert 0 < result.embedding_ms < result.latency_ms
    assert run.latency_ms["median"] <= run.latency_ms["p90"] <= run.latency_ms["p99"]
    assert run.latency_ms["median_without_embedding"] < run.latency_ms["median"]


def test_a_limit_draws_the_questions_with_the_seed(graph: KnowledgeGraph, dataset: Dataset) -> None:
    one, same = (evaluate_retrieval(graph, dataset, Plan(limit=2, seed=5)) for _ in range(2))
    assert [q.id for q in one.per_question] == [q.id for q in same.per_question]
    assert (len(one.per_question), one.seed) == (2, 5)


def test_more_chunks_are_asked_for_until_there_are_enough_documents(graph: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    search = graph.search
    asked: list[int] = []

    def repeated(text: str, mode: str, limit: int, **named: Any) -> Results:
        """Every document in four chunks, the best document's first."""
        asked.append(limit)
        return Results(tuple(passage for passage in search(text, mode, limit, **named) for _ in range(4))[:limit])

    monkeypatch.setattr(graph, "search", repeated)
    found, _ = ranked(graph, "Who founded a firm?", Plan(mode="vector", depth=6), 8)
    assert len({passage.document for passage in found}) == len(found) == 6
    assert asked == [8, 16, 32]


def test_a_mode_that_does_not_exist_is_an_error_of_usage(graph: KnowledgeGraph, dataset: Dataset) -> None:
    with pytest.raises(UsageError, match="mode"):
        evaluate_retrieval(graph, dataset, Plan(mode="magic"))


def test_answers_are_compared_with_the_gold_and_its_aliases(graph: KnowledgeGraph, dataset: Dataset) -> None:
    run = evaluate_answers(graph, dataset.file, dataset.questions, Plan())
    assert {"exact_match", "contained_match", "f1", "answered"} == run.metrics.keys()
    assert run.settings["answered_by"] == "embedded"
    for result in run.per_question:
        assert bool(result.answer) == bool(result.metrics["answered"])


def test_a_question_without_an_answer_is_refused(graph: KnowledgeGraph, dataset: Dataset) -> None:
    with pytest.raises(BadInput, match="q0 has no gold answer"):
        evaluate_answers(graph, dataset.file, [replace(dataset.questions[0], answers=())], Plan())


class TestFiles:
    def test_a_run_comes_back_as_it_was(self, run: Run, tmp_path: Path) -> None:
        write_runs([run], tmp_path / "run.json")
        assert read_runs(tmp_path / "run.json") == (run,)

    def test_several_runs_are_one_file_and_are_chosen_by_mode(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "runs.json"
        write_runs([run, replace(run, mode="kg")], path)
        assert list(json.loads(path.read_text())) == ["runs"]
        assert read_run(f"{path}#kg").mode == "kg"
        with pytest.raises(UsageError, match="fusion, kg"):
            read_run(str(path))

    @pytest.mark.parametrize("content", ["", "[]", '{"metrics": {}}'])
    def test_another_file_is_refused(self, content: str, tmp_path: Path) -> None:
        (tmp_path / "other.json").write_text(content)
        with pytest.raises(BadInput, match=r"other\.json holds no runs"):
            read_runs(tmp_path / "other.json")

    def test_the_json_has_the_promised_form(self, run: Run) -> None:
        form = json.loads(as_json([run]))
        assert {"recall@2", "recall@5", "recall@10", "ndcg@5", "ndcg@10", "mrr"} <= form["metrics"].keys()
        assert {"median", "p90", "p99", "mean"} <= form["latency_ms"].keys()
        assert {"settings", "per_question", "dataset", "versions", "seed", "machine"} <= form.keys()
        assert form["versions"]["semkg"]
        assert form["machine"]["cores"] >= 1
        assert len(form["dataset"]["corpus_sha256"]) == len(form["dataset"]["questions_sha256"]) == 64


def with_values(run: Run, values: list[float]) -> Run:
    results = [replace(result, metrics={"recall@5": value}) for result, value in zip(run.per_question, values, strict=True)]
    return replace(run, per_question=tuple(results))


class TestComparison:
    def test_the_difference_is_that_of_the_means(self, run: Run) -> None:
        found = compare(with_values(run, [0, 0, 0, 1, 1]), with_values(run, [1, 0.5, 0, 1, 0.5]), samples=2000)
        assert (found.first, found.second) == (0.4, 0.6)
        assert found.difference == pytest.approx(0.2)
        assert found.low <= found.difference <= found.high
        assert (found.wins, found.losses, found.ties) == (2, 1, 2)

    def test_a_run_does_not_differ_from_itself(self, run: Run) -> None:
        found = compare(run, run)
        assert (found.difference, found.low, found.high, found.p_value) == (0, 0, 0, 1)

    def test_a_clear_difference_is_significant_and_noise_is_not(self) -> None:
        assert paired_bootstrap([1.0, 0.5, 1.0, 0.5] * 10, 2000, 0)[2] < 0.01
        assert paired_bootstrap([0.5, -0.5] * 20, 2000, 0)[2] == 1

    def test_the_interval_is_that_of_the_normal_approximation(self) -> None:
        differences = [float(number % 10) for number in range(1000)]
        low, high, _ = paired_bootstrap(differences, 4000, 1)
        deviation = math.sqrt(sum((value - 4.5) ** 2 for value in differences) / 1000 / 1000)
        assert low == pytest.approx(4.5 - 1.96 * deviation, abs=0.02)
        assert high == pytest.approx(4.5 + 1.96 * deviation, abs=0.02)

    def test_the_same_seed_gives_the_same_figures(self, run: Run) -> None:
        one, other = with_values(run, [0, 0, 1, 1, 1]), with_values(run, [1, 0, 1, 0, 1])
        assert compare(one, other, seed=3) == compare(one, other, seed=3)

    def test_runs_over_different_questions_are_refused(self, run: Run) -> None:
        with pytest.raises(BadInput, match="different questions"):
            compare(run, replace(run, per_question=run.per_question[:3]))
        with pytest.raises(BadInput, match="different questions"):
            compare(run, replace(run, dataset=replace(run.dataset, questions_sha256="0" * 64)))

    def test_an_unknown_metric_names_the_known(self, run: Run) -> None:
        with pytest.raises(UsageError, match="recall@5"):
            compare(run, run, metric="nonsense")


SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<?xml"}


class TestPlots:
    @pytest.mark.parametrize("format", SIGNATURES)
    def test_a_plot_is_an_image_of_its_format(self, format: str, run: Run, tmp_path: Path) -> None:
        larger = replace(run, graph=replace(run.graph, chunks=4 * run.graph.chunks))
        plot([run, replace(run, mode="kg"), larger], tmp_path / f"runs.{format}")
        content = (tmp_path / f"runs.{format}").read_bytes()
        assert content.startswith(SIGNATURES[format])
        assert len(content) > 5000

    def test_axes_are_labelled(self, run: Run, tmp_path: Path) -> None:
        plot([run], tmp_path / "runs.svg")
        # Matplotlib draws text as outlines and keeps the words in comments.
        words = (tmp_path / "runs.svg").read_text(encoding="utf-8")
        assert "<!-- recall@k -->" in words
        assert "<!-- fusion -->" in words

    def test_labels_say_what_differs(self, run: Run) -> None:
        other = replace(run, settings={**run.settings, "damping": 0.4})
        assert labels([run, other]) == ["fusion", "fusion, damping=0.4"]
        larger = replace(run, graph=replace(run.graph, chunks=4000))
        assert labels([run, larger]) == ["fusion, 15 chunks", "fusion, 4,000 chunks"]

    def test_what_cannot_be_drawn_is_refused(self, run: Run, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="png, pdf, svg"):
            plot([run], tmp_path / "runs.txt")
        with pytest.raises(UsageError, match="nothing to draw"):
            plot([replace(run, metrics={"f1": 1.0})], tmp_path / "runs.png")


MEASURED = """
    PREFIX dqv: <http://www.w3.org/ns/dqv#> PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
    PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX semkg: <https://w3id.org/semkg/ns#>
    SELECT ?value ?mode WHERE {
      ?measurement dqv:isMeasurementOf/skos:prefLabel "recall@5" ; dqv:value ?value ; prov:wasGeneratedBy ?run .
      ?run semkg:retrievalMode ?mode ; prov:used <urn:sha256:CHECKSUM> .
    }
"""


FORMATS = {"trig": 0, "nquads": 0, "jsonld": 0, "turtle": 2, "rdfxml": 2}
"""Format → quads that go elsewhere: without their graph the type and label of the evaluation's agent go to the other agents."""


class TestRecord:
    @pytest.fixture
    def recorded(self, dataset: Dataset, tmp_path: Path) -> KnowledgeGraph:
        return graph_over(dataset.corpus, tmp_path / "kg", GIVEN, triples=True)

    def test_a_recorded_run_conforms_and_leaves_the_content_as_it_was(self, recorded: KnowledgeGraph, dataset: Dataset) -> None:
        with recorded as graph:
            before = graph.hash()
            run = evaluate_retrieval(graph, dataset, Plan(mode="vector"))
            assert record(graph, run) > 0
            assert graph.hash() == before
            assert graph.validate().conformance is Conformance.CONFORMS
            assert graph.doctor().healthy
            assert graph.stats().quads["evaluation"] > 50

    def test_what_was_measured_can_be_asked_for(self, recorded: KnowledgeGraph, dataset: Dataset) -> None:
        with recorded as graph:
            run = evaluate_retrieval(graph, dataset, Plan(mode="lexical"))
            record(graph, run)
            found = graph.sparql(MEASURED.replace("CHECKSUM", dataset.file.sha256))
            assert isinstance(found, ox.QuerySolutions)
            (row,) = found
            assert float(row["value"].value) == run.metrics["recall@5"]
            assert row["mode"].value == "lexical"

    def test_recording_a_run_twice_changes_nothing(self, recorded: KnowledgeGraph, dataset: Dataset) -> None:
        with recorded as graph:
            run = evaluate_retrieval(graph, dataset, Plan())
            record(graph, run)
            assert record(graph, run) == 0

    def test_a_record_survives_every_format(self, recorded: KnowledgeGraph, dataset: Dataset, tmp_path: Path) -> None:
        with recorded as graph:
            record(graph, evaluate_retrieval(graph, dataset, Plan()))
            held = graph.stats().quads["evaluation"]
            for format in FORMATS:
                with (tmp_path / format).open("wb") as out:
                    graph.export(out, format)
        for format, lost in FORMATS.items():
            with KnowledgeGraph.open(tmp_path / f"copy-{format}", create=True, given=GIVEN) as copy:
                assert copy.import_triples(tmp_path / format, format).restored
                assert copy.validate().conformance is Conformance.CONFORMS
                assert copy.stats().quads["evaluation"] == held - lost

    def test_a_record_is_provenance_too(self, recorded: KnowledgeGraph, dataset: Dataset) -> None:
        with recorded as graph:
            record(graph, evaluate_retrieval(graph, dataset, Plan()))
            out = io.BytesIO()
            graph.export(out, "provn")
        used = [line for line in out.getvalue().decode().splitlines() if line.strip().startswith("used(activity:evaluation-")]
        assert any(dataset.file.sha256 in line for line in used)
