"""Finds the ontologies, shapes, queries and prompts that come with semkg, installed or in a checkout."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

KINDS = ("ontologies", "shapes", "queries", "prompts")

_PACKAGE = Path(__file__).resolve().parent


@cache
def folder(kind: str) -> Path:
    """The folder of one kind of resource.

    In the wheel they live in `semkg/_resources/`, in a checkout beside the package.

    Args:
        kind: one of `KINDS`.

    Raises:
        FileNotFoundError: the installation is incomplete.

    >>> folder("queries").name
    'queries'
    """
    for candidate in (_PACKAGE / "_resources" / kind, _PACKAGE.parent / kind):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"semkg's {kind} are missing from the installation: install the package again")


def read(kind: str, name: str) -> str:
    """The text of one resource, for example `read("ontologies", "semkg.ttl")`."""
    return (folder(kind) / name).read_text(encoding="utf-8")


def files(kind: str, *suffixes: str) -> Iterator[Path]:
    """All files of one kind with one of `suffixes`, in a stable order."""
    return iter(sorted(path for path in folder(kind).rglob("*") if path.suffix in suffixes))
