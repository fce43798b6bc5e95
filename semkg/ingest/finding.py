"""Which files are meant: files, folders, patterns; hidden files are left alone, the order is always the same."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlparse

from semkg.errors import BadInput, SemkgError, StorageError, from_os_error
from semkg.ingest.formats import MEDIA_TYPES

RECORD_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})
READABLE = frozenset({*MEDIA_TYPES, *RECORD_SUFFIXES, ".zip"})
"""The extensions of the files that are read in folders and archives."""

_PATTERN = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Found:
    """A file to be read; `error` where it cannot be."""

    path: Path
    error: SemkgError | None = None

    @property
    def uri(self) -> str:
        return self.path.as_uri()

    @property
    def suffix(self) -> str:
        return self.path.suffix.casefold()


def find_files(source: str) -> Iterator[Found]:
    """The files that one argument names, sorted; a problem is an element too, so that the others go on.

    Args:
        source: a file, a folder (read recursively), a pattern with `*`, `?`, `[…]` or `**`, or a `file:` URI.
    """
    path = _absolute(Path(unquote(urlparse(source).path) if source.startswith("file:") else source))
    if path.exists() or not _PATTERN & set(source):
        yield from _named(path)
    else:
        yield from _matching(source, path)


def hidden(name: str) -> bool:
    """Whether a file or folder of this name is left alone inside of folders and archives."""
    return name.startswith((".", "~$")) or name == "__MACOSX"


def _absolute(path: Path) -> Path:
    # Not resolved: a link is another name, and its name is what the caller knows the file by.
    return Path(os.path.abspath(path))


def _named(path: Path) -> Iterator[Found]:
    try:
        path.stat()
    except OSError as error:
        yield Found(path, _missing(path) if isinstance(error, FileNotFoundError) else from_os_error(error, path))
        return
    if path.is_dir():
        yield from _in_folder(path)
    elif not path.is_file():
        yield Found(path, BadInput(f"{path} is neither a file nor a folder: give a file"))
    elif path.suffix.casefold() not in READABLE:
        known = " ".join(sorted(READABLE))
        yield Found(path, BadInput(f"{path} is of a format that semkg does not read: it reads {known}; convert it to one of these"))
    else:
        yield Found(path)


def _missing(path: Path) -> SemkgError:
    return StorageError(f"{path} does not exist: check its name and the folder you are in")


def _in_folder(folder: Path) -> Iterator[Found]:
    errors: list[OSError] = []
    empty = True
    for parent, folders, names in os.walk(folder, onerror=errors.append):
        folders[:] = sorted(name for name in folders if not hidden(name))
        for name in sorted(names):
            path = Path(parent, name)
            if not hidden(name) and path.suffix.casefold() in READABLE and path.is_file():
                empty = False
                yield Found(path)
    for error in errors:
        yield Found(folder, from_os_error(error, error.filename or folder))
    if empty and not errors:
        yield Found(folder, BadInput(f"{folder} holds no file of a format that semkg reads: it reads {' '.join(sorted(READABLE))}"))


def _matching(source: str, path: Path) -> Iterator[Found]:
    empty = True
    for name in sorted(glob.glob(source, recursive=True)):
        match = _absolute(Path(name))
        if match.is_dir() and "**" in source:
            continue
        if match.is_dir() or (match.is_file() and match.suffix.casefold() in READABLE):
            empty = False
            yield from _named(match)
    if empty:
        message = (
            f"the pattern {source} matches no file of a format that semkg reads: check it, and quote it so that the shell leaves it alone"
        )
        yield Found(path, StorageError(message))
