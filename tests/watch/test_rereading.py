"""Pages are read once more where rules were wrong; records that were right before stay as they are."""

from datetime import UTC, datetime, timedelta

from sitewright.store.entries import Incident
from sitewright.store.states import SiteState
from sitewright.types import Record, Value
from sitewright.watch.rereading import (
    ALL,
    Rereading,
    wanted_rereading,
    with_rereading,
    without_rereading,
    wrong_since,
)

THEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
LATER = THEN + timedelta(hours=1)


def record(version: int, **values: object) -> Record:
    """Values of rules; those that begin with "?" are the tagger's."""
    fields = {
        name: Value(value, 1.0, f"tagger/{name}" if str(value).startswith("?") else f"article/{name}#0")
        for name, value in values.items()
    }
    return Record(site="example.com", urls=("https://example.com/a",), fields=fields, map_version=version)


def incident(field: str = "", *, minutes: int = 0, kind: str = "lost") -> Incident:
    since = THEN + timedelta(minutes=minutes)
    return Incident(site="example.com", template="article", field=field, kind=kind, since=since, opened_at=since)  # type: ignore[arg-type]


def test_a_wish_is_kept_in_the_state_and_taken_out_of_it() -> None:
    state = with_rereading(SiteState(rhythm="x"), {"title": LATER})
    state = with_rereading(state, {"title": THEN, "text": LATER})
    assert wanted_rereading(state) == Rereading({"title": THEN, "text": LATER})
    assert without_rereading(state) == SiteState(rhythm="x")
    assert wanted_rereading(SiteState()) is None


def test_a_wish_that_cannot_be_read_is_none() -> None:
    for kept in ("2024-05-06", {"title": "yesterday"}, [], {"title": None}):
        assert wanted_rereading(SiteState.from_row({"reread": kept})) is None


def test_a_record_of_a_page_from_before_the_change_stays() -> None:
    wanted = Rereading({ALL: LATER})
    before, after = record(1, title="Bees", text="They hum."), record(2, title="Bees - The Paper", text="They hum.")
    assert wanted.keeps(before, after, THEN)
    assert not wanted.keeps(before, after, LATER)


def test_what_was_wrong_may_change_and_all_else_may_not() -> None:
    wanted = Rereading({"authors": THEN})
    before = record(1, title="Bees", authors=["The Paper"])
    assert not wanted.keeps(before, record(2, title="Bees", authors=["Ann Lee"]), LATER)
    assert not wanted.keeps(before, record(2, title="Bees"), LATER)
    assert wanted.keeps(before, record(2, title="Buzz", authors=["Ann Lee"]), LATER)
    assert wanted.keeps(before, record(2, authors=["Ann Lee"]), LATER)


def test_what_the_tagger_read_may_always_change() -> None:
    wanted = Rereading({"authors": THEN})
    assert not wanted.keeps(record(1, title="Bees", tags="?honey"), record(2, title="Bees", tags=["Honey"]), LATER)
    assert not wanted.keeps(None, record(2, title="Bees"), THEN)


def test_a_page_that_clearly_is_of_another_version_is_read_by_it_whenever_it_was_fetched() -> None:
    """So it is with pages between a redesign and the moment when it was noticed."""
    wanted = Rereading({"title": LATER})
    before, after = record(1, title="Most read"), record(2, title="Bees")
    assert wanted.keeps(before, after, THEN)
    assert not wanted.keeps(before, after, THEN, is_clear=True)
    assert wanted.keeps(before, record(1, title="Bees"), THEN, is_clear=True), "it is of the version that read it"


def test_moments_are_compared_as_the_store_gives_them_back() -> None:
    wanted = Rereading({"authors": THEN})
    assert not wanted.keeps(record(1, published=THEN.isoformat()), record(2, published=THEN), LATER)


def test_a_zone_that_is_known_by_now_makes_no_other_moment() -> None:
    wanted = Rereading({"authors": THEN})
    bare = THEN.replace(tzinfo=None)
    assert not wanted.keeps(record(1, published=bare.isoformat()), record(2, published=THEN), LATER)
    assert wanted.keeps(record(1, published=bare.isoformat()), record(2, published=LATER), LATER)
    assert wanted.keeps(record(1, published=bare.isoformat()), record(2), LATER)


def test_since_when_rules_were_wrong() -> None:
    whole, own = incident(kind="handed over", minutes=5), incident("authors", minutes=-60)
    assert wrong_since(["title", "authors"], [whole, own], LATER) == {
        "title": whole.since,
        "authors": own.since,
        ALL: whole.since,
    }
    assert wrong_since(["title", "authors"], [own], LATER) == {"title": own.since, "authors": own.since}
    assert wrong_since(["title"], [], LATER) == {"title": LATER}
