"""A job with a time budget: whoever waits goes on without it when the time is over (RAGA §3.6.4)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Abandoned(Exception):  # noqa: N818  # what happened, not what went wrong
    """The job gave nothing; the message says why."""


class _Run(Generic[T]):
    """One job in a thread of its own. A thread cannot be stopped: one that hangs is left behind, and does not keep the program alive."""

    def __init__(self, job: Callable[[], T]) -> None:
        self._job = job
        self._found: list[T] = []
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="semkg-graph-stream")

    def _work(self) -> None:
        try:
            self._found.append(self._job())
        except Exception as failure:  # noqa: BLE001  # whatever goes wrong here must not cost the answer; it is told as a note
            self._failure = failure

    def result(self, seconds: float) -> T:
        self._thread.start()
        self._thread.join(seconds)
        if self._found:
            return self._found[0]
        if self._failure is not None:
            raise Abandoned(f"it failed ({type(self._failure).__name__}: {self._failure})") from self._failure
        raise Abandoned(f"it took longer than {seconds:g} s")


def within(seconds: float, job: Callable[[], T]) -> T:
    """The job's result.

    Raises:
        Abandoned: the job failed, or was not done in time.

    >>> within(1.0, lambda: 42)
    42
    """
    return _Run(job).result(seconds)
