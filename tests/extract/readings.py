"""Documents for the reader, and its readings in words."""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import NamedNode

from semkg.extract import EmbeddedReader
from semkg.ids import Names
from semkg.model import Chunk, Document, Reading, Structure

NAMES = Names()

Source = tuple[Document, list[Chunk]]


def document(text: str, title: str = "", language: str = "en", structure: Structure = Structure.BODY) -> Source:
    """A document of one chunk."""
    iri = NAMES.document(title + text)
    chunk = Chunk(NAMES.chunk(iri, 0, len(text), text), iri, text, 0, len(text), 0, structure)
    return Document(iri, title + text, title, "text/plain", language, "0" * 64), [chunk]


def in_chunks(texts: list[tuple[str, int]], title: str = "") -> Source:
    """A document of several chunks, each with how much it shares with the one before."""
    iri = NAMES.document(title)
    chunks, start = [], 0
    for position, (text, overlap) in enumerate(texts):
        start -= overlap
        chunks.append(
            Chunk(NAMES.chunk(iri, start, start + len(text), text), iri, text, start, start + len(text), position, overlap=overlap)
        )
        start += len(text)
    return Document(iri, title, title, "text/plain", "en", "0" * 64), chunks


@dataclass(frozen=True)
class Facts:
    """A reading in words."""

    reading: Reading

    @property
    def labels(self) -> dict[NamedNode, str]:
        return {entity.iri: entity.label for entity in self.reading.entities}

    @property
    def triples(self) -> set[tuple[str, str, str]]:
        """Subject label, local name of the property, object label or lexical form."""
        labels = self.labels
        return {
            (
                labels[t.subject],
                t.predicate.value.replace("#", "/").rpartition("/")[2],
                labels[t.object] if isinstance(t.object, NamedNode) else t.object.value,
            )
            for t in self.reading.triplets
        }

    @property
    def types(self) -> dict[str, str]:
        return {entity.label: entity.type.value.rpartition("/")[2] for entity in self.reading.entities}

    @property
    def quotes(self) -> dict[str, str]:
        """The statement in words → its evidence."""
        exact = {evidence.iri: evidence.exact for evidence in self.reading.evidence}
        return {triplet.text: exact[triplet.evidence[0]] for triplet in self.reading.triplets}


def facts(reader: EmbeddedReader, text: str, title: str = "") -> Facts:
    """What the reader makes of one text."""
    (reading,) = reader.read_many([document(text, title)])
    return Facts(reading)
