"""From files to documents and from documents to chunks: `sources` reads, `chunking` cuts (RAGA §3.3.6)."""

from semkg.ingest.chunking import Chunker, Piece, chunk
from semkg.ingest.records import Fields
from semkg.ingest.sources import SourceProblem, SourceText, count_sources, read_sources

__all__ = ["Chunker", "Fields", "Piece", "SourceProblem", "SourceText", "chunk", "count_sources", "read_sources"]
