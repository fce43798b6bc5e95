"""Spans of a passage that may answer a question: the entities that the graph knows in it, dates and numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import pyoxigraph as ox

from semkg.agents.asked import Wanted
from semkg.extract.classes import class_of_noun
from semkg.graph.layout import Layout
from semkg.ports import GraphStore
from semkg.vocab import RDF, SEMKG, SKOS

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = re.compile(rf"\b(?:\d{{1,2}} {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}}|{_MONTH} \d{{4}}|1\d{{3}}|20\d{{2}})\b")
_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
_NUMBER = re.compile(
    r"\b(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: (?:million|billion|thousand))?\b"
)
_KIND = re.compile(r"\b(?:what|which)((?: [\w'-]+){1,4})", re.IGNORECASE)

CLASSES: dict[Wanted, frozenset[str]] = {
    Wanted.PERSON: frozenset({"Person"}),
    Wanted.AGENT: frozenset({"Person", "Organization", "Group"}),
    Wanted.PLACE: frozenset({"Place", "Facility"}),
}
"""The classes of entities of each wanted kind; the kinds that are missing are no entities."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a passage; offsets are code points of its text. `sure`: how surely they are of the wanted kind."""

    text: str
    start: int
    end: int
    sure: float


class SpanFinder:
    """Finds the spans of a chunk that are of the kind which a question asks for."""

    def __init__(self, store: GraphStore, layout: Layout) -> None:
        self._store = store
        self._layout = layout

    def spans(self, chunk: str, text: str, question: str, wanted: Wanted) -> list[Span]:
        """The spans in the order of the text.

        Args:
            chunk: the chunk's IRI.
            text: its text.
            question: as it was asked.
            wanted: the kind of its answer.
        """
        if wanted is Wanted.TIME:
            pattern = _YEAR if "year" in question.lower() else _DATE
            return [Span(match[0], match.start(), match.end(), 1.0) for match in pattern.finditer(text)]
        if wanted is Wanted.NUMBER:
            return [
                Span(match[0], match.start(), match.end(), 0.5 if _YEAR.fullmatch(match[0]) else 1.0) for match in _NUMBER.finditer(text)
            ]
        classes = CLASSES.get(wanted) or asked_class(question)
        noun = _kind_noun(question)
        found = (
            replace(span, sure=span.sure * (1.0 if noun in span.text.lower() else 0.9)) for span in self._entities(chunk, text, classes)
        )
        return sorted(found, key=lambda span: (span.start, -span.end))

    def _entities(self, chunk: str, text: str, classes: Collection[str]) -> Iterator[Span]:
        for quad in self._store.quads(None, SEMKG.mentionedIn, ox.NamedNode(chunk), self._layout.facts):
            if not isinstance(quad.subject, ox.NamedNode):
                continue
            kind = self._class(quad.subject)
            sure = 1.0 if kind in classes else 0.6 if not classes else 0.0
            if sure:
                for name in self._names(quad.subject):
                    yield from (
                        Span(name, found.start(), found.end(), sure) for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
                    )

    def _class(self, node: ox.NamedNode) -> str:
        types = (quad.object for quad in self._store.quads(node, RDF.type, None, self._layout.facts) if quad.object != SEMKG.Entity)
        return min((type.value.rsplit("/", 1)[-1] for type in types if isinstance(type, ox.NamedNode)), default="")

    def _names(self, node: ox.NamedNode) -> set[str]:
        return {
            quad.object.value
            for predicate in (SKOS.prefLabel, SKOS.altLabel)
            for quad in self._store.quads(node, predicate, None, self._layout.facts)
            if isinstance(quad.object, ox.Literal)
        }


def asked_class(question: str) -> frozenset[str]:
    """The class of what “which …” asks for; empty where the question does not say.

    >>> sorted(asked_class("Which film did Ada direct?")), asked_class("What did Ada do?")
    (['Work'], frozenset())
    """
    name = class_of_noun(_kind_noun(question))
    return frozenset({name}) if name else frozenset()


def _kind_noun(question: str) -> str:
    """“county” of “in which county”; empty where no such noun is known."""
    words = (word for match in _KIND.finditer(question) for word in match[1].lower().split())
    return next((word for word in words if class_of_noun(word)), "")
