"""What may be in the graph: SHACL shapes, the gate before every commit, and the validation of the whole graph.

Follows the W3C Recommendation SHACL (2017) and, for the rules about entity names, RAGA §3.3.5.
"""

from semkg.quality.gate import Gate
from semkg.quality.report import report_quads
from semkg.quality.shapes import Shapes
from semkg.quality.validation import validate

__all__ = ["Gate", "Shapes", "report_quads", "validate"]
