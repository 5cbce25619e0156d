from datetime import datetime
from random import Random
from string import Formatter

import pytest

from sitewright.demo.cast import Notebook, number_text
from sitewright.demo.dates import format_date
from sitewright.demo.pictures import SCENES
from sitewright.demo.words import LANGUAGES, Words, load_words
from sitewright.demo.writing import ascii_slug


def slots(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_are_complete(language: str) -> None:
    words, english = load_words(language), load_words("en")
    assert words.labels.keys() == english.labels.keys()
    assert all(slots(text) == slots(english.labels[name]) for name, text in words.labels.items())
    assert (len(words.calendar.months), len(words.calendar.weekdays)) == (12, 7)
    assert len(words.phrases.subheads) >= 8
    sections = {section.slug for section in words.sections}
    for topic in words.topics:
        assert set(topic.sections) <= sections
        assert set(topic.scenes) <= SCENES.keys()
        assert topic.feature.count("*") == 2
        assert "&" in topic.feature


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_slug_names_two_things(language: str) -> None:
    words = load_words(language)
    names: dict[str, str] = {}
    for tag in (tag for topic in words.topics for tag in topic.tags):
        assert names.setdefault(tag.slug, tag.name) == tag.name
    reserved = {"photos", "video", "live", "latest", "topics", "authors", "about", "media", "assets", "embed"}
    assert not reserved & {section.slug for section in words.sections}


def test_english_is_richest() -> None:
    def sentences(words: Words) -> int:
        return sum(len(topic.facts) + len(topic.leads) for topic in words.topics)

    assert all(sentences(load_words("en")) > sentences(load_words(other)) for other in LANGUAGES[1:])


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "5 March 2025, 07:08"),
        ("de", "5. März 2025, 07:08 Uhr"),
        ("fr", "5 mars 2025 à 07h08"),
        ("ru", "5 марта 2025, 07:08"),
        ("zh", "2025年3月5日 07:08"),
        ("ja", "2025年3月5日 07時08分"),
    ],
)
def test_dates_are_written_as_in_the_language(language: str, expected: str) -> None:
    calendar = load_words(language).calendar
    assert format_date(calendar, calendar.long, datetime(2025, 3, 5, 7, 8)) == expected


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "12,300"), ("de", "12.300"), ("fr", "12 300"), ("zh", "12300")]
)
def test_numbers_are_written_as_in_the_language(language: str, expected: str) -> None:
    assert number_text(load_words(language), 12300) == expected


def test_slugs_are_ascii() -> None:
    assert ascii_slug("Élodie Hérault") == "elodie-herault"
    assert ascii_slug("灯塔") == ""


def test_templates_take_turns() -> None:
    notebook = Notebook(load_words("en"), Random(1))
    cast = notebook.cast()
    assert {notebook.one(cast, ["one", "two", "three"]) for _ in range(3)} == {"One", "Two", "Three"}
