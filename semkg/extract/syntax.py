"""A parsed text as plain values: words with their heads and children, sentences, and the spans that look like names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Word:
    """One token with its place in the dependency tree (ClearNLP labels, Penn Treebank tags).

    It is built once by the parser and not changed afterwards; `start:end` counts code points in the parsed text.
    """

    index: int
    text: str
    lower: str
    tag: str
    dep: str
    start: int
    end: int
    head: Word = field(init=False, repr=False)
    children: list[Word] = field(default_factory=list, init=False, repr=False)

    def attach(self, head: Word) -> None:
        """Hang the word on its head; a root is its own head."""
        self.head = head
        if head is not self:
            head.children.append(self)

    def child(self, *deps: str) -> Word | None:
        """The first child with one of these labels."""
        for word in self.children:
            if word.dep in deps:
                return word
        return None

    def all(self, *deps: str) -> Iterator[Word]:
        """The children with one of these labels, in the order of the text."""
        return (word for word in self.children if word.dep in deps)

    def coordinated(self) -> list[Word]:
        """The word and everything joined to it by conjunctions (“A, B and C”), in the order of the text."""
        found = [self]
        for word in found:
            if len(found) > 30:
                break
            found.extend(word.all("conj"))
        return found

    @property
    def noun(self) -> bool:
        return self.tag in ("NN", "NNS")

    @property
    def proper(self) -> bool:
        return self.tag in ("NNP", "NNPS")

    @property
    def verb(self) -> bool:
        return self.tag[:2] == "VB"


@dataclass(frozen=True, slots=True)
class Span:
    """Words `first` up to and without `last`, with the recogniser's label."""

    first: int
    last: int
    label: str


@dataclass(frozen=True, slots=True)
class Parse:
    """What the parser says about one text."""

    words: tuple[Word, ...]
    sentences: tuple[tuple[int, int], ...]
    """Ranges of word indices."""
    spans: tuple[Span, ...]
    """Named entities as recognised, in the order of the text."""
