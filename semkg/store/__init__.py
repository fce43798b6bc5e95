"""Where the graph lives: adapters of the `GraphStore` port."""

from semkg.store.oxigraph import OxigraphStore

__all__ = ["OxigraphStore"]
