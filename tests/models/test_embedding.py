from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.config import PACKAGED_EMBEDDER, Settings
from semkg.errors import Misconfigured, ModelUnavailable
from semkg.models import EndpointEmbedder, HashEmbedder, PackagedMiniLM, SentenceTransformerEmbedder, embedder, minilm
from semkg.ports import ModelId
from tests.contracts.embedder import EmbedderContract

SENTENCES = [
    "The observatory above Halden was designed by Ida Brandt.",
    "Ida Brandt was the architect of the Halden observatory.",
    "A recipe for quince jelly.",
    *(f"Passage {number}: " + "the lamp in the tower burns all night. " * number for number in range(12)),
]


class TestHashing(EmbedderContract):
    tolerance = 0.0

    @pytest.fixture(params=[16, 256, 384])
    def make(self, request: pytest.FixtureRequest) -> Callable[[], HashEmbedder]:
        return lambda: HashEmbedder(request.param)


@pytest.fixture(scope="module")
def packaged() -> PackagedMiniLM:
    return PackagedMiniLM()


@pytest.fixture(scope="module")
def reference() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(str(minilm.packaged_folder()))


@pytest.mark.model
class TestPackaged(EmbedderContract):
    tolerance = 1e-4

    @pytest.fixture
    def make(self, packaged: PackagedMiniLM) -> Callable[[], PackagedMiniLM]:
        return lambda: packaged


@pytest.mark.model
class TestSentenceTransformers(EmbedderContract):
    tolerance = 1e-4

    @pytest.fixture
    def make(self, reference: SentenceTransformerEmbedder) -> Callable[[], SentenceTransformerEmbedder]:
        return lambda: reference


def test_hashing_puts_texts_with_common_words_close() -> None:
    rows = HashEmbedder().embed(SENTENCES[:3])
    assert rows[0] @ rows[1] > 0.4 > rows[0] @ rows[2]


def test_hashing_gives_the_same_vectors_in_every_process() -> None:
    script = "from semkg.models import HashEmbedder; print(HashEmbedder(16).embed(['a red lamp'])[0].tolist())"
    seen = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[2],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONHASHSEED": "7"},
    )
    assert seen.stdout.strip() == str(HashEmbedder(16).embed(["a red lamp"])[0].tolist())


@pytest.mark.parametrize("dimension", [0, -1, 15, 5000])
def test_a_senseless_number_of_buckets_is_refused(dimension: int) -> None:
    with pytest.raises(Misconfigured, match="dimensions"):
        HashEmbedder(dimension)


@pytest.mark.model
@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-5), ("bfloat16", 1e-3)])
def test_the_packaged_model_gives_the_vectors_of_sentence_transformers(
    reference: SentenceTransformerEmbedder, precision: str, tolerance: float
) -> None:
    expected = reference.embed(SENTENCES)
    cosines = np.einsum("ij,ij->i", PackagedMiniLM(precision=precision).embed(SENTENCES), expected)
    assert cosines.min() > 1 - tolerance


@pytest.mark.model
def test_the_packaged_model_knows_what_means_the_same(packaged: PackagedMiniLM) -> None:
    rows = packaged.embed(SENTENCES[:3])
    assert rows[0] @ rows[1] > 0.6 > 0.3 > rows[0] @ rows[2]


MANY_SHAPES = """
from pathlib import Path
from semkg.models import PackagedMiniLM

def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20

model = PackagedMiniLM(precision="bfloat16")
model.embed(["lamp " * 250] * 16)
before = resident_mb()
for length in range(1, 120):
    model.embed([f"{number} " + "lamp " * length for number in range(1, 1 + length % 11)])
print(resident_mb() - before)
"""


@pytest.mark.model
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the memory of the process from /proc")
def test_texts_of_many_lengths_leave_no_memory_behind() -> None:
    seen = subprocess.run([sys.executable, "-c", MANY_SHAPES], cwd=Path(__file__).parents[2], check=True, capture_output=True, text=True)
    assert float(seen.stdout) < 150


def test_the_id_of_the_packaged_model_is_known_without_loading_it() -> None:
    script = (
        "import sys; from semkg.models import *; print(PackagedMiniLM().id, HashEmbedder().id); "
        "print([name for name in ('torch', 'openai', 'numpy', 'transformers', 'sentence_transformers') if name in sys.modules])"
    )
    seen = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], check=True, capture_output=True, text=True)
    assert seen.stdout.splitlines() == ["all-MiniLM-L6-v2 (384d) hashing-256 (256d)", "[]"]


def test_weights_that_are_not_the_published_ones_are_not_loaded(tmp_path: Path) -> None:
    for name in minilm.SHA256:
        (tmp_path / name).write_bytes(b"something else")
    with pytest.raises(Misconfigured, match=r"model\.safetensors is not the published model"):
        PackagedMiniLM(tmp_path).embed(["lamp"])


def test_weights_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"model\.safetensors is missing"):
        PackagedMiniLM(tmp_path).embed(["lamp"])


def test_weights_that_change_on_disk_are_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "SHA256", {"weights": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"})
    (tmp_path / "weights").write_text("test")
    minilm.verify(tmp_path)
    (tmp_path / "weights").write_text("tampered")
    with pytest.raises(Misconfigured, match="weights is not the published model"):
        minilm.verify(tmp_path)


@given(st.lists(st.integers(2, 256), max_size=300))
def test_batches_hold_every_text_once_with_others_of_its_length(lengths: list[int]) -> None:
    made = minilm.batches(lengths)
    assert sorted(number for batch in made for number in batch) == list(range(len(lengths)))
    assert all(len({lengths[number] for number in batch}) == 1 for batch in made)
    assert all(sum(lengths[number] for number in batch) <= 2048 for batch in made)


@pytest.mark.model
def test_a_model_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"nowhere.*cannot be loaded"):
        SentenceTransformerEmbedder(str(tmp_path / "nowhere")).embed(["lamp"])


def test_names_choose_the_embedder() -> None:
    local = Settings(api_base="http://127.0.0.1:1/v1")
    assert isinstance(embedder(PACKAGED_EMBEDDER, Settings()), PackagedMiniLM)
    assert embedder("hashing-64", Settings()).id == ModelId("hashing-64", 64)
    assert isinstance(embedder("openai:text-embedding-3-small", local), EndpointEmbedder)
    assert isinstance(embedder("sentence-transformers/all-mpnet-base-v2", Settings()), SentenceTransformerEmbedder)
    assert isinstance(embedder("all-MiniLM-L6-v2-other", Settings()), SentenceTransformerEmbedder)


@pytest.mark.parametrize("name", ["hashing-", "hashing-many", "hashing-9", "hashing-²", "openai:any", "openai:", ""])
def test_a_name_that_cannot_be_one_is_refused(name: str) -> None:
    with pytest.raises(Misconfigured):
        embedder(name, Settings())
