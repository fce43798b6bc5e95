"""IRIs derived from content: the same input gives the same IRI, whoever reads it and in whatever order.

A digest is the first 16 hexadecimal digits (64 bits) of the sha256 of the parts, joined by U+001F.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

DEFAULT_BASE = "https://w3id.org/semkg/id/"
DIGEST_LENGTH = 16

_NOT_SLUG = re.compile(r"[^\w]+")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_UNDECOMPOSED = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ı": "i", "ħ": "h", "þ": "th"}
)
"""Letters that are written with a plain one as often, but that Unicode does not decompose."""

_ASCII_SEPARATORS = str.maketrans({code: " " for code in range(128) if not chr(code).isalnum()})

_EDGES = " \t\r\n.,;:!?\"'`“”‘’«»()[]{}"


def digest(*parts: str) -> str:
    """A stable digest of some texts.

    >>> digest("a", "b") == digest("a", "b") != digest("ab")
    True
    """
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_LENGTH]


def clean_label(text: str) -> str:
    """The text of a label as it is stored: NFC, white space folded, no quotes or commas at its edges.

    >>> clean_label(' “Ada \\n Lovelace”, ')
    'Ada Lovelace'
    """
    folded = " ".join(unicodedata.normalize("NFC", text).split()).strip(_EDGES)
    for opening, closing in (("(", ")"), ("[", "]")):
        # Stripping the edges may have taken one half of a pair that belongs to the name.
        if folded.count(opening) > folded.count(closing):
            folded += closing
    return folded


def normal_name(label: str) -> str:
    """The form under which two spellings of one name meet: NFKC, case-folded, no accents, articles or punctuation.

    >>> normal_name("The Café-Society") == normal_name("cafe society")
    True
    """
    if label.isascii():
        return " ".join(_ARTICLE.sub("", label.strip()).lower().translate(_ASCII_SEPARATORS).split())
    folded = unicodedata.normalize("NFKD", _ARTICLE.sub("", label.strip()).translate(_UNDECOMPOSED)).casefold()
    # A text has few different characters: looking at each of those once is what makes long texts fast.
    letters = folded.translate({ord(c): None if unicodedata.combining(c) else " " for c in set(folded) if not c.isalnum()})
    return " ".join(letters.split())


def slug(text: str, limit: int = 40) -> str:
    """A readable part of an IRI: letters, digits and hyphens, at most `limit` code points.

    >>> slug("Émile Zola (writer)")
    'Émile-Zola-writer'
    """
    cut = _NOT_SLUG.sub("-", unicodedata.normalize("NFC", text)).strip("-_")[:limit].strip("-_")
    return cut or "x"


def camel(notation: str) -> str:
    """The local name of a property from its UPPER_SNAKE_CASE notation.

    >>> camel("BORN_IN")
    'bornIn'
    """
    first, *rest = [part for part in notation.lower().split("_") if part] or ["x"]
    return first + "".join(part.capitalize() for part in rest)


@dataclass(frozen=True, slots=True)
class Names:
    """Makes the IRIs of one dataset: `<base>{tenant}/{dataset}/…`.

    >>> Names().graph("facts").value
    'https://w3id.org/semkg/id/local/default/graph/facts'
    """

    base: str = DEFAULT_BASE
    tenant: str = "local"
    dataset: str = "default"

    @property
    def root(self) -> str:
        return f"{self.base}{self.tenant}/{self.dataset}/"

    @property
    def dataset_iri(self) -> NamedNode:
        return NamedNode(self.root)

    def _iri(self, kind: str, local: str) -> NamedNode:
        return NamedNode(f"{self.root}{kind}/{local}")

    def graph(self, name: str) -> NamedNode:
        return self._iri("graph", name)

    def document(self, source: str) -> NamedNode:
        """`source`: the document's identity, see `Document.source`; a changed document keeps its IRI."""
        return self._iri("document", digest(source))

    def chunk(self, document: NamedNode, start: int, end: int, text: str) -> NamedNode:
        """`text`: all that is embedded for the chunk, so that another text is another chunk."""
        return self._iri("chunk", digest(document.value, str(start), str(end), text))

    def entity(self, label: str, type: NamedNode) -> NamedNode:
        """The label and the class make the entity: spellings and synonyms meet by a recorded merge, not here."""
        return self._iri("entity", f"{slug(label)}-{digest(label, type.value)}")

    def evidence(self, chunk: NamedNode, start: int, end: int) -> NamedNode:
        return self._iri("evidence", digest(chunk.value, str(start), str(end)))

    def triplet(self, subject: NamedNode, predicate: NamedNode, object: NamedNode | Literal, chunk: NamedNode) -> NamedNode:
        """A statement as one chunk makes it: another chunk that says the same makes a triplet of its own."""
        return self._iri("triplet", digest(subject.value, predicate.value, str(object), chunk.value))

    def reading(self, document: NamedNode, sha256: str, agent: NamedNode) -> NamedNode:
        return self._iri("activity", "reading-" + digest(document.value, sha256, agent.value))

    def activity(self, kind: str, *parts: str) -> NamedNode:
        return self._iri("activity", f"{kind}-{digest(*parts)}")

    def agent(self, name: str, version: str) -> NamedNode:
        return self._iri("agent", f"{slug(name)}-{slug(version)}")

    def hypernode(self, members: Iterable[NamedNode]) -> NamedNode:
        """A cluster is its members: the same ones in any order make the same HyperNode."""
        return self._iri("hypernode", digest(*sorted(member.value for member in members)))

    def measurement(self, *parts: str) -> NamedNode:
        return self._iri("measurement", digest(*parts))

    def metric(self, name: str) -> NamedNode:
        """What a metric of evaluation is called, for example `recall@5`."""
        return self._iri("metric", slug(name))

    def review(self, *parts: str) -> NamedNode:
        return self._iri("review", digest(*parts))

    def schema(self, local: str) -> NamedNode:
        return self._iri("schema", local)
