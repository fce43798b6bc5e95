"""Finds the names in a parsed text: recognised entities, runs of proper nouns, quoted titles, the document's own title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from semkg.extract.boundaries import PARTICLES, Boundaries
from semkg.extract.classes import POST_NOMINALS, WORK, class_of_noun
from semkg.extract.labels import LONGEST, Title, label_of, person_shaped
from semkg.extract.syntax import Parse, Word
from semkg.extract.typography import Mended
from semkg.ids import normal_name

_MARKS = frozenset({'"', "“", "”", "-", "'", "."})
_NICKNAME = re.compile(r"\s*[\"“][^\"”]*[\"”]\s*")
_SENTENCE_ENDS = frozenset(".,;:…")


@dataclass(slots=True, eq=False)
class Found:
    """A name at words `first` up to and without `last`, as one text writes it."""

    first: int
    last: int
    label: str
    head: Word
    type: str | None
    """What the recogniser or the typography says it is."""
    title: bool = False
    """Whether this is the document's own title."""


@dataclass(slots=True)
class Mentions:
    """The names of one text, and which word belongs to which."""

    found: list[Found]
    at: dict[int, Found]


def find_mentions(parse: Parse, mended: Mended, title: Title | None, dated: frozenset[int], opening: bool) -> Mentions:
    """All names of a parsed text, none overlapping another.

    Args:
        parse: the text's words.
        mended: the text itself, with its quoted spans.
        title: the document's title as a name.
        dated: indices of the words that belong to dates.
        opening: whether the text is the beginning of its document.
    """
    return _Finder(parse, mended, dated).find(title, opening)


