"""Small worlds for the tests of retrieval: documents of several chunks with a title and a topic, and adjacencies made by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace

import numpy as np
import pyoxigraph as ox
from scipy.sparse import csr_array

from semkg import KnowledgeGraph
from semkg.ids import normal_name
from semkg.model import ChangeSet, Chunk, Document, Status, Triplet
from semkg.retrieve.adjacency import NONE, Adjacency, incidence
from semkg.vocab import SKOS
from tests.graph.worlds import AGENT, NAMES, Said, entity, reading

Saying = tuple[str, Sequence[Said]]
"""(text of a chunk, what it states)"""


def document(source: str, chunks: Sequence[str], title: str = "") -> tuple[Document, list[Chunk]]:
    """A document whose text is that of its chunks, one line each."""
    iri, text = NAMES.document(source), "\n".join(chunks)
    made = Document(iri, source, title or source, "text/plain", "en", hashlib.sha256(text.encode()).hexdigest())
    starts = [sum(len(chunk) + 1 for chunk in chunks[:number]) for number in range(len(chunks))]
    pieces = [
        Chunk(NAMES.chunk(iri, start, start + len(chunk), chunk), iri, chunk, start, start + len(chunk), number)
        for number, (start, chunk) in enumerate(zip(starts, chunks, strict=True))
    ]
    return made, pieces


def enter(
    kg: KnowledgeGraph,
    source: str,
    says: Sequence[Saying],
    title: str = "",
    topic: str = "",
    aliases: Sequence[str] = (),
    types: Mapping[str, str] | None = None,
    status: Status = Status.ASSERTED,
) -> tuple[Document, list[Chunk]]:
    """Enter a document, or a new version of it, with what it says.

    Args:
        kg: where to.
        source: the document's identity.
        says: its chunks, each text once.
        title: its title.
        topic: label of the entity that it is about; one of those that its first chunk speaks of.
        aliases: of that entity, stated by the first chunk.
        types: label → class.
        status: of its triplets.
    """
    made, chunks = document(source, [text for text, _ in says], title)
    kg._lifecycle.enter([(made, chunks)], AGENT)
    changes = [reading(made, chunk, list(facts), dict(types or {})) for chunk, (_, facts) in zip(chunks, says, strict=True)]
    if topic:
        subject = next(found for found in changes[0].entities if found.label == topic)
        named = tuple(_named(subject.iri, alias, changes[0]) for alias in aliases)
        changes[0] = replace(changes[0], topics=((made.iri, subject.iri),), triplets=(*changes[0].triplets, *named))
    for change in changes:
        outcome = kg.writer.apply(replace(change, triplets=tuple(replace(triplet, status=status) for triplet in change.triplets)))
        if outcome.refused:
            raise AssertionError(f"the gate refused {outcome.refused}")
    return made, chunks


def _named(subject: ox.NamedNode, alias: str, change: ChangeSet) -> Triplet:
    (piece,), (act,), literal = change.evidence, change.activities, ox.Literal(alias)
    iri = NAMES.triplet(subject, SKOS.altLabel, literal, piece.chunk)
    return Triplet(iri, subject, SKOS.altLabel, literal, piece.chunk, (piece.iri,), 0.8, activity=act.iri)


def iri(label: str, type: str = "Person") -> str:
    """The IRI of an entity."""
    return entity(label, type).iri.value


def same(one: Adjacency, other: Adjacency) -> None:
    """Fail where two adjacencies differ in any field."""
    for field in fields(Adjacency):
        mine, others = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, csr_array):
            assert mine.shape == others.shape, field.name
            for part in ("indptr", "indices", "data"):
                np.testing.assert_array_equal(getattr(mine, part), getattr(others, part), f"{field.name}.{part}")
        elif isinstance(mine, np.ndarray):
            np.testing.assert_array_equal(mine, others, field.name)
        else:
            assert mine == others, field.name


def standing(matrix: csr_array, rows: Sequence[str], columns: Sequence[str]) -> set[tuple[str, str]]:
    """The pairs for which a matrix holds a one, in words."""
    listed = matrix.tocoo()
    return {(rows[first], columns[second]) for first, second in zip(listed.row.tolist(), listed.col.tolist(), strict=True)}


def adjacency(
    passages: int,
    entities: int = 0,
    names: Iterable[str] = (),
    about: Iterable[tuple[int, int]] = (),
    speaks: Iterable[tuple[int, int]] = (),
    mentions: Iterable[tuple[int, int]] = (),
    triplets: Sequence[tuple[int, int, int]] = (),
) -> Adjacency:
    """An adjacency made by hand.

    Args:
        passages: how many; the IRI of the first is `passage/0`.
        entities: how many.
        names: in normal form.
        about: (name, passage).
        speaks: (passage, name).
        mentions: (entity, passage).
        triplets: (subject, object, passage).
    """
    listed = tuple(map(normal_name, names))

    def matrix(pairs: Iterable[tuple[int, int]], shape: tuple[int, int]) -> csr_array:
        columns = np.array([*pairs], np.int32).reshape(-1, 2)
        return incidence(columns[:, 0], columns[:, 1], shape)

    subjects, objects, sayers = (np.array([row[place] for row in triplets], np.int32) for place in range(3))
    spoken = matrix(speaks, (passages, len(listed)))
    return Adjacency(
        generation=1,
        passages=tuple(f"passage/{number}" for number in range(passages)),
        entities=tuple(f"entity/{number}" for number in range(entities)),
        triplets=tuple(f"triplet/{number}" for number in range(len(triplets))),
        names=listed,
        merged=(),
        found=spoken,
        about=matrix(about, (len(listed), passages)),
        speaks=spoken,
        mentions=matrix(mentions, (entities, passages)),
        words=np.zeros(0, np.uint32),
        word_starts=np.zeros(passages + 1, np.int64),
        name_of=np.full(entities, NONE, np.int32),
        subject_of=subjects,
        object_of=objects,
        passage_of=sayers,
    )
