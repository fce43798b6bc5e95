"""Settings: the only reader of the environment, and `semkg.toml`, which says what a knowledge graph is made of.

Nothing is read when this module is imported.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from semkg.errors import Misconfigured, translated_os_errors

FILE = "semkg.toml"
FORMAT = 1

PACKAGED_EMBEDDER = "all-MiniLM-L6-v2"

EVIDENCE = 6_000
"""Characters of evidence that a chat model is shown with a question, some 1,500 tokens of English."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment says. Empty strings stand for `not set`."""

    kg: Path = Path("kg")
    data: Path | None = None
    embedder: str = ""
    chat_model: str = ""
    reranker: str = ""
    api_base: str = ""
    api_key: str = ""
    api_timeout: float = 60.0
    evidence: int = EVIDENCE


VARIABLES: dict[str, str] = {
    "kg": "SEMKG_KG",
    "data": "SEMKG_DATA",
    "embedder": "SEMKG_EMBEDDER",
    "chat_model": "SEMKG_CHAT_MODEL",
    "reranker": "SEMKG_RERANKER",
    "api_base": "OPENAI_BASE_URL",
    "api_key": "OPENAI_API_KEY",
    "api_timeout": "SEMKG_API_TIMEOUT",
    "evidence": "SEMKG_EVIDENCE",
}
"""Setting → environment variable."""


def settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from the environment (or from `environ`).

    Raises:
        Misconfigured: a value is not of its type.

    >>> settings({"SEMKG_KG": "/tmp/kg"}).kg
    PosixPath('/tmp/kg')
    """
    given = {name: value for name, key in VARIABLES.items() if (value := (environ or os.environ).get(key))}
    try:
        timeout = float(given.get("api_timeout", "60"))
    except ValueError as error:
        raise Misconfigured(f"{VARIABLES['api_timeout']} must be a number of seconds, not {given['api_timeout']!r}") from error
    evidence = given.get("evidence", str(EVIDENCE))
    if not evidence.isdecimal() or int(evidence) == 0:
        raise Misconfigured(f"{VARIABLES['evidence']} must be a number of characters, not {evidence!r}")
    return Settings(
        kg=Path(given.get("kg", "kg")),
        data=Path(given["data"]) if "data" in given else None,
        embedder=given.get("embedder", ""),
        chat_model=given.get("chat_model", ""),
        reranker=given.get("reranker", ""),
        api_base=given.get("api_base", ""),
        api_key=given.get("api_key", ""),
        api_timeout=timeout,
        evidence=int(evidence),
    )


@dataclass(frozen=True, slots=True)
class KgConfig:
    """What a knowledge graph on disk is made of (`semkg.toml`)."""

    base: str = "https://w3id.org/semkg/id/"
    tenant: str = "local"
    dataset: str = "default"
    embedder: str = PACKAGED_EMBEDDER
    dimension: int = 384
    chunker: str = "structural"
    chunk_size: int = 1200
    chunk_overlap: int = 120
    format: int = FORMAT

    def __post_init__(self) -> None:
        for name, pattern in (
            ("tenant", r"[\w.~-]+"),
            ("dataset", r"[\w.~-]+"),
            ("base", r"https?://[^\s<>\"{}|\\^`]+[/#]|urn:[^\s<>\"{}|\\^`]+[:/#]"),
        ):
            if not re.fullmatch(pattern, getattr(self, name)):
                raise Misconfigured(
                    f"{name} = {getattr(self, name)!r} cannot be part of an IRI; see docs/reference.md for what may stand there"
                )
        if not 0 <= self.chunk_overlap < self.chunk_size:
            raise Misconfigured(f"chunk_overlap = {self.chunk_overlap} must be at least 0 and smaller than chunk_size = {self.chunk_size}")


def read_config(folder: Path) -> KgConfig:
    """The configuration of the knowledge graph in `folder`.

    Raises:
        Misconfigured: there is none, or it is not one that this version can read.
    """
    path = folder / FILE
    if not path.is_file():
        raise Misconfigured(
            f"{folder} holds no knowledge graph ({FILE} is missing): "
            f"make one with `semkg init --kg {folder}` or `semkg build SOURCE --kg {folder}`"
        )
    with translated_os_errors(path):
        text = path.read_bytes()
    try:
        values = tomllib.loads(text.decode("utf-8"))
        config = KgConfig(**values)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, TypeError) as error:
        raise Misconfigured(f"{path} cannot be read ({error}): mend it or restore it from a backup") from error
    for name, default in asdict(KgConfig()).items():
        if type(getattr(config, name)) is not type(default):
            raise Misconfigured(f"{path}: {name} must be of type {type(default).__name__}")
    if config.format > FORMAT:
        raise Misconfigured(f"{path} was written by a newer semkg (format {config.format}, this one reads {FORMAT}): upgrade semkg")
    return config


def write_config(folder: Path, config: KgConfig) -> None:
    """Write `semkg.toml` so that a crash leaves the old file or the new one."""
    # JSON's strings and integers are TOML's basic strings and integers.
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in asdict(config).items()]
    path = folder / FILE
    write_atomically(path, ("\n".join(lines) + "\n").encode("utf-8"))


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file so that a crash leaves the whole old content or the whole new one."""
    with translated_os_errors(path):
        scratch = path.with_name(path.name + ".tmp")
        try:
            with scratch.open("wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            scratch.replace(path)
            sync_folder(path.parent)
        finally:
            scratch.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make renames and new files in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def with_embedder(config: KgConfig, name: str, dimension: int) -> KgConfig:
    """The same configuration with another embedding model."""
    return replace(config, embedder=name, dimension=dimension)
