"""Incidents: opened by a breach with its evidence, added to, explained, closed when all is well."""

from dataclasses import replace

import pytest
from tests.notice.papers import Change, Paper, redesigned, without

from sitewright.notice.baselines import SiteBaseline
from sitewright.notice.incidents import MOST_SIGHTINGS, IncidentLog
from sitewright.notice.observation import Observation
from sitewright.store.entries import Incident

SITE = "example.com"


class Watched:
    """A paper, its baseline and its incidents."""

    def __init__(self, seed: int, pages: int = 300) -> None:
        self.paper = Paper(seed)
        self.baseline = SiteBaseline()
        self.log = IncidentLog(SITE)
        self.see(*self.paper.pages(pages))
        assert self.log.take_changes() == []

    def see(self, *pages: Observation) -> list[Incident]:
        return [one for page in pages for one in self.log.note(self.baseline.observe(page), self.baseline)]

    def articles(self, count: int, change: Change = lambda page: page) -> list[Observation]:
        return list(map(change, self.paper.articles(count)))


lost_text = without("text", rescued=True)


def test_a_breach_opens_one_incident_with_its_evidence() -> None:
    watched = Watched(1)
    pages = watched.articles(8, lost_text)
    (incident,) = watched.see(*pages)
    assert (incident.site, incident.template, incident.field, incident.kind) == (SITE, "article", "text", "lost")
    assert (incident.state, incident.is_open, incident.number) == ("open", True, None)
    assert incident.affected[-1].url == pages[incident.pages - 1].url
    assert incident.since == incident.affected[0].at <= incident.opened_at
    assert {one.value for one in incident.affected} == {"They hum."}
    assert incident.before
    assert all(one.at < incident.since and one.value for one in incident.before)
    assert incident.answer == "heal"
    assert incident.diagnosis == "text: not as usual on nearly all pages"


def test_the_fill_rate_over_time_falls() -> None:
    watched = Watched(2)
    watched.see(*watched.articles(100, lost_text))
    watched.log.explain(watched.baseline)
    (incident,) = watched.log.open
    moments = [moment for moment, _ in incident.fill]
    assert moments == sorted(moments)
    assert incident.fill[0][1] > 0.8
    assert incident.fill[-1][1] == 0.0


def test_it_began_with_the_page_that_was_fetched_first() -> None:
    """Pages are not always read in the order of fetching, and one may be read after the alarm."""
    watched = Watched(3)
    pages = watched.articles(8, lost_text)
    watched.see(*reversed(pages))
    (incident,) = watched.log.open
    assert incident.since.timestamp() == pytest.approx(pages[0].at)
    assert incident.pages == 8


def test_more_of_the_same_adds_to_it() -> None:
    watched = Watched(3)
    pages = watched.articles(100, lost_text)
    assert len(watched.see(*pages)) == 1
    (incident,) = watched.log.take_changes()
    assert incident.pages == 100
    assert len(incident.affected) == MOST_SIGHTINGS
    assert incident.affected[0].url == pages[0].url
    assert incident.affected[-1].url == pages[-1].url
    assert watched.log.take_changes() == []


def test_it_closes_itself_when_all_is_well_and_opens_anew() -> None:
    watched = Watched(4)
    (first,) = watched.see(*watched.articles(30, lost_text))
    watched.log.stored(replace(first, number=7))
    (closed,) = watched.see(*watched.articles(15))
    assert (closed.state, closed.is_open, closed.number) == ("over", False, 7)
    assert closed.closed_at is not None
    assert closed.closed_at > closed.opened_at
    assert watched.log.open == []
    watched.log.take_changes()
    (second,) = watched.see(*watched.articles(10, lost_text))
    assert (second.number, second.is_open) == (None, True)


def test_two_at_once_are_two() -> None:
    watched = Watched(5)
    both = watched.articles(12, lambda page: without("title", rescued=True)(without("published", rescued=True)(page)))
    assert {incident.field for incident in watched.see(*both)} == {"title", "published"}
    (title,) = watched.see(*watched.articles(20, without("published", rescued=True)))
    assert (title.field, title.state) == ("title", "over")
    assert [incident.field for incident in watched.log.open] == ["published"]


def test_a_redesign_is_one() -> None:
    watched = Watched(6)
    (incident,) = watched.see(*watched.articles(60, redesigned))
    assert (incident.template, incident.field, incident.kind) == ("article", "", "handed over")
    assert incident.answer == "heal"


def test_it_goes_on_with_what_the_store_has() -> None:
    watched = Watched(7)
    (incident,) = watched.see(*watched.articles(10, lost_text))
    stored = replace(watched.log.take_changes()[0], number=3, state="healing")
    watched.log = IncidentLog(SITE, [stored])
    assert watched.see(*watched.articles(5, lost_text)) == []
    (changed,) = watched.log.take_changes()
    assert (changed.number, changed.state, changed.pages) == (3, "healing", 15)
    assert incident.since == changed.since


def test_an_alarm_whose_incident_was_lost_opens_it_again() -> None:
    watched = Watched(8)
    watched.see(*watched.articles(10, lost_text))
    watched.log = IncidentLog(SITE)
    (again,) = watched.see(*watched.articles(3, lost_text))
    assert (again.field, watched.log.open[0].pages) == ("text", 3)


def test_other_kinds_of_the_same_field_are_noted() -> None:
    watched = Watched(9)
    watched.see(*watched.articles(10, lost_text))

    def constant(page: Observation) -> Observation:
        value = page.found["text"]._replace(digest=5)
        return replace(page, found={**page.found, "text": value})

    watched.see(*watched.articles(6, constant))
    (incident,) = watched.log.open
    assert (incident.kind, incident.also) == ("lost", ("repeats",))
