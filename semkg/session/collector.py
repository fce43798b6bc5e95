"""Python's cyclic garbage collector while a graph is written.

A build makes millions of small values that all stay until their commit; the collector looks at them again and again and finds next to
nothing to free, since reference counts do that work. On the OpenIE replay set of the benchmarks it took a fifth of the time.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 500_000
"""New containers between two collections of the youngest generation; Python's own figure is 700."""

_lock = threading.Lock()
_inside = 0
_before = (0, 0, 0)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let the collector run seldom in this process until the last of those who asked for it is done. A collector that is off stays off."""
    global _inside, _before
    with _lock:
        if not _inside:
            _before = gc.get_threshold()
            if _before[0]:
                gc.set_threshold(max(YOUNG, _before[0]), *_before[1:])
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                gc.set_threshold(*_before)
