"""What is counted of a run."""

from datetime import UTC, datetime

from sitewright.store.entries import Incident
from sitewright.types import Failure, Record, Value
from sitewright.watch.events import failure_event, incident_event, record_event
from sitewright.watch.tally import Tally

NOW = datetime(2026, 5, 6, tzinfo=UTC)
RECORD = Record(site="example.com", urls=("https://example.com/a",), fields={"title": Value("Bees", 0.9, "a/title#0")})


def test_events_are_counted_by_site() -> None:
    tally = Tally()
    opened = Incident(site="example.com", kind="lost", since=NOW, opened_at=NOW)
    tally.hear([record_event(RECORD, NOW, is_new=True), record_event(RECORD, NOW, is_new=False)])
    tally.hear([failure_event("example.org", Failure("u", "fetch", "c", "d"), NOW, again_at=NOW)])
    tally.hear([incident_event(opened, NOW), incident_event(Incident(
        site="example.com", kind="lost", since=NOW, opened_at=NOW, state="over", closed_at=NOW), NOW)])  # fmt: skip
    tally.spend("example.com", 1.5)
    counted = tally.of(["example.com", "example.org", "example.net"])
    one, two, three = counted.values()
    assert (one.new, one.updated, one.failed, one.incidents, one.seconds) == (1, 1, 0, 1, 1.5)
    assert (two.new, two.failed) == (0, 1)
    assert (three.new, three.seconds) == (0, 0.0)


def test_what_an_event_says() -> None:
    row = record_event(RECORD, NOW, is_new=True).to_row()
    assert row["record"]["title"] == "Bees"
    assert (row["event"], row["change"], row["url"]) == ("record", "new", "https://example.com/a")
    again = failure_event("example.org", Failure("u", "fetch", "c", "d"), NOW, again_at=NOW)
    assert again.change == "again"
