"""Answers from the graph, with the facts and the words they rest on; or says that it does not know.

Two players (DESIGN §2, law 6): the embedded one follows chains of facts; a chat model, where one is configured, answers from the same
evidence, and can cite nothing that was not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, TypeVar

import pyoxigraph as ox
from pydantic import AfterValidator, BaseModel, Field

from semkg import resources
from semkg.agents.asked import asked, closed, fitting_form
from semkg.agents.chains import Chain, ChainSearch, alike
from semkg.agents.deciding import Decider, chooses_by_time
from semkg.agents.extractive import Extract, Extractor
from semkg.agents.spans import SpanFinder
from semkg.config import EVIDENCE
from semkg.graph.edges import canonical
from semkg.graph.indexes import Indexes, Kind
from semkg.graph.layout import Layout
from semkg.graph.texts import entity_label, texts_of
from semkg.ids import normal_name
from semkg.models.chat import ask_for
from semkg.ports import ChatModel, ChatRequest, Embedder, GraphStore, Message
from semkg.provenance import Origin, Statement, supporters, trace
from semkg.retrieve import Passage, Question, Retriever
from semkg.retrieve.stems import stems
from semkg.vocab import RDF, SKOS

if TYPE_CHECKING:
    from semkg.ports import Vectors

ENOUGH = 0.6
"""Least share of the question's words that a chain must account for."""

CLOSE = 0.6
"""Least cosine between a question and a statement that answers it without a chain."""

PASSAGES = 8
STATEMENTS = 8

REPLY_TOKENS = 160

PASSAGES_WHOLE = 5
"""Passages that a model is shown whole, as long as there is room."""

WHOLE = 1400
BEGINNING = 200
"""Code points that a model is shown of a whole passage at most, and of one of the others."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Words of a document that an answer rests on. Offsets are code points of the chunk."""

    document: str
    title: str
    source: str
    chunk: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Answer:
    """`known` is False where the graph does not hold the answer; `answer` is empty then. `facts` is the chain."""

    question: str
    answer: str
    known: bool
    confidence: float
    citations: tuple[Citation, ...] = ()
    facts: tuple[Statement, ...] = ()
    passages: tuple[Passage, ...] = ()
    answered_by: str = "embedded"


S = TypeVar("S", bound=Sized)


class Reply(BaseModel):
    """What a chat model replies.

    The bounds are checked here and are no part of the schema that a server gets: some make a grammar of it in which each character that
    may stand there is a rule of its own, and fail.
    """

    answer: Annotated[str, AfterValidator(lambda text: _bounded(text, 2000))]
    known: bool
    citations: Annotated[list[int], AfterValidator(lambda numbers: _bounded(numbers, 50))] = Field(default_factory=list)


def _bounded(value: S, length: int) -> S:
    if len(value) > length:
        raise ValueError(f"longer than {length}")
    return value


