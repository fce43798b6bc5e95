"""Foreign queries: what could hang, crash or leave the machine is refused before it reaches the engine."""

from __future__ import annotations

import pytest

from semkg.errors import BadQuery
from semkg.sparql.guard import checked


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s ?p ?o }",
        "SELECT ?service { ?service ?p 'SERVICE <http://x> {}' } # SERVICE",
        "PREFIX ex: <http://example.org/SERVICE/> SELECT * { ?s ex:service ?o }",
        'ASK { ?s ?p """LOAD "quoted" (((""" }',
    ],
)
def test_an_ordinary_query_passes_unchanged(query: str) -> None:
    assert checked(query) == query


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT * { SERVICE <http://10.0.0.1/> { ?s ?p ?o } }", "another server"),
        ("SELECT * { { SELECT * { FILTER NOT EXISTS { service ?x { ?s ?p 1 } } ?s ?p ?o } } }", "another server"),
        ("SELECT * { " + "{" * 5000 + "}" * 5000 + " }", "levels deep"),
        ("SELECT (" + "(" * 5000 + "1" + ")" * 5000 + " AS ?x) {}", "levels deep"),
        ("SELECT * { {} " + "UNION {} " * 20_000 + "}", "characters|UNION"),
        ("SELECT * { ?s ?p 1 " + " " * 100_001 + "}", "characters"),
        ("SELECT * { \\u0053ERVICE <http://x> { ?s ?p ?o } }", "escape"),
        ("SELECT * { SERVICE", "does not parse"),
    ],
)
def test_a_dangerous_query_is_refused_with_its_reason(query: str, message: str) -> None:
    with pytest.raises(BadQuery, match=message):
        checked(query)
