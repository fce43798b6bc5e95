"""Where a fact comes from: the lineage from a statement back to the words, their document and who read them (PROV-O)."""

from semkg.provenance.lineage import Origin, Statement, statements_about, supporters, trace

__all__ = ["Origin", "Statement", "statements_about", "supporters", "trace"]
