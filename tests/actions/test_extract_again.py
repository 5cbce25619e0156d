"""The stored pages of a site are read once more."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.reading.test_designs import NEW, RELATED
from tests.watch.bulletin import MAP, SITE, old_map, page_of, url_of, values_of
from tests.watch.workshop import Workshop, open_workshop

from sitewright.actions.explain import explain
from sitewright.actions.extract_again import ExtractAgainOptions, Tally, extract_again, map_given
from sitewright.actions.hold import held
from sitewright.actions.maps import stored_map
from sitewright.errors import InputError
from sitewright.maps import parse_map
from sitewright.reading.item import read_page
from sitewright.store.database import Store
from sitewright.store.entries import Incident
from sitewright.types import ExtractionMap, Limits

pytestmark = pytest.mark.slow

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


# After a redesign

NOW = datetime(2024, 6, 20, 12, 0, tzinfo=UTC)
OLD, LATER = range(6), range(100, 104)


@pytest.fixture
def healed(tmp_path: Path) -> Iterator[Workshop]:
    """A site that was built anew an hour ago; its map is repaired, and four stories are read by it."""
    with open_workshop(tmp_path, NOW) as opened:
        keep(opened, OLD, "old", NOW - timedelta(days=2), old_map())
        incident = Incident(
            site=SITE, template="article", kind="handed over", since=NOW - timedelta(hours=1), opened_at=NOW, pages=4
        )
        number = opened.store.put_incident(incident).number
        assert number is not None
        opened.store.adopt_map(NEW, "healed", healed=[number])
        keep(opened, LATER, "new", NOW, parse_map(NEW))
        yield opened


def keep(workshop: Workshop, numbers: range, design: str, at: datetime, extraction_map: ExtractionMap) -> None:
    """Store stories as a collector does that has this map; each shows another heading, too."""
    for number in numbers:
        page = page_of(number, design, at)
        assert isinstance(page.body, bytes)
        page = replace(page, body=page.body.replace(b"<main>", f"<main>{RELATED}".encode()))
        record = read_page(Limits(), page, extraction_map).record
        workshop.store.commit_page(record, page, workshop.archive.append(page))


def again(workshop: Workshop, text: str | None = None, **options: Any) -> Tally:
    stored = stored_map(workshop.store, SITE)
    asked = ExtractAgainOptions(
        site=SITE,
        extraction_map=parse_map(text) if text else stored.parsed(),
        folder=workshop.folder / "pages",
        jobs=1,
        **options,
    )
    with held(workshop.store, SITE) as hold:
        return extract_again(workshop.store, asked, hold)


def titles(workshop: Workshop, numbers: range) -> list[bool]:
    """Tell of some stories whether their titles are right."""
    found = [workshop.store.find_record(SITE, url_of(number)) for number in numbers]
    return [
        one is not None and one.record.fields["title"].value == values_of(n)["title"]
        for one, n in zip(found, numbers, strict=True)
    ]


def test_records_of_a_former_design_are_read_by_its_map(healed: Workshop) -> None:
    tally = again(healed)
    assert (tally.changed, tally.worse, tally.same) == (0, 0, 10)
    assert all(titles(healed, OLD))
    assert all(titles(healed, LATER))


def test_a_page_that_both_versions_fit_is_not_made_worse(tmp_path: Path) -> None:
    """Only the title's rule was repaired; on old pages the new one speaks, too, and says something else."""
    with open_workshop(tmp_path, NOW) as opened:
        keep(opened, OLD, "old", NOW - timedelta(days=2), old_map())
        since = NOW - timedelta(hours=1)
        lost = Incident(site=SITE, template="article", field="title", kind="lost", since=since, opened_at=NOW, pages=4)
        number = opened.store.put_incident(lost).number
        assert number is not None
        text = MAP.replace("h1.headline", "h2").replace("version: 1", "version: 2")
        opened.store.adopt_map(text, "healed", healed=[number])
        tally = again(opened)
        assert (tally.worse, tally.changed, tally.written) == (6, 0, 0)
        assert all(titles(opened, OLD))
        by_person = text.replace("[h2]", "[aside h2]").replace("version: 2", "version: 3")
        opened.store.save_map(by_person, "person")
        assert again(opened).changed == 6, "what a person wants is done"


def test_during_an_incident_pages_from_before_are_read_as_they_were(healed: Workshop) -> None:
    """What is in doubt is so since it began; `explain` and reading once more say the same."""
    doubt = Incident(
        site=SITE, template="article", field="tags", kind="lost", since=NOW + timedelta(hours=1), opened_at=NOW, pages=4
    )
    healed.store.put_incident(doubt)
    folder = healed.folder / "pages"
    for number in (OLD[0], LATER[0]):
        assert explain(healed.store, folder, url_of(number), limits=Limits()).is_same
    tally = again(healed)
    assert (tally.changed, tally.worse, tally.same) == (0, 0, 10)


def test_what_is_in_doubt_is_not_replaced_by_less(healed: Workshop) -> None:
    since = NOW - timedelta(hours=2)
    doubt = Incident(
        site=SITE, template="article", field="published", kind="disagrees", since=since, opened_at=NOW, pages=4
    )
    healed.store.put_incident(doubt)
    before = [one.record.fields["published"] for one in healed.store.records()]
    again(healed)
    after = [one.record.fields.get("published") for one in healed.store.records()]
    assert [value.value for value in before] == [value.value if value else None for value in after]
