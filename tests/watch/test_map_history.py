"""Which versions of a map read former designs, and what repairs have changed since."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from tests.watch.bulletin import MAP

from sitewright.store.entries import Incident, MadeBy, StoredMap
from sitewright.watch.map_history import MapHistory

NOW = datetime(2024, 6, 20, 12, 0, tzinfo=UTC)
TITLE = MAP.replace("h1.headline", "h2.big")
TAGS = TITLE.replace("a.tag]", "span.subject]")


def numbered(text: str, number: int) -> str:
    return text.replace("version: 1", f"version: {number}")


def history(*made: tuple[str, MadeBy]) -> MapHistory:
    versions = [
        StoredMap(site="example.com", version=number, made_by=by, made_at=NOW, text=numbered(text, number))
        for number, (text, by) in enumerate(made, 1)
    ]
    return MapHistory(versions, frozenset(one.version for one in versions if one.made_by == "healed"))


def former(known: MapHistory) -> list[int]:
    newest = known.versions[-1].parsed()
    return [design.map.version for design in known.former(newest)]


def test_the_versions_before_repairs_are_those_of_former_designs() -> None:
    assert former(history((MAP, "learned"))) == []
    assert former(history((MAP, "learned"), (TITLE, "healed"))) == [1]
    assert former(history((MAP, "learned"), (TITLE, "healed"), (TAGS, "healed"))) == [2, 1]


def test_what_a_person_changes_is_for_all_pages() -> None:
    assert former(history((MAP, "learned"), (TITLE, "person"))) == []
    assert former(history((MAP, "learned"), (TITLE, "person"), (TAGS, "healed"))) == [2]


def test_a_version_that_reads_as_the_newest_does_is_none() -> None:
    """Sources were repaired, or a person went back."""
    assert former(history((MAP, "learned"), (MAP.replace("li.teaser", "li.card"), "healed"))) == []
    assert former(history((MAP, "learned"), (TITLE, "healed"), (MAP, "person"))) == []


def test_versions_that_cannot_be_read_do_not_matter() -> None:
    known = history(("not: a map", "learned"), (TITLE, "healed"))
    assert former(known) == []
    assert known.repaired(1, 2) == frozenset()


def test_the_fields_that_repairs_and_no_person_changed() -> None:
    known = history((MAP, "learned"), (TITLE, "healed"), (TAGS, "person"), (TAGS.replace("h2.big", "h3"), "person"))
    assert known.repaired(1, 2) == {"title"}
    assert known.repaired(1, 3) == {"title"}
    assert known.repaired(1, 4) == frozenset(), "a person had the last word"
    assert known.repaired(2, 2) == known.repaired(3, 2) == known.repaired(None, 2) == frozenset()


def test_what_was_broken_when_a_version_was_made_is_in_doubt_in_its_design() -> None:
    def incident(field: str, closed_at: datetime | None) -> Incident:
        return Incident(
            site="example.com",
            kind="lost",
            since=NOW,
            opened_at=NOW,
            template="article",
            field=field,
            closed_at=closed_at,
        )

    known = replace(
        history((MAP, "learned"), (TITLE, "healed"), (TAGS, "healed")),
        incidents=[incident("title", NOW), incident("tags", NOW + timedelta(hours=1)), incident("text", None)],
    )
    designs = known.former(known.versions[-1].parsed())
    assert {doubt.field for doubt in designs[0].doubts} == {"tags", "text"}
