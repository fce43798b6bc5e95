"""SPARQL kept as files: the catalogue of queries and the binder of their parameters."""

from semkg.sparql.catalogue import Query, catalogue, query

__all__ = ["Query", "catalogue", "query"]
