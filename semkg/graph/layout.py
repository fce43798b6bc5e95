"""The named graphs of a dataset (DESIGN §3): a small, fixed set that never grows with the data."""

from __future__ import annotations

from dataclasses import dataclass

from pyoxigraph import NamedNode

from semkg.ids import Names


@dataclass(frozen=True, slots=True)
class Layout:
    """The IRIs of a dataset's named graphs."""

    corpus: NamedNode
    facts: NamedNode
    triplets: NamedNode
    provenance: NamedNode
    schema: NamedNode
    communities: NamedNode
    reviews: NamedNode
    evaluation: NamedNode
    vectors: NamedNode

    @classmethod
    def of(cls, names: Names) -> Layout:
        return cls(**{name: names.graph(name) for name in cls.__dataclass_fields__})

    @property
    def by_name(self) -> dict[str, NamedNode]:
        """Short name → graph."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @property
    def hashed(self) -> tuple[NamedNode, ...]:
        """What the canonical hash covers: the content, without vectors and records of time (DESIGN §2, law 5)."""
        return (self.corpus, self.facts, self.triplets)

    @property
    def validated(self) -> tuple[NamedNode, ...]:
        """What the shapes speak about: everything but the vectors."""
        return (self.corpus, self.facts, self.triplets, self.provenance, self.schema, self.communities, self.reviews, self.evaluation)

    @property
    def all(self) -> tuple[NamedNode, ...]:
        return (*self.validated, self.vectors)
