"""From the store to its adjacency, whole or by what has changed since the last time.

What a passage says never changes (its text is part of its IRI), and reading it is what costs: so a passage that was looked at is not looked
at again, unless a name went that stood in it, or one came whose words it has. Mentions and triplets are taken over too where somebody kept
account of the changes. The result is the same as from nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semkg.graph.edges import merges
from semkg.graph.layout import Layout
from semkg.graph.ledger import Changes
from semkg.graph.listing import values
from semkg.graph.texts import value
from semkg.ports import GraphStore
from semkg.retrieve.adjacency import NONE, Adjacency, incidence, row
from semkg.retrieve.naming import NameTable, variants, words_of
from semkg.retrieve.vocabulary import hashed, holders, joined
from semkg.vocab import DCTERMS, FOAF, OA, RDF, SEMKG, SKOS

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from semkg.retrieve.adjacency import Hashes, Numbers

ALIAS_WORDS = 2
"""Fewest words of an alias under which a subject is looked for: a single one is rarely anybody's alone."""

FEW = 2_000
"""So many nodes are looked up one by one; for more it is faster to read what is said about all."""

Pairs = Sequence[tuple[str, str]]

Forms = Mapping[str, Collection[str]]
"""Title or label → the names under which a text may speak of what it is called by."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the store says that the adjacency is made of; pairs of IRIs, or of an IRI and a text. Entities are canonical."""

    parts: Pairs
    """(chunk, document)"""
    titles: Pairs
    """(document, title)"""
    topics: Pairs
    """(document, entity)"""
    labels: Pairs
    """(entity that is a topic, label of it or of one that was merged into it)"""
    aliases: Pairs
    mentions: Pairs
    """(entity, chunk)"""
    ends: Mapping[str, tuple[str, str]]
    """Asserted triplet → subject and object; empty where it is no entity."""
    merged: Mapping[str, str]
    """Merged entity → the one that it is part of."""


def derive(store: GraphStore, layout: Layout, previous: Adjacency | None = None, changes: Changes | None = None) -> Adjacency:
    """The adjacency of the store as it is now.

    Args:
        store: the truth.
        layout: its named graphs.
        previous: the adjacency of an earlier generation, of which what still holds is taken over.
        changes: what has changed since that generation; None where nobody knows.
    """
    said = _said(store, layout, previous, changes)
    passages = Numbering(chunk for chunk, _ in said.parts)
    entities = Numbering(chain((entity for entity, _ in said.mentions), (end for ends in said.ends.values() for end in ends if end)))
    triplets = Numbering(said.ends)
    forms = {label: variants(label) for label in {text for _, text in chain(said.titles, said.labels)}}
    bearers = _bearers(said, forms)
    names = Numbering(bearers)
    about = names.incidence(_about(said, bearers), passages)
    mentions = entities.incidence(said.mentions, passages)
    looked = _looked_at(store, layout, passages, names, previous)
    found = passages.incidence(((chunk, name) for chunk, (standing, _) in looked.items() for name in standing), names)
    words, word_starts = joined([hashes for _, hashes in looked.values()])
    name_of = _name_of(said, forms, entities, names)
    return Adjacency(
        generation=store.generation,
        passages=passages.keys,
        entities=entities.keys,
        triplets=triplets.keys,
        names=names.keys,
        found=found,
        about=about,
        speaks=_speaks(found, about, mentions, name_of),
        mentions=mentions,
        merged=tuple(f"{merged} {into}" for merged, into in sorted(said.merged.items())),
        words=words,
        word_starts=word_starts,
        name_of=name_of,
        subject_of=entities.numbers(said.ends[triplet][0] for triplet in triplets.keys),
        object_of=entities.numbers(said.ends[triplet][1] for triplet in triplets.keys),
        passage_of=passages.numbers(_passages_of(store, layout, triplets.keys, previous)),
    )


