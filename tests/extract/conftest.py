"""A reader that loads its language model once, and documents made of a title and a text."""

from __future__ import annotations

import pytest

from semkg.extract import EmbeddedReader
from semkg.ids import Names


@pytest.fixture(scope="session")
def reader() -> EmbeddedReader:
    return EmbeddedReader(Names())
