"""A collection of short documents made from a seed, whose people, places and firms meet across documents."""

from __future__ import annotations

import json
import random
from pathlib import Path

FIRST = ("Anna", "Béla", "Clara", "Dmitri", "Élise", "Farid", "Greta", "Hugo", "Ingrid", "Jonas", "Karin", "Łukasz")
LAST = ("Almeida", "Brandt", "Costa", "Dvořák", "Eriksen", "Fournier", "Grünwald", "Hansen", "Ivanov", "Jensen")
CITIES = ("Szeged", "Bergen", "Lyon", "Porto", "Kraków", "Tartu", "Graz", "Malmö", "Gent", "Trieste")
FIRMS = ("Orion Glass", "Baltic Lens Works", "Meridian Instruments", "Porto Optical", "Northern Dial Company")


def records(count: int, seed: int) -> list[dict[str, str]]:
    """`count` records {id, title, text}; the same seed gives the same ones."""
    chosen = random.Random(seed)
    return [_record(number, chosen) for number in range(count)]


def _record(number: int, chosen: random.Random) -> dict[str, str]:
    name = f"{chosen.choice(FIRST)} {chosen.choice(LAST)}"
    friend = f"{chosen.choice(FIRST)} {chosen.choice(LAST)}"
    firm, city, other, year = chosen.choice(FIRMS), chosen.choice(CITIES), chosen.choice(CITIES), chosen.randint(1850, 1950)
    text = (
        f"{name} was an engineer from {city}. {name} was born in {city} on {chosen.randint(1, 28)} May {year}. "
        f"{chosen.choice(('He', 'She'))} founded {firm} in {year + 30}. {firm} is a company in {other}. "
        f"In {year + 35} {name} married {friend}. {friend} was a teacher at the University of {other}."
    )
    return {"id": str(number), "title": name if chosen.random() < 0.8 else firm, "text": text}


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    """Write records as JSONL."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path
