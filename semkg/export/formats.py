"""The formats: names, media types and file extensions as registered with IANA or given in the W3C recommendations."""

from __future__ import annotations

from enum import Enum

from semkg.errors import BadInput


class Format(Enum):
    """A format; the value is its name on the command line.

    >>> Format.TRIG.media_type, Format.TRIG.extension, Format.TRIG.keeps_graphs
    ('application/trig', '.trig', True)
    """

    TURTLE = "turtle"
    TRIG = "trig"
    NQUADS = "nquads"
    JSONLD = "jsonld"
    RDFXML = "rdfxml"
    PROVN = "provn"
    PROVJSON = "provjson"

    @property
    def media_type(self) -> str:
        return _MEDIA_TYPES[self][0]

    @property
    def extension(self) -> str:
        """The usual file extension, with its dot."""
        return _EXTENSIONS[self][0]

    @property
    def keeps_graphs(self) -> bool:
        """Whether named graphs can be told apart in this format."""
        return self in (Format.TRIG, Format.NQUADS, Format.JSONLD)

    @property
    def readable(self) -> bool:
        """Whether `parse` reads it; PROV-N and PROV-JSON are only written."""
        return self not in (Format.PROVN, Format.PROVJSON)

    @classmethod
    def find(cls, text: str) -> Format:
        """The format of a name, a file extension or a media type (parameters such as `charset` are ignored).

        N-Triples are N-Quads without graphs and are read as such.

        Raises:
            BadInput: no such format.

        >>> Format.find("text/turtle; charset=utf-8"), Format.find(".nt")
        (<Format.TURTLE: 'turtle'>, <Format.NQUADS: 'nquads'>)
        """
        key = text.split(";")[0].strip().lower()
        for format in cls:
            if key == format.value or key in _MEDIA_TYPES[format] or key in _EXTENSIONS[format]:
                return format
        known = ", ".join(format.value for format in cls)
        raise BadInput(f"{text!r} is no format that semkg knows: give one of {known}, or a media type of one of them")


_MEDIA_TYPES: dict[Format, tuple[str, ...]] = {
    Format.TURTLE: ("text/turtle", "application/x-turtle"),
    Format.TRIG: ("application/trig", "application/x-trig"),
    Format.NQUADS: ("application/n-quads", "application/n-triples", "text/x-nquads"),
    Format.JSONLD: ("application/ld+json",),
    Format.RDFXML: ("application/rdf+xml",),
    Format.PROVN: ("text/provenance-notation",),
    Format.PROVJSON: ("application/prov+json",),
}
_EXTENSIONS: dict[Format, tuple[str, ...]] = {
    Format.TURTLE: (".ttl",),
    Format.TRIG: (".trig",),
    Format.NQUADS: (".nq", ".nt"),
    Format.JSONLD: (".jsonld",),
    Format.RDFXML: (".rdf", ".owl"),
    Format.PROVN: (".provn",),
    Format.PROVJSON: (".provjson",),
}
