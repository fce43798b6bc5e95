"""Walking the graph from what a question finds by its words and names (RAGA §3.6.2, with PageRank as in HippoRAG 2).

Passages get votes, added to what the vector and lexical streams say of them:

- those *about* what the question names (`subject`);
- those about what the best passages speak of (`forward`), the more the nearer the passage's statement about it is to the question, the
  rarer the subject is, and the better the target fits the question;
- those that speak of what the best passages are about (`backward`), and those that mention a rare entity with them (`shared`);
- in a second step the same again from the best passages so far;
- and, over longer distances, the weight that personalised PageRank brings (`pagerank`).

Where several passages are about one subject, the one nearest to the question gets the vote, the next a half, then a third.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from semkg.retrieve.adjacency import NONE, Adjacency, row
from semkg.retrieve.pagerank import personalised_pagerank
from semkg.retrieve.tuning import Tuning

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from semkg.retrieve.adjacency import Numbers

    Scores = NDArray[np.float32]

PAGERANK_SEEDS = 20
"""Best passages that PageRank starts from."""


class Relation(Enum):
    """How the walk came to a passage; the value is how a path says it."""

    SUBJECT = "the question names"
    FORWARD = "speaks of"
    BACKWARD = "is spoken of here, as"
    SHARED = "also mentions"
    PAGERANK = "many links lead here"


@dataclass(frozen=True, slots=True)
class Arrival:
    """How a passage got its largest vote: from the passage `source` (NONE: from the question) by the name or entity `via`."""

    relation: Relation
    source: int = NONE
    via: int = NONE


@dataclass(slots=True)
class Votes:
    """The votes of one relation: the largest counts. All of shape (passages,)."""

    relation: Relation
    scores: Scores
    sources: Numbers
    vias: Numbers

    @classmethod
    def none(cls, relation: Relation, passages: int) -> Votes:
        import numpy as np

        return cls(relation, np.zeros(passages, np.float32), np.full(passages, NONE, np.int32), np.full(passages, NONE, np.int32))

    def cast(self, passages: Numbers, scores: Scores, source: int, via: int) -> None:
        """Vote for some passages."""
        better = scores > self.scores[passages]
        chosen = passages[better]
        self.scores[chosen] = scores[better]
        self.sources[chosen] = source
        self.vias[chosen] = via


@dataclass(frozen=True, slots=True)
class Seen:
    """What a question looks like from the graph.

    Attributes:
        base: what the vector and lexical streams say of each passage, shape (passages,).
        fit: how well passages fit the question: (1 + cosine) / 2, shape (passages asked about,).
        subjects: names that the question bears.
        words: stems of its other words.
        entities: where PageRank starts beside the passages, entity → weight.
    """

    base: Scores
    fit: Callable[[Numbers], Scores]
    subjects: Sequence[int]
    words: frozenset[str]
    entities: Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Walked:
    """Shape (passages,): the votes, and the scores with them."""

    votes: Scores
    scores: Scores
    relations: tuple[Votes, ...] = field(default=())

    def arrival(self, passage: int) -> Arrival | None:
        """How the passage got its largest vote, None where it got none."""
        votes = max(self.relations, key=lambda votes: float(votes.scores[passage]), default=None)
        if votes is None or votes.scores[passage] <= 0:
            return None
        return Arrival(votes.relation, int(votes.sources[passage]), int(votes.vias[passage]))


Nearness = Callable[[int, int], tuple[float, float]]
"""(passage, name) → (cosine of the passage's nearest statement about what bears the name, share of the question's words beside it)."""


class Walk:
    """Walks one adjacency for one question."""

    def __init__(self, adjacency: Adjacency, seen: Seen, nearness: Nearness, tuning: Tuning) -> None:
        self._graph = adjacency
        self._seen = seen
        self._nearness = nearness
        self._tuning = tuning

    def walk(self, transition: csr_array | None) -> Walked:
        """Vote in two steps, then let PageRank spread what they found; without a transition matrix it does not."""
        import numpy as np

        tuning = self._tuning
        subject = self._subject_votes()
        seeded = self._seen.base + subject.scores
        first = self._step(seeded, tuning.sources)
        scores = seeded + sum((votes.scores for votes in first), np.zeros_like(seeded))
        relations = [subject, *first]
        if tuning.again:
            second = self._step(scores, tuning.sources_again)
            for votes, before in zip(second, first, strict=True):
                votes.scores = tuning.again * np.maximum(0, votes.scores - before.scores)
                scores = scores + votes.scores
            relations += second
        if transition is not None:
            spread = self._pagerank(seeded, transition)
            relations.append(spread)
            scores = scores + spread.scores
        return Walked(scores - self._seen.base, scores, tuple(relations))

    def _subject_votes(self) -> Votes:
        import numpy as np

        votes = Votes.none(Relation.SUBJECT, len(self._graph.passages))
        subjects = self._seen.subjects
        crowd = 1 + np.log(1 + len(subjects) / 3)
        for name in subjects if self._tuning.subject else ():
            passages, shares = self._shared_out(name)
            rarity = (1 + np.log(1 + self._frequency(name))) ** self._tuning.subject_rarity
            votes.cast(passages, (self._tuning.subject / crowd / rarity * shares).astype(np.float32), NONE, name)
        return votes

    def _step(self, scores: Scores, sources: int) -> tuple[Votes, Votes, Votes]:
        size = len(self._graph.passages)
        forward, backward, shared = (Votes.none(relation, size) for relation in (Relation.FORWARD, Relation.BACKWARD, Relation.SHARED))
        for source in best(scores, sources):
            if self._tuning.forward:
                self._forward(source, scores[source], forward)
            if self._tuning.backward:
                self._backward(source, scores[source], backward)
            if self._tuning.shared:
                self._shared(source, scores[source], shared)
        return forward, backward, shared

    def _forward(self, source: int, weight: float, votes: Votes) -> None:
        import numpy as np

        tuning = self._tuning
        # A step whose statement and wording fit middlingly keeps the weight of its source.
        usual = (0.5 + 0.35 * tuning.statement + 0.2 * tuning.wording) / 0.75
        for name in row(self._graph.speaks, source).tolist():
            statement, wording = self._nearness(source, name) if tuning.statement or tuning.wording else (0.0, 0.0)
            passages, shares = self._shared_out(name)
            fit = self._seen.fit(passages) + tuning.statement * statement + tuning.wording * wording
            rarity = (1 + np.log(max(1, self._frequency(name)))) ** tuning.forward_rarity
            votes.cast(passages, (tuning.forward * weight * fit / usual * shares / rarity).astype(np.float32), source, name)

    def _backward(self, source: int, weight: float, votes: Votes) -> None:
        import numpy as np

        for name in row(self._graph.subjects, source).tolist():
            passages = row(self._graph.spoken, name)
            if len(passages):
                score = self._tuning.backward * weight * self._seen.fit(passages) ** 2 / (1 + np.log(len(passages)))
                votes.cast(passages, score.astype(np.float32), source, name)

    def _shared(self, source: int, weight: float, votes: Votes) -> None:
        import numpy as np

        for entity in row(self._graph.mentioned, source).tolist():
            passages = row(self._graph.mentions, entity)
            if 1 < len(passages) <= self._tuning.shared_most:
                score = self._tuning.shared * weight * self._seen.fit(passages) ** 2 / len(passages) ** self._tuning.shared_rarity
                votes.cast(passages, score.astype(np.float32), source, entity)

    def _pagerank(self, seeded: Scores, transition: csr_array) -> Votes:
        import numpy as np

        entities = len(self._graph.entities)
        reset = np.zeros(entities + len(seeded), np.float32)
        top = best(seeded, PAGERANK_SEEDS)
        if len(top):
            # The last of them keeps a little, so that one seed alone has any weight at all.
            weights = seeded[top] - seeded[top].min() + 0.05
            reset[entities + top] = weights / weights.sum()
        total = sum(weight for _, weight in self._seen.entities)
        for entity, weight in self._seen.entities:
            reset[entity] += weight / total
        spread = personalised_pagerank(transition, reset, self._tuning.damping, self._tuning.iterations)[entities:]
        largest = float(spread.max(initial=0.0))
        votes = Votes.none(Relation.PAGERANK, len(seeded))
        if largest > 0:
            votes.scores = (self._tuning.pagerank / largest * spread).astype(np.float32)
        return votes

    def _shared_out(self, name: int) -> tuple[Numbers, Scores]:
        """The passages about what bears the name, and what part of a vote each gets: 1, 1/2, 1/3 … from the one that fits best.

        Of those that no other stream has found the nearest to the question comes first.
        """
        import numpy as np

        passages = row(self._graph.about, name)
        shares = np.ones(len(passages), np.float32)
        if len(passages) > 1:  # Few names have several bearers.
            order = np.lexsort((-self._seen.fit(passages), -self._seen.base[passages]))
            shares[order] = 1 / np.arange(1, len(passages) + 1)
        return passages, shares

    def _frequency(self, name: int) -> int:
        """How many passages speak of what bears the name."""
        return int(self._graph.spoken.indptr[name + 1] - self._graph.spoken.indptr[name])


def best(scores: Scores, count: int) -> Numbers:
    """The numbers of the largest scores, the best first; equal ones in the order of their numbers."""
    import numpy as np

    # Most passages share the lowest score: looking at the others alone is several times faster.
    candidates = np.flatnonzero(scores > scores.min(initial=np.inf))
    if len(candidates) < count:
        candidates = np.arange(len(scores))
    values = scores[candidates]
    if 0 < count < len(candidates):
        least = np.partition(values, len(values) - count)[len(values) - count]
        candidates = candidates[values >= least]
    chosen: Numbers = candidates[np.argsort(-scores[candidates], kind="stable")][:count].astype(np.int32)
    return chosen
