"""Which fields may change by themselves."""

from dataclasses import replace
from typing import Any

import pytest

from sitewright.heal.sure import LEAST_PAGES, SURE, is_sure
from sitewright.store.entries import ProposedField

GOOD = ProposedField(
    field="title", confidence=0.95, before=0.2, tagger=0.5, judged=LEAST_PAGES, distinct=3, changed=True, sure=False
)


@pytest.mark.parametrize(
    ("changes", "sure"),
    [
        ({}, True),
        ({"confidence": SURE}, True),
        ({"confidence": 0.89}, True),
        ({"confidence": 0.79}, False),
        ({"confidence": 0.89, "tagger": 0.89}, False),
        ({"confidence": 0.89, "before": 0.5}, False),
        ({"judged": LEAST_PAGES - 1}, False),
        ({"before": 0.95}, True),
        ({"before": 0.96}, False),
        ({"edited": True}, False),
        ({"lost": True}, False),
        ({"distinct": 1}, False),
        ({"distinct": 1, "tagger": 0.9}, True),
    ],
    ids=str,
)
def test_what_makes_a_field_sure(changes: dict[str, Any], sure: bool) -> None:
    assert is_sure(replace(GOOD, **changes), SURE) == sure


def test_how_sure_is_asked_for() -> None:
    assert not is_sure(replace(GOOD, tagger=0.95), 0.96)
    assert is_sure(replace(GOOD, confidence=0.6), 0.6)


def test_nothing_is_sure_enough_for_who_asks_for_more_than_all() -> None:
    assert not is_sure(replace(GOOD, confidence=1.0), 1.05)


def test_what_is_disputed_is_not_sure() -> None:
    assert not is_sure(GOOD, SURE, {"title", "text"})
    assert is_sure(GOOD, SURE, {"text"})
