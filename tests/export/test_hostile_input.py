"""What must not reach a parser is refused with a message that names the line and says what to do."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semkg.errors import BadInput
from semkg.export import Format, parse
from semkg.export.guards import Guard, JsonGuard, TurtleGuard

XML = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:a="urn:a:">%b</rdf:RDF>'
BOMB = (
    b'<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n' + XML % b"<a:x><a:p>&b;</a:p></a:x>"
)
DEEP = 50_000
TERM_CHAIN = {"@context": {f"a{n}": f"a{n + 1}:x" for n in range(20_000)} | {"a20000": "urn:end:"}, "a0:y": "1"}

REFUSED = [
    (Format.RDFXML, BOMB, "line 2: a document type declaration"),
    (Format.RDFXML, XML % b"<!-- <!DOCTYPE a> -->\n<a:x><a:p></a:x>", "line 2: this is not well-formed XML: mismatched tag"),
    (Format.RDFXML, XML % (b"<a:x><a:p>" * DEEP), "nested more than 100 deep"),
    (Format.RDFXML, XML % b"<a:x><a:p>\xff</a:p></a:x>", "not well-formed"),
    (Format.TURTLE, b"<urn:s> <urn:p> " + b"[ <urn:p> " * DEEP, "line 1: nested more than 100 deep"),
    (Format.TURTLE, b"<urn:s> <urn:p>\n" + b"( " * DEEP, "line 2: nested more than 100 deep"),
    (Format.TURTLE, b"<urn:s> <urn:p> " + b"<<( <urn:s> <urn:p> " * DEEP, "line 1: a triple inside a triple"),
    (Format.NQUADS, b"<urn:s> <urn:p> <<( <urn:s> <urn:p> <urn:o> )>> .", "line 1: a triple inside a triple"),
    (Format.TRIG, b'<urn:s> <urn:p> "a"@en--ltr .', "a term of RDF 1.2"),
    (Format.TURTLE, b"<urn:s> <urn:p> <urn:o> {| <urn:q> 1 |} .", "a term of RDF 1.2"),
    (Format.TURTLE, b'<urn:s> <urn:p> "a" .\n<urn:s> <urn:p> <a b> .', "line 2: this is not valid turtle"),
    (Format.TURTLE, b"<s> <urn:p> 1 .", "give a base IRI, or write absolute IRIs"),
    (Format.TURTLE, b'<urn:s> <urn:p> "\xff" .', "line 1: this is not valid turtle"),
    (Format.JSONLD, b'{"@context": "https://schema.org/", "name": "x"}', "a remote context, which is never fetched"),
    (Format.JSONLD, b'{"@context": {"p": {"@id": "urn:p", "@context": "file:///etc/hosts"}}, "p": {"p": 1}}', "a remote context"),
    (Format.JSONLD, b'{"@context": {"@version": 1.1, "@import": "https://schema.org/"}, "name": "x"}', "a remote context"),
    (Format.JSONLD, b'{"urn:p":' * DEEP, "line 1: nested more than 100 deep"),
    (Format.JSONLD, json.dumps(TERM_CHAIN, indent=0).encode(), "line 5003: an object with more than 5,000 keys"),
    (Format.JSONLD, b'{"@id": "urn:s",\n "urn:p": [1,}', "line 2: this is not valid jsonld"),
]


@pytest.mark.parametrize(("format", "text", "message"), REFUSED)
def test_a_hostile_or_broken_document_is_refused(format: Format, text: bytes, message: str) -> None:
    with pytest.raises(BadInput, match=message) as refusal:
        list(parse(io.BytesIO(text), format))
    assert refusal.value.exit_code == 65


def test_a_document_above_the_limit_is_refused() -> None:
    line = b"<urn:s> <urn:p> <urn:o> .\n"
    assert len(list(parse(io.BytesIO(line * 40), Format.NQUADS, max_bytes=len(line) * 40))) == 40
    with pytest.raises(BadInput, match="larger than 1,000 bytes: split it"):
        list(parse(io.BytesIO(line * 40), Format.NQUADS, max_bytes=1000))


def test_provenance_notations_cannot_be_read() -> None:
    with pytest.raises(BadInput, match="provn can only be exported"):
        parse(io.BytesIO(b""), "provn")


def test_a_base_that_is_no_iri_is_refused() -> None:
    with pytest.raises(BadInput, match="the base IRI 'x' is not an absolute IRI"):
        list(parse(io.BytesIO(b"<a> <b> <c> ."), Format.TURTLE, "x"))


def test_relative_iris_are_resolved_against_the_base() -> None:
    (quad,) = parse(io.BytesIO(b"<a> <b> <c> ."), "text/turtle; charset=utf-8", "https://example.org/x/")
    assert str(quad.subject) == "<https://example.org/x/a>"


def test_terms_are_kept_as_they_are_written() -> None:
    text = '<urn:s> <HTTP://Example.org/a/../b> "01"^^<http://www.w3.org/2001/XMLSchema#integer> .'
    (quad,) = parse(io.BytesIO(text.encode()), Format.NQUADS)
    assert f"{quad.subject} {quad.predicate} {quad.object} ." == text


@pytest.mark.parametrize(
    ("format", "text"),
    [
        (Format.TURTLE, b"_:x <urn:p> [ <urn:q> ( 1 2 ) ], _:x . [] <urn:p> _:y ."),
        (Format.TRIG, b"[] { _:x <urn:p> [] }"),
        (Format.JSONLD, b'{"@id": "_:x", "urn:p": [{"urn:q": {"@list": [1, 2]}}, {"@id": "_:x"}]}'),
        (Format.RDFXML, XML % b'<a:x><a:p rdf:parseType="Resource"><a:q><a:y/></a:q></a:p></a:x>'),
    ],
)
def test_unnamed_nodes_are_numbered_alike_every_time(format: Format, text: bytes) -> None:
    quads = list(parse(io.BytesIO(text), format))
    assert "_:b0" in str(quads[0])
    assert quads == list(parse(io.BytesIO(text), format))


def feed(guard: Guard, text: bytes, size: int) -> None:
    for start in range(0, len(text) + size, size):
        guard.feed(text[start : start + size])


HARMLESS_TURTLE = """# it's a "comment" with << and ((((
@prefix e: <urn:e#> .
e:a\\'b e:p "<< \\" [[[[", '<<( \\' ((((', \"\"\"two "quoted" << words ""
'''\\\"\"\" \"\"\", '''<< " \"\"\" ''', "", '' ; # "
  e:q <urn:x#'y'>, ( 1 [ e:r "[" ] ) .
"""


@given(size=st.integers(1, 9))
def test_brackets_in_strings_comments_and_iris_are_no_structure(size: int) -> None:
    guard = TurtleGuard()
    text = HARMLESS_TURTLE.encode()
    feed(guard, text, size)
    assert len(list(parse(io.BytesIO(text), Format.TURTLE))) == 13
    assert guard.line == HARMLESS_TURTLE.count("\n") + 1


@given(size=st.integers(1, 9), before=st.sampled_from(["", '"a" ', "'''b''' ", '"""""" ', "# ' \n", "<urn:x>", "\\' "]))
def test_a_triple_in_a_triple_is_found_wherever_the_bytes_are_cut(size: int, before: str) -> None:
    guard = TurtleGuard()
    text = f"{before}<<( <urn:s> ".encode()
    with pytest.raises(BadInput, match="a triple inside a triple"):
        feed(guard, text, size)


@given(
    size=st.integers(1, 9),
    document=st.recursive(
        st.text('\\"{}[]:a', max_size=6) | st.integers(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('\\"{[:', max_size=4), inner, max_size=4),
        max_leaves=20,
    ),
)
def test_structure_in_json_strings_does_not_count(size: int, document: object) -> None:
    guard = JsonGuard()
    text = json.dumps(document).encode()
    feed(guard, text, size)
    assert guard.depth == 0
