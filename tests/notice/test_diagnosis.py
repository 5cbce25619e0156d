"""What happened to a site is told from its last pages: each kind of change has its answer."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.notice.papers import Paper, headed, redesigned, seen, without

from sitewright.notice.baselines import SiteBaseline
from sitewright.notice.diagnosis import ANSWERS, Diagnosis, diagnose
from sitewright.notice.incidents import IncidentLog
from sitewright.notice.observation import Observation, observe_failure
from sitewright.notice.signals import PageFacts
from sitewright.store.entries import Incident, IncidentKind
from sitewright.types import Failure

Scene = Callable[[Paper, int], Observation]
"""The next page of a paper that has changed; its number since then."""


def article(paper: Paper) -> Observation:
    return paper.articles(1)[0]


def of_template(paper: Paper, name: str) -> Observation:
    return next(page for page in iter(paper.page, None) if page.template == name)


def failed(code: str, fingerprint: int = 0) -> Scene:
    def page(paper: Paper, number: int) -> Observation:
        there = article(paper)
        return observe_failure(Failure(there.url, "extract", code, ""), there.at, fingerprint)

    return page


def whole(paper: Paper, number: int) -> Observation:
    page = next(page for page in iter(paper.page, None) if not page.code)
    return redesigned(page)


def one_template(paper: Paper, number: int) -> Observation:
    page = next(page for page in iter(paper.page, None) if not page.code)
    return redesigned(page) if page.template == "article" else page


def without_probe(paper: Paper, number: int) -> Observation:
    """The template of articles no longer knows its pages, that of opinions does."""
    page = of_template(paper, "opinion" if number % 4 == 0 else "article")
    return page if number % 4 == 0 else replace(redesigned(page), template="")


def one_field(paper: Paper, number: int) -> Observation:
    return without("published", rescued=True)(article(paper))


def in_one_section(paper: Paper, number: int) -> Observation:
    page = article(paper)
    return without("published", rescued=True)(page) if page.section == "/sport" else page


def live_pages(paper: Paper, number: int) -> Observation:
    """A second template: pages of a new folder are built in another way."""
    page = article(paper)
    if number % 2:
        return page
    return replace(redesigned(page), url=f"https://example.com/live/{number}", section="/live")


def by_structure(paper: Paper, number: int) -> Observation:
    """A second template that no address tells, for the long read at the end of each ten pages."""
    return redesigned(article(paper)) if number % 20 >= 8 else article(paper)


def variants(paper: Paper, number: int) -> Observation:
    page = article(paper)
    return redesigned(page) if paper.random.random() < 0.5 else page


def teaser(paper: Paper, number: int) -> Observation:
    page = article(paper)
    return replace(page, found={**page.found, "text": seen(150 + number % 50, "text", number)})


def same_everywhere(paper: Paper, number: int) -> Observation:
    """Status 200 and "We will be back soon" on every address, in the design of the site."""
    page = article(paper)
    return replace(page, found={"title": seen(20, "line", 5), "text": seen(90, "line", 6)})


def same_and_handed(paper: Paper, number: int) -> Observation:
    """The same, in no design of the site."""
    values = {"title": seen(20, "line", 5), "text": seen(90, "line", 6)}
    return replace(article(paper), template="", found={}, rescued=values, handed=True, fingerprint=77)


SCENES: dict[str, tuple[Scene, str, str]] = {
    "redesign": (whole, "redesign", "heal"),
    "one template": (one_template, "template changed", "heal"),
    "one template, not known any more": (without_probe, "template changed", "heal"),
    "one field": (one_field, "field changed", "heal"),
    "one field in one section": (in_one_section, "field moved in a section", "heal"),
    "second template by address": (live_pages, "second template", "new template"),
    "second template by structure": (by_structure, "second template", "new template"),
    "variants": (variants, "variants", "new template"),
    "paywall": (teaser, "paywall", "incident"),
    "login": (failed("login_wall"), "wall", "incident"),
    "consent": (failed("consent_wall"), "wall", "incident"),
    "robots": (failed("bot_wall"), "wall", "incident"),
    "down": (failed("connection_failed"), "down", "wait"),
    "error page with status 200": (same_everywhere, "error page", "wait"),
    "error page that the map cannot read": (same_and_handed, "error page", "wait"),
    "error page that is no article": (failed("not_item", 77), "error page", "wait"),
    "no articles": (failed("not_item"), "unclear", "incident"),
}


def played(scene: Scene, seed: int, pages: int = 55) -> list[Diagnosis]:
    paper = Paper(seed)
    baseline, log = SiteBaseline(), IncidentLog("example.com")
    for page in paper.pages(400):
        log.note(baseline.observe(page), baseline)
    assert log.open == []
    for number in range(pages):
        log.note(baseline.observe(headed(scene(paper, number))), baseline)
    return log.explain(baseline)


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_change_is_told(name: str, seed: int) -> None:
    scene, cause, answer = SCENES[name]
    (found,) = played(scene, seed)
    assert (found.cause, found.answer) == (cause, answer), found.reason
    assert found.reason
    assert found.pages
    assert found.incidents


def test_what_is_told_names_fields_sections_and_structures() -> None:
    (moved,) = played(in_one_section, 4)
    assert (moved.template, moved.fields, moved.sections) == ("article", ("published",), ("/sport",))
    (second,) = played(live_pages, 4)
    assert (second.sections, second.fields) == (("/live",), ())
    (alternating,) = played(variants, 4)
    assert alternating.fingerprints == (99,)
    (changed,) = played(without_probe, 4)
    assert changed.template == "article"


def test_two_fields_are_told_together() -> None:
    def scene(paper: Paper, number: int) -> Observation:
        return without("title", rescued=True)(one_field(paper, number))

    (found,) = played(scene, 5)
    assert (found.cause, found.fields) == ("field changed", ("published", "title"))
    assert len(found.incidents) == 2


def test_texts_that_are_cut_short_are_kept_apart_from_what_else_is_wrong() -> None:
    def scene(paper: Paper, number: int) -> Observation:
        page = teaser(paper, number)
        return without("published", rescued=True)(page) if page.section == "/sport" else page

    found = {one.cause: one for one in played(scene, 5)}
    assert set(found) == {"paywall", "field moved in a section"}
    assert [incident.field for incident in found["paywall"].incidents] == ["text"]


def test_texts_that_are_cut_short_where_all_else_is_gone_are_a_redesign() -> None:
    incidents = [an_incident("text", "shorter"), *(an_incident(name) for name in ("title", "published", "tags"))]
    names = frozenset(incident.field for incident in incidents)
    pages = [
        PageFacts(f"/{n}", n + 1.0, "article", broken={one.field: one.kind for one in incidents}) for n in range(9)
    ]
    (found,) = diagnose(pages, incidents, {"article": names})
    assert found.cause == "redesign"


def test_what_is_odd_when_all_is_well_does_not_count() -> None:
    """Authors repeat now and then on any page; what is lost is lost in one section only."""
    kinds: list[IncidentKind] = ["lost", "repeats", "repeats"]
    pages = [
        PageFacts(f"https://example.com/{folder}/{n}", n + 1.0, "article", broken={"authors": kind})
        for n in range(12)
        for folder, kind in zip(("sport", "news", "culture"), kinds, strict=True)
    ]
    usual = {"article": frozenset(("title", "text", "authors"))}
    (found,) = diagnose(pages, [an_incident("authors")], usual)
    assert (found.cause, found.sections) == ("field moved in a section", ("/sport",))
    (found,) = diagnose(pages, [replace(an_incident("authors"), also=("repeats",))], usual)
    assert found.cause == "field changed"


def an_incident(field: str, kind: IncidentKind = "lost") -> Incident:
    since = datetime.fromtimestamp(0, UTC)
    return Incident(site="example.com", template="article", field=field, kind=kind, since=since, opened_at=since)


def test_an_address_that_was_met_in_both_forms_has_variants() -> None:
    """First all the old ones, then the same again in the new form: not in turn, but surely variants."""
    pages: list[Observation] = []

    def scene(paper: Paper, number: int) -> Observation:
        if number < 20:
            pages.append(article(paper))
            return redesigned(pages[-1])
        return replace(pages[number - 20], at=article(paper).at)

    (found,) = played(scene, 6, 28)
    assert found.cause == "variants"


def test_every_cause_has_an_answer() -> None:
    assert set(ANSWERS.values()) == {"heal", "new template", "incident", "wait"}
    assert {cause for _, cause, _ in SCENES.values()} | {"list changed"} == set(ANSWERS)


def test_a_source_whose_articles_are_not_selected_any_more_is_healed() -> None:
    then = datetime(2024, 5, 6, tzinfo=UTC)
    unlisted = Incident(site="example.com", kind="unlisted", since=then, opened_at=then, pages=3)
    (found,) = diagnose([], [unlisted], {})
    assert (found.cause, found.answer, found.incidents) == ("list changed", "heal", (unlisted,))
