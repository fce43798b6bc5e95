"""The garbage collector's thresholds are raised while somebody builds, and given back."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

from semkg.session.collector import YOUNG, seldom_collected


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_the_thresholds_come_back_also_after_an_error() -> None:
    gc.set_threshold(700, 9, 8)

    def fail() -> None:
        with seldom_collected():
            assert gc.get_threshold() == (YOUNG, 9, 8)
            raise ValueError("oops")

    with pytest.raises(ValueError, match="oops"):
        fail()
    assert gc.get_threshold() == (700, 9, 8)


def test_they_come_back_with_the_last_of_several_threads() -> None:
    gc.set_threshold(700, 9, 8)
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with seldom_collected():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    with seldom_collected():
        thread.start()
        assert inside.wait(10)
    assert gc.get_threshold() == (YOUNG, 9, 8)
    leave.set()
    thread.join()
    assert gc.get_threshold() == (700, 9, 8)


@pytest.mark.parametrize("given", [0, 2 * YOUNG])
def test_whoever_collects_less_is_left_alone(given: int) -> None:
    gc.set_threshold(given, 9, 8)
    with seldom_collected():
        assert gc.get_threshold() == (given, 9, 8)
    assert gc.get_threshold() == (given, 9, 8)
