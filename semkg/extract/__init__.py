"""Text to candidate entities and triplets with their evidence, by grammar and tables: the embedded reader (RAGA §3.3.2)."""

from semkg.extract.reader import EmbeddedReader

__all__ = ["EmbeddedReader"]
