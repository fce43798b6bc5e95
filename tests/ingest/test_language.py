"""The language of a text by its words or its script."""

from __future__ import annotations

import pytest

from semkg.ingest.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The bridge was built by the town in 1890 and it is still in use.", "en"),
        ("Die Brücke wurde 1890 von der Stadt gebaut und ist noch in Gebrauch.", "de"),
        ("Le pont a été construit par la ville en 1890 et il est encore utilisé.", "fr"),
        ("El puente fue construido por la ciudad en 1890 y se usa todavía.", "es"),
        ("Il ponte fu costruito dalla città nel 1890 ed è ancora in uso, come gli altri.", "it"),
        ("A ponte foi construída pela cidade em 1890 e ainda não é usada por todos.", "pt"),
        ("De brug werd in 1890 door de stad gebouwd en is nog in gebruik.", "nl"),
        ("Most został zbudowany przez miasto w 1890 i jest nadal używany, ale nie dla wszystkich.", "pl"),
        ("Bron byggdes av staden 1890 och den är fortfarande i bruk för alla som bor där.", "sv"),
        ("Мост был построен городом в 1890 году.", "ru"),
        ("Міст було збудовано містом у 1890 році, і він ще служить її мешканцям.", "uk"),
        ("Η γέφυρα χτίστηκε από την πόλη.", "el"),
        ("この橋は町によって建てられました。", "ja"),
        ("这座桥是由城市建造的。", "zh"),
        ("이 다리는 도시가 지었다.", "ko"),
        ("بنت المدينة هذا الجسر.", "ar"),
        ("שלום לכולם", "he"),
        ("यह पुल शहर ने बनाया।", "hi"),
        ("12 345 + x = y", "und"),
        ("", "und"),
    ],
)
def test_the_language_is_guessed_or_left_open(text: str, language: str) -> None:
    assert language_of(text) == language


def test_what_the_document_states_counts() -> None:
    assert language_of("The bridge was built by the town.", stated="de-CH") == "de-CH"


def test_a_statement_that_is_no_language_tag_is_ignored() -> None:
    assert language_of("The bridge was built by the town.", stated="English (US)!") == "en"
