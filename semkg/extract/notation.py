"""Names of relations: UPPER_SNAKE_CASE notations from verbs, nouns and prepositions, and the same in words.

One scheme for all: an active verb gives its past tense (“directs”, “directed”, “was directed by” → DIRECTED, from the one who did it
to what was done); a passive without agent its participle (“was written in” → WRITTEN_IN); a noun its preposition (“son of” → SON_OF).
"""

from __future__ import annotations

import re
import unicodedata

from semkg.extract.classes import words_of

BORN_ON, DIED_ON, BORN_IN, DIED_IN, LOCATED_IN = "BORN_ON", "DIED_ON", "BORN_IN", "DIED_IN", "LOCATED_IN"
NAMED_AFTER = "NAMED_AFTER"

_IRREGULAR = """be was been; bear bore born; beat beat beaten; become became become; begin began begun; bend bent bent; bind bound bound;
    blow blew blown; break broke broken; breed bred bred; bring brought brought; broadcast broadcast broadcast; build built built;
    buy bought bought; cast cast cast; catch caught caught; choose chose chosen; come came come; cut cut cut; deal dealt dealt;
    do did done; draw drew drawn; drive drove driven; eat ate eaten; fall fell fallen; feed fed fed; fight fought fought;
    find found found; flee fled fled; fly flew flown; found founded founded; get got got; give gave given; go went gone; grow grew grown;
    hang hung hung; have has had; hear heard heard; hide hid hidden; hit hit hit; hold held held; keep kept kept; know knew known;
    lay laid laid; lead led led; learn learned learned; leave left left; lend lent lent; lie lay lain; lose lost lost;
    make made made; mean meant meant; meet met met; pay paid paid; put put put; read read read; ride rode ridden; ring rang rung;
    rise rose risen; run ran run; say said said; see saw seen; sell sold sold; send sent sent; set set set; shoot shot shot;
    shut shut shut; sing sang sung; sink sank sunk; sit sat sat; speak spoke spoken; spend spent spent; split split split;
    spread spread spread; stand stood stood; steal stole stolen; strike struck struck; swear swore sworn; swim swam swum;
    take took taken; teach taught taught; tell told told; think thought thought; throw threw thrown; understand understood understood;
    wear wore worn; win won won; write wrote written;
    undertake undertook undertaken; withdraw withdrew withdrawn; oversee oversaw overseen; undergo underwent undergone"""
_FORMS = {lemma: (past, participle) for lemma, past, participle in (row.split() for row in _IRREGULAR.split(";"))}
_DOUBLED = words_of(
    """star stop plan plot ship drop transfer refer occur commit admit permit submit control compel expel prefer rob rap equip step
    map tap top trap drag hug ban pin pen grab rebel patrol span ban scan fit quit propel regret omit emit program"""
)

_NOT_WORD = re.compile(r"[^a-z0-9]+")

SAME: dict[str, str] = {
    "MARRIED_TO": "MARRIED",
    "WED": "MARRIED",
    "BORN_AT": BORN_IN,
    "DIED_AT": DIED_IN,
    "SITUATED_IN": LOCATED_IN,
    "LOCATED_WITHIN": LOCATED_IN,
    "LIES_IN": LOCATED_IN,
    "LAY_IN": LOCATED_IN,
    "HEADQUARTERED_IN": "BASED_IN",
    "CO_FOUNDED": "FOUNDED",
    "PENNED": "WROTE",
    "AUTHORED": "WROTE",
}
"""Different words for exactly the same relation."""


def past(lemma: str) -> str:
    """The past tense of a verb.

    >>> [past(verb) for verb in ("direct", "write", "marry", "star", "base")]
    ['directed', 'wrote', 'married', 'starred', 'based']
    """
    return _form(lemma, 0)


def participle(lemma: str) -> str:
    """The past participle of a verb.

    >>> participle("bear"), participle("locate")
    ('born', 'located')
    """
    return _form(lemma, 1)


def _form(lemma: str, which: int) -> str:
    if lemma in _FORMS:
        return _FORMS[lemma][which]
    prefix = next(
        (prefix for prefix in ("re", "over", "out", "under", "co") if lemma.startswith(prefix) and lemma[len(prefix) :] in _FORMS), ""
    )
    return prefix + _FORMS[lemma[len(prefix) :]][which] if prefix else _regular(lemma)


def _regular(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return lemma[:-1] + "ied"
    return lemma + (lemma[-1] if lemma in _DOUBLED else "") + "ed"


def notation(*words: str) -> str:
    """The notation of some words, empty where they have no letters; words for the same relation share one.

    >>> notation("born", "in"), notation("married", "to"), notation("half-brother", "of")
    ('BORN_IN', 'MARRIED', 'HALF_BROTHER_OF')
    """
    plain = unicodedata.normalize("NFKD", "_".join(word for word in words if word)).encode("ascii", "ignore").decode().lower()
    joined = _NOT_WORD.sub("_", plain).lstrip("0123456789_").rstrip("_").upper()
    return SAME.get(joined, joined)


def in_words(relation: str) -> str:
    """The label of a notation.

    >>> in_words("SON_OF")
    'son of'
    """
    return relation.replace("_", " ").lower()


def dated(stem: str, preposition: str) -> str:
    """The notation of a relation to a date; no relation between things is called so.

    >>> dated("born", "in"), dated("released", "on"), dated("ruled", "from")
    ('BORN_ON', 'RELEASED_ON_DATE', 'RULED_SINCE')
    """
    if stem in ("born", "died"):
        return notation(stem, "on")
    if preposition in ("from", "since"):
        return notation(stem, "since")
    if preposition in ("to", "until", "till"):
        return notation(stem, "until")
    return notation(stem, "on_date")
