"""The stored pages of a site are read once more."""

from pathlib import Path
from typing import Any

import pytest

from sitewright.actions.extract_again import ExtractAgainOptions, Tally, extract_again, map_given
from sitewright.actions.hold import held
from sitewright.actions.maps import stored_map
from sitewright.errors import InputError
from sitewright.maps import parse_map
from sitewright.store.database import Store

NOTES = "notes.example"
PAGES = Path("sitewright-pages")


def asked(store: Store, old: str, new: str) -> ExtractAgainOptions:
    changed = parse_map(stored_map(store, NOTES).text.replace(old, new))
    return ExtractAgainOptions(site=NOTES, extraction_map=changed, folder=PAGES, jobs=1)


def test_without_a_hold_nothing_is_written(store: Store) -> None:
    before = list(store.records())
    noted: list[str] = []
    tally = extract_again(store, asked(store, "[h1, h2]", "[h2]"), None, note=noted.append)
    assert (tally.pages, tally.changed, tally.same, tally.new, tally.written) == (2, 2, 0, 0, 0)
    assert noted == ["", ""]
    own = tally.changes.fields["title"]
    assert (own.changed, own.before, own.after, own.example) == (2, 2, 2, ('["Note 1","Below"]', '["Below"]'))
    assert list(store.records()) == before


def test_records_are_replaced(store: Store) -> None:
    with held(store, NOTES) as hold:
        tally: Tally = extract_again(store, asked(store, "rating: {select: [b]}", "stars: {select: [b]}"), hold)
    assert (tally.changed, tally.written, tally.unread) == (2, 2, [])
    found: Any = store.find_record(NOTES, "https://notes.example/1")
    assert found.record.fields["stars"].value == "1 stars"
    assert "rating" not in found.record.fields


def test_what_is_the_same_is_not_written(store: Store) -> None:
    with held(store, NOTES) as hold:
        tally = extract_again(store, asked(store, "h1", "h1"), hold)
    assert (tally.same, tally.changed, tally.written) == (2, 0, 0)


def test_a_map_that_a_person_gives(store: Store) -> None:
    text = stored_map(store, NOTES).text.replace("[b]", "[i]")
    told: list[str] = []
    assert map_given(store, NOTES, text, "a.yaml", keep=False, tell=told.append).version == 2
    assert stored_map(store, NOTES).version == 1
    assert map_given(store, NOTES, text, "a.yaml", keep=True, tell=told.append).version == 2
    assert (stored_map(store, NOTES).version, told) == (2, ["a.yaml is stored as version 2"])
    with pytest.raises(InputError, match=r"a\.yaml is the map of notes\.example, not of b\.example"):
        map_given(store, "b.example", text, "a.yaml", keep=False)
