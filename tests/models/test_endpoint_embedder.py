from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from semkg.errors import ModelUnavailable
from semkg.models import EndpointEmbedder, HashEmbedder
from semkg.models.endpoint import Endpoint
from semkg.ports import ModelId
from tests.contracts.embedder import EmbedderContract
from tests.models.scripted_server import Answer, Request, ScriptedServer, body, embeddings


def texts_of(request: Request) -> list[str]:
    assert isinstance(request["input"], list)
    return request["input"]


def hashed(path: str, request: Request) -> Answer:
    """As a server that embeds by hashing, answers in another order and gives no unit vectors."""
    rows = HashEmbedder(16).embed(texts_of(request)) * 3
    data = [{"index": index, "embedding": row.tolist()} for index, row in enumerate(rows)]
    return body({"data": data[::-1], "model": request["model"]})


@pytest.fixture
def make(server: ScriptedServer, waits: list[float]) -> Callable[[], EndpointEmbedder]:
    server.behaviour = hashed
    return lambda: EndpointEmbedder(Endpoint(server.base_url, sleep=waits.append), "hasher")


class TestContract(EmbedderContract):
    @pytest.fixture
    def make(self, make: Callable[[], EndpointEmbedder]) -> Callable[[], EndpointEmbedder]:
        return make


def test_the_dimension_is_learnt_from_the_server_once(make: Callable[[], EndpointEmbedder], server: ScriptedServer) -> None:
    embedder = make()
    assert embedder.id == embedder.id == ModelId("openai:hasher", 16)
    assert len(server.requests) == 1


def test_a_dimension_that_is_given_is_not_asked_for(server: ScriptedServer) -> None:
    assert EndpointEmbedder(Endpoint(server.base_url), "hasher", 16).id.dimension == 16
    assert server.requests == []


def test_many_texts_go_in_batches_and_equal_ones_once(make: Callable[[], EndpointEmbedder], server: ScriptedServer) -> None:
    texts = [f"lamp {number}" for number in range(600)]
    rows = make().embed([*texts, *texts])
    assert [len(texts_of(request)) for request in server.requests] == [1, 256, 256, 88]
    np.testing.assert_allclose(rows[:600], HashEmbedder(16).embed(texts), atol=1e-5)
    np.testing.assert_array_equal(rows[:600], rows[600:])


def test_no_empty_text_is_sent(make: Callable[[], EndpointEmbedder], server: ScriptedServer) -> None:
    make().embed(["", " \n"])
    assert all(text.strip() for request in server.requests for text in texts_of(request))


ROW = [1.0] * 16


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (embeddings([ROW]), "1 of 2 texts"),
        (embeddings([ROW] * 3), "3 of 2 texts"),
        (embeddings([]), "0 of 2 texts"),
        (embeddings([ROW, ROW[:8]]), "different dimensions"),
        (embeddings([ROW[:8], ROW[:8]]), "shape"),
        (embeddings([ROW, [0.0] * 16]), "zero"),
        (embeddings([ROW, [float("nan")] * 16]), "finite"),
        (embeddings([ROW, [float("inf")] * 16]), "finite"),
        (body({"data": [{"index": 0, "embedding": ROW}, {"index": 0, "embedding": ROW}]}), "texts"),
        (body({"data": [{"index": 0, "embedding": "AAAA"}]}), "did not answer with embeddings"),
        (body({"choices": []}), "did not answer with embeddings"),
        (Answer(b'{"data": [{"index": 0, "embed'), "did not answer with embeddings"),
        (Answer(b""), "did not answer with embeddings"),
        (Answer(b"<html>"), "did not answer with embeddings"),
    ],
)
def test_what_is_no_row_of_finite_numbers_a_text_is_refused(
    server: ScriptedServer, waits: list[float], answer: Answer, message: str
) -> None:
    server.answers(answer)
    embedder = EndpointEmbedder(Endpoint(server.base_url, sleep=waits.append), "broken", 16)
    with pytest.raises(ModelUnavailable, match=message):
        embedder.embed(["lamp", "door"])
    assert len(server.requests) <= 4


def test_a_malformed_reply_is_asked_for_again_with_growing_waits(server: ScriptedServer, waits: list[float]) -> None:
    server.answers(Answer(b"{"), Answer(b""), Answer(json.dumps({}).encode()), embeddings([ROW]))
    EndpointEmbedder(Endpoint(server.base_url, sleep=waits.append), "moody", 16).embed(["lamp"])
    assert len(waits) == 3
    assert all(earlier < later for earlier, later in pairwise(waits))
