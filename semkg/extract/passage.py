"""One piece of a chunk under the reader's eyes: its words, names and dates, and the arguments that relations are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from semkg.extract.classes import KIN, ROLES, words_of
from semkg.extract.discourse import PRONOUNS, Discourse, Name
from semkg.extract.literals import Dated
from semkg.extract.mentions import Found, Mentions
from semkg.extract.spacy_parser import SpacyParser
from semkg.extract.syntax import Parse, Word
from semkg.extract.typography import Mended
from semkg.model import Chunk

BE = words_of("is are was were be been being 's 're")
BECOME = words_of("become becomes became remain remains remained")


@dataclass(frozen=True, slots=True)
class Argument:
    """What a relation holds of, and the words that stand for it."""

    value: Name | Literal
    first: int
    last: int
    """Word indices, `last` exclusive."""
    words: str
    certainty: float = 1.0
    """Below 1 where a pronoun or a description was resolved."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation found at `start:end` of a chunk's text."""

    subject: Name
    relation: str | NamedNode
    """A notation, or the IRI of a standard's property."""
    object: Name | Literal
    words: str
    """The object as the text writes it."""
    chunk: Chunk
    start: int
    end: int
    confidence: float


@dataclass(slots=True, eq=False)
class Passage:
    """A parsed piece of a chunk that starts at `base` of the chunk's text."""

    chunk: Chunk
    base: int
    mended: Mended
    parse: Parse
    mentions: Mentions
    names: dict[Found, Name]
    dates: dict[int, tuple[Dated, int, int]]
    """Word index → the date it belongs to, with its range of words."""
    parser: SpacyParser
    discourse: Discourse

    # -- spans

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The span of the chunk's text that words `first` up to and without `last` take."""
        start, end = self.mended.span(self.parse.words[first].start, self.parse.words[last - 1].end)
        return self.base + start, self.base + end

    def sentences(self) -> Iterator[tuple[Word, ...]]:
        """The sentences that were not read with the chunk before, in order."""
        for first, last in self.parse.sentences:
            if self.span(first, last)[1] > self.chunk.overlap:
                yield self.parse.words[first:last]

    def singular(self, word: Word) -> str:
        """The dictionary form of a noun."""
        return self.parser.lemma(word.lower, "NOUN") if word.tag in ("NNS", "NNPS") else word.lower

    # -- statements

    def state(
        self, subject: Argument, relation: str | NamedNode, object: Argument, words: list[Word], confidence: float
    ) -> Iterator[Statement]:
        """The statement that `words` make of two arguments, if it is one: nothing for a relation of a thing to itself."""
        if isinstance(subject.value, Literal) or subject.value is object.value or not relation:
            return
        first = min(subject.first, object.first, *(word.index for word in words))
        last = max(subject.last, object.last, *(word.index + 1 for word in words))
        start, end = self.span(first, last)
        if "\n\n" in self.chunk.text[start:end]:
            return
        certainty = confidence * subject.certainty * object.certainty
        yield Statement(subject.value, relation, object.value, object.words, self.chunk, start, end, round(certainty, 3))

    # -- arguments

    def named(self, word: Word) -> Argument | None:
        """The name that a word belongs to."""
        found = self.mentions.at.get(word.index)
        if found is None:
            return None
        return Argument(self.names[found].resolved, found.first, found.last, found.label)

    def argument(self, word: Word) -> Argument | None:
        """What a word stands for as subject or object: a name, a date, a resolved pronoun or description."""
        named = self.named(word)
        if named:
            return named
        if word.index in self.dates:
            dated, first, last = self.dates[word.index]
            return Argument(dated.value, first, last, self.mended.text[dated.start : dated.end])
        if word.lower in PRONOUNS:
            name = self._beside(word) or self.discourse.antecedent(word)
            return Argument(name, word.index, word.index + 1, name.label, 0.85) if name else None
        return self._common(word) if word.noun else None

    def arguments(self, word: Word) -> list[Argument]:
        """The arguments of a word and all that is coordinated with it."""
        return [found for each in word.coordinated() if (found := self.argument(each))]

    def _beside(self, word: Word) -> Name | None:
        """“Stephen and his wife”: the owner is who the wife is named with."""
        noun = word.head
        if word.dep != "poss" or noun.dep not in ("conj", "appos") or (noun.lower not in KIN and noun.lower not in ROLES):
            return None
        named = self.named(noun.head)
        return named.value if named and isinstance(named.value, Name) and named.value.known_type == "Person" else None

    def _common(self, word: Word) -> Argument | None:
        """“the film Alien” → Alien; “the film” → the topic."""
        for child in word.all("appos"):
            if found := self.named(child):
                return found
        determiner = word.child("det")
        if (
            determiner is None
            or determiner.lower not in ("the", "this")
            or any(c.dep in ("amod", "compound", "prep", "relcl", "nummod", "acl", "poss") for c in word.children)
        ):
            return None
        name = self.discourse.definite(self.singular(word))
        return Argument(name, determiner.index, word.index + 1, name.label, 0.9) if name else None

    def described(self, word: Word, depth: int = 0) -> list[Argument]:
        """What a noun with a modifier stands for: “X is a film directed by …” → X."""
        own = self.argument(word)
        if own:
            return [own]
        if depth > 3:
            return []
        if word.dep == "attr" and word.head.lower in BE:
            return self.clause_subjects(word.head, depth + 1)
        if word.dep in ("conj", "appos"):
            return self.described(word.head, depth + 1)
        return []

    def _participle_subjects(self, verb: Word, depth: int) -> list[Argument]:
        """What “directed by A, written by B” goes on about: the parser hangs the second participle on A, or on the last of places."""
        detached = verb.index > 0 and self.parse.words[verb.index - 1].text in (",", "and")
        outer = verb.head
        while outer.dep in ("pobj", "conj", "appos", "prep", "agent") and not outer.head.verb:
            outer = outer.head
        if outer.head.verb and ((outer.dep == "agent" and self.named(verb.head)) or (detached and outer.dep in ("prep", "attr"))):
            return self.clause_subjects(outer.head, depth)
        if detached and outer.dep == "attr":
            return self.described(outer, depth)
        return self.described(verb.head, depth)

    def _antecedents(self, relative: Word, verb: Word, depth: int) -> list[Argument]:
        """What “which” stands for; “a library in Oslo, which was opened” may well be the library."""
        head = verb.head
        holder = head.head.head if relative.dep == "nsubjpass" and head.dep == "pobj" and head.head.dep == "prep" else head
        doubtful = holder is not head and (holder.noun or holder.child("dobj") is not None)
        return [] if doubtful else self.described(head, depth)

    def clause_subjects(self, verb: Word, depth: int = 0) -> list[Argument]:
        """The subjects of a verb: its own, or those it shares with the clause it hangs on."""
        own = verb.child("nsubj", "nsubjpass")
        if own is not None:
            if own.tag in ("WP", "WDT"):
                return self._antecedents(own, verb, depth + 1) if verb.dep == "relcl" else []
            return self.arguments(own)
        if depth > 4 or verb.head is verb:
            return []
        if verb.dep == "acl":
            return self._participle_subjects(verb, depth + 1)
        if verb.dep in ("conj", "xcomp", "advcl") and verb.head.verb:
            return self.clause_subjects(verb.head, depth + 1)
        return []
