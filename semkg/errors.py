"""Every error that semkg raises on purpose, each with the exit code of the command line.

SemkgError                        1
├── UsageError                    2   the call itself is wrong
├── BadInput                     65   a document, triple, query or shape cannot be used
│   ├── BadQuery                      a SPARQL query that does not parse or is not allowed
│   └── NotFound                      an IRI, label or document that the graph does not hold
├── ModelUnavailable             69   an embedding or chat model does not answer
├── StorageFull                  73   no space left on the device
├── StorageError                 74   reading or writing failed
│   └── Corrupt                       a file is damaged; the message says what can be done
├── Locked                       75   another process writes to this knowledge graph
├── Interrupted                  75   stopped half-way; the same command goes on where it was
├── PermissionDenied             77
└── Misconfigured                78   a setting or an installed part is missing or wrong

Every message says what happened, where, and what to do about it.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class SemkgError(Exception):
    """The root of all errors of semkg; `exit_code` is what the command line returns."""

    exit_code = 1


class UsageError(SemkgError):
    """The call itself is wrong: options that exclude each other, a missing argument."""

    exit_code = 2


class BadInput(SemkgError):
    """Something from outside cannot be used as it is."""

    exit_code = 65


class BadQuery(BadInput):
    """A SPARQL query that does not parse or asks for what is not allowed."""


class NotFound(BadInput):
    """The graph holds no such thing."""


class ModelUnavailable(SemkgError):
    """An embedding or chat model cannot be reached or does not give a usable reply."""

    exit_code = 69


class StorageFull(SemkgError):
    """No space is left on the device; nothing was half written."""

    exit_code = 73


class StorageError(SemkgError):
    """Reading or writing a file failed."""

    exit_code = 74


class Corrupt(StorageError):
    """A file is damaged or incomplete; it was not opened as if it were empty."""


class Locked(SemkgError):
    """Another process holds the writer's lock."""

    exit_code = 75


class Interrupted(SemkgError):
    """Work stopped half-way; everything acknowledged is kept and the same command goes on from there."""

    exit_code = 75


class PermissionDenied(SemkgError):
    """The operating system does not let us."""

    exit_code = 77


class Misconfigured(SemkgError):
    """A setting is wrong or an optional part is not installed."""

    exit_code = 78


@contextmanager
def translated_os_errors(path: Path | str) -> Iterator[None]:
    """Translate an `OSError` about `path` into the error of this module that says what to do.

    Raises:
        StorageFull: no space or quota left.
        PermissionDenied: the file or folder may not be read or written.
        StorageError: anything else.
    """
    try:
        yield
    except OSError as error:
        raise from_os_error(error, path) from error


def from_os_error(error: OSError, path: Path | str) -> SemkgError:
    """The error of this module for an `OSError` about `path`.

    >>> from_os_error(OSError(28, "No space left on device"), "/kg").exit_code
    73
    """
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return StorageFull(f"no space left while writing {path}: free some space and run the same command again")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return PermissionDenied(f"not allowed to read or write {path}: check its owner and its permissions")
    return StorageError(f"{path}: {error.strerror or error}")
