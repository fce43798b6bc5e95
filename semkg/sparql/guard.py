"""Refuses queries from outside that could hang, crash or leave the machine (FACTS: Oxigraph has no limits of its own)."""

from __future__ import annotations

import re

from semkg.errors import BadQuery

MOST_CHARACTERS = 100_000
DEEPEST = 100
MOST_OPERATORS = 2_000

_QUIET = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^\'\\]|\\.|\'(?!\'\'))*\'\'\'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|<[^<>"{}|^`\\\s]*>|#[^\n]*'
)
"""Strings, IRIs and comments: nothing in them is syntax."""

_NETWORK = re.compile(r"\bSERVICE\b", re.IGNORECASE)
_OPERATOR = re.compile(r"\b(UNION|OPTIONAL|MINUS|EXISTS|FILTER)\b", re.IGNORECASE)


def checked(query: str) -> str:
    """The query, if it is fit to be run.

    Raises:
        BadQuery: it is too long or too deeply nested, or asks the network.

    >>> checked("ASK { ?s ?p 'SERVICE' }")
    "ASK { ?s ?p 'SERVICE' }"
    """
    if len(query) > MOST_CHARACTERS:
        raise BadQuery(f"the query has {len(query):,} characters; at most {MOST_CHARACTERS:,} are allowed: pass fewer values at a time")
    # Escapes outside strings could spell a keyword that is not to be seen here; SPARQL §19.2 replaces them before parsing.
    if re.search(r"\\[uU]", _QUIET.sub(" ", query)):
        raise BadQuery("the query has a \\u escape outside of strings and IRIs: write the character itself")
    syntax = _QUIET.sub(" ", query)
    if _depth(syntax) > DEEPEST:
        raise BadQuery(f"the query is nested more than {DEEPEST} levels deep: write it flatter")
    if len(_OPERATOR.findall(syntax)) > MOST_OPERATORS:
        raise BadQuery(f"the query has more than {MOST_OPERATORS:,} UNION, OPTIONAL, MINUS, EXISTS and FILTER: use VALUES instead")
    if _NETWORK.search(syntax) and _asks_the_network(query):
        raise BadQuery("SERVICE asks another server, which is not allowed here: query that server itself")
    return query


def _asks_the_network(query: str) -> bool:
    """Is there a SERVICE pattern? The word alone may be a variable or a local name, so a parser decides."""
    from rdflib.plugins.sparql.algebra import translateQuery, traverse
    from rdflib.plugins.sparql.parser import parseQuery
    from rdflib.plugins.sparql.parserutils import CompValue

    found: list[bool] = []

    def visit(node: object) -> None:
        if isinstance(node, CompValue) and node.name == "ServiceGraphPattern":
            found.append(True)

    try:
        traverse(translateQuery(parseQuery(query)).algebra, visitPre=visit)
    except RecursionError as error:
        raise BadQuery("the query is nested too deeply: write it flatter") from error
    except Exception as error:  # rdflib's parser raises many types; what it cannot read is not let through
        raise BadQuery(f"the query does not parse: {error}") from error
    return bool(found)


def _depth(syntax: str) -> int:
    deepest = depth = 0
    for character in syntax:
        if character in "({[":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")}]":
            depth -= 1
    return deepest
