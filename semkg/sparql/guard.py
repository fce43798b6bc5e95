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

_NETWORK = re.compile(r"\b(SERVICE|LOAD)\b", re.IGNORECASE)
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
    if found := _NETWORK.search(syntax):
        raise BadQuery(f"{found[1].upper()} asks another server, which is not allowed here: query that server itself")
    if _depth(syntax) > DEEPEST:
        raise BadQuery(f"the query is nested more than {DEEPEST} levels deep: write it flatter")
    if len(_OPERATOR.findall(syntax)) > MOST_OPERATORS:
        raise BadQuery(f"the query has more than {MOST_OPERATORS:,} UNION, OPTIONAL, MINUS, EXISTS and FILTER: use VALUES instead")
    return query


def _depth(syntax: str) -> int:
    deepest = depth = 0
    for character in syntax:
        if character in "({[":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")}]":
            depth -= 1
    return deepest
