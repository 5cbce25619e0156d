"""Baselines and incidents come out of the store as they went in, on SQLite and PostgreSQL."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from sitewright.errors import StoreError
from sitewright.store.database import Store, open_store
from sitewright.store.engine import make_engine, writing
from sitewright.store.entries import Incident, Sighting
from sitewright.store.migrations import upgrade

SITE = "example.com"
THEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
Clock = Callable[..., datetime]


def incident(field: str = "text", *, minutes: float = 0, **more: object) -> Incident:
    at = THEN + timedelta(minutes=minutes)
    made = Incident(site=SITE, template="article", field=field, kind="lost", since=THEN, opened_at=at, pages=4)
    return replace(made, **more)  # type: ignore[arg-type]


FULL = incident(
    affected=(Sighting(THEN, "https://example.com/1", "They hum."), Sighting(THEN, "https://example.com/2")),
    before=(Sighting(THEN - timedelta(days=1), "https://example.com/0", "Bees"),),
    fill=((THEN - timedelta(days=1), 0.985), (THEN, 0.0)),
    also=("repeats",),
    diagnosis="text: not as usual on nearly all pages",
    answer="heal",
)


def test_an_incident_comes_back_as_it_was(store: Store) -> None:
    stored = store.put_incident(FULL)
    assert stored.number is not None
    assert stored == replace(FULL, number=stored.number)
    assert store.incidents(SITE) == [stored]
    assert store.find_incident(stored.number) == stored
    assert store.find_incident(stored.number + 1) is None


def test_an_incident_is_written_over_itself(store: Store) -> None:
    stored = store.put_incident(FULL)
    changed = replace(stored, state="healing", pages=9, diagnosis="redesign")
    assert store.put_incident(changed) == changed
    assert store.incidents(SITE) == [changed]
    with pytest.raises(StoreError, match="no incident 99"):
        store.put_incident(replace(FULL, number=99))


def test_open_incidents_and_all_of_them(store: Store, clock: Clock) -> None:
    store.add_site("b.example")
    first, second = (store.put_incident(incident(name, minutes=n)) for n, name in enumerate(("title", "text")))
    other = store.put_incident(replace(FULL, site="b.example", opened_at=THEN + timedelta(hours=1)))
    assert store.incidents() == [other, second, first]
    assert first.number is not None
    assert store.close_incident(first.number)
    assert not store.close_incident(first.number, "healed")
    assert not store.close_incident(99)
    assert store.incidents(SITE) == [second]
    closed = replace(first, state="dismissed", closed_at=clock())
    assert store.incidents(SITE, open_only=False) == [second, closed]


def test_texts_of_strangers_are_kept(store: Store) -> None:
    odd = Sighting(THEN, "https://example.com/\0", "a\0b \ud800 王 \"'")
    stored = store.put_incident(incident(affected=(odd,), diagnosis="\0"))
    (found,) = store.incidents()
    assert found.number == stored.number
    assert found.affected[0].value.endswith("王 \"'")


def test_baselines_come_back_by_template(store: Store) -> None:
    assert store.load_baselines(SITE) == {}
    store.save_baselines(SITE, {"": {"numbers": [1, 2.5]}, "article": {"fields": {}}})
    store.save_baselines(SITE, {"article": {"fields": {"title": [1]}}})
    store.save_baselines(SITE, {})
    assert store.load_baselines(SITE) == {"": {"numbers": [1, 2.5]}, "article": {"fields": {"title": [1]}}}


def test_a_damaged_baseline_is_none_and_the_others_are_read(sqlite_url: str) -> None:
    with open_store(sqlite_url) as store:
        store.add_site(SITE)
        store.save_baselines(SITE, {"": {"a": 1}, "article": {"b": 2}})
        engine = make_engine(sqlite_url, 5)
        with writing(engine) as connection:
            connection.execute(text("UPDATE baselines SET state = '{\"b\": ' WHERE template = 'article'"))
        engine.dispose()
        assert store.load_baselines(SITE) == {"": {"a": 1}, "article": None}


def test_they_are_forgotten_with_their_site(store: Store) -> None:
    store.put_incident(FULL)
    store.save_baselines(SITE, {"": {}})
    store.forget_site(SITE)
    assert store.incidents() == []
    with pytest.raises(StoreError, match="no site"):
        store.load_baselines(SITE)
    with pytest.raises(StoreError, match="no site"):
        store.put_incident(FULL)


def test_tables_of_the_third_revision_get_those_of_incidents(url: str) -> None:
    engine = make_engine(url, 5)
    with writing(engine) as connection:
        upgrade(connection, "0003")
        connection.execute(
            text("INSERT INTO sites (id, name, url, domain, added_at) VALUES (1, 'example.com', '', 'news', :then)"),
            {"then": "2024-05-06 07:08:09.000000"},
        )
    engine.dispose()
    with open_store(url) as store:
        assert store.incidents(SITE) == []
        stored = store.put_incident(FULL)
        assert store.incidents() == [stored]
        store.save_baselines(SITE, {"article": {"a": 1}})
        assert store.load_baselines(SITE) == {"article": {"a": 1}}
