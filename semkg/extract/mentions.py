"""Finds the names in a parsed text: recognised entities, runs of proper nouns, quoted titles, the document's own title.

The recogniser's spans are unsteady at their edges; the grammar around them decides where a name begins and ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from semkg.extract.classes import NOBLE, POST_NOMINALS, RECOGNISED, ROLES, WORK, class_of_noun, words_of
from semkg.extract.labels import LONGEST, Title, label_of
from semkg.extract.syntax import Parse, Word
from semkg.extract.typography import Mended
from semkg.ids import normal_name

_PARTICLES = words_of("de da di del della der den dem von van la le du dos das do al el y bin ibn ben zu zum af av ter ten st.")
_NUMERAL = re.compile(r"[IVXL]{1,6}$|\d{1,3}$")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)$")
_YEAR = re.compile(r"1\d{3}|20\d{2}$")
_CORPORATE = words_of("inc inc. ltd ltd. llc corp corp. plc gmbh")
_ERAS = frozenset({"BC", "BCE", "AD", "CE"})
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
        self.label_at: dict[int, str] = {}
        self.span_at: dict[int, int] = {}
        for number, span in enumerate(parse.spans):
            for index in range(span.first, span.last):
                self.label_at[index] = span.label
                self.span_at[index] = number
        self.sentence_ends = {last for _, last in parse.sentences}
        self.result = Mentions([], {})

    def find(self, title: Title | None, opening: bool) -> Mentions:
        starts = {word.start: word.index for word in self.words}
        ends = {word.end: word.index + 1 for word in self.words}
        if title:
            self._find_title(title, starts, ends)
            if opening:
                self._find_opening(title)
        for start, end in self.mended.titles:
            self._add_quoted(starts.get(start), ends.get(end))
        self._find_runs()
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
                    self._add(first, last, form, self._type(first, last), title=True)
                position = text.find(form, position + len(form))

    def _part_of_longer(self, first: int, last: int, whole: bool) -> bool:
        """Whether the words next to a range belong to the same name (“Alien” in “Alien Resurrection”)."""
        if last < len(self.words):
            following = self.words[last]
            if following.lower in _PARTICLES and self._proper_at(last + 1):
                return True
            if not whole and (self._noble_end(last) > last or (following.lower == "of" and self._proper_at(last + 1))):
                return True  # the third Duke where the title is about the sixth
            if (
                following.proper
                and following.text not in POST_NOMINALS
                and following.index not in self.dated
                and self._same_phrase(first, last, last)
            ):
                return True
            if following.text == "-" and following.start == self.words[last - 1].end:
                return True
        before = self.words[first - 1] if first else None
        return before is not None and before.proper and before.dep == "compound" and not class_of_noun(before.lower)

    def _same_phrase(self, first: int, last: int, other: int) -> bool:
        word = self.words[other]
        return first <= word.head.index < last or any(self.words[i].head is word for i in range(first, last))

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
            last = self._noble_end(last)
            label = label_of(_NICKNAME.sub(" ", self._text(0, last)))
            self._add(0, last, label or title.label, self._type(0, last), title=True)

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
            or (word.lower in _PARTICLES and self._proper_at(index + 1))
            or (word.lower == "of" and self._proper_at(index + 1))
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

    def _find_runs(self) -> None:
        index = 0
        while index < len(self.words):
            if index in self.result.at or not self._starts(index):
                index += 1
                continue
            last = self._run_end(index)
            self._add_run(index, last)
            index = max(last, index + 1)

    def _named(self, index: int) -> bool:
        """Whether the recogniser saw a name here."""
        return self.label_at.get(index, "") in RECOGNISED

    def _starts(self, index: int) -> bool:
        word = self.words[index]
        if index in self.dated or not word.text[0].isalnum():
            return False
        if word.tag == "CD" and word.text[0].isupper():
            return index + 1 < len(self.words) and word.head.proper and self.words[index + 1].proper  # “Two Moons”
        if self._named(index):
            return word.text[0].isupper() and word.tag not in ("DT", "PRP", "PRP$")
        return word.proper and word.text[0].isupper() and self.label_at.get(index) in (None, "NORP", "ORDINAL", "CARDINAL")

    def _run_end(self, first: int) -> int:
        """The index behind the last word of the name that starts at `first`."""
        last = first + 1
        while last < len(self.words) and last not in self.sentence_ends and last not in self.result.at:
            step = self._step(first, last)
            if not step:
                break
            last += step
        return last

    def _step(self, first: int, last: int) -> int:
        """How many words the run can take in at `last`: 0 where it ends."""
        word, before = self.words[last], self.words[last - 1]
        if last in self.dated or "\n" in word.text:
            return 0
        same_span = last in self.span_at and self.span_at.get(last) == self.span_at.get(last - 1)
        if same_span and self._named(last) and word.tag != "POS" and not (word.text == "," and self.label_at[last] == "PERSON"):
            return 1
        if word.start == before.end and word.text == "-":
            return self._hyphenated(last)
        if word.tag == "POS" or word.text in ",":
            return 0
        if word.proper or (_NUMERAL.match(word.text) and not _YEAR.match(word.text)):
            return int(self._belongs(first, last))
        if word.lower in _PARTICLES and self._proper_at(last + 1):
            return 2
        if word.lower == "of" and self._takes_of(first, last):
            return 3 if self.words[last + 1].lower == "the" else 2
        return 0

    def _proper_at(self, index: int) -> bool:
        return (
            index < len(self.words)
            and index not in self.dated
            and self.words[index].text[0].isupper()
            and self.words[index].tag[:2] in ("NN", "JJ", "FW")
        )

    def _hyphenated(self, last: int) -> int:
        following = self.words[last + 1] if last + 1 < len(self.words) else None
        return 2 if following is not None and following.start == self.words[last].end and following.text[0].isalnum() else 0

    def _belongs(self, first: int, last: int) -> bool:
        """Whether a proper noun behind a run is part of the same name: by the recogniser's span or by the grammar."""
        word, before = self.words[last], self.words[last - 1]
        if last in self.span_at and before.index in self.span_at and self.span_at[last] != self.span_at[before.index]:
            return before.dep == "compound" and before.head.index >= last and self.label_at[before.index] != "NORP"
        return self._same_phrase(first, last, last) or before.head is word.head

    def _takes_of(self, first: int, last: int) -> bool:
        """Whether “of X” belongs to the name (“John of Brienne”, “University of Kent”) or is a relation (“Duke of Kent”)."""
        before = self.words[last - 1]
        following = last + 1 + int(last + 1 < len(self.words) and self.words[last + 1].lower == "the")
        if first == last - 1 and self.label_at.get(first) == "PERSON" and before.lower not in NOBLE:
            return self._proper_at(following)  # “Anna of Veldenz”: nobody is told apart by the first name alone
        role = (
            before.lower in ROLES
            or before.lower in NOBLE
            or (first + 1 < last and self.words[first].lower in NOBLE and not self._named(first))
        )
        return not role and first <= self.words[last].head.index < last and self._proper_at(following)

    def _add_run(self, first: int, last: int) -> None:
        last = self._trimmed(first, last)
        named = last
        while named - first > 1 and self.words[named - 1].text in POST_NOMINALS:
            named -= 1
        if last <= first or self._no_name(first, last):
            return
        type = self._type(first, last)
        longer = self._suffix_end(named, type)
        if longer > last and longer not in self.result.at and len(self._text(first, longer)) <= LONGEST:
            named = last = longer
        label = label_of(self._text(first, named))
        if (label and label[0].isupper()) or (label and label[0].isdigit() and type):
            self._add(first, last, label, type)

    def _trimmed(self, first: int, last: int) -> int:
        """The end of a run without the articles, conjunctions and marks at its end."""
        while last > first:
            word = self.words[last - 1]
            if word.tag not in ("POS", "DT", "CC", "IN") and (word.text[-1:].isalnum() or word.text[-1:] in ".)!?"):
                break
            last -= 1
        return last

    def _no_name(self, first: int, last: int) -> bool:
        """Whether a run is a numeral, an honour, the name of a people, or what somebody is instead of who."""
        words = self.words[first:last]
        if all(_NUMERAL.match(word.text) or word.text in POST_NOMINALS or word.lower in _CORPORATE or word.text in _ERAS for word in words):
            return True
        return (last - first <= 3 and self._role_alone(first, last)) or all(self.label_at.get(i) == "NORP" for i in range(first, last))

    def _suffix_end(self, last: int, type: str | None) -> int:
        """The end of what belongs to a name behind a comma: “, 3rd Baron Sackville”, “, Inc.”."""
        if last + 1 < len(self.words) and self.words[last].text == "," and self.words[last + 1].lower in _CORPORATE:
            return last + 2
        return self._noble_end(last) if type in (None, "Person") else last

    def _role_alone(self, first: int, last: int) -> bool:
        """“Duke”, “Lieutenant Governor”, “Prime Minister”: what somebody is, not who."""
        word = self.words[last - 1]
        return (word.lower in ROLES or word.lower in NOBLE) and (last - first == 1 or self._of_follows(last))

    def _of_follows(self, last: int) -> bool:
        return last < len(self.words) and self.words[last].lower in ("of", "to")

    def _noble_end(self, last: int) -> int:
        """The end of “, 3rd Baron Sackville” or “, Duke of Mecklenburg-Güstrow” behind a name."""
        index = last
        if index + 1 >= len(self.words) or self.words[index].text != ",":
            return last
        index += 1
        while index + 1 < len(self.words) and (_ORDINAL.match(self.words[index].lower) or self.words[index].lower == "and"):
            index += 1
        if index >= len(self.words) or self.words[index].lower not in NOBLE or not self.words[index].text[0].isupper():
            return last
        index += 1
        while index < len(self.words) and (self.words[index].proper or self._continues(index)):
            index += 1
        return index

    def _continues(self, index: int) -> bool:
        word = self.words[index]
        return (word.lower == "of" and self._proper_at(index + 1)) or (word.text == "-" and bool(self._hyphenated(index)))

    def _type(self, first: int, last: int) -> str | None:
        labels = [RECOGNISED[self.label_at[i]] for i in range(first, last) if self._named(i)]
        return max(labels, key=labels.count) if labels else None

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


def names_in(text: str) -> Iterator[re.Match[str]]:
    """Capitalised phrases of at least two words in a text without grammar: what is safe to call a name in any language.

    >>> [match.group() for match in names_in("von Johann Wolfgang von Goethe in Weimar")]
    ['Johann Wolfgang von Goethe']
    """
    return _PHRASE.finditer(text)


_CAPITALISED = r"[^\W\d_a-zß-öø-ÿ][\w’'-]+"
_PHRASE = re.compile(rf"(?<![\w.]){_CAPITALISED}(?: (?:(?:{'|'.join(p for p in sorted(_PARTICLES) if p != 'st.')}) )?{_CAPITALISED})+")
