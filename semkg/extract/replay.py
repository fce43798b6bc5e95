"""Replays what another extractor found: the reader of `semkg build --triples`, which parses nothing.

A record of the file becomes the document that `semkg build` makes of it; its names and statements become candidates with the evidence
for them in the text. What the reader gives for a document is a function of its record alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from semkg.extract.classes import CONCEPT, CONFIDENCE
from semkg.extract.labels import title_of
from semkg.extract.notation import in_words
from semkg.extract.recorded import VALUE, Fact, Recorded
from semkg.ids import Names, camel, normal_name
from semkg.ingest.sentences import sentence_around
from semkg.model import Agent, Chunk, Document, Entity, Evidence, Mention, Reading, SchemaTerm, TermKind, Triplet

VERSION = "1"
"""Changes with what the reader makes of a record: readings of another version are other activities."""

BOTH, ONE, NEITHER = 0.8, 0.7, 0.5
"""Confidence in a statement by how many of its two ends the text names."""

_SPACES = str.maketrans(dict.fromkeys("\t\n\r\f\v\x1c\x1d\x1e\x1f\x85\xa0", " "))

Span = tuple[int, int]


class ReplayingReader:
    """Reads documents by looking up what was found in them.

    Args:
        names: makes the IRIs of the dataset.
        recordings: what was found, by `Document.source`.
    """

    def __init__(self, names: Names, recordings: Mapping[str, Recorded]) -> None:
        self._names = names
        self._recordings = recordings

    @property
    def agent(self) -> Agent:
        return Agent(self._names.agent("replaying-reader", VERSION), f"reader of recorded triples {VERSION}")

    def covers(self, document: Document) -> bool:
        """Whether there is a record for a document."""
        return document.source in self._recordings

    def read_many(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> Iterator[Reading]:
        """One reading a document, in order; an empty one where there is no record."""
        for document, chunks in documents:
            found = self._recordings.get(document.source, Recorded())
            yield _Replay(document, [_Text.of(chunk) for chunk in chunks], self._names).reading(found)


@dataclass(frozen=True, slots=True)
class _Text:
    """A chunk, and its text as phrases are looked for in it: lower case, white space as spaces, every code point in its place."""

    chunk: Chunk
    plain: str

    @classmethod
    def of(cls, chunk: Chunk) -> _Text:
        low = chunk.text.lower()
        if len(low) != len(chunk.text):
            low = "".join(lower if len(lower := char.lower()) == 1 else char for char in chunk.text)
        return cls(chunk, low.translate(_SPACES))

    def spans(self, phrase: str) -> list[Span]:
        """Where a phrase stands as whole words, but for what the chunk repeats of the one before."""
        wanted = phrase.lower()
        found: list[Span] = []
        start = self.plain.find(wanted)
        while start >= 0:
            end = start + len(wanted)
            if end > self.chunk.overlap and not (self._inside_word(start) or self._inside_word(end)):
                found.append((start, end))
            start = self.plain.find(wanted, start + 1)
        return found

    def _inside_word(self, position: int) -> bool:
        return self.plain[max(position - 1, 0) : position + 1].isalnum() and 0 < position < len(self.plain)

    @property
    def whole(self) -> Span:
        return 0, len(self.chunk.text)


@dataclass(frozen=True, slots=True)
class _Place:
    """A span of a chunk, and how many ends of a statement are named in it."""

    text: _Text
    span: Span
    ends: int


class _Replay:
    """Makes the reading of one document."""

    def __init__(self, document: Document, texts: Sequence[_Text], names: Names) -> None:
        self._document = document
        self._texts = texts
        self._names = names
        self._class = SchemaTerm(names.schema(CONCEPT), TermKind.CLASS, CONCEPT)
        self._spans: dict[str, list[list[Span]]] = {}
        self._entities: dict[str, Entity] = {}
        self._evidence: dict[NamedNode, Evidence] = {}
        self._mentions: dict[tuple[NamedNode, NamedNode], Mention] = {}
        self._triplets: dict[NamedNode, Triplet] = {}
        self._terms: dict[NamedNode, SchemaTerm] = {}

    def reading(self, found: Recorded) -> Reading:
        if not self._texts:
            return Reading(self._document.iri)
        named = [self._entity(label) for label in found.names]
        # The span of a statement stands for its ends as well: one node for one span, whatever rests on it.
        for fact in found.facts:
            self._state(fact)
        for entity in named:
            self._mention_where_named(entity)
        topic = self._topic(found)
        for entity in self._entities.values():
            self._mention_at_least_once(entity)
        return Reading(
            document=self._document.iri,
            entities=tuple(self._entities.values()),
            mentions=tuple(self._mentions.values()),
            evidence=tuple(self._evidence.values()),
            triplets=tuple(self._triplets.values()),
            terms=(self._class, *self._terms.values()) if self._entities else (),
            topic=topic.iri if topic else None,
        )

    def _entity(self, label: str) -> Entity:
        if label not in self._entities:
            iri = self._names.entity(label, self._class.iri)
            self._entities[label] = Entity(iri, label, self._class.iri, CONFIDENCE[CONCEPT])
        return self._entities[label]

    def _topic(self, found: Recorded) -> Entity | None:
        """What the document is about: the thing that bears its title, by the name that the record has for it."""
        title = title_of(self._document.title, self._texts[0].chunk.text[:300])
        known = {normal_name(label): label for label in found.names}
        forms = (self._document.title, title.bare) if title else (self._document.title,)
        label = next((known[form] for form in map(normal_name, forms) if form in known), title.label if title else None)
        if label is None:
            return None
        entity = self._entity(label)
        self._mention_where_named(entity)
        return entity

    # -- statements

    def _state(self, fact: Fact) -> None:
        subject = self._entity(fact.subject)
        object = fact.object if isinstance(fact.object, Literal) else self._entity(fact.object)
        words = object.value if isinstance(object, Literal) else object.label
        place = self._place(fact.subject, words)
        chunk = place.text.chunk
        predicate = self._predicate(fact)
        end = object if isinstance(object, Literal) else object.iri
        iri = self._names.triplet(subject.iri, predicate.iri, end, chunk.iri)
        if iri in self._triplets:
            return
        evidence = self._quote(place.text, place.span)
        text = f"{subject.label} {predicate.label} {words}"
        confidence = (NEITHER, ONE, BOTH)[place.ends]
        self._triplets[iri] = Triplet(iri, subject.iri, predicate.iri, end, chunk.iri, (evidence.iri,), confidence, text=text)
        for entity in (subject, object):
            if isinstance(entity, Entity):
                self._mentions.setdefault((entity.iri, chunk.iri), Mention(entity.iri, evidence.iri))

    def _predicate(self, fact: Fact) -> SchemaTerm:
        iri = self._names.schema(camel(fact.relation))
        if iri not in self._terms:
            kind = TermKind.DATATYPE_PROPERTY if isinstance(fact.object, Literal) else TermKind.OBJECT_PROPERTY
            self._terms[iri] = SchemaTerm(iri, kind, in_words(fact.relation.removesuffix(VALUE)), notation=fact.relation)
        return self._terms[iri]

    # -- places in the text

    def _place(self, subject: str, object: str) -> _Place:
        """The smallest span that names both ends; else the sentence that names one; else a whole chunk."""
        subjects, objects = self._spans_of(subject), self._spans_of(object)
        for text, ones, others in zip(self._texts, subjects, objects, strict=True):
            if ones and others:
                joint = ((min(one[0], other[0]), max(one[1], other[1])) for one in ones for other in others)
                return _Place(text, min(joint, key=lambda span: (span[1] - span[0], span[0])), 2)
        for text, spans in (*zip(self._texts, objects, strict=True), *zip(self._texts, subjects, strict=True)):
            if spans:
                return _Place(text, sentence_around(text.chunk.text, *spans[0]), 1)
        return _Place(self._texts[0], self._texts[0].whole, 0)

    def _spans_of(self, phrase: str) -> list[list[Span]]:
        """Where a phrase stands, chunk by chunk."""
        if phrase not in self._spans:
            self._spans[phrase] = [text.spans(phrase) for text in self._texts]
        return self._spans[phrase]

    def _mention_where_named(self, entity: Entity) -> None:
        """One mention in each chunk that names the entity, at the first place."""
        for text, spans in zip(self._texts, self._spans_of(entity.label), strict=True):
            key = (entity.iri, text.chunk.iri)
            if spans and key not in self._mentions:
                self._mentions[key] = Mention(entity.iri, self._quote(text, spans[0]).iri)

    def _mention_at_least_once(self, entity: Entity) -> None:
        """A name that the text has in another form is mentioned by the passage as a whole."""
        if not any((entity.iri, text.chunk.iri) in self._mentions for text in self._texts):
            first = self._texts[0]
            self._mentions[entity.iri, first.chunk.iri] = Mention(entity.iri, self._quote(first, first.whole).iri)

    def _quote(self, text: _Text, span: Span) -> Evidence:
        iri = self._names.evidence(text.chunk.iri, *span)
        if iri not in self._evidence:
            self._evidence[iri] = Evidence(iri, text.chunk.iri, *span, text.chunk.text[span[0] : span[1]])
        return self._evidence[iri]