class Responder:
    """The embedded responder."""

    def __init__(self, store: GraphStore, layout: Layout, indexes: Indexes, embedder: Embedder, retriever: Retriever) -> None:
        self._store = store
        self._layout = layout
        self._indexes = indexes
        self._retriever = retriever
        self._closeness = EmbeddedCloseness(embedder)
        self._extractor = Extractor(SpanFinder(store, layout), self._closeness)
        self._decider = Decider()

    def answer(self, text: str, mode: str = "fusion") -> Answer:
        """Answer a question from the facts.

        Raises:
            UsageError: the question is empty, or there is no such mode.
        """
        question = self._retriever.question(text)
        passages = tuple(self._retriever.retrieve(question, mode, PASSAGES))
        found = self._found(question, passages)
        if found is None:
            return Answer(text, "", known=False, confidence=0.0, passages=passages)
        return replace(found, passages=passages)

    def _found(self, question: Question, passages: Sequence[Passage]) -> Answer | None:
        """By a choice between what the question names, by facts, by reading the passages: the first that is certain enough."""
        text = question.text
        if decided := self._decider.decide(text, passages):
            return _extracted(text, decided)
        if closed(text) or chooses_by_time(text):
            # A name answers no question that is answered by yes or no, and a third thing none that chooses between two.
            return None
        by_facts = self._by_chain(question) or self._by_definition(question) or self._by_statement(question)
        if by_facts is not None:
            return replace(by_facts, answer=fitting_form(text, by_facts.answer))
        wanted = asked(text, [link.words for link in question.linked])
        return _extracted(text, self._extractor.extract(text, wanted, passages))

    def evidence(self, text: str, mode: str = "fusion") -> tuple[Question, tuple[Passage, ...], tuple[Statement, ...]]:
        """What a model may answer from: passages, and the statements of the best chains and nearest by meaning."""
        question = self._retriever.question(text)
        passages = tuple(self._retriever.retrieve(question, mode, PASSAGES))
        chains = self._chains(question)[:4]
        statements = [statement for chain in chains for statement in self._statements(chain)]
        near = self._indexes.vectors[Kind.TRIPLET].search(question.vector, STATEMENTS)
        statements += trace(self._store, [ox.NamedNode(hit.node) for hit in near], self._layout.validated)
        unique = {statement.text: statement for statement in statements}
        return question, passages, tuple(unique.values())[:STATEMENTS]

    def _chains(self, question: Question) -> list[Chain]:
        search = ChainSearch(self._store, self._layout, self._closeness)
        wanted = asked(question.text, [link.words for link in question.linked])
        return search.chains(wanted, [link.entity for link in question.linked if link.words])

    def _by_chain(self, question: Question) -> Answer | None:
        named = f" {normal_name(question.text)} "
        best = next((chain for chain in self._chains(question) if f" {normal_name(self._label(chain.end))} " not in named), None)
        if best is None:
            return None
        words = asked(question.text, [link.words for link in question.linked]).words
        if not words or sum(weight for _, weight in best.covered) / len(words) < ENOUGH:
            return None
        statements = self._statements(best)
        confidence = min((statement.confidence for statement in statements), default=0.0) * max(0.0, best.score)
        return Answer(question.text, self._label(best.end), True, round(confidence, 3), _citations(statements), tuple(statements))

    def _by_definition(self, question: Question) -> Answer | None:
        """`Who is X?`: what the documents say that X is."""
        if asked(question.text, [link.words for link in question.linked]).words:
            return None
        for link in question.linked:
            edges = [
                (link.entity, SKOS.definition, quad.object)
                for quad in self._store.quads(link.entity, SKOS.definition, None, self._layout.facts)
                if isinstance(quad.object, ox.Literal)
            ]
            behind = supporters(self._store, edges, self._layout.validated)
            statements = trace(self._store, [nodes[0] for nodes in behind.values()], self._layout.validated)
            if statements:
                best = max(statements, key=lambda statement: (statement.confidence, statement.object_label))
                return Answer(question.text, best.object_label, True, best.confidence, _citations([best]), (best,))
        return None

    def _by_statement(self, question: Question) -> Answer | None:
        """The statement nearest in meaning, where it names the question's entity and something of the wanted kind."""
        search = ChainSearch(self._store, self._layout, self._closeness)
        wanted = asked(question.text, [link.words for link in question.linked])
        named = {link.entity for link in question.linked if link.words}
        for hit in self._indexes.vectors[Kind.TRIPLET].search(question.vector, STATEMENTS):
            if hit.score < CLOSE or not named:
                return None
            if not self._speaks_of(ox.NamedNode(hit.node), wanted.words):
                continue
            subject, object = self._ends(ox.NamedNode(hit.node))
            for end, other in ((object, subject), (subject, object)):
                if end is not None and other in named and end not in named and search.fits(end, wanted.wanted):
                    statements = trace(self._store, [ox.NamedNode(hit.node)], self._layout.validated)
                    confidence = round(hit.score * statements[0].confidence, 3) if statements else 0.0
                    return Answer(question.text, self._label(end), True, confidence, _citations(statements), tuple(statements))
        return None

    def _speaks_of(self, triplet: ox.NamedNode, words: tuple[str, ...]) -> bool:
        """Does the statement account for enough of the question's words?"""
        said = stems(texts_of(self._store, self._layout, Kind.TRIPLET.value, [triplet.value])[triplet.value])
        return not words or sum(any(alike(word, other) for other in said) for word in words) / len(words) >= ENOUGH

    def _ends(self, triplet: ox.NamedNode) -> tuple[ox.NamedNode | ox.Literal | None, ox.NamedNode | ox.Literal | None]:
        ends: list[ox.NamedNode | ox.Literal | None] = []
        for part in (RDF.subject, RDF.object):
            found = next((quad.object for quad in self._store.quads(triplet, part, None, self._layout.triplets)), None)
            ends.append(canonical(self._store, found, self._layout) if isinstance(found, ox.NamedNode) else found)  # type: ignore[arg-type]  # no quoted triples
        return ends[0], ends[1]

    def _statements(self, chain: Chain) -> list[Statement]:
        """The most certain statement behind each edge of a chain."""
        edges = [(edge.subject, edge.predicate, edge.object) for edge in chain.edges]
        behind = supporters(self._store, edges, self._layout.validated)
        chosen = [nodes[0] for edge in edges if (nodes := behind.get((str(edge[0]), str(edge[1]), str(edge[2]))))]
        return trace(self._store, chosen, self._layout.validated)

    def _label(self, end: ox.NamedNode | ox.Literal) -> str:
        return end.value if isinstance(end, ox.Literal) else entity_label(self._store, end, self._layout)


