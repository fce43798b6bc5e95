"""Guesses a text's language from its script and its most frequent words: cheap, and `und` where it is not sure (BCP 47)."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

UNDETERMINED = "und"

_SAMPLE = 4_000
_WORD = re.compile(r"[^\W\d_]+")
_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_WHOLE = 2_520
_MIN_VOTES = 1.5
_MIN_SHARE = 0.06

_SCRIPTS: tuple[tuple[str, str, str], ...] = (
    ("ja", "\u3040", "\u30ff"),
    ("ko", "\uac00", "\ud7af"),
    ("zh", "\u4e00", "\u9fff"),
    ("el", "\u0370", "\u03ff"),
    ("hy", "\u0530", "\u058f"),
    ("he", "\u0590", "\u05ff"),
    ("ar", "\u0600", "\u06ff"),
    ("hi", "\u0900", "\u097f"),
    ("bn", "\u0980", "\u09ff"),
    ("ta", "\u0b80", "\u0bff"),
    ("te", "\u0c00", "\u0c7f"),
    ("th", "\u0e00", "\u0e7f"),
    ("ka", "\u10a0", "\u10ff"),
    ("ru", "\u0400", "\u04ff"),
)
# Letters that one language of a script has and the script's usual language has not.
_TELLING = {"ru": (("uk", "іїєґ"), ("sr", "ђћљњџ"), ("be", "ў")), "ar": (("ur", "ٹڈڑےں"), ("fa", "پچژگ"))}

_FREQUENT = {
    "en": "the of and to a in is was he for it with as his on be at by had not are but from or have they which one were her she an "
    "this that has its who also after first when been their other into may can there more than some where born",
    "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie "
    "nach wird bei einer wurde",
    "fr": "de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont avec son elle aux été cette "
    "ses était",
    "es": "de la que el en y los se del las un por con no una su para es al lo como más fue este ha sus entre son era también",
    "it": "di e il la che in un a per è una sono con non del si da le dei nel alla come anche della gli al più ha suo questo fu",
    "pt": "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua foi são também",
    "nl": "de van het een en in is dat op te zijn met voor niet aan er om ook als dan maar bij uit door over ze hij werd naar wordt",
    "pl": "w i na z się do nie jest to że o jak od po za przez co był ale tak czy jego dla są oraz jako która który została",
    "sv": "och i att det som en på är av för med till den har de inte om ett var men från vid han sin kan hon ut också efter",
    "da": "og i at det er en til på som de med han af for ikke der var den et om hun men fra blev ved har sin også efter være",
}


@cache
def _voters() -> dict[str, tuple[str, ...]]:
    """Word → the languages in which it is frequent."""
    voters: dict[str, tuple[str, ...]] = {}
    for language, words in _FREQUENT.items():
        for word in sorted(set(words.split())):
            voters[word] = (*voters.get(word, ()), language)
    return voters


def language_of(text: str, stated: str = "") -> str:
    """The language tag of a text.

    Args:
        text: its first 4,000 code points are looked at.
        stated: what the document says of itself, taken where it is a language tag.

    >>> language_of("Die Aare ist der längste Fluss, der ganz in der Schweiz fließt.")
    'de'
    >>> language_of("x = 3")
    'und'
    """
    if _TAG.fullmatch(stated.strip()) and stated.strip().casefold() != UNDETERMINED:
        return stated.strip()
    sample = text[:_SAMPLE]
    return _by_script(sample) or _by_words(sample)


def _by_script(sample: str) -> str:
    """The language of the script that at least half of the letters belong to; empty for Latin script."""
    foreign = [character for character in sample if character > "\u036f" and character.isalpha()]
    letters = sum(character.isalpha() for character in sample)
    if not foreign or 2 * len(foreign) < letters:
        return ""
    counts = Counter({name: sum(low <= character <= high for character in foreign) for name, low, high in _SCRIPTS})
    if counts["ja"] > 0.1 * len(foreign):
        return "ja"
    script, count = counts.most_common(1)[0]
    if 2 * count < len(foreign):
        return ""
    return next((name for name, letters_ in _TELLING.get(script, ()) if any(c in letters_ for c in sample)), script)


def _by_words(sample: str) -> str:
    words = [word.casefold() for word in _WORD.findall(sample)]
    voters = _voters()
    votes: Counter[str] = Counter()
    for word in words:
        languages = voters.get(word, ())
        for language in languages:
            # A word that three languages share says little for each of them.
            votes[language] += _WHOLE // len(languages)
    ranked = votes.most_common(2)
    if not ranked or ranked[0][1] < _WHOLE * max(_MIN_VOTES, _MIN_SHARE * len(words)):
        return UNDETERMINED
    return ranked[0][0] if len(ranked) == 1 or ranked[0][1] > 1.2 * ranked[1][1] else UNDETERMINED
