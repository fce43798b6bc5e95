"""HyperNodes: clusters of entities that are one thing or closely related, kept in step with the graph (RAGA §3.1, §3.5)."""

from semkg.communities.clustering import Change, Clustering
from semkg.communities.hypernodes import HyperNode, hypernodes, hypernodes_of

__all__ = ["Change", "Clustering", "HyperNode", "hypernodes", "hypernodes_of"]
