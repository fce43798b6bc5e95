"""Generates datasets with odd content, and the store that holds them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

import pyoxigraph as ox
from hypothesis import strategies as st

from semkg.export import Format, export
from semkg.ids import Names
from semkg.store.oxigraph import OxigraphStore
from semkg.vocab import PROV, VOCABULARIES, XSD

NAMES = Names()
FACTS = NAMES.graph("facts")
GRAPHS = [FACTS, NAMES.graph("schema"), ox.NamedNode("prov:graph"), ox.NamedNode("urn:other")]
VOCABULARY = [term for vocabulary in VOCABULARIES for term in vocabulary.terms().values()]
NAMESPACES = ["http://example.org/", NAMES.root + "entity/", NAMES.root, PROV.base, "urn:x:", "prov:", "entity:", "file:///", "a-b:"]
XML_TEXT = st.text(
    st.characters(min_codepoint=32, exclude_categories=["Cs"], exclude_characters="\x7f\ufffe\uffff") | st.sampled_from("\t\n\r")
)
"""What XML can hold."""

ANY_TEXT = XML_TEXT | st.text("\x00\x01\b\t\n\v\f\r\x1b\x7f\x85\u2028\ufeff\ufffe\\\"'<&>]^@_:-é\U0001f600")


def _iri(text: str) -> ox.NamedNode:
    try:
        return ox.NamedNode(text)
    except ValueError:
        return ox.NamedNode("http://example.org/plain")


LOCALS = st.text("abAZ09-_.~:@!$&'()*+,;=/?#éЖ中\U00020000", max_size=10)
IRIS = st.builds(lambda namespace, local: _iri(namespace + local), st.sampled_from(NAMESPACES), LOCALS)
XML_PREDICATES = st.builds(lambda iri, name: _iri(iri.value + name), IRIS, st.sampled_from(["p", "_x", "é", "a.b-c"]))
BLANK_NODES = st.sampled_from([ox.BlankNode(label) for label in ("a", "b0", "0", "a.b", "x__y")])
DATATYPES = st.sampled_from([XSD.integer, XSD.decimal, XSD.boolean, XSD.date, XSD.dateTime, XSD.double, XSD.gYear, XSD.anyURI]) | IRIS
LEXICAL_FORMS = st.sampled_from(
    ["1", "01", "-0", "+5", "true", "1.50", "1e3", "1931-04-02", "2020-01-01T00:00:00Z", "99999999999999999999"]
)


def literals(text: st.SearchStrategy[str]) -> st.SearchStrategy[ox.Literal]:
    return (
        st.builds(ox.Literal, text)
        | st.builds(lambda value, tag: ox.Literal(value, language=tag), text, st.sampled_from(["en", "fr", "zh-Hant", "de-CH-1996"]))
        | st.builds(lambda value, datatype: ox.Literal(value, datatype=datatype), text | LEXICAL_FORMS, DATATYPES)
    )


def datasets(text: st.SearchStrategy[str], predicates: st.SearchStrategy[ox.NamedNode]) -> st.SearchStrategy[list[ox.Quad]]:
    """Lists of quads in named graphs; the properties of the vocabulary come with values of any kind."""
    nodes = IRIS | BLANK_NODES | st.sampled_from(VOCABULARY)
    quads = st.builds(ox.Quad, nodes, predicates, nodes | literals(text), st.sampled_from(GRAPHS))
    return st.lists(quads, max_size=25)


def store_of(quads: Iterable[ox.Quad]) -> OxigraphStore:
    store = OxigraphStore.in_memory()
    store.raw.extend(quads)  # not a commit: blank nodes keep their labels this way
    return store


def exported(store: OxigraphStore, format: Format, graphs: Sequence[ox.NamedNode] | None = None, vectors: bool = False) -> bytes:
    out = io.BytesIO()
    export(store, out, format, NAMES, graphs, vectors)
    return out.getvalue()
