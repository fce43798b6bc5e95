"""BERT (Devlin et al. 2019) as torch's own `TransformerEncoder`, with the weights of a file in the names that transformers gives them.

It is the same network with the same results, without the two seconds that importing transformers takes, and torch has one fused
operation for a whole layer of it. Torch is imported with this module, so import it late.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn

_ENDS = ("weight", "bias")
_LAYER = {
    "self_attn.out_proj": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "linear1": "intermediate.dense",
    "linear2": "output.dense",
    "norm2": "output.LayerNorm",
}
"""Part of a layer → what it is called in the file."""


class Bert(nn.Module):  # type: ignore[misc]  # torch is not typed
    """The encoder, for texts of one length and one segment: nothing is padded, so nothing has to be masked."""

    def __init__(self, config: Mapping[str, int | float]) -> None:
        """`config`: as in the model's `config.json`."""
        super().__init__()
        width, precise = int(config["hidden_size"]), float(config["layer_norm_eps"])
        self.words = nn.Embedding(int(config["vocab_size"]), width)
        self.places = nn.Embedding(int(config["max_position_embeddings"]), width)
        self.segments = nn.Embedding(int(config["type_vocab_size"]), width)
        self.norm = nn.LayerNorm(width, precise)
        heads, inner = int(config["num_attention_heads"]), int(config["intermediate_size"])
        layer = nn.TransformerEncoderLayer(width, heads, inner, 0.0, "gelu", precise, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, int(config["num_hidden_layers"]), enable_nested_tensor=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Hidden states of the last layer, shape (texts, tokens, width), for numbers of tokens, shape (texts, tokens)."""
        embedded = self.words(tokens) + self.segments.weight[0] + self.places.weight[: tokens.shape[1]]
        states: torch.Tensor = self.layers(self.norm(embedded))
        return states


def load(folder: Path, number: torch.dtype) -> Bert:
    """The model in a folder with `config.json` and `model.safetensors`.

    Args:
        folder: where the files are.
        number: the type of its numbers.

    Raises:
        KeyError, RuntimeError: the weights are not those of a BERT of this configuration.
    """
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = Bert(config)
    model.load_state_dict(dict(_renamed(load_file(folder / "model.safetensors"), int(config["num_hidden_layers"]))))
    ready: Bert = model.eval().to(number)
    return ready


def _renamed(weights: Mapping[str, torch.Tensor], layers: int) -> Iterator[tuple[str, torch.Tensor]]:
    yield "words.weight", weights["embeddings.word_embeddings.weight"]
    yield "places.weight", weights["embeddings.position_embeddings.weight"]
    yield "segments.weight", weights["embeddings.token_type_embeddings.weight"]
    for end in _ENDS:
        yield f"norm.{end}", weights[f"embeddings.LayerNorm.{end}"]
    for number in range(layers):
        ours, theirs = f"layers.layers.{number}", f"encoder.layer.{number}"
        for end in _ENDS:
            projections = [weights[f"{theirs}.attention.self.{part}.{end}"] for part in ("query", "key", "value")]
            yield f"{ours}.self_attn.in_proj_{end}", torch.cat(projections)
            for part, called in _LAYER.items():
                yield f"{ours}.{part}.{end}", weights[f"{theirs}.{called}.{end}"]
