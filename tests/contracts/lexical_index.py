"""What every adapter of the `LexicalIndex` port must do; its tests inherit this class."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semkg.ports import LexicalIndex

A, B, C = (f"https://example.org/{letter}" for letter in "abc")

LANGUAGES = [
    ("The observatory was designed by Ida Halden.", "Who designed the observatory?"),
    ("Die Sternwarte wurde im Jahr 1911 gebaut.", "Wann wurde die STERNWARTE gebaut?"),
    ("L’école de Nîmes a été fondée en 1850.", "ecole nimes"),
    ("Обсерватория была построена в горах.", "обсерватория"),
    ("το αστεροσκοπείο στο βουνό", "ΑΣΤΕΡΟΣΚΟΠΕΙΟ"),
    ("天文台は山の上に建てられた。", "天文台はどこ"),
    ("这座天文台建于山上。", "天文台"),
    ("หอดูดาวตั้งอยู่บนภูเขา", "หอดูดาว"),
    ("वेधशाला पहाड़ पर है", "वेधशाला कहाँ है"),
    ("المرصد على الجبل", "المرصد"),
    ("천문대는 산 위에 있다", "천문대는"),
    ("cafe\u0301 ﬁrst １２３", "café first 123"),
]

INHERITED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
"""Every example makes its own index, and every adapter's class runs the same examples."""


class LexicalIndexContract:
    """Inherit, and give a fixture `make` that returns a new, empty, writable index."""

    def test_an_empty_index_finds_nothing(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        assert len(index) == 0
        assert index.search("observatory", 5) == []
        assert index.generation < 0

    def test_an_update_adds_replaces_removes_and_counts(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(A, "Chunk", "a red lamp"), (B, "Chunk", "a blue lamp")], [], 1)
        index.update([(A, "Chunk", "a green door")], [B, C], 2)
        assert (list(index.nodes()), len(index), index.generation) == ([A], 1, 2)
        assert index.search("lamp", 5) == []
        assert [hit.node for hit in index.search("door", 5)] == [A]

    def test_a_node_can_change_its_type(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(A, "Chunk", "lamp")], [], 1)
        index.update([(A, "Entity", "lamp")], [], 2)
        assert index.search("lamp", 5, "Chunk") == []
        assert [hit.node for hit in index.search("lamp", 5, "Entity")] == [A]

    def test_what_is_removed_and_added_in_one_update_is_there(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(A, "Chunk", "lamp")], [], 1)
        index.update([(A, "Chunk", "door")], [A], 2)
        assert [hit.node for hit in index.search("door lamp", 5)] == [A]

    def test_any_word_counts_and_more_words_count_more(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(A, "Chunk", "the lamp is red"), (B, "Chunk", "the red lamp of the tower"), (C, "Chunk", "nothing of it")], [], 1)
        hits = index.search("red tower", 5)
        assert [hit.node for hit in hits] == [B, A]
        assert hits[0].score > hits[1].score

    def test_only_one_type_can_be_searched(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(A, "Chunk", "lamp"), (B, "Entity", "lamp")], [], 1)
        assert [hit.node for hit in index.search("lamp", 5, "Entity")] == [B]
        assert {hit.node for hit in index.search("lamp", 5)} == {A, B}
        assert index.search("lamp", 5, "Unknown") == []

    def test_equal_texts_are_ordered_by_iri_also_where_they_are_cut(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(node, "Chunk", "lamp") for node in (C, A, B)], [], 1)
        assert [hit.node for hit in index.search("lamp", 2)] == [A, B]

    def test_words_that_say_nothing_do_not_count_unless_there_are_no_others(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(A, "Chunk", "the who of the world"), (B, "Chunk", "a lamp")], [], 1)
        assert [hit.node for hit in index.search("where is the lamp", 5)] == [B]
        assert [hit.node for hit in index.search("the who", 5)] == [A]

    def test_an_english_word_is_not_taken_for_an_article_of_another_language(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(A, "Chunk", "did the son die in the war"), (B, "Chunk", "Ida lives")], [], 1)
        assert [hit.node for hit in index.search("Where did the son die?", 5)] == [A]

    def test_forms_of_a_word_meet(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(A, "Chunk", "they were married in a chapel")], [], 1)
        assert index.search("marries", 5)

    @pytest.mark.parametrize(("text", "question"), LANGUAGES)
    def test_texts_of_any_language_are_found_by_their_words(self, make: Callable[[], LexicalIndex], text: str, question: str) -> None:
        index = make()
        index.update([(A, "Chunk", text), (B, "Chunk", "zzz")], [], 1)
        assert [hit.node for hit in index.search(question, 5)] == [A]

    def test_neighbouring_ideographs_are_asked_for_together(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(A, "Chunk", "東から京へ"), (B, "Chunk", "東京へ")], [], 1)
        assert [hit.node for hit in index.search("東京", 5)] == [B]

    @pytest.mark.parametrize(
        "question",
        ["", "   ", "?!", '"', "a AND", "NOT lamp", "lamp*", "text:lamp", "NEAR(lamp door)", "^lamp", "(lamp", "lamp'--", "{lamp}"],
    )
    def test_nothing_in_a_question_is_query_syntax(self, make: Callable[[], LexicalIndex], question: str) -> None:
        index = make()
        index.update([(A, "Chunk", "lamp"), (B, "Chunk", "door")], [], 1)
        found = [hit.node for hit in index.search(question, 5)]
        assert (A in found) == ("lamp" in question)

    @settings(max_examples=60, deadline=None, suppress_health_check=INHERITED)
    @given(st.text(max_size=40), st.text(max_size=40))
    def test_any_text_can_be_indexed_and_asked_for(self, make: Callable[[], LexicalIndex], text: str, question: str) -> None:
        index = make()
        index.update([(A, "Chunk", text)], [], 1)
        assert {hit.node for hit in index.search(question, 5)} <= {A}

    def test_a_very_long_question_is_answered(self, make: Callable[[], LexicalIndex]) -> None:
        index = make()
        index.update([(A, "Chunk", "lamp")], [], 1)
        assert index.search("lamp " + " ".join(f"word{number}" for number in range(5000)), 5)

    @pytest.mark.parametrize("limit", [0, -1])
    def test_no_hits_are_asked_for(self, make: Callable[[], LexicalIndex], limit: int) -> None:
        index = make()
        index.update([(A, "Chunk", "lamp")], [], 1)
        assert index.search("lamp", limit) == []
