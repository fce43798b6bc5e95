"""Models behind ports: embedders (packaged, hashing, sentence-transformers, an endpoint) and chat models with a cache of their replies,
rerankers."""

from semkg.models.chat import CachedChat, ask_for, chat_model, parse_reply
from semkg.models.embedding import SentenceTransformerEmbedder, embedder
from semkg.models.endpoint_chat import EndpointChat
from semkg.models.endpoint_embedder import EndpointEmbedder
from semkg.models.hashing import HashEmbedder
from semkg.models.minilm import PackagedMiniLM
from semkg.models.reranking import ChatReranker, CrossEncoderReranker, reranker

__all__ = [
    "CachedChat",
    "ChatReranker",
    "CrossEncoderReranker",
    "EndpointChat",
    "EndpointEmbedder",
    "HashEmbedder",
    "PackagedMiniLM",
    "SentenceTransformerEmbedder",
    "ask_for",
    "chat_model",
    "embedder",
    "parse_reply",
    "reranker",
]
