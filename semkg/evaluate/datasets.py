"""Benchmark datasets as values: a corpus, and questions about it with their gold passages and answers.

The graph under test is built from the corpus file alone and is asked with the question's text alone; gold stays in this room. A passage is
told by the key of its record (a digest of its title and text), not by the path that its corpus had when a graph was built.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

import semkg
from semkg.config import VARIABLES, Settings
from semkg.errors import BadInput, Misconfigured, UsageError, translated_os_errors
from semkg.ingest.records import DEFAULT_FIELDS, Record, json_records, record_text


@dataclass(frozen=True, slots=True)
class Question:
    """A question. `gold`: positions of its passages in the corpus, from 0; `answers`: the gold answer and its aliases."""

    id: str
    text: str
    answers: tuple[str, ...]
    gold: tuple[int, ...]
    type: str = ""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of a benchmark, identified by its content."""

    path: Path
    sha256: str

    @property
    def name(self) -> str:
        return self.path.name


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages by position. `keys`: what identifies each in a graph, None where the record holds no text."""

    file: DataFile
    keys: tuple[str | None, ...]

    @property
    def positions(self) -> dict[str, int]:
        """Key → the first position of a passage that has it: repeated passages are one document."""
        found: dict[str, int] = {}
        for position, key in enumerate(self.keys):
            if key is not None:
                found.setdefault(key, position)
        return found


@dataclass(frozen=True, slots=True)
class Dataset:
    """A corpus with the questions about it."""

    name: str
    corpus: Corpus
    file: DataFile
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Adapter:
    """Where a known dataset lies below the data folder. `questions` is empty where one file holds both."""

    corpus: str
    questions: str = ""


ADAPTERS: Mapping[str, Adapter] = {
    "hotpotqa": Adapter("multihop/hotpotqa.corpus.json", "multihop/hotpotqa.questions.json"),
    "2wikimultihopqa": Adapter("multihop/2wikimultihopqa.corpus.json", "multihop/2wikimultihopqa.questions.json"),
    "musique": Adapter("multihop/musique.corpus.json", "multihop/musique.questions.json"),
    "openie": Adapter("openie/musique-1890.gpt-3.5.json", "openie/musique-1890.questions.json"),
    "qasper": Adapter("qasper/papers.json"),
}
"""Name → files. A dataset in the same format joins by adding a row; any other files are given by their paths."""


class QuestionRecord(BaseModel):
    """A question as the files have it; what else a record holds is left alone."""

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    answer: str = ""
    aliases: list[str] = Field(default_factory=list)
    gold: list[Annotated[int, Field(ge=0, strict=True)]] = Field(default_factory=list)
    type: str = ""


def located(name: str, given: Settings) -> tuple[Path, Path]:
    """The corpus and the questions of a known dataset (the same file twice, where one holds both).

    Raises:
        UsageError: there is no such dataset.
        Misconfigured: its files are not there.
    """
    if name not in ADAPTERS:
        raise UsageError(f"there is no dataset {name!r}: choose one of {', '.join(ADAPTERS)}, or name its files")
    root = data_root(given)
    adapter = ADAPTERS[name]
    paths = root / adapter.corpus, root / (adapter.questions or adapter.corpus)
    if missing := [str(path) for path in paths if not path.is_file()]:
        raise Misconfigured(
            f"the data of {name} is missing ({missing[0]}): set {VARIABLES['data']} to the folder that holds it, or name the files"
        )
    return paths


def data_root(given: Settings) -> Path:
    """The folder of the benchmark data: the setting, else `../shared/data` beside the checkout."""
    return given.data or Path(semkg.__file__).resolve().parents[2] / "shared" / "data"


def read_dataset(corpus: Path, questions: Path, name: str = "") -> Dataset:
    """Read a corpus and the questions about it.

    Args:
        corpus: a JSON list of {title, text}.
        questions: a JSON list of {id, question, answer, aliases, gold, type}; `gold` are positions in the corpus.
        name: by default the file's name up to its first point.

    Raises:
        BadInput: a file is malformed, or gold points at no passage; the message names the file and the place.
        StorageError, PermissionDenied: a file cannot be read.
    """
    passages = read_corpus(corpus)
    file, asked = read_questions(questions)
    for number, question in enumerate(asked, 1):
        _check_gold(question, passages, f"{questions}: question {number} ({question.id})")
    return Dataset(name or questions.name.partition(".")[0], passages, file, asked)


def read_corpus(path: Path) -> Corpus:
    """The keys of a corpus's passages.

    Raises:
        BadInput: it is no JSON list of records.
    """
    content = content_of(path)
    try:
        records = json_records(content, DEFAULT_FIELDS)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
    keys = tuple(_key(record) for record in records)
    if not any(keys):
        raise BadInput(f"{path}: no record has a text: a corpus is a list of records with the fields title and text")
    return Corpus(DataFile(path, _sha256(content)), keys)


def read_questions(path: Path) -> tuple[DataFile, tuple[Question, ...]]:
    """The questions of a file, whose gold is not checked against a corpus.

    Raises:
        BadInput: it is malformed, empty, or uses an id twice.
    """
    content = content_of(path)
    try:
        records = TypeAdapter(list[QuestionRecord]).validate_json(content)
    except ValidationError as error:
        raise BadInput(f"{path}: {told(error)}") from error
    if not records:
        raise BadInput(f"{path}: it holds no questions: give a list of records with id, question, answer and gold")
    seen: set[str] = set()
    for number, record in enumerate(records, 1):
        if record.id in seen:
            raise BadInput(f"{path}: question {number} has the id {record.id!r} of an earlier one: give each its own")
        seen.add(record.id)
    return DataFile(path, _sha256(content)), tuple(map(_question, records))


def sample(questions: Sequence[Question], limit: int | None, seed: int) -> tuple[Question, ...]:
    """At most `limit` of the questions, drawn with the seed and left in their order.

    >>> asked = [Question(str(number), "?", (), ()) for number in range(9)]
    >>> sample(asked, 3, 0) == sample(asked, 3, 0) != sample(asked, 3, 1)
    True
    """
    return tuple(questions[number] for number in drawn(len(questions), limit, seed))


def drawn(count: int, limit: int | None, seed: int) -> list[int]:
    """At most `limit` of the numbers below `count`, drawn with the seed, in their order.

    >>> drawn(3, None, 0)
    [0, 1, 2]
    """
    numbers = range(count)
    return [*numbers] if limit is None or limit >= count else sorted(random.Random(seed).sample(numbers, limit))


def limited(dataset: Dataset, limit: int | None, seed: int) -> Dataset:
    """The dataset with a sample of its questions."""
    return replace(dataset, questions=sample(dataset.questions, limit, seed))


def content_of(path: Path) -> bytes:
    """A file's bytes, errors translated."""
    with translated_os_errors(path):
        return path.read_bytes()


