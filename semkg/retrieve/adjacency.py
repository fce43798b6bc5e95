"""The graph as sparse matrices: what ranking walks on. Derived from the store, like every index (DESIGN §2, law 1).

Two relations lead from a passage to others. It *mentions* an entity, and it *speaks* of a subject: of what some document is about. The
second is another and a much stronger relation than a shared mention: of all the passages that mention a person, the one about her says
most of what is asked next. A subject is found by its name: a title, or a label or alias of a document's primary topic.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Numbers = NDArray[np.int32]
    Hashes = NDArray[np.uint32]

NONE = -1
"""Stands for `no node` in an array of node numbers."""


@dataclass(frozen=True)
class Adjacency:
    """The graph of one store generation; nodes are numbered in the order of their IRIs.

    Attributes:
        generation: the store's generation that it shows.
        passages, entities, triplets: IRIs of chunks, of the canonical entities that they mention, and of asserted triplets, sorted.
        names: names of subjects in normal form, sorted.
        merged: the merges that it shows, each as the IRI of the merged entity, a space, and that of the one that it is part of.
        found: passage × name, 1 where the name stands in the passage's text.
        about: name × passage, 1 where the passage's document is about what bears the name.
        speaks: passage × name, 1 where the passage names, or mentions the entity of, a subject that it is not about.
        mentions: entity × passage, 1 where the passage mentions the entity.
        words: hashes of the different words of each passage's text, passage by passage.
        word_starts: where those of each passage begin, and where the last one's end; shape (passages + 1,).
        name_of: entity → the name under which it is a subject, NONE for most; shape (entities,).
        subject_of, object_of, passage_of: triplet → entity (NONE for a literal) and passage; shape (triplets,).
    """

    generation: int
    passages: tuple[str, ...]
    entities: tuple[str, ...]
    triplets: tuple[str, ...]
    names: tuple[str, ...]
    merged: tuple[str, ...]
    found: csr_array
    about: csr_array
    speaks: csr_array
    mentions: csr_array
    words: Hashes
    word_starts: NDArray[np.int64]
    name_of: Numbers
    subject_of: Numbers
    object_of: Numbers
    passage_of: Numbers

    @property
    def edges(self) -> int:
        """How many edges there are to walk on, each counted once."""
        return int(self.about.nnz + self.speaks.nnz + self.mentions.nnz + len(self.triplets))

    @cached_property
    def passage_numbers(self) -> dict[str, int]:
        return {iri: number for number, iri in enumerate(self.passages)}

    @cached_property
    def name_numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def entity_numbers(self) -> dict[str, int]:
        return {iri: number for number, iri in enumerate(self.entities)}

    @cached_property
    def triplet_numbers(self) -> dict[str, int]:
        return {iri: number for number, iri in enumerate(self.triplets)}

    @cached_property
    def subjects(self) -> csr_array:
        """Passage × name, 1 where the passage is about what bears the name."""
        return self.about.T.tocsr()

    @cached_property
    def spoken(self) -> csr_array:
        """Name × passage, 1 where the passage speaks of what bears the name."""
        return self.speaks.T.tocsr()

    @cached_property
    def mentioned(self) -> csr_array:
        """Passage × entity, 1 where the passage mentions the entity."""
        return self.mentions.T.tocsr()

    @cached_property
    def triplets_of(self) -> csr_array:
        """Entity × triplet, 1 where the triplet is about it, as its subject or object."""
        import numpy as np

        numbers = np.arange(len(self.triplets), dtype=np.int32)
        ends = np.concatenate([self.subject_of, self.object_of])
        return incidence(ends, np.concatenate([numbers, numbers]), (len(self.entities), len(self.triplets)))

    @cached_property
    def triplets_in(self) -> csr_array:
        """Passage × triplet, 1 where the passage says it."""
        import numpy as np

        return incidence(self.passage_of, np.arange(len(self.triplets), dtype=np.int32), (len(self.passages), len(self.triplets)))


def row(matrix: csr_array, number: int) -> Numbers:
    """The columns that stand in one row."""
    columns: Numbers = matrix.indices[matrix.indptr[number] : matrix.indptr[number + 1]]
    return columns


def incidence(rows: Numbers, columns: Numbers, shape: tuple[int, int]) -> csr_array:
    """A matrix with a one for each pair of a row and a column, each once; pairs with NONE are left out."""
    import numpy as np
    from scipy.sparse import csr_array

    kept = (rows != NONE) & (columns != NONE)
    matrix = csr_array((np.ones(int(kept.sum()), np.float32), (rows[kept], columns[kept])), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1.0
    return matrix
