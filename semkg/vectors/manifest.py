"""The files of one vector index on disk: numbered, never overwritten, and named by a manifest that is replaced last.

A crash at any moment therefore leaves the files that the old manifest names, or those of the new one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from semkg.config import sync_folder, write_atomically
from semkg.errors import Corrupt, translated_os_errors
from semkg.ports import ModelId

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the files of an index must be. `number` is part of their names and grows with every save."""

    number: int
    model: str
    dimension: int
    count: int
    generation: int
    index_sha256: str
    nodes_sha256: str
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class IndexFiles:
    """Where an index named `<folder>/<name>.usearch` keeps its parts."""

    path: Path

    @property
    def manifest(self) -> Path:
        return self.path.with_name(self.path.name + ".json")

    def index(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.stem}.{number}{self.path.suffix}")

    def nodes(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.stem}.{number}.nodes.json")

    def read(self) -> Manifest | None:
        """The manifest; None where there is none.

        Raises:
            Corrupt: it cannot be read.
        """
        with translated_os_errors(self.manifest):
            try:
                content = self.manifest.read_bytes()
            except FileNotFoundError:
                return None
        try:
            said = json.loads(content)
            seal = said.pop("sha256", "")
            manifest = Manifest(**said)
        except (ValueError, TypeError, AttributeError) as error:
            raise Corrupt(f"{self.manifest} cannot be read ({error})") from error
        if seal != _seal(manifest):
            raise Corrupt(f"{self.manifest} is damaged: its sha256 is not the one at its end")
        if any(type(value) is not type(getattr(_SAMPLE, name)) for name, value in asdict(manifest).items()):
            raise Corrupt(f"{self.manifest} holds a value of another type")
        if manifest.format != FORMAT:
            raise Corrupt(f"{self.manifest} is of format {manifest.format}, not {FORMAT}")
        return manifest

    def check(self, manifest: Manifest, model: ModelId) -> dict[str, int]:
        """The keys of the nodes, after both files were found to be what the manifest says.

        Raises:
            Corrupt: they are not, or the vectors are of another model.
        """
        if (manifest.model, manifest.dimension) != (model.name, model.dimension):
            raise Corrupt(f"{self.path} holds vectors of {ModelId(manifest.model, manifest.dimension)}, not of {model}")
        for path, expected in (
            (self.index(manifest.number), manifest.index_sha256),
            (self.nodes(manifest.number), manifest.nodes_sha256),
        ):
            with translated_os_errors(path):
                if not path.is_file():
                    raise Corrupt(f"{path} is missing")
                if sha256(path) != expected:
                    raise Corrupt(f"{path} is damaged: its sha256 is not the one in {self.manifest.name}")
        keys: dict[str, int] = json.loads(self.nodes(manifest.number).read_bytes())
        if len(keys) != manifest.count:
            raise Corrupt(f"{self.nodes(manifest.number)} names {len(keys)} nodes, not {manifest.count}")
        return keys

    def publish(self, manifest: Manifest) -> None:
        """Make the files durable, then let the manifest name them, then remove all others."""
        for path in (self.index(manifest.number), self.nodes(manifest.number)):
            _sync(path)
        with translated_os_errors(self.path):
            sync_folder(self.path.parent)
        write_atomically(self.manifest, json.dumps({**asdict(manifest), "sha256": _seal(manifest)}, indent=1).encode())
        self.clean(manifest.number)

    def write_nodes(self, number: int, keys: Mapping[str, int]) -> str:
        """Write the table of nodes and return its sha256."""
        content = json.dumps(dict(keys), ensure_ascii=False).encode("utf-8", "surrogatepass")
        with translated_os_errors(self.nodes(number)):
            self.nodes(number).write_bytes(content)
        return hashlib.sha256(content).hexdigest()

    def clean(self, number: int | None) -> None:
        """Remove what no manifest names: older files, those of a save that did not end, unfinished manifests."""
        stem, suffix = re.escape(self.path.stem), re.escape(self.path.suffix)
        part = re.compile(rf"{stem}\.(\d+)(?:{suffix}|\.nodes\.json)")
        unfinished = self.manifest.name + ".tmp"
        with translated_os_errors(self.path.parent):
            for path in self.path.parent.iterdir():
                match = part.fullmatch(path.name)
                if path.name == unfinished or (match and int(match[1]) != number):
                    path.unlink(missing_ok=True)


_SAMPLE = Manifest(0, "", 0, 0, 0, "", "")


def _seal(manifest: Manifest) -> str:
    return hashlib.sha256(json.dumps(asdict(manifest)).encode()).hexdigest()


def sha256(path: Path) -> str:
    """The sha256 of a file, in hexadecimal digits."""
    with translated_os_errors(path), path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _sync(path: Path) -> None:
    with translated_os_errors(path):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
