"""Formats are found by name, extension and media type."""

from __future__ import annotations

import pytest

from semkg.errors import BadInput
from semkg.export import Format


@pytest.mark.parametrize("format", Format)
def test_a_format_is_found_by_all_its_names(format: Format) -> None:
    for text in (format.value, format.extension, format.media_type, f" {format.media_type.upper()};charset=UTF-8"):
        assert Format.find(text) is format


def test_names_are_unambiguous() -> None:
    assert len({format.media_type for format in Format}) == len({format.extension for format in Format}) == len(Format)


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match="'docx' is no format that semkg knows: give one of turtle, trig"):
        Format.find("docx")