class EmbeddedCloseness:
    """Cosine between short texts; each is embedded once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, Vectors] = {}

    def prepare(self, texts: Iterable[str]) -> None:
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if missing:
            self._vectors.update(zip(missing, self._embedder.embed(missing), strict=True))

    def __call__(self, first: str, second: str) -> float:
        self.prepare((first, second))
        return float(self._vectors[first] @ self._vectors[second])


class ModelResponder:
    """A chat model that answers from the evidence of the embedded responder."""

    def __init__(self, embedded: Responder, chat: ChatModel, room: int = EVIDENCE) -> None:
        """`room`: code points of evidence that the model is shown."""
        self._embedded = embedded
        self._chat = chat
        self._room = room

    def answer(self, text: str, mode: str = "fusion") -> Answer:
        """Ask the model; only what was put before it can be cited.

        Raises:
            ModelUnavailable: no usable reply.
        """
        _, passages, statements = self._embedded.evidence(text, mode)
        pieces = _fitting(_pieces(passages, statements), self._room)
        numbered = "\n".join(f"[{number}] {_shown(citation)}" for number, (citation, _) in enumerate(pieces, 1))
        prompt = resources.read("prompts", "answer/from-evidence.md").split("---", 2)[2].strip()
        message = Message("user", prompt.replace("{question}", text).replace("{evidence}", numbered))
        reply = ask_for(self._chat, ChatRequest((message,), Reply.model_json_schema(), REPLY_TOKENS), Reply)
        cited = [pieces[number - 1] for number in dict.fromkeys(reply.citations) if 0 < number <= len(pieces)]
        known = reply.known and bool(reply.answer.strip()) and bool(cited)
        if not known:
            return Answer(text, "", known=False, confidence=0.0, passages=passages, answered_by=self._chat.name)
        return Answer(
            question=text,
            answer=reply.answer.strip(),
            known=True,
            confidence=1.0,
            citations=tuple(citation for citation, _ in cited),
            facts=tuple(statement for _, of in cited for statement in of),
            passages=passages,
            answered_by=self._chat.name,
        )


def _extracted(question: str, extract: Extract | None) -> Answer | None:
    if extract is None:
        return None
    passage = extract.passage
    citation = Citation(passage.document, passage.title, passage.source, passage.iri, extract.start, extract.end, extract.quote)
    return Answer(question, extract.text, True, extract.confidence, (citation,))


def _citations(statements: Iterable[Statement]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(_origin_cited(statement.origins[0]) for statement in statements if statement.origins))


def _pieces(passages: Sequence[Passage], statements: Sequence[Statement]) -> list[tuple[Citation, tuple[Statement, ...]]]:
    """What a model is shown: the best passages whole, the beginnings of the others, and statements that stand in none of those."""
    lengths = [WHOLE if rank < PASSAGES_WHOLE else BEGINNING for rank in range(len(passages))]
    pieces: list[tuple[Citation, tuple[Statement, ...]]] = [
        (_passage_cited(passage, length), ()) for passage, length in zip(passages, lengths, strict=True)
    ]
    told = {passage.iri for passage in passages if len(passage.text) <= BEGINNING} | {passage.iri for passage in passages[:PASSAGES_WHOLE]}
    found = [(_origin_cited(statement.origins[0]), (statement,)) for statement in statements if statement.origins]
    return [*pieces, *(piece for piece in found if piece[0].chunk not in told)]


def _fitting(pieces: Sequence[tuple[Citation, tuple[Statement, ...]]], room: int) -> list[tuple[Citation, tuple[Statement, ...]]]:
    """The first pieces for which there is room; there is always room for one."""
    ends = accumulate(len(citation.quote) for citation, _ in pieces)
    return [piece for rank, (piece, end) in enumerate(zip(pieces, ends, strict=True)) if rank == 0 or end <= room]


def _shown(citation: Citation) -> str:
    return f"{citation.title}: “{citation.quote}”"


def _origin_cited(origin: Origin) -> Citation:
    return Citation(origin.document, origin.title, origin.source, origin.chunk, origin.start, origin.end, origin.exact)


def _passage_cited(passage: Passage, length: int) -> Citation:
    """The beginning of a passage, up to the last word that fits into `length` code points."""
    space = passage.text.rfind(" ", 1, length)
    end = len(passage.text) if len(passage.text) <= length else space if space > 0 else length
    return Citation(passage.document, passage.title, passage.source, passage.iri, 0, end, passage.text[:end])
