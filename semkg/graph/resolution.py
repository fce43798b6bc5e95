"""Which entities are one thing: a function of what the graph holds, whatever the order in which it came (DESIGN §2, law 5).

Rules, each with the check that keeps homonyms apart:

- name: the normalised labels are equal and the classes are too, or the classes are easily confused and the name says enough or
  the two share their surroundings (always, where one is a person);
- alias: one entity, and only one, says that it is also known by the other's name; same class;
- spelling: same class, first and last word agree and the words between are initials or missing (`J. R. R. Tolkien`), the
  embeddings of the labels are close, and the two share their surroundings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from semkg.graph.naming import GROUP_LIMIT, shorter_spelling
from semkg.ids import normal_name

SIMILARITY = 0.75
"""Least cosine between the labels' embeddings for the spelling rule."""

CONFUSED = frozenset(
    frozenset(pair)
    for pair in (
        ("Organization", "Place"),
        ("Organization", "Work"),
        ("Organization", "Product"),
        ("Organization", "Concept"),
        ("Organization", "Person"),
        ("Organization", "Group"),
        ("Organization", "Event"),
        ("Organization", "Facility"),
        ("Place", "Facility"),
        ("Place", "Group"),
        ("Place", "Person"),
        ("Place", "Concept"),
        ("Work", "Product"),
        ("Work", "Concept"),
        ("Work", "Person"),
        ("Work", "Event"),
        ("Work", "Place"),
        ("Product", "Concept"),
        ("Product", "Person"),
        ("Group", "Person"),
        ("Event", "Concept"),
        ("Person", "Concept"),
    )
)
"""Local names of classes that named-entity recognisers take for one another."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What resolution knows of an entity."""

    iri: str
    label: str
    type: str
    """The local name of its class."""
    aliases: frozenset[str]
    documents: frozenset[str]
    neighbours: frozenset[str]
    topic: bool
    """Is a document about it?"""

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(normal_name(self.label).split())


@dataclass(frozen=True, slots=True)
class Match:
    """Two entities that are one, and the rule that says so. The IRIs are in order."""

    first: str
    second: str
    basis: str


Similarity = Callable[[str, str], float]


def resolve(candidates: Iterable[Candidate], similarity: Similarity, apart: frozenset[frozenset[str]]) -> dict[str, tuple[str, str]]:
    """Merged entity → (canonical entity, basis).

    Args:
        candidates: all entities of the dataset.
        similarity: cosine between the embeddings of two entities' labels.
        apart: pairs that a person declared to be different (`owl:differentFrom`).
    """
    by_iri = {candidate.iri: candidate for candidate in candidates}
    matches = sorted(_matches(by_iri.values(), similarity), key=lambda match: (match.first, match.second, match.basis))
    clusters = _Clusters(apart)
    for match in matches:
        clusters.join(match)
    return {
        member: (canonical, basis)
        for cluster in clusters.all()
        for canonical in [_canonical([by_iri[iri] for iri in cluster])]
        for member, basis in cluster.items()
        if member != canonical
    }


def _canonical(cluster: Iterable[Candidate]) -> str:
    """The one a document is about, else the one most documents mention, else the longest name."""
    return min(cluster, key=lambda c: (not c.topic, -len(c.documents), -len(c.label), c.iri)).iri


def _matches(candidates: Iterable[Candidate], similarity: Similarity) -> Iterator[Match]:
    pool = sorted(candidates, key=lambda candidate: candidate.iri)
    names = _grouped(pool, lambda candidate: (normal_name(candidate.label),))
    for group in names.values():
        yield from (_match(a, b, "name") for a, b in _pairs(group) if _same_name(a, b))
    for name, claimants in _grouped(pool, lambda candidate: tuple(sorted({normal_name(alias) for alias in candidate.aliases}))).items():
        yield from _by_alias(claimants, names.get(name, []))
    for group in _grouped(pool, _ends).values():
        yield from (_match(a, b, "spelling") for a, b in _pairs(group) if _same_spelling(a, b, similarity))


def _grouped(pool: Iterable[Candidate], keys: Callable[[Candidate], tuple[str, ...]]) -> dict[str, list[Candidate]]:
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in pool:
        for key in keys(candidate):
            if key:
                groups[key].append(candidate)
    return {key: group for key, group in groups.items() if len(group) <= GROUP_LIMIT}


def _pairs(group: list[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    return combinations(group, 2)


def _match(a: Candidate, b: Candidate, basis: str) -> Match:
    first, second = sorted((a.iri, b.iri))
    return Match(first, second, basis)


def _same_name(a: Candidate, b: Candidate) -> bool:
    if a.type == b.type:
        return True
    telling = len(a.words) >= 2 and "Person" not in (a.type, b.type)
    return frozenset((a.type, b.type)) in CONFUSED and (telling or _share(a, b))


def _by_alias(claimants: list[Candidate], named: list[Candidate]) -> Iterator[Match]:
    """An alias that several claim names none of them; nor does one that is the name of what another document is about."""
    if len(claimants) != 1:
        return
    owner = claimants[0]
    for candidate in named:
        if candidate.iri != owner.iri and candidate.type == owner.type and not (candidate.topic and owner.topic):
            yield _match(owner, candidate, "alias")


def _ends(candidate: Candidate) -> tuple[str, ...]:
    words = candidate.words
    return (f"{candidate.type} {words[0][0]} {words[-1]}",) if len(words) >= 2 else ()


def _same_spelling(a: Candidate, b: Candidate, similarity: Similarity) -> bool:
    if not shorter_spelling(a.words, b.words) or (a.topic and b.topic):
        return False
    return _share(a, b) and similarity(a.iri, b.iri) >= SIMILARITY


def _share(a: Candidate, b: Candidate) -> bool:
    return bool(a.documents & b.documents or a.neighbours & b.neighbours or a.iri in b.neighbours)


class _Clusters:
    """Union-find that never lets a pair declared different end up in one cluster."""

    def __init__(self, apart: frozenset[frozenset[str]]) -> None:
        self._cluster: dict[str, dict[str, str]] = {}
        self._apart: Mapping[str, set[str]] = defaultdict(set)
        for first, second in (sorted(pair) for pair in apart if len(pair) == 2):
            self._apart[first].add(second)
            self._apart[second].add(first)

    def join(self, match: Match) -> None:
        one = self._cluster.setdefault(match.first, {match.first: match.basis})
        other = self._cluster.setdefault(match.second, {match.second: match.basis})
        if one is other or any(self._apart[member] & other.keys() for member in one if member in self._apart):
            return
        small, large = sorted((one, other), key=len)
        large.update(small)
        for member in small:
            self._cluster[member] = large

    def all(self) -> list[dict[str, str]]:
        """Each cluster: member → the rule that brought it in."""
        unique = {id(cluster): cluster for cluster in self._cluster.values()}
        return [cluster for cluster in unique.values() if len(cluster) > 1]
