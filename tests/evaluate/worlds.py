"""A small invented world: passages with someone's triples, questions over two passages each, and a paper with annotators' answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from semkg.config import Settings

GIVEN = Settings(embedder="hashing-64")

PEOPLE = (
    ("Mira Sandvik", "Tern Optics", "Halden"),
    ("Jonas Ekdal", "Pine Rail", "Orkla"),
    ("Leila Farou", "Cove Textiles", "Brenne"),
    ("Otto Lindqvist", "Marsh Clocks", "Vikna"),
    ("Ines Carvalho", "Dune Ceramics", "Sable"),
)


def passages() -> list[dict[str, Any]]:
    """A person, a firm and a town in turn; the last passage repeats the first."""
    found: list[dict[str, Any]] = []
    for person, firm, town in PEOPLE:
        found.append(_passage(person, f"{person} founded {firm} after years at sea.", [[person, "founded", firm]]))
        found.append(_passage(firm, f"{firm} is a company with its seat in {town}.", [[firm, "has its seat in", town]]))
        found.append(_passage(town, f"{town} lies on a fjord and has an old harbour.", [[town, "lies on", "a fjord"]]))
    return [*found, found[0]]


def _passage(title: str, text: str, triples: list[list[str]]) -> dict[str, Any]:
    return {"title": title, "text": text, "entities": sorted({name for s, _, o in triples for name in (s, o)}), "triples": triples}


def questions() -> list[dict[str, Any]]:
    return [
        {
            "id": f"q{number}",
            "question": f"In which town has the firm that {person} founded its seat?",
            "answer": town,
            "aliases": [f"the town of {town}"],
            "gold": [3 * number, 3 * number + 1],
            "type": "bridge" if number % 2 else "composed",
        }
        for number, (person, _, town) in enumerate(PEOPLE)
    ]


def papers() -> list[dict[str, Any]]:
    """One paper with a nested section, a repeated paragraph, and questions of every type."""
    lexicon = "The seed lexicon holds forty words that two sailors chose by hand."
    tides = "We measured the tides of the fjord for eleven winters with wooden gauges."
    boats = "Every boat was weighed before it left the harbour, and again when it came back."
    return [
        {
            "id": "0001.00001",
            "title": "Tides and Boats",
            "abstract": "We study how tides move boats.",
            "full_text": {
                "section_name": ["Data", "Data ::: Words", "Method", ""],
                "paragraphs": [[tides, ""], [lexicon], [boats, tides], ["Thanks to all."]],
            },
            "qas": {
                "question": ["How many words are in the lexicon?", "Were boats weighed?", "Who paid for it?"],
                "question_id": ["p1", "p2", "p3"],
                "answers": [
                    {"answer": [_answer(spans=["forty words", "by hand"], evidence=[lexicon]), _answer(text="forty", evidence=[lexicon])]},
                    {"answer": [_answer(verdict=True, evidence=[boats, "FLOAT SELECTED: Table 1"]), _answer(unanswerable=True)]},
                    {"answer": [_answer(unanswerable=True)]},
                ],
            },
        }
    ]


def _answer(
    spans: list[str] | None = None,
    text: str = "",
    verdict: bool | None = None,
    unanswerable: bool = False,
    evidence: list[str] | None = None,
) -> dict[str, Any]:
    return {
        "unanswerable": unanswerable,
        "extractive_spans": spans or [],
        "yes_no": verdict,
        "free_form_answer": text,
        "evidence": evidence or [],
        "highlighted_evidence": [],
    }


def written(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
