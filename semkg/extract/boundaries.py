"""Where a name begins and ends among the words of a text.

The recogniser's spans are unsteady at their edges; the grammar around them decides.
"""

from __future__ import annotations

import re
from collections.abc import Container

from semkg.extract.classes import NOBLE, PERSON, POST_NOMINALS, RECOGNISED, ROLES, words_of
from semkg.extract.syntax import Parse

PARTICLES = words_of("de da di del della der den dem von van la le du dos das do al el y bin ibn ben zu zum af av ter ten st.")
"""Small words within names."""

_NUMERAL = re.compile(r"[IVXL]{1,6}$|\d{1,3}$")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)$")
_YEAR = re.compile(r"1\d{3}|20\d{2}$")
_CORPORATE = words_of("inc inc. ltd ltd. llc corp corp. plc gmbh")
_ERAS = frozenset({"BC", "BCE", "AD", "CE"})


class Boundaries:
    """Finds the edges of names; all positions are word indices, ends exclusive.

    Args:
        parse: the words and the recogniser's spans.
        dated: indices of the words that belong to dates.
    """

    def __init__(self, parse: Parse, dated: frozenset[int]) -> None:
        self.words = parse.words
        self.dated = dated
        self.label_at: dict[int, str] = {}
        self.span_at: dict[int, int] = {}
        for number, span in enumerate(parse.spans):
            for index in range(span.first, span.last):
                self.label_at[index] = span.label
                self.span_at[index] = number
        self.sentence_ends = {last for _, last in parse.sentences}

    def starts(self, index: int) -> bool:
        """Whether a name may begin at a word."""
        word = self.words[index]
        if index in self.dated or not word.text[0].isalnum():
            return False
        if word.tag == "CD" and word.text[0].isupper():
            return index + 1 < len(self.words) and word.head.proper and self.words[index + 1].proper  # “Two Moons”
        if self._named(index):
            return word.text[0].isupper() and word.tag not in ("DT", "PRP", "PRP$")
        return word.proper and word.text[0].isupper() and self.label_at.get(index) in (None, "NORP", "ORDINAL", "CARDINAL")

    def run_end(self, first: int, taken: Container[int]) -> int:
        """The index behind the last word of the name that starts at `first`."""
        last = first + 1
        while last < len(self.words) and last not in self.sentence_ends and last not in taken:
            step = self._step(first, last)
            if not step:
                break
            last += step
        return last

    def trimmed(self, first: int, last: int) -> int:
        """The end of a run without the articles, conjunctions and marks at its end."""
        while last > first:
            word = self.words[last - 1]
            if word.tag not in ("POS", "DT", "CC", "IN") and (word.text[-1:].isalnum() or word.text[-1:] in ".)!?"):
                break
            last -= 1
        return last

    def suffix_end(self, last: int, type: str | None) -> int:
        """The end of what belongs to a name behind a comma: “, 3rd Baron Sackville”, “, Inc.”."""
        if last + 1 < len(self.words) and self.words[last].text == "," and self.words[last + 1].lower in _CORPORATE:
            return last + 2
        return self.noble_end(last) if type in (None, PERSON) else last

    def noble_end(self, last: int) -> int:
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

    def no_name(self, first: int, last: int) -> bool:
        """Whether a run is a numeral, an honour, the name of a people, or what somebody is instead of who."""
        words = self.words[first:last]
        if all(_NUMERAL.match(word.text) or word.text in POST_NOMINALS or word.lower in _CORPORATE or word.text in _ERAS for word in words):
            return True
        return (last - first <= 3 and self._role_alone(first, last)) or all(self.label_at.get(i) == "NORP" for i in range(first, last))

    def type_of(self, first: int, last: int) -> str | None:
        """The class that most of the words were recognised as."""
        labels = [RECOGNISED[self.label_at[i]] for i in range(first, last) if self._named(i)]
        return max(labels, key=labels.count) if labels else None

    def proper_at(self, index: int) -> bool:
        """Whether a capitalised noun or adjective stands there that is no part of a date."""
        return (
            index < len(self.words)
            and index not in self.dated
            and self.words[index].text[0].isupper()
            and self.words[index].tag[:2] in ("NN", "JJ", "FW")
        )

    def same_phrase(self, first: int, last: int, other: int) -> bool:
        """Whether a word hangs on a range of words, or the range on it."""
        word = self.words[other]
        return first <= word.head.index < last or any(self.words[i].head is word for i in range(first, last))

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
        if word.lower in PARTICLES and self.proper_at(last + 1):
            return 2
        if word.lower == "of" and self._takes_of(first, last):
            return 3 if self.words[last + 1].lower == "the" else 2
        return 0

    def _hyphenated(self, last: int) -> int:
        following = self.words[last + 1] if last + 1 < len(self.words) else None
        return 2 if following is not None and following.start == self.words[last].end and following.text[0].isalnum() else 0

    def _belongs(self, first: int, last: int) -> bool:
        """Whether a proper noun behind a run is part of the same name: by the recogniser's span or by the grammar."""
        word, before = self.words[last], self.words[last - 1]
        if last in self.span_at and before.index in self.span_at and self.span_at[last] != self.span_at[before.index]:
            return before.dep == "compound" and before.head.index >= last and self.label_at[before.index] != "NORP"
        return self.same_phrase(first, last, last) or before.head is word.head

    def _takes_of(self, first: int, last: int) -> bool:
        """Whether “of X” belongs to the name (“John of Brienne”, “University of Kent”) or is a relation (“Duke of Kent”)."""
        before = self.words[last - 1]
        following = last + 1 + int(last + 1 < len(self.words) and self.words[last + 1].lower == "the")
        if first == last - 1 and self.label_at.get(first) == "PERSON" and before.lower not in NOBLE:
            return self.proper_at(following)  # “Anna of Veldenz”: nobody is told apart by the first name alone
        role = (
            before.lower in ROLES
            or before.lower in NOBLE
            or (first + 1 < last and self.words[first].lower in NOBLE and not self._named(first))
        )
        return not role and first <= self.words[last].head.index < last and self.proper_at(following)

    def _continues(self, index: int) -> bool:
        word = self.words[index]
        return (word.lower == "of" and self.proper_at(index + 1)) or (word.text == "-" and bool(self._hyphenated(index)))

    def _role_alone(self, first: int, last: int) -> bool:
        """“Duke”, “Lieutenant Governor”, “Prime Minister”: what somebody is, not who."""
        word = self.words[last - 1]
        return (word.lower in ROLES or word.lower in NOBLE) and (last - first == 1 or self._of_follows(last))

    def _of_follows(self, last: int) -> bool:
        return last < len(self.words) and self.words[last].lower in ("of", "to")

    def _named(self, index: int) -> bool:
        """Whether the recogniser saw a name here."""
        return self.label_at.get(index, "") in RECOGNISED
