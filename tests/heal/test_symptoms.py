"""What a repair has to know of what happened."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sitewright.heal.symptoms import Symptoms, symptoms_of, symptoms_told_by
from sitewright.notice.diagnosis import Diagnosis
from sitewright.store.entries import Incident, Sighting

NOON = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
LOST = Incident(site="example.com", kind="lost", field="title", since=LATER, opened_at=LATER)


def test_diagnoses_together() -> None:
    moved = Diagnosis(
        cause="field changed", reason="title: not as usual", sections=("/a",), pages=("1", "2"), incidents=(LOST,)
    )
    again = replace(moved, sections=("/b",), pages=("2", "3"), incidents=(replace(LOST, since=NOON),))
    assert symptoms_of([moved, again]) == Symptoms(
        reason="title: not as usual", since=NOON, sections=("/a", "/b"), pages=("1", "2", "3")
    )


def test_where_only_lists_changed_nothing_else_is_repaired() -> None:
    listed = Diagnosis(cause="list changed", reason="articles are listed elsewhere")
    assert symptoms_of([listed]).lists_only
    assert not symptoms_of([listed, Diagnosis(cause="redesign", reason="all is gone")]).lists_only


def test_incidents_tell_what_was_found_out_before() -> None:
    seen = [replace(LOST, diagnosis="title is gone", affected=(Sighting(LATER, "1"), Sighting(LATER, "2")))]
    seen += [replace(LOST, since=NOON, field="text", affected=(Sighting(NOON, "2"), Sighting(NOON, "3")))]
    assert symptoms_told_by(seen) == Symptoms(reason="title is gone", since=NOON, pages=("1", "2", "3"))
    assert symptoms_told_by([]) == Symptoms()
