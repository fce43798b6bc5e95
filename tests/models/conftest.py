from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.models.scripted_server import ScriptedServer, serving


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    """The seconds that an endpoint would have slept."""
    return []
