"""What is derived from the graph to search it fast: vectors by cosine (usearch), words by BM25 (SQLite FTS5)."""

from semkg.vectors.fts_index import FtsIndex
from semkg.vectors.usearch_index import UsearchIndex

__all__ = ["FtsIndex", "UsearchIndex"]
