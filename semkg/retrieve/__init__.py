"""From a question to ranked evidence: streams that find passages, a walk through the graph, modes that unite them (RAGA §3.6)."""

from semkg.retrieve.filters import ANYTHING, Filter
from semkg.retrieve.graph_index import GraphIndex
from semkg.retrieve.modes import MODES, Retriever
from semkg.retrieve.question import Linked, Question
from semkg.retrieve.results import Passage, Place, Results, Step
from semkg.retrieve.tuning import DEFAULT, Setting, Tuning

__all__ = [
    "ANYTHING",
    "DEFAULT",
    "MODES",
    "Filter",
    "GraphIndex",
    "Linked",
    "Passage",
    "Place",
    "Question",
    "Results",
    "Retriever",
    "Setting",
    "Step",
    "Tuning",
]
