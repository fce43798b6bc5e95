"""Writes a dataset in the formats that others read (RDF 1.1, PROV), and reads RDF that others wrote."""

from semkg.export.formats import Format
from semkg.export.reader import parse
from semkg.export.writer import export

__all__ = ["Format", "export", "parse"]
