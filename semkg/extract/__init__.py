"""Text to candidate entities and triplets with their evidence, by grammar and tables: the embedded reader (RAGA §3.3.2)."""

from semkg.extract.reader import EmbeddedReader
from semkg.extract.recordings import Recordings, read_recordings
from semkg.extract.replay import ReplayingReader

__all__ = ["EmbeddedReader", "Recordings", "ReplayingReader", "read_recordings"]
