"""What may be the label of an entity, and what its words tell of the thing.

It is the cheap half of the quality gate (RAGA §3.3.5), so that nothing hopeless is proposed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from semkg.extract.classes import GENERIC_HEADINGS, HONORIFICS, NAME_HEADS, NAME_STARTS, SURNAMES, class_of_noun, words_of
from semkg.ids import clean_label, normal_name

LONGEST = 60
"""Code points: the gate's first rule."""

_STRANGE = re.compile(r"[{}<>=\\|;@#^*_~`$%§¶•…\x00-\x1f\ufffd]|::|->|\bhttps?\b|\bwww\.|\+\+|\(\)")
_FRAGMENT = re.compile(
    r"^(?:and|but|or|because|which|who|that|he|she|they|is|was|are|were|has|had|when|then|than) "
    r"|^(?:He|She|It|They|We|This|There) (?:is|was|are|were|has|had|have) | (?:the|of|and|or|which|that|with|is|was|were)$"
    r"| .* ?\b(?:is|was|are|were|been) .* ",
)
_DISAMBIGUATION = re.compile(r"^(?P<bare>.+?)\s*\((?P<note>[^()]+)\)$")
_ARTICLE = re.compile(r"^(?:the|a|an|this|that|these|those|his|her|its|their)\s+", re.IGNORECASE)
_GENITIVE = re.compile(r"(?:['’]s|(?<=s)['’])$")
_LIST = re.compile(r"^(?:list|lists|index|outline|timeline|glossary|table|chapter|section|part|page|figure)s?\b", re.IGNORECASE)
_FILE = re.compile(r"\.\w{2,4}$|^[a-z0-9_-]+$|[/\\]")
_SMALL = words_of("of the and in on a an at to for de la le du da di von van der den del y e et al vs for with from by or &")
_JOINING = frozenset({"of", "and", "for", "de", "the"})


def label_of(text: str) -> str | None:
    """The label for a name found in a text, None where the gate would refuse it.

    >>> label_of("the Guernsey Company's"), label_of("f(x) = 3")
    ('Guernsey Company', None)
    """
    label = _GENITIVE.sub("", _ARTICLE.sub("", clean_label(text)))
    return label if acceptable(label) else None


@lru_cache(maxsize=8192)
def acceptable(label: str) -> bool:
    """Whether a label is short enough, has letters, and is neither code, formula nor a generic heading."""
    letters = sum(c.isalpha() for c in label)
    return (
        2 <= len(label) <= LONGEST
        and letters >= 2
        and letters >= 0.3 * len(label)
        and sum(c.isalnum() or c == " " for c in label) >= 0.7 * len(label)
        and not _STRANGE.search(label)
        and not _FRAGMENT.search(label)
        and label.casefold() not in GENERIC_HEADINGS
        and len(label.split()) <= 10
    )


def without_honorific(label: str) -> str:
    """The label without “Sir”, “King” and the like, where a full name remains.

    >>> without_honorific("King Victor Emmanuel III"), without_honorific("Queen Victoria")
    ('Victor Emmanuel III', 'Queen Victoria')
    """
    first, _, rest = label.partition(" ")
    return rest if " " in rest and first.lower().rstrip(".") in HONORIFICS else label


def head_of(label: str) -> str:
    """The word of a name that says what kind of thing bears it.

    >>> head_of("University of Vale"), head_of("Vega Instruments")
    ('university', 'instruments')
    """
    return label.partition(" of ")[0].rpartition(" ")[2].lower()


def named_kind(label: str) -> str | None:
    """The class that the words of a name tell.

    >>> named_kind("Vega Instruments"), named_kind("Comet Lind"), named_kind("Night at the Museum")
    ('Organization', 'Concept', None)
    """
    words = label.split()
    if len(words) < 2 or any(word[0].islower() and word not in _JOINING for word in words):
        return None
    return NAME_HEADS.get(head_of(label)) or NAME_STARTS.get(words[0].lower())


def strong_kind(label: str) -> str | None:
    """The class that the words of a name tell where they are no surname or given name.

    >>> strong_kind("Vale University"), strong_kind("Ada Park"), strong_kind("River Lind")
    ('Organization', None, None)
    """
    words = label.lower().split()
    return None if head_of(label) in SURNAMES or words[0] in SURNAMES else named_kind(label)


def person_shaped(label: str) -> bool:
    """Whether a label may be a person's: two or three words, none of which makes an organization or place of it.

    >>> person_shaped("Ada Lind"), person_shaped("Lind Institute"), person_shaped("The Linds")
    (True, False, False)
    """
    words = label.split()
    if _ARTICLE.match(label):
        return False
    return 2 <= len(words) <= 3 and all(word[0].isupper() and word[-1].isalpha() for word in words) and words[-1].lower() not in NAME_HEADS


@dataclass(frozen=True, slots=True)
class Title:
    """A document's title as the name of what it is about."""

    label: str
    """The title itself: what it has in brackets keeps namesakes apart."""
    bare: str
    """Without the brackets."""
    note: str = ""
    """What stands in the brackets."""

    @property
    def forms(self) -> tuple[str, ...]:
        """The spellings by which the text may call it, longest first."""
        short = self.bare.partition(",")[0]
        return tuple(dict.fromkeys(form for form in (self.label, self.bare, short) if acceptable(form)))

    @property
    def tokens(self) -> frozenset[str]:
        """The words of the name proper, without what tells namesakes apart."""
        return frozenset(normal_name(self.bare.partition(",")[0]).split()) - _SMALL

    @property
    def noun(self) -> str:
        """The head noun of the brackets (“2013 film” → “film”), empty where there is none."""
        words = [word for word in self.note.lower().split() if class_of_noun(word)]
        return words[-1] if words else ""


def title_of(text: str, beginning: str) -> Title | None:
    """The title as a name, None where it is a heading or a file's name.

    Args:
        text: the document's title.
        beginning: how its text begins; a title in lower case is a name only where the text repeats it.

    >>> title_of("Xawery Żuławski (director)", "").bare
    'Xawery Żuławski'
    >>> title_of("List of rivers", ""), title_of("introduction", ""), title_of("notes_2.md", "")
    (None, None, None)
    """
    label = clean_label(text)
    if not acceptable(label) or _LIST.match(label) or _FILE.search(label) or normal_name(label) in GENERIC_HEADINGS:
        return None
    match = _DISAMBIGUATION.match(label)
    bare, note = (match["bare"], match["note"]) if match else (label, "")
    words = [word for word in bare.split() if word.lower() not in _SMALL]
    capitalised = bool(words) and all(not word[0].islower() for word in words)
    return Title(label, bare, note) if capitalised or bare.casefold() in beginning.casefold() else None
