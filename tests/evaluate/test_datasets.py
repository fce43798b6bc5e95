"""Datasets are read whole or refused with the file and the place; a graph over a corpus is recognised wherever the corpus lay."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from semkg.config import Settings
from semkg.errors import BadInput, Misconfigured, StorageError, UsageError
from semkg.evaluate.datasets import ADAPTERS, Dataset, located, read_corpus, read_dataset, sample
from semkg.evaluate.graphs import graph_over, is_over
from semkg.session import KnowledgeGraph
from tests.evaluate.worlds import GIVEN, passages, questions, written


def test_a_dataset_is_its_corpus_and_its_questions(dataset: Dataset) -> None:
    assert dataset.name == "fjords"
    assert len(dataset.corpus.keys) == 16
    assert dataset.questions[1].answers == ("Orkla", "the town of Orkla")
    assert dataset.questions[1].gold == (3, 4)


def test_repeated_passages_are_one_document(dataset: Dataset) -> None:
    assert dataset.corpus.keys[15] == dataset.corpus.keys[0]
    assert dataset.corpus.positions[dataset.corpus.keys[15] or ""] == 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"gold": [99]}, r"question 2 \(q1\) names passage 99, but .* holds 16"),
        ({"gold": []}, r"question 2 \(q1\) has no gold"),
        ({"gold": [-1]}, "record 2, field gold, record 1"),
        ({"gold": ["3"]}, "record 2, field gold"),
        ({"question": ""}, "record 2, field question"),
        ({"id": "q0"}, "question 2 has the id 'q0'"),
    ],
)
def test_a_question_that_cannot_be_used_is_named(changed: dict[str, Any], message: str, files: tuple[Path, Path], tmp_path: Path) -> None:
    asked = questions()
    asked[1] |= changed
    with pytest.raises(BadInput, match=message) as raised:
        read_dataset(files[0], written(tmp_path / "broken.json", asked))
    assert "broken.json" in str(raised.value)


@pytest.mark.parametrize("content", ["[", "{}", "[]", "[1]", '"text"'])
def test_files_of_something_else_are_refused(content: str, files: tuple[Path, Path], tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(BadInput, match=r"other\.json"):
        read_dataset(files[0], path)
    with pytest.raises(BadInput, match=r"other\.json"):
        read_corpus(path)


def test_a_missing_file_is_an_error_of_storage(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"none\.json"):
        read_corpus(tmp_path / "none.json")


def test_gold_on_a_passage_without_text_is_refused(tmp_path: Path) -> None:
    broken = passages()
    broken[4]["text"] = " "
    with pytest.raises(BadInput, match=r"passage 4 of .* has no text"):
        read_dataset(written(tmp_path / "c.json", broken), written(tmp_path / "q.json", questions()))


def test_a_sample_is_drawn_by_its_seed_and_keeps_the_order(dataset: Dataset) -> None:
    drawn = sample(dataset.questions, 3, seed=7)
    assert drawn == sample(dataset.questions, 3, seed=7)
    assert [question.id for question in drawn] == sorted(question.id for question in drawn)
    assert sample(dataset.questions, None, 7) == sample(dataset.questions, 99, 7) == dataset.questions


def test_known_datasets_lie_below_the_data_folder(tmp_path: Path) -> None:
    for adapter in ADAPTERS.values():
        for name in filter(None, (adapter.corpus, adapter.questions)):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
    given = Settings(data=tmp_path)
    assert all(path.is_file() for name in ADAPTERS for path in located(name, given))
    with pytest.raises(UsageError, match="choose one of hotpotqa"):
        located("nonsense", given)


def test_missing_data_says_which_setting_names_it(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="SEMKG_DATA"):
        located("hotpotqa", Settings(data=tmp_path))


def test_a_graph_is_recognised_after_its_corpus_has_moved(graph: KnowledgeGraph, files: tuple[Path, Path], tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere.json"
    shutil.copy(files[0], moved)
    assert is_over(graph, read_corpus(moved))


def test_a_graph_over_something_else_is_refused(folder: Path, tmp_path: Path) -> None:
    other = read_corpus(written(tmp_path / "other.json", [{"title": "Elsewhere", "text": "Another corpus altogether."}]))
    with pytest.raises(BadInput, match="built from something else"):
        graph_over(other, folder, GIVEN)


def test_a_stopped_build_goes_on(dataset: Dataset, tmp_path: Path) -> None:
    place = tmp_path / "kg"
    graph_over(dataset.corpus, place, GIVEN, triples=True).close()
    with KnowledgeGraph.open(place, given=GIVEN) as whole:
        whole.delete(whole.documents()[0].iri)
    with graph_over(dataset.corpus, place, GIVEN, triples=True) as again:
        assert is_over(again, dataset.corpus)
        assert again.stats().documents == 15
