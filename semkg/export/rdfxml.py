"""Writes RDF/XML (RDF 1.1 XML Syntax) in one pass, and refuses what XML 1.0 cannot hold instead of writing a broken document.

The serialiser of the store drops control characters, turns carriage returns into line feeds and writes elements without a name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from semkg.errors import BadInput
from semkg.export.records import Fields, fields
from semkg.vocab import RDF

_START = (
    r"A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF"
    r"\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
_NCNAME = re.compile(rf"[{_START}][{_START}\-.0-9\xB7\u0300-\u036F\u203F-\u2040]*$")
"""An NCName (Namespaces in XML 1.0 §3) at the end of an IRI."""

_NOT_XML = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")
"""What XML 1.0 §2.2 leaves out of `Char`."""

_RESERVED = {
    RDF.base + name
    for name in (
        "RDF",
        "ID",
        "about",
        "parseType",
        "resource",
        "nodeID",
        "datatype",
        "aboutEach",
        "aboutEachPrefix",
        "bagID",
        "Description",
        "li",
    )
}
"""RDF/XML §5.1: names that cannot be property elements."""


def write(records: Iterable[bytes], prefixes: Mapping[str, str]) -> Iterator[str]:
    """The fragments of one RDF/XML document.

    Args:
        records: in order, without their graphs.
        prefixes: prefix → namespace.

    Raises:
        BadInput: a predicate has no XML name, or a text holds a character that XML cannot.
    """
    declared = "".join(f"\n  xmlns:{prefix}={quoteattr(namespace)}" for prefix, namespace in sorted(prefixes.items()))
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF{declared}>\n'
    namespaces = {namespace: prefix for prefix, namespace in prefixes.items()}
    for subject, statements in groupby(map(fields, records), itemgetter(1)):
        yield f"<rdf:Description {_node('about', subject.decode())}>\n"
        yield from (_property_element(statement, namespaces) for statement in statements)
        yield "</rdf:Description>\n"
    yield "</rdf:RDF>\n"


def _property_element(statement: Fields, namespaces: Mapping[str, str]) -> str:
    _, subject, predicate, value = (field.decode() for field in statement)
    name, declaration = _element(predicate[1:-1], namespaces)
    if not value.startswith('"'):
        return f"  <{name}{declaration} {_node('resource', value)}/>\n"
    end = value.rindex('"') + 1
    text, rest = value[:end], value[end:]
    return f"  <{name}{declaration}{_qualifier(rest)}>{_text(text, subject, predicate)}</{name}>\n"


def _element(predicate: str, namespaces: Mapping[str, str]) -> tuple[str, str]:
    """The qualified name of a property element, and the namespace declaration that it needs."""
    cut = _cut(predicate)
    if cut is None or predicate in _RESERVED:
        raise BadInput(f"the predicate <{predicate}> has no name in XML: RDF/XML cannot hold it, export to turtle, trig, nquads or jsonld")
    namespace, local = predicate[:cut], predicate[cut:]
    if namespace in namespaces:
        return f"{namespaces[namespace]}:{local}", ""
    return f"ns:{local}", f" xmlns:ns={quoteattr(namespace)}"


@lru_cache(10_000)
def _cut(predicate: str) -> int | None:
    """Where the longest name begins that ends the IRI.

    Expat, and with it most readers, knows the letters of the fourth edition of XML 1.0, fewer than `_NCNAME` (the fifth): so it is asked.
    """
    starts = (start for start in range(1, len(predicate)) if _NCNAME.match(predicate, start))
    return next((start for start in starts if _is_name(predicate[start:])), None)


def _is_name(text: str) -> bool:
    try:
        expat.ParserCreate("UTF-8").Parse(f"<{text}/>".encode(), True)
    except expat.ExpatError:
        return False
    return True


def _node(attribute: str, term: str) -> str:
    if term.startswith("<"):
        return f"rdf:{attribute}={quoteattr(term[1:-1])}"
    # A label may begin with a digit, an XML name may not.
    return f'rdf:nodeID="b{term[2:]}"'


def _qualifier(rest: str) -> str:
    if rest.startswith("@"):
        return f' xml:lang="{rest[1:]}"'
    return f" rdf:datatype={quoteattr(rest[3:-1])}" if rest else ""


def _text(quoted: str, subject: str, predicate: str) -> str:
    text: str = json.loads(quoted) if "\\" in quoted else quoted[1:-1]
    if found := _NOT_XML.search(text):
        raise BadInput(
            f"the {predicate} of {subject} holds U+{ord(found[0]):04X}, which XML cannot: "
            "export to turtle, trig, nquads or jsonld, or correct the text"
        )
    # A parser turns a bare carriage return into a line feed (XML 1.0 §2.11).
    return escape(text, {"\r": "&#xD;"})
