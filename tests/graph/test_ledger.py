"""The ledger tells what changed between two generations, or that it does not know."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from semkg.graph import ledger
from semkg.graph.ledger import Changes, Ledger
from semkg.vocab import SEMKG

GRAPH = ox.NamedNode("urn:facts")


def mention(chunk: str) -> ox.Quad:
    return ox.Quad(ox.NamedNode("urn:entity"), SEMKG.mentionedIn, ox.NamedNode(chunk), GRAPH)


def status(triplet: str) -> ox.Quad:
    return ox.Quad(ox.NamedNode(triplet), SEMKG.status, SEMKG.Asserted, GRAPH)


def noted(*commits: tuple[int, list[ox.Quad], list[ox.Quad]], since: int = 6) -> Ledger:
    made = Ledger()
    made.follow(since)
    for commit in commits:
        made.note(*commit)
    return made


def test_nothing_is_known_before_somebody_asks_to_know() -> None:
    made = Ledger()
    made.note(7, [mention("urn:a")], [])
    assert made.changes(6, 7) is None
    made.follow(7)
    assert made.changes(6, 7) is None
    assert made.changes(7, 7) == Changes(frozenset(), frozenset())


def test_what_came_and_what_went_has_changed() -> None:
    made = noted((7, [mention("urn:a"), status("urn:t")], [mention("urn:b")]), (8, [], [status("urn:u")]))
    assert made.changes(6, 8) == Changes(frozenset({"urn:a", "urn:b"}), frozenset({"urn:t", "urn:u"}))
    assert made.changes(7, 8) == made.changes(6, 8), "what changed a little earlier is among it"


def test_a_commit_by_somebody_else_ends_what_is_known() -> None:
    made = noted((7, [mention("urn:a")], []))
    assert made.changes(6, 8) is None
    made.note(9, [mention("urn:b")], [])
    assert made.changes(6, 9) is None
    assert made.changes(8, 9) is None


def test_following_anew_forgets_what_was() -> None:
    made = noted((7, [mention("urn:a")], []), (8, [mention("urn:b")], []))
    made.follow(8)
    assert made.changes(6, 8) is None
    made.note(9, [mention("urn:c")], [])
    assert made.changes(8, 9) == Changes(frozenset({"urn:c"}), frozenset())


def test_very_many_changes_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "MANY", 2)
    made = noted((7, [mention(f"urn:{number}") for number in range(3)], []), (8, [mention("urn:a")], []))
    assert made.changes(6, 8) is None
    made.follow(8)
    made.note(9, [mention("urn:b")], [])
    assert made.changes(8, 9) == Changes(frozenset({"urn:b"}), frozenset())
