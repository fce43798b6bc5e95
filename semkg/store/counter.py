"""The commit counter outside the store: a file of one number, overwritten in place and synced."""

from __future__ import annotations

import os
from pathlib import Path

from semkg.errors import Corrupt, translated_os_errors

_WIDTH = 20


class CommitCounter:
    """How many commits were acknowledged, as a file that never takes more than one disk sector."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> int:
        """The number, 0 where there is no file.

        Raises:
            Corrupt: the file holds something else.
        """
        if not self.path.exists():
            return 0
        with translated_os_errors(self.path):
            text = self.path.read_bytes()
        if not text.strip().isdigit():
            raise Corrupt(f"{self.path} does not hold a commit count: restore it from a backup, or remove it and run `semkg doctor`")
        return int(text)

    def write(self, value: int) -> None:
        with translated_os_errors(self.path):
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o644)
            try:
                # Fixed width and one write of 21 bytes: there is no moment with half a number in the file.
                os.pwrite(handle, f"{value:0{_WIDTH}d}\n".encode(), 0)
                os.fdatasync(handle)
            finally:
                os.close(handle)