def file_of(path: Path) -> DataFile:
    """A file with its checksum."""
    return DataFile(path, _sha256(content_of(path)))


def told(error: ValidationError) -> str:
    """The first thing that is wrong with a file, with its place: `record 3, field gold: …`."""
    first = error.errors(include_url=False)[0]
    words = [f"record {part + 1}" if isinstance(part, int) else f"field {part}" for part in first["loc"]]
    return f"{', '.join(words)}: {first['msg']}" if words else first["msg"]


def _question(record: QuestionRecord) -> Question:
    answers = tuple(dict.fromkeys(text for text in (record.answer, *record.aliases) if text))
    return Question(record.id, record.question, answers, tuple(dict.fromkeys(record.gold)), record.type)


def _check_gold(question: Question, corpus: Corpus, place: str) -> None:
    if not question.gold:
        raise BadInput(f"{place} has no gold passages: give their positions in the corpus in the field gold")
    for position in question.gold:
        if position >= len(corpus.keys):
            raise BadInput(
                f"{place} names passage {position}, but {corpus.file.path} holds {len(corpus.keys)}: positions count from 0; "
                "take the questions that belong to this corpus"
            )
        if corpus.keys[position] is None:
            raise BadInput(f"{place} names passage {position} of {corpus.file.path}, which has no text: mend the corpus")


def _key(record: Record) -> str | None:
    try:
        return record_text(record, DEFAULT_FIELDS).key
    except BadInput:
        # A build leaves such a record out, too.
        return None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
