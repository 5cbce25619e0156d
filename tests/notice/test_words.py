"""An incident has one set of words, for tables and for sentences."""

from datetime import UTC, datetime
from typing import get_args

import pytest

from sitewright.notice.words import subject, told, wrong
from sitewright.store.entries import Incident, IncidentKind

SINCE = datetime(2024, 6, 20, 12, tzinfo=UTC)


def an_incident(kind: IncidentKind, field: str = "") -> Incident:
    return Incident(site="a.example", template="", field=field, kind=kind, since=SINCE, opened_at=SINCE)


@pytest.mark.parametrize("kind", get_args(IncidentKind))
def test_every_kind_has_words(kind: IncidentKind) -> None:
    assert wrong(kind) != kind or kind == "failing"
    assert kind == "unlisted" or wrong(kind) in told(an_incident(kind))


@pytest.mark.parametrize(
    ("incident", "about", "sentence"),
    [
        (an_incident("lost", "title"), "title", "incident: title is not read any more, since 2024-06-20 12:00"),
        (an_incident("failing"), "whole pages", "incident: whole pages cannot be fetched, since 2024-06-20 12:00"),
        (
            an_incident("unlisted"),
            "index pages",
            "incident: pages that list articles are not read by their selectors any more, since 2024-06-20 12:00",
        ),
    ],
)
def test_words_and_sentences(incident: Incident, about: str, sentence: str) -> None:
    assert subject(incident) == about
    assert told(incident) == sentence


def test_a_kind_of_a_newer_version() -> None:
    assert wrong("odd") == "odd"  # type: ignore[arg-type]
