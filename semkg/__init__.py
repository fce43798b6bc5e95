"""semkg: knowledge graphs that agents build from documents and that people can trust."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semkg.session import KnowledgeGraph as KnowledgeGraph

__version__ = "0.1.0"
__all__ = ["KnowledgeGraph", "__version__"]


def __getattr__(name: str) -> object:
    # PEP 562: `import semkg` does nothing; the parts load when they are first asked for.
    if name == "KnowledgeGraph":
        from semkg.session import KnowledgeGraph

        return KnowledgeGraph
    raise AttributeError(f"module 'semkg' has no attribute {name!r}")