class _Finder:
    def __init__(self, parse: Parse, mended: Mended, dated: frozenset[int]) -> None:
        self.words = parse.words
        self.mended = mended
        self.dated = dated
        self.edges = Boundaries(parse, dated)
        self.result = Mentions([], {})
        self.sentence_starts = {first for first, _ in parse.sentences}

    def find(self, title: Title | None, opening: bool) -> Mentions:
        starts = {word.start: word.index for word in self.words}
        ends = {word.end: word.index + 1 for word in self.words}
        if title:
            self._find_title(title, starts, ends)
            if opening:
                self._find_opening(title)
        for start, end in self.mended.titles:
            self._add_quoted(starts.get(start), ends.get(end))
        self._find_runs(_surname(title))
        self.result.found.sort(key=lambda found: found.first)
        return self.result

    # -- the document's title

    def _find_title(self, title: Title, starts: dict[int, int], ends: dict[int, int]) -> None:
        text = self.mended.text
        for form in title.forms:
            position = text.find(form)
            while position >= 0:
                first, last = starts.get(position), ends.get(position + len(form))
                if first is not None and last is not None and not self._part_of_longer(first, last, form == title.label):
                    while last < len(self.words) and self.words[last].text in POST_NOMINALS:
                        last += 1
                    self._add(first, last, form, self.edges.type_of(first, last), title=True)
                position = text.find(form, position + len(form))

    def _part_of_longer(self, first: int, last: int, whole: bool) -> bool:
        """Whether the words next to a range belong to the same name (“Alien” in “Alien Resurrection”)."""
        if last < len(self.words):
            following = self.words[last]
            if following.lower in PARTICLES and self.edges.proper_at(last + 1):
                return True
            if not whole and (self.edges.noble_end(last) > last or (following.lower == "of" and self.edges.proper_at(last + 1))):
                return True  # the third Duke where the title is about the sixth
            if (
                following.proper
                and following.text not in POST_NOMINALS
                and following.index not in self.dated
                and self.edges.same_phrase(first, last, last)
            ):
                return True
            if following.text == "-" and following.start == self.words[last - 1].end:
                return True
        before = self.words[first - 1] if first else None
        return before is not None and before.proper and before.dep == "compound" and not class_of_noun(before.lower)

    def _find_opening(self, title: Title) -> None:
        """The name that opens the document is a fuller form of its title where it has half of its words."""
        last = 0
        while last < min(len(self.words), 14) and last not in self.dated and (self._opens(last) or (last == 0 and self._titled(title))):
            last += 1
        while last and self.words[last - 1].text in _MARKS:
            last -= 1
        words = set(normal_name(self._text(0, last)).split()) if last else set()
        if (
            (len(words) > 1 or self._introduces(last))
            and len(title.tokens & words) * 2 >= len(title.tokens)
            and not any(i in self.result.at for i in range(last))
        ):
            last = self.edges.noble_end(last)
            label = label_of(_NICKNAME.sub(" ", self._text(0, last)))
            self._add(0, last, label or title.label, self.edges.type_of(0, last), title=True)

    def _titled(self, title: Title) -> bool:
        """Whether the first word is one of the title's: the tagger may take a rare name for a noun."""
        return normal_name(self.words[0].text) in title.tokens

    def _introduces(self, last: int) -> bool:
        """Whether a single first word stands there to be explained: before its verb or its dates."""
        return last == 1 and len(self.words) > 1 and (self.words[1].verb or self.words[1].text == ",")

    def _opens(self, index: int) -> bool:
        word = self.words[index]
        return (
            word.proper
            or word.text in _MARKS
            or (word.lower in PARTICLES and self.edges.proper_at(index + 1))
            or (word.lower == "of" and self.edges.proper_at(index + 1))
        )

    # -- quoted titles

    def _add_quoted(self, first: int | None, last: int | None) -> None:
        if first is None or last is None or not 0 < last - first <= 10:
            return
        words = self.words[first:last]
        if not (words[0].text[0].isupper() or words[0].text[0].isdigit()) or (words[-1].text in _SENTENCE_ENDS and len(words) > 3):
            return
        while words and words[-1].text in _SENTENCE_ENDS:
            words = words[:-1]
        nickname = first >= 2 and self.words[first - 2].proper and self.words[first - 2].dep == "compound"
        label = words and not nickname and self._text(first, first + len(words)).strip()
        if label and label_of(label):
            self._add(first, first + len(words), label, WORK)

    # -- runs of proper nouns

    def _find_runs(self, surname: str) -> None:
        index = 0
        while index < len(self.words):
            if index in self.result.at or not self.edges.starts(index):
                if self.words[index].text == surname and index in self.sentence_starts and index not in self.result.at:
                    self._add(index, index + 1, surname, None)  # the tagger may take a rare name for a noun or verb
                index += 1
                continue
            last = self.edges.run_end(index, self.result.at)
            self._add_run(index, last)
            index = max(last, index + 1)

    def _add_run(self, first: int, last: int) -> None:
        last = self.edges.trimmed(first, last)
        named = last
        while named - first > 1 and self.words[named - 1].text in POST_NOMINALS:
            named -= 1
        if last <= first or self.edges.no_name(first, last):
            return
        type = self.edges.type_of(first, last)
        longer = self.edges.suffix_end(named, type)
        if longer > last and longer not in self.result.at and len(self._text(first, longer)) <= LONGEST:
            named = last = longer
        label = label_of(self._text(first, named))
        if (label and label[0].isupper()) or (label and label[0].isdigit() and type):
            self._add(first, last, label, type)

    def _text(self, first: int, last: int) -> str:
        return self.mended.text[self.words[first].start : self.words[last - 1].end]

    def _add(self, first: int, last: int, label: str, type: str | None, title: bool = False) -> None:
        if any(index in self.result.at for index in range(first, last)):
            return
        head = next(
            (word for word in self.words[first:last] if not first <= word.head.index < last or word.head is word), self.words[last - 1]
        )
        found = Found(first, last, label, head, type, title)
        self.result.found.append(found)
        self.result.at.update(dict.fromkeys(range(first, last), found))


def _surname(title: Title | None) -> str:
    """The last word of a title in the shape of a person's name, else empty."""
    return title.bare.rpartition(" ")[2] if title and person_shaped(title.bare) else ""


def names_in(text: str) -> Iterator[re.Match[str]]:
    """Capitalised phrases of at least two words in a text without grammar: what is safe to call a name in any language.

    >>> [match.group() for match in names_in("von Johann Wolfgang von Goethe in Weimar")]
    ['Johann Wolfgang von Goethe']
    """
    return _PHRASE.finditer(text)


_CAPITALISED = r"[^\W\d_a-zß-öø-ÿ][\w’'-]+"
_PHRASE = re.compile(rf"(?<![\w.]){_CAPITALISED}(?: (?:(?:{'|'.join(p for p in sorted(PARTICLES) if p != 'st.')}) )?{_CAPITALISED})+")
