"""The composition root: opens the parts of a knowledge graph and puts them together."""

from semkg.session.knowledge_graph import KnowledgeGraph

__all__ = ["KnowledgeGraph"]
