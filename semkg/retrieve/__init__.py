"""From a question to ranked evidence: streams that find passages, and modes that fuse them (RAGA §3.6)."""

from semkg.retrieve.modes import MODES, Mode, Passage, Retriever
from semkg.retrieve.question import Linked, Question

__all__ = ["MODES", "Linked", "Mode", "Passage", "Question", "Retriever"]
