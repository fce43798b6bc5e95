"""The rules about names (RAGA §3.3.5) over many names: what they should not turn away."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import hypothesis
import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.config import settings
from semkg.model import Violation
from semkg.quality import Gate, Shapes
from semkg.vocab import RDF, SEMKG, SKOS
from tests.quality.examples import GRAPH, store_of

CORPORA = (settings().data or Path(__file__).parents[3] / "shared" / "data") / "multihop"
RULES = "https://w3id.org/semkg/shapes#EntityName"


def turned_away(names: Iterable[str]) -> dict[str, Violation]:
    """Those of the names that a rule about names refuses."""
    nodes = {ox.NamedNode(f"urn:x:{number}"): name for number, name in enumerate(names)}
    found: dict[str, Violation] = {}
    # A report lists a thousand violations, and these entities lack all that an entity has beside its name.
    for start in range(0, len(nodes), 100):
        part = dict(list(nodes.items())[start : start + 100])
        quads = [ox.Quad(node, RDF.type, SEMKG.Entity, GRAPH) for node in part]
        quads += [ox.Quad(node, SKOS.prefLabel, ox.Literal(name), GRAPH) for node, name in part.items()]
        violations = Gate(Shapes.packaged()).check(quads, (), store_of([])).violations
        found |= {part[violation.focus]: violation for violation in violations if violation.shape.startswith(RULES)}
    return found


LETTERS = st.sampled_from("abcdefghijklmnopqrstuvwxyzàçéîñöøßłşžαβγδабвгд")
WORD = st.text(LETTERS, min_size=2, max_size=9).map(str.capitalize)


# The first call loads the shapes, which takes longer than the rest.
@hypothesis.settings(deadline=None)
@given(st.lists(WORD, min_size=1, max_size=5))
def test_capitalised_words_are_a_name(words: list[str]) -> None:
    assert turned_away([" ".join(words)]) == {}


# The first call loads the shapes, which takes longer than the rest.
@hypothesis.settings(deadline=None)
@given(st.text(st.sampled_from("東京都市京都大学田中山川島村木林森日本中国人民"), min_size=1, max_size=12))
def test_words_without_capitals_or_spaces_are_a_name(name: str) -> None:
    assert turned_away([name]) == {}


@pytest.mark.slow
@pytest.mark.skipif(not CORPORA.is_dir(), reason="the corpora are not at hand: set SEMKG_DATA to the folder that holds multihop/")
@pytest.mark.parametrize("corpus", ["2wikimultihopqa", "hotpotqa", "musique"])
def test_of_real_titles_fewer_than_one_in_three_hundred_is_turned_away(corpus: str) -> None:
    passages = json.loads((CORPORA / f"{corpus}.corpus.json").read_text(encoding="utf-8"))
    titles = sorted({passage["title"] for passage in passages if len(passage["title"]) <= 60})
    assert len(turned_away(titles)) * 300 < len(titles)
