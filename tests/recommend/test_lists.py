"""Lists of readers: to their taste, without what they know, with a reason, and for whoever is new."""

from pathlib import Path

import pytest
from tests.recommend.made_up import two_tastes, written

from sitewright.engines.duck import DuckEngine
from sitewright.recommend.clicklog import load_clicks
from sitewright.recommend.lists import ItemFacts, ListOptions, ReaderList, Recommended, diverse, reader_lists


def lists_of(engine: DuckEngine, tmp_path: Path, **options: object) -> dict[str | None, ReaderList]:
    log = load_clicks(engine, [written(tmp_path / "clicks.csv", two_tastes())])
    return {found.reader: found for found in reader_lists(engine, log, ListOptions(**options))}  # type: ignore[arg-type]


def test_everybody_has_a_list_of_what_they_have_not_read(engine: DuckEngine, tmp_path: Path) -> None:
    read = {(click["user"], click["item"]) for click in two_tastes()}
    lists = lists_of(engine, tmp_path)
    assert lists.keys() == {None} | {reader for reader, _ in read}
    for reader, found in lists.items():
        items = [item.item for item in found.items]
        assert len(items) == len(set(items)) == 10
        assert not read & {(reader, item) for item in items}
        assert [item.score for item in found.items] == sorted((item.score for item in found.items), reverse=True)
        assert all(item.reason for item in found.items)


def test_lists_are_of_the_readers_taste(engine: DuckEngine, tmp_path: Path) -> None:
    lists = lists_of(engine, tmp_path, length=3)
    own = [
        item.item.startswith("sport" if int(reader.split("-")[1]) % 2 else "film")
        for reader, found in lists.items()
        if reader
        for item in found.items
    ]
    assert sum(own) / len(own) > 0.6


def test_some_readers_only_and_new_ones_too(engine: DuckEngine, tmp_path: Path) -> None:
    everybody = lists_of(engine, tmp_path)
    some = lists_of(engine, tmp_path, readers=["reader-3", "new-1", "new-2", "reader-3"])
    assert some.keys() == {"reader-3", "new-1", "new-2"}
    assert some["reader-3"].items == everybody["reader-3"].items
    assert some["new-1"].items == some["new-2"].items == everybody[None].items


def test_who_read_all_there_is_has_an_empty_list(engine: DuckEngine, tmp_path: Path) -> None:
    clicks = [{"user": user, "item": item, "time": 1_700_000_000} for user, item in ("xa", "xb", "xb", "ya")]
    log = load_clicks(engine, [written(tmp_path / "few.csv", clicks)])
    found = {one.reader: [item.item for item in one.items] for one in reader_lists(engine, log, ListOptions())}
    assert found.pop(None)
    assert found == {"x": [], "y": ["b"]}


def test_of_each_story_one_is_shown() -> None:
    items = [Recommended(name, 1.0, "") for name in "abcde"]
    facts = {"a": ItemFacts(story="x"), "b": ItemFacts(story="x"), "c": ItemFacts(story="y"), "e": ItemFacts()}
    chosen = diverse(items, ListOptions(length=3, facts=facts))
    assert [item.item for item in chosen] == ["a", "c", "d"]


def test_sections_are_named(engine: DuckEngine, tmp_path: Path) -> None:
    facts = {f"{taste}-{hour}": ItemFacts(section=taste) for taste in ("sport", "film") for hour in range(24)}
    newcomer = lists_of(engine, tmp_path, facts=facts)[None]
    assert {item.reason for item in newcomer.items} & {"new in sport", "new in film", "many read it now in sport"}


@pytest.mark.parametrize("length", [1, 25])
def test_lists_are_as_long_as_asked_for(engine: DuckEngine, tmp_path: Path, length: int) -> None:
    lists = lists_of(engine, tmp_path, length=length)
    assert {len(found.items) for found in lists.values()} == {length}
