"""The query catalogue: every SPARQL text of semkg is a file in `queries/<room>/<verb-noun>.rq`.

A file opens with a comment header (Title, Purpose, Parameters, Result). A parameter is a block `VALUES ?x { UNDEF }` or
`VALUES (?x ?y) { (UNDEF UNDEF) }`; `Query.bind` puts serialised terms in its place. A query runs unchanged in any SPARQL 1.1 engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyoxigraph as ox

from semkg import resources

Term = ox.NamedNode | ox.Literal

_BLOCK = re.compile(r"VALUES\s+(?P<vars>\?\w+|\((?:\s*\?\w+)+\s*\))\s*\{\s*(?:UNDEF|\((?:\s*UNDEF)+\s*\))\s*\}")
_HEADER = re.compile(r"^#\s*(Title|Purpose|Parameters|Result):\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Query:
    """One file of the catalogue."""

    name: str
    text: str
    title: str
    purpose: str
    parameters: tuple[str, ...]
    """The variables of the blocks, in order; those of one block are joined by a space."""

    def bind(self, **values: Iterable[Term] | Iterable[tuple[Term, ...]] | Term) -> str:
        """The query with each named parameter bound to one or many terms; an unnamed one stays unbound.

        For a block of several variables join their names with `__`: `bind(s__p=[(s1, p1), …])`. No value at all
        makes the block empty, so that nothing matches.

        Raises:
            KeyError: the query has no such parameter.
        """
        wanted = {name.replace("__", " "): value for name, value in values.items()}
        if unknown := wanted.keys() - set(self.parameters):
            raise KeyError(f"{self.name} has no parameter {', '.join(sorted(unknown))}")

        def block(match: re.Match[str]) -> str:
            names = " ".join(re.findall(r"\w+", match["vars"]))
            return f"VALUES {match['vars']} {{ {_rows(wanted[names])} }}" if names in wanted else match[0]

        return _BLOCK.sub(block, self.text)


def _rows(value: Iterable[Term] | Iterable[tuple[Term, ...]] | Term) -> str:
    if isinstance(value, ox.NamedNode | ox.Literal):
        return str(value)
    return " ".join(f"({' '.join(map(str, row))})" if isinstance(row, tuple) else str(row) for row in value)


@cache
def query(name: str) -> Query:
    """A query by its name, for example `query("graph/describe-node")`.

    Raises:
        FileNotFoundError: there is no such file.
    """
    return _read(resources.folder("queries"), resources.folder("queries") / f"{name}.rq")


@cache
def catalogue() -> tuple[Query, ...]:
    """All queries, by name."""
    root = resources.folder("queries")
    return tuple(_read(root, path) for path in resources.files("queries", ".rq"))


def _read(root: Path, path: Path) -> Query:
    text = path.read_text(encoding="utf-8")
    header = {match[1]: match[2] for line in text.splitlines() if (match := _HEADER.match(line))}
    return Query(
        name=path.relative_to(root).with_suffix("").as_posix(),
        text=text,
        title=header.get("Title", ""),
        purpose=header.get("Purpose", ""),
        parameters=tuple(" ".join(re.findall(r"\w+", match["vars"])) for match in _BLOCK.finditer(text)),
    )