class Numbering:
    """Numbers for keys, in their order."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = tuple(sorted(set(keys)))
        self._numbers = {key: number for number, key in enumerate(self.keys)}

    def __contains__(self, key: str) -> bool:
        return key in self._numbers

    def numbers(self, keys: Iterable[str]) -> Numbers:
        """NONE for a key that has no number."""
        import numpy as np

        return np.array([self._numbers.get(key, NONE) for key in keys], np.int32)

    def incidence(self, pairs: Iterable[tuple[str, str]], columns: Numbering) -> csr_array:
        """A matrix with a one for each pair (key of this numbering, key of `columns`)."""
        listed = list(pairs)
        shape = (len(self.keys), len(columns.keys))
        return incidence(self.numbers(first for first, _ in listed), columns.numbers(second for _, second in listed), shape)


def _said(store: GraphStore, layout: Layout, previous: Adjacency | None, changes: Changes | None) -> Said:
    canon = {merged.value: into.value for merged, into in merges(store, layout).items()}
    doubtful = _doubtful(previous, canon) if previous else set()
    topics = [(document, canon.get(entity, entity)) for document, entity in values(store, FOAF.primaryTopic, layout.corpus)]
    return Said(
        parts=list(values(store, DCTERMS.isPartOf, layout.corpus)),
        titles=list(values(store, DCTERMS.title, layout.corpus)),
        topics=topics,
        labels=_labels(store, layout, {entity for _, entity in topics}, canon),
        aliases=_canonical(values(store, SKOS.altLabel, layout.facts), canon),
        mentions=_canonical(_mentions(store, layout, doubtful, previous, changes), canon),
        ends=_ends(store, layout, canon, list(_asserted(store, layout, previous, changes)), _known_ends(previous, doubtful)),
        merged=canon,
    )


def _canonical(pairs: Iterable[tuple[str, str]], canon: Mapping[str, str]) -> Pairs:
    return [(canon.get(entity, entity), other) for entity, other in pairs]


def _doubtful(previous: Adjacency, canon: Mapping[str, str]) -> set[str]:
    """The entities of an earlier adjacency that by a merge or an un-merge may stand for more or for less than they did."""
    before = dict(pair.split(" ") for pair in previous.merged)
    moved = {entity for entity in before.keys() | canon.keys() if before.get(entity, entity) != canon.get(entity, entity)}
    return moved | {before.get(entity, entity) for entity in moved}


def _mentions(
    store: GraphStore, layout: Layout, doubtful: Set[str], previous: Adjacency | None, changes: Changes | None
) -> Iterable[tuple[str, str]]:
    """(entity, chunk); read where they may be others than before."""
    if previous is None or changes is None:
        return values(store, SEMKG.mentionedIn, layout.facts)
    members = {*doubtful, *(member for member, into in (pair.split(" ") for pair in previous.merged) if into in doubtful)}
    fresh = chain(
        *(store.quads(None, SEMKG.mentionedIn, ox.NamedNode(chunk), layout.facts) for chunk in changes.chunks),
        *(store.quads(ox.NamedNode(entity), SEMKG.mentionedIn, None, layout.facts) for entity in members),
    )
    kept = (
        (previous.entities[entity], previous.passages[passage])
        for entity, passage in zip(*(side.tolist() for side in previous.mentions.nonzero()), strict=True)
    )
    return chain(
        ((entity, chunk) for entity, chunk in kept if chunk not in changes.chunks and entity not in doubtful),
        _nodes(fresh),
    )


def _labels(store: GraphStore, layout: Layout, topics: Collection[str], canon: Mapping[str, str]) -> Pairs:
    bearing = [(entity, entity) for entity in topics] + [(merged, into) for merged, into in canon.items() if into in topics]
    return [(into, value(store, ox.NamedNode(entity), SKOS.prefLabel, layout.facts)) for entity, into in bearing]


def _ends(
    store: GraphStore, layout: Layout, canon: Mapping[str, str], asserted: Sequence[str], known: Mapping[str, tuple[str, str]]
) -> dict[str, tuple[str, str]]:
    """Asserted triplet → its ends; they are looked up where they may be others than before."""
    unknown = [triplet for triplet in asserted if triplet not in known]
    subjects, objects = (_linked(store, unknown, part, layout.triplets) for part in (RDF.subject, RDF.object))

    def end(nodes: Mapping[str, str], triplet: str) -> str:
        node = nodes.get(triplet, "")
        return canon.get(node, node)

    return {triplet: known.get(triplet) or (end(subjects, triplet), end(objects, triplet)) for triplet in asserted}


def _asserted(store: GraphStore, layout: Layout, previous: Adjacency | None, changes: Changes | None) -> Iterator[str]:
    if previous is None or changes is None:
        yield from (triplet for triplet, _ in _nodes(store.quads(None, SEMKG.status, SEMKG.Asserted, layout.triplets)))
        return
    yield from (triplet for triplet in previous.triplets if triplet not in changes.triplets)
    for triplet in changes.triplets:
        if any(True for _ in store.quads(ox.NamedNode(triplet), SEMKG.status, SEMKG.Asserted, layout.triplets)):
            yield triplet


def _known_ends(previous: Adjacency | None, doubtful: Set[str]) -> dict[str, tuple[str, str]]:
    """The ends of triplets that no merge or un-merge since then can have changed."""
    if previous is None:
        return {}
    names = (*previous.entities, "")  # NONE is the last
    rows = zip(previous.triplets, previous.subject_of.tolist(), previous.object_of.tolist(), strict=True)
    ends = ((triplet, (names[subject], names[object])) for triplet, subject, object in rows)
    return {triplet: pair for triplet, pair in ends if doubtful.isdisjoint(pair)}


def _linked(store: GraphStore, nodes: Collection[str], predicate: ox.NamedNode, graph: ox.NamedNode) -> dict[str, str]:
    """Node → the node that a predicate leads to from it, the first in order of several; without those that lead to none."""
    wanted = set(nodes)
    if len(wanted) > FEW:
        quads = store.quads(None, predicate, None, graph)
    else:
        quads = chain.from_iterable(store.quads(ox.NamedNode(node), predicate, None, graph) for node in wanted)
    found: dict[str, str] = {}
    for quad in quads:
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode) and quad.subject.value in wanted:
            node, other = quad.subject.value, quad.object.value
            found[node] = min(other, found.get(node, other))
    return found


def _nodes(quads: Iterable[ox.Quad]) -> Iterator[tuple[str, str]]:
    """(subject, object)"""
    for quad in quads:
        subject, object = quad.subject, quad.object
        if isinstance(subject, ox.NamedNode) and isinstance(object, ox.NamedNode | ox.Literal):
            yield subject.value, object.value


def _bearers(said: Said, forms: Forms) -> dict[str, set[str]]:
    """Name → the documents whose subject bears it."""
    about: dict[str, set[str]] = defaultdict(set)
    for document, entity in said.topics:
        about[entity].add(document)
    bearers: dict[str, set[str]] = defaultdict(set)
    for document, title in said.titles:
        for name in forms[title]:
            bearers[name].add(document)
    for entity, label in said.labels:
        for name in forms[label] if entity in about else ():
            bearers[name] |= about[entity]
    for entity, alias in said.aliases:
        for name in variants(alias) if entity in about else ():
            if len(name.split()) >= ALIAS_WORDS:
                bearers[name] |= about[entity]
    return bearers


def _about(said: Said, bearers: Mapping[str, set[str]]) -> Iterable[tuple[str, str]]:
    """(name, chunk) for all chunks of the documents that are about what bears the name."""
    chunks: dict[str, list[str]] = defaultdict(list)
    for chunk, document in said.parts:
        chunks[document].append(chunk)
    return ((name, chunk) for name, documents in bearers.items() for document in documents for chunk in chunks[document])


def _looked_at(
    store: GraphStore, layout: Layout, passages: Numbering, names: Numbering, previous: Adjacency | None
) -> dict[str, tuple[Collection[str], Hashes]]:
    """Chunk → the names in its text and the hashes of its words; texts are read where the answer may be another than before."""
    before = _before(previous, passages)
    lost = {name for standing in before.values() for name in standing if name not in names}
    came = _with_words_of(previous, (name for name in names.keys if name not in previous.name_numbers)) if previous else set()
    table = NameTable(names.keys)
    looked: dict[str, tuple[Collection[str], Hashes]] = {}
    for chunk in passages.keys:
        known = before.get(chunk)
        if previous is None or known is None or chunk in came or lost.intersection(known):
            words = words_of(value(store, ox.NamedNode(chunk), SEMKG.text, layout.corpus))
            looked[chunk] = ({found.name for found in table.find(words)}, hashed(words))
        else:
            start, end = previous.word_starts[previous.passage_numbers[chunk] :][:2]
            looked[chunk] = (known, previous.words[start:end])
    return looked


def _with_words_of(previous: Adjacency, names: Iterable[str]) -> set[str]:
    """The chunks in which one of the names may stand."""
    return {previous.passages[number] for number in holders(previous.words, previous.word_starts, names)}


def _before(previous: Adjacency | None, passages: Numbering) -> dict[str, set[str]]:
    if previous is None:
        return {}
    return {
        chunk: {previous.names[number] for number in row(previous.found, place)}
        for place, chunk in enumerate(previous.passages)
        if chunk in passages
    }


def _name_of(said: Said, forms: Forms, entities: Numbering, names: Numbering) -> Numbers:
    """The first of the names under which an entity is the subject of a document."""
    topics = {entity for _, entity in said.topics}
    named: dict[str, str] = {}
    for entity, label in sorted(said.labels):
        for name in sorted(forms[label]) if entity in topics else ():
            named.setdefault(entity, name)
    return names.numbers(named.get(entity, "") for entity in entities.keys)


def _speaks(found: csr_array, about: csr_array, mentions: csr_array, name_of: Numbers) -> csr_array:
    """What a passage names, with the names of the subjects among the entities that it mentions, without what it is about itself."""
    import numpy as np

    by_mention = mentions.T.tocoo()
    rows = np.concatenate([found.tocoo().row, by_mention.row])
    columns = np.concatenate([found.indices, name_of[by_mention.col]])
    both = incidence(rows, columns, found.shape)
    own = both.multiply(about.T.tocsr())
    rest = (both - own).tocsr()
    rest.eliminate_zeros()
    return rest


def _passages_of(store: GraphStore, layout: Layout, triplets: Sequence[str], previous: Adjacency | None) -> Iterator[str]:
    """The chunk of each triplet: that of its evidence."""
    numbers = {} if previous is None else dict(zip(previous.triplets, previous.passage_of.tolist(), strict=True))
    known = {triplet: previous.passages[number] for triplet, number in numbers.items() if previous and number != NONE}
    evidence = _linked(store, [triplet for triplet in triplets if triplet not in known], SEMKG.evidence, layout.triplets)
    sources = _linked(store, evidence.values(), OA.hasSource, layout.triplets)
    return (known.get(triplet) or sources.get(evidence.get(triplet, ""), "") for triplet in triplets)
