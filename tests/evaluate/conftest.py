"""The small world as files, and a graph over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from semkg.evaluate.datasets import Dataset, read_dataset
from semkg.evaluate.graphs import graph_over
from semkg.session import KnowledgeGraph
from tests.evaluate.worlds import GIVEN, passages, questions, written


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Corpus and questions."""
    place = tmp_path_factory.mktemp("evaluate")
    return written(place / "fjords.corpus.json", passages()), written(place / "fjords.questions.json", questions())


@pytest.fixture(scope="session")
def dataset(files: tuple[Path, Path]) -> Dataset:
    return read_dataset(*files)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, dataset: Dataset) -> Path:
    """A folder with a graph over the corpus, replayed from its triples."""
    place = tmp_path_factory.mktemp("graph") / "kg"
    graph_over(dataset.corpus, place, GIVEN, triples=True).close()
    return place


@pytest.fixture
def graph(folder: Path, dataset: Dataset) -> Iterator[KnowledgeGraph]:
    with graph_over(dataset.corpus, folder, GIVEN) as opened:
        yield opened
