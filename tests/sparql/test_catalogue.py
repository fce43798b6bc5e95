"""Every query of the catalogue is documented and parses in two engines; the binder serialises terms and nothing else."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from rdflib.plugins.sparql.parser import parseQuery

from semkg.sparql import Query, catalogue, query

NAMES = [item.name for item in catalogue()]


@pytest.mark.parametrize("name", NAMES)
def test_every_query_has_a_header(name: str) -> None:
    found = query(name)
    assert found.title
    assert found.purpose
    for parameter in found.parameters:
        assert all(f"?{variable}" in found.text.split("PREFIX")[0] for variable in parameter.split()), (
            f"{name} does not explain {parameter}"
        )


@pytest.mark.parametrize("name", NAMES)
def test_every_query_parses_in_oxigraph_and_in_rdflib(name: str) -> None:
    text = query(name).text
    ox.Store().query(text, use_default_graph_as_union=True)
    parseQuery(text)


def example() -> Query:
    return Query("x", "SELECT * { VALUES ?a { UNDEF } VALUES (?b ?c) { (UNDEF UNDEF) } ?a ?b ?c }", "t", "p", ("a", "b c"))


def test_a_parameter_takes_one_term_or_many() -> None:
    one, two = ox.NamedNode("urn:one"), ox.Literal('quote " } DROP ALL')
    assert "VALUES ?a { <urn:one> }" in example().bind(a=one)
    both: list[ox.NamedNode | ox.Literal] = [one, two]
    assert f"VALUES ?a {{ <urn:one> {two} }}" in example().bind(a=both)
    assert f"VALUES (?b ?c) {{ (<urn:one> {two}) }}" in example().bind(b__c=[(one, two)])


def test_an_unnamed_parameter_stays_unbound_and_an_unknown_one_is_an_error() -> None:
    assert "VALUES (?b ?c) { (UNDEF UNDEF) }" in example().bind(a=ox.Literal(1))
    with pytest.raises(KeyError, match="no parameter z"):
        example().bind(z=ox.Literal(1))


def test_a_literal_cannot_break_out_of_its_block() -> None:
    store = ox.Store()
    store.add(ox.Quad(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.Literal("safe"), ox.NamedNode("urn:g")))
    hostile = ox.Literal('" } } INSERT DATA { <urn:x> <urn:y> <urn:z> } #')
    found = store.query(example().bind(b__c=[(ox.NamedNode("urn:p"), hostile)]), use_default_graph_as_union=True)
    assert list(found) == []  # type: ignore[arg-type]  # a SELECT gives solutions
