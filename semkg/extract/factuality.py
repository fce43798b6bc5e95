"""Whether a clause says that something is so: what is denied, doubted, wished, supposed or only claimed is not read."""

from __future__ import annotations

from semkg.extract.classes import words_of
from semkg.extract.passage import Passage
from semkg.extract.syntax import Word

_DOUBT = words_of(
    """allegedly reportedly possibly perhaps probably supposedly presumably nearly almost never rarely hardly maybe purportedly
    apparently unsuccessfully"""
)
_HYPOTHETICAL = words_of("if unless whether lest")
_ATTITUDE = words_of(
    """claim allege believe think suggest hope deny doubt suspect assume argue fear speculate propose imagine wish want dream
    pretend suppose consider expect plan intend threaten promise say rumor"""
)
_FACTIVE_CONTROL = words_of("go continue begin start come proceed")


def asserted(passage: Passage, verb: Word) -> bool:
    """Whether a clause says that something is so: no negation, modal, condition, doubt, wish or hearsay."""
    for child in verb.children:
        if child.dep == "neg" or child.tag == "MD" or child.lower in _DOUBT or (child.dep == "mark" and child.lower in _HYPOTHETICAL):
            return False
    if verb.tag == "VB" and not _real_infinitive(passage, verb):
        return False
    if verb.dep == "ccomp" and passage.parser.lemma(verb.head.lower, "VERB") in _ATTITUDE:
        return False
    if verb.head is verb or verb.dep == "ROOT":
        return True
    if verb.dep in ("conj", "advcl", "xcomp", "acl", "relcl") and verb.head.verb:
        return _head_asserted(passage, verb)
    return True


def _head_asserted(passage: Passage, verb: Word) -> bool:
    """What hangs on a denied or hypothetical clause shares its fate where it shares its auxiliaries or its condition."""
    shares = verb.dep == "xcomp" or (verb.dep == "conj" and verb.child("nsubj", "nsubjpass") is None)
    if shares and not (verb.dep == "conj" and verb.child("aux", "auxpass")):
        return asserted(passage, verb.head)
    return not any(child.dep == "mark" and child.lower in _HYPOTHETICAL for child in verb.head.children)


def _real_infinitive(passage: Passage, verb: Word) -> bool:
    """“went on to direct” happened; “wanted to direct” may not have."""
    if any(child.dep == "aux" and child.lower in ("did", "does", "do") for child in verb.children):
        return True
    head = verb.head.head if verb.dep == "conj" and verb.head.dep == "xcomp" else verb.head
    return (verb.dep == "xcomp" or head is not verb.head) and passage.parser.lemma(head.lower, "VERB") in _FACTIVE_CONTROL
