"""What a repair is made from and how sure it is: known articles that are worth fetching again, sources, values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.watch.bulletin import FRONT, MAP, SECTIONS, SITE, front_of, old_map, page_of, record_of, url_of, values_of
from tests.watch.workshop import WatchedReaders, Workshop, open_workshop, run

from sitewright.errors import ConnectionFailed, PageTooLarge, RobotsForbid
from sitewright.extract import Extractor
from sitewright.heal.repaired import RepairedMap, map_text, proposal_of
from sitewright.heal.symptoms import Symptoms
from sitewright.maps import dump_map, parse_map
from sitewright.parse import parse, signature
from sitewright.processes.places import StoredPlace
from sitewright.processes.repairs import PlacedPage
from sitewright.store.entries import (
    Incident,
    IncidentKind,
    ProposedField,
    Sighting,
    StoredProposal,
    WatchedPage,
)
from sitewright.store.states import SourceState
from sitewright.types import ExtractionMap, Failure, IndexPage, Page
from sitewright.watch.healer import Healer, propose_now

pytestmark = pytest.mark.slow

NOW = datetime(2024, 6, 20, 12, 0, tzinfo=UTC)
BEFORE = NOW - timedelta(days=3)
SINCE = NOW - timedelta(days=1)
CHANGED = Symptoms(reason="it is another design", since=SINCE)


class Listener(WatchedReaders):
    """Repairs nothing, and remembers what it was given to repair a map from."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[PlacedPage] = []

    async def heal_map(
        self,
        old: ExtractionMap,  # noqa: ARG002
        pages: Sequence[PlacedPage],
        now: datetime,  # noqa: ARG002
        sure: float,  # noqa: ARG002
    ) -> RepairedMap | Failure:
        self.given = list(pages)
        return Failure(SITE, "heal", "no_articles", "not today")

    @property
    def remembered(self) -> dict[str, Mapping[str, object] | None]:
        return {one.page.load().url: one.values for one in self.given}


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    with open_workshop(tmp_path, NOW) as opened:
        yield opened


@pytest.fixture
def listener(workshop: Workshop) -> Listener:
    """Have nothing repaired in the workshop; all stories are there, as they were."""
    listener = workshop.readers = Listener()
    workshop.web.add(page_of(number) for number in range(130))
    return listener


def repaired(workshop: Workshop, symptoms: Symptoms = CHANGED) -> RepairedMap | Failure:
    versions = workshop.store.map_versions(SITE)
    return run(Healer(workshop.tools, workshop.site, versions).repair(symptoms))


def sound(repair: RepairedMap | Failure) -> RepairedMap:
    assert isinstance(repair, RepairedMap), repair
    return repair


def stories(urls: Sequence[str]) -> list[int]:
    """Return the numbers of the stories among addresses."""
    return [int(url.rpartition("-")[2]) for url in urls if "story-" in url]


def commit(workshop: Workshop, number: int, at: datetime = BEFORE, template: str = "article", **changes: Any) -> None:
    record = replace(record_of(number, at, **changes), template=template)
    workshop.store.commit_page(record, page_of(number, "old", at))


# Which articles


def test_articles_from_before_it_began_are_fetched_again(workshop: Workshop, listener: Listener) -> None:
    for number in range(8):
        commit(workshop, number, SINCE + timedelta(hours=number - 4))
    commit(workshop, 9, published=(SINCE + timedelta(hours=1)).isoformat())  # a date in the future, as it was then
    repaired(workshop)
    assert set(stories(workshop.web.asked)) == {0, 1, 2, 3}
    assert listener.remembered == {url_of(number): values_of(number) for number in range(4)}


def test_where_nobody_knows_since_when_all_are(workshop: Workshop, listener: Listener) -> None:
    for number in range(8):
        commit(workshop, number, NOW + timedelta(hours=number - 4))
    repaired(workshop, Symptoms())
    assert set(stories(workshop.web.asked)) == set(range(8))


def test_they_are_spread_over_time_and_no_more_than_needed(workshop: Workshop, listener: Listener) -> None:
    workshop.collect(range(30), BEFORE)
    repaired(workshop)
    assert stories(workshop.web.asked) == [27, 24, 21, 18, 15, 12, 9, 6, 3, 0]
    assert len(listener.given) == 10


def test_of_very_many_the_newest_count(workshop: Workshop, listener: Listener) -> None:
    workshop.collect(range(130), BEFORE)
    repaired(workshop)
    assert min(stories(workshop.web.asked)) >= 10
    assert max(stories(workshop.web.asked)) - min(stories(workshop.web.asked)) > 90


@pytest.mark.parametrize(
    ("shared", "kept"),
    [
        ({"title": "The Bulletin"}, False),
        ({"text": "Reuters"}, False),
        ({"authors": ["Reuters"]}, True),
        ({"published": "2024-06-01"}, True),
        ({"tags": []}, True),
    ],
    ids=str,
)
def test_texts_that_several_articles_share_are_the_sites(
    workshop: Workshop, listener: Listener, shared: dict[str, Any], kept: bool
) -> None:
    for number in range(3):
        commit(workshop, number, **shared)
    commit(workshop, 3)
    repaired(workshop)
    (field,) = shared
    assert [field in (listener.remembered[url_of(number)] or {}) for number in range(4)] == [kept, kept, kept, True]
    others = values_of(0).keys() - {field}
    assert others <= (listener.remembered[url_of(0)] or {}).keys()


def test_two_articles_that_share_a_text_are_enough(workshop: Workshop, listener: Listener) -> None:
    commit(workshop, 0, text="Reuters")
    commit(workshop, 1, text="Reuters")
    repaired(workshop)
    assert all("text" not in (values or {}) for values in listener.remembered.values())


def test_what_the_tagger_took_for_a_value_is_no_memory(workshop: Workshop, listener: Listener) -> None:
    names = list(values_of(0))
    for number, tagged in enumerate([[], ["title"], names[:3], names[:4], names]):
        commit(workshop, number, rules={name: f"tagger/{name}" for name in tagged})
    repaired(workshop)
    expected = {
        url_of(number): {name: value for name, value in values_of(number).items() if name not in tagged}
        for number, tagged in enumerate([[], ["title"], names[:3]])
    }
    assert listener.remembered == expected, "one value alone tells nothing"


def test_articles_of_affected_folders_come_first(workshop: Workshop, listener: Listener) -> None:
    workshop.collect(range(60), BEFORE)
    repaired(workshop, replace(CHANGED, sections=("/nature",)))
    asked = stories(workshop.web.asked)
    assert {SECTIONS[number % 3] for number in asked} == {"nature"}
    assert len(asked) in range(10, 14)


def test_articles_of_templates_come_one_after_the_other(workshop: Workshop, listener: Listener) -> None:
    for number in range(40):
        commit(workshop, number, template="video" if number in (3, 4) else "letter" if number == 30 else "article")
    repaired(workshop)
    asked = stories(workshop.web.asked)
    assert set(asked[:3]) & {3, 4}
    assert 30 in asked[:3]
    assert {3, 4} <= set(asked[:6])


def test_nothing_is_asked_for_where_nothing_is_known(workshop: Workshop, listener: Listener) -> None:
    workshop.store.save_map(MAP.replace("articles: [li.teaser > a]", "weight: 2"), "learned")
    failure = repaired(workshop)
    assert isinstance(failure, Failure)
    assert (failure.code, failure.detail) == ("no_articles", "no known article can be fetched again")
    assert (workshop.web.asked, listener.given) == ([], [])


# Pages that are gone


@pytest.mark.parametrize(
    "answer",
    [
        Page(url="", body=b"gone", status=404),
        Page(url="", body=b"gone", status=410),
        Page(url="", body=b"later", status=503),
        Page(url="", body=b"", status=301),
        Page(url="", body=page_of(1).body, final_url="https://www.example.com"),
        Page(url="", body=page_of(1).body, final_url="https://example.com/nature/"),
        ConnectionFailed("no answer"),
        RobotsForbid("not for you"),
        PageTooLarge("too large"),
    ],
    ids=["404", "410", "503", "nowhere", "front page", "list", "no answer", "robots", "too large"],
)
def test_pages_that_are_gone_are_passed_over(workshop: Workshop, listener: Listener, answer: Page | Exception) -> None:
    entry = '  - {url: "https://example.com/nature"}\n'
    workshop.store.save_map(MAP + entry, "learned")
    workshop.collect(range(6), BEFORE)
    for number in (1, 3, 4):
        gone = answer if isinstance(answer, Exception) else replace(answer, url=url_of(number))
        workshop.web.pages[url_of(number)] = gone
    repaired(workshop)
    assert set(listener.remembered) == {url_of(number) for number in (0, 2, 5)}


def test_a_page_that_has_moved_is_still_one(workshop: Workshop, listener: Listener) -> None:
    workshop.collect(range(3), BEFORE)
    moved = replace(page_of(1), final_url="https://example.com/archive/story-1.html")
    workshop.web.pages[moved.url] = moved
    repaired(workshop)
    assert len(listener.given) == 3


def test_others_are_asked_for_in_place_of_those_that_are_gone(workshop: Workshop, listener: Listener) -> None:
    workshop.collect(range(40), BEFORE)
    for number in range(0, 40, 3):
        workshop.web.pages[url_of(number)] = Page(url=url_of(number), body=b"", status=410)
    repaired(workshop)
    assert len(listener.given) >= 10
    assert all(number % 3 for number in stories(list(listener.remembered)))


def test_where_all_are_gone_that_is_told_and_nothing_is_stored(workshop: Workshop, listener: Listener) -> None:
    workshop.collect(range(100), BEFORE)
    workshop.web.pages = {}
    failure = repaired(workshop)
    assert isinstance(failure, Failure)
    assert (failure.stage, failure.code) == ("heal", "no_articles")
    assert failure.detail == "no known article can be fetched again"
    assert len(stories(workshop.web.asked)) == 12, "a site that has moved is not asked for all that it had"
    assert listener.given == []
    assert (workshop.versions, workshop.store.proposals(SITE, waiting_only=False)) == ([1], [])


# New pages


def test_the_newest_affected_pages_come_from_the_archive(workshop: Workshop, listener: Listener) -> None:
    workshop.collect(range(20), BEFORE)
    workshop.collect(range(100, 115), SINCE, "new", {name: f"tagger/{name}" for name in values_of(0)})
    repaired(workshop, replace(CHANGED, pages=tuple(url_of(number) for number in range(100, 115))))
    new = [one for one in listener.given if one.values is None]
    assert all(isinstance(one.page, StoredPlace) for one in new)
    assert len(new) == 4
    assert all(number >= 105 for number in stories([one.page.load().url for one in new]))
    assert not set(stories(workshop.web.asked)) & set(range(100, 115)), "they are not fetched again"


def test_known_articles_that_were_only_asked_for_again_are_no_new_pages(workshop: Workshop, listener: Listener) -> None:
    """In the archive they lie as they were: a map is repaired from what they are now."""
    workshop.collect(range(20), BEFORE)
    workshop.collect(range(100, 102), SINCE, "new")
    affected = tuple(url_of(number) for number in (100, 101, 2, 3, 4))
    repaired(workshop, replace(CHANGED, pages=affected))
    new = [one for one in listener.given if one.values is None]
    assert set(stories([one.page.load().url for one in new])) == {100, 101}


def test_where_no_article_is_left_they_are_all_there_is(workshop: Workshop, listener: Listener) -> None:
    workshop.web.pages = {}
    workshop.collect(range(20), BEFORE)
    workshop.collect(range(100, 115), SINCE, "new")
    repaired(workshop, replace(CHANGED, pages=tuple(url_of(number) for number in range(100, 115))))
    assert len(listener.given) == 10
    assert all(one.values is None for one in listener.given)


def test_records_without_a_page_and_pages_without_a_record_are_passed_over(
    workshop: Workshop, listener: Listener
) -> None:
    workshop.collect(range(3), BEFORE)
    commit(workshop, 100, SINCE)
    repaired(workshop, replace(CHANGED, pages=(url_of(100), "https://example.com/local/story-101", "no address")))
    assert all(one.values is not None for one in listener.given)


# A repair


@pytest.fixture
def changed(workshop: Workshop) -> Workshop:
    """A site that was collected for some time, and is served in another design since."""
    workshop.collect(range(12), BEFORE)
    workshop.web.add(page_of(number, "new") for number in range(12))
    return workshop


def field_of(repair: RepairedMap, name: str) -> ProposedField:
    return next(one for one in repair.fields if one.field == name)


def test_a_new_design_is_read_by_the_repaired_map(changed: Workshop) -> None:
    repair = sound(repaired(changed))
    assert {"title", "text", "authors", "tags"} <= repair.sure_fields <= repair.changed
    title = field_of(repair, "title")
    assert (title.sure, title.edited, title.lost) == (True, False, False)
    assert title.confidence > 0.9 > title.before
    assert len(title.shown) >= 5
    assert all(shown.remembered and shown.before == shown.after for shown in title.shown)
    assert (changed.versions, changed.store.proposals(SITE)) == ([1], []), "nothing is stored"


def test_the_text_of_a_repaired_map_keeps_comments_and_can_be_read(changed: Workshop) -> None:
    repair = sound(repaired(changed))
    old = changed.store.map_versions(SITE)[-1]
    text = map_text(repair.whole, 2, old)
    assert text.startswith("# The Bulletin, in its old design.")
    assert parse_map(text).rules == repair.whole.rules


def test_a_proposal_says_what_is_needed_to_decide(changed: Workshop) -> None:
    repair = sound(repaired(changed))
    old = changed.store.map_versions(SITE)[-1]
    proposal = proposal_of(repair, old, CHANGED, NOW)
    assert (proposal.site, proposal.based_on, proposal.made_at) == (SITE, 1, NOW)
    assert (proposal.reason, proposal.since, proposal.fields) == (CHANGED.reason, SINCE, repair.fields)
    assert proposal.parsed().version == 2
    later = proposal_of(repair, old, CHANGED, NOW, 5)
    assert (later.based_on, later.parsed().version) == (5, 6)
    stored = changed.store.put_proposal(proposal)
    assert changed.store.proposals(SITE) == [stored]


def test_rules_that_a_person_wrote_change_only_in_the_proposal(changed: Workshop) -> None:
    text = MAP.replace("title: {select: [h1.headline],", "title: {select: [h1.headline], edited: true,")
    changed.store.save_map(text, "person")
    repair = sound(repaired(changed))
    assert "title" in repair.changed - repair.sure_fields
    assert field_of(repair, "title").edited
    assert [rule.select for rule in repair.sure.rules if rule.field == "title"] == [("h1.headline",)]
    assert [rule.select for rule in repair.whole.rules if rule.field == "title"] != [("h1.headline",)]
    assert "text" in repair.sure_fields


@pytest.mark.parametrize("select", [".nowhere", "footer.end, .foot", "body", "nav a, .bar a"])
def test_a_map_edited_into_nonsense_is_repaired_only_with_a_proposal(workshop: Workshop, select: str) -> None:
    """Rules of a person that match nothing, or what is on every page, on a site that has not changed."""
    workshop.collect(range(12), BEFORE)
    workshop.web.add(page_of(number) for number in range(12))
    rules = f'title: {{select: ["{select}"], edited: true}}'
    workshop.store.save_map(
        MAP.replace("title: {select: [h1.headline], support: {found: 8, sampled: 8}}", rules), "person"
    )
    repair = sound(repaired(workshop))
    assert repair.changed == {"title"}
    assert repair.sure_fields == frozenset()
    assert repair.sure.rules == parse_map(workshop.store.map_versions(SITE)[-1].text).rules
    title = field_of(repair, "title")
    assert (title.edited, title.sure, title.confidence > title.before) == (True, False, True)


def test_a_map_without_any_rule_that_finds_something_is_proposed_anew(changed: Workshop) -> None:
    nonsense = MAP
    for select in ("h1.headline", "time.date", "div.story", "a.author", "a.tag"):
        nonsense = nonsense.replace(f"[{select}]", "[x-nothing], edited: true")
    changed.store.save_map(nonsense, "person")
    repair = sound(repaired(changed))
    assert {"title", "text"} <= repair.changed
    assert repair.sure_fields == frozenset()


def test_nothing_changes_where_all_is_well(workshop: Workshop) -> None:
    workshop.collect(range(12), BEFORE)
    workshop.web.add(page_of(number) for number in range(12))
    repair = sound(repaired(workshop))
    assert repair.changed == frozenset()
    assert repair.sure.rules == repair.whole.rules == old_map().rules


# Sources


def listing(workshop: Workshop, design: str = "new", numbers: Sequence[int] = range(12)) -> None:
    """Collect some stories, and serve a front page that lists them."""
    workshop.collect(range(12), BEFORE)
    workshop.web.pages[FRONT] = front_of(numbers, design)


def source_of(workshop: Workshop) -> ProposedField:
    workshop.readers = Listener()
    repair = sound(repaired(workshop))
    assert repair.warnings == ("no known article can be fetched again",)
    assert workshop.heard("only sources") == ["only sources are repaired: no known article can be fetched again"]
    (source,) = repair.fields
    assert source.field == f"index {FRONT}"
    assert source.changed
    assert repair.whole.index[0].items != old_map().index[0].items
    assert (repair.sure.index == repair.whole.index) == source.sure
    assert repair.whole.rules == repair.sure.rules == old_map().rules
    return source


def test_selectors_of_a_source_are_learned_anew_and_sure(workshop: Workshop) -> None:
    listing(workshop)
    source = source_of(workshop)
    assert (source.confidence, source.judged, source.sure, source.edited) == (1.0, 12, True, False)
    assert source.shown[0].before == "li.teaser > a"


def test_where_only_lists_have_changed_no_article_is_asked_for(workshop: Workshop) -> None:
    listing(workshop)
    workshop.web.add(page_of(number, "new") for number in range(12))
    repair = sound(repaired(workshop, replace(CHANGED, lists_only=True)))
    assert repair.sure_fields == {f"index {FRONT}"}
    assert repair.whole.templates == repair.sure.templates == old_map().templates
    assert stories(workshop.web.asked) == []


def test_what_sources_listed_last_counts_too(workshop: Workshop) -> None:
    listing(workshop, numbers=range(12, 24))
    names = [signature(url_of(number)) for number in range(12, 22)]
    workshop.store.put_index_pages([WatchedPage(site=SITE, url=FRONT, state=SourceState(listed=tuple(names)))])
    assert source_of(workshop).judged == 10


def test_selectors_that_a_person_wrote_are_not_sure(workshop: Workshop) -> None:
    workshop.store.save_map(MAP.replace("li.teaser > a", ".teaser a"), "person")
    workshop.store.save_map(MAP.replace("li.teaser > a", ".teaser a").replace("h1.headline", "h1"), "healed")
    listing(workshop)
    workshop.readers = Listener()
    (source,) = sound(repaired(workshop)).fields
    assert (source.edited, source.sure, source.confidence) == (True, False, 1.0)


def test_selectors_that_were_learned_again_after_a_person_wrote_some_are_sure(workshop: Workshop) -> None:
    workshop.store.save_map(MAP.replace("li.teaser > a", ".teaser a"), "person")
    workshop.store.save_map(MAP, "healed")
    listing(workshop)
    assert source_of(workshop).sure


def test_an_earlier_version_that_cannot_be_read_does_not_matter(workshop: Workshop) -> None:
    workshop.store.save_map(MAP.replace("h1.headline", "h1"), "healed")
    workshop.store.save_map(MAP, "healed")
    workshop.execute("UPDATE maps SET text = 'not: a map' WHERE version = 2")
    listing(workshop)
    assert source_of(workshop).sure


def test_too_few_known_articles_are_not_sure(workshop: Workshop) -> None:
    for number in range(2):
        commit(workshop, number)
    workshop.web.pages[FRONT] = front_of(range(6), "new")
    assert not source_of(workshop).sure


@pytest.mark.parametrize(
    "answer", [Page(url=FRONT, body=b"gone", status=503), ConnectionFailed("no"), Page(url=FRONT, body=b"<p>Soon")]
)
def test_a_source_that_cannot_be_fetched_stays(workshop: Workshop, answer: Page | Exception) -> None:
    listing(workshop)
    workshop.web.pages[FRONT] = answer
    failure = repaired(workshop)
    assert isinstance(failure, Failure)


def test_a_source_that_is_well_stays(workshop: Workshop) -> None:
    listing(workshop, "old")
    assert isinstance(repaired(workshop), Failure)


def test_fields_and_sources_are_repaired_together(changed: Workshop) -> None:
    changed.web.pages[FRONT] = front_of(range(12), "new")
    repair = sound(repaired(changed))
    assert {"title", f"index {FRONT}"} <= repair.sure_fields
    assert repair.sure.index == repair.whole.index != old_map().index


# At once, because a person wants it


def an_incident(field: str = "", kind: IncidentKind = "lost") -> Incident:
    return Incident(site=SITE, template="article", field=field, kind=kind, since=SINCE, opened_at=SINCE)


def proposed(workshop: Workshop) -> StoredProposal | Failure:
    return run(propose_now(workshop.tools, workshop.site))


def test_a_proposal_is_made_at_once(changed: Workshop) -> None:
    sighting = Sighting(SINCE, url_of(3))
    changed.store.put_incident(replace(an_incident("title"), diagnosis="title is gone", affected=(sighting,)))
    proposal = proposed(changed)
    assert isinstance(proposal, StoredProposal)
    assert changed.store.proposals(SITE) == [proposal]
    assert (proposal.reason, proposal.since) == ("title is gone", SINCE)
    assert changed.versions == [1], "even what is sure waits"


def test_where_nothing_needs_to_be_repaired_nothing_is_stored(workshop: Workshop) -> None:
    workshop.collect(range(12), BEFORE)
    workshop.web.add(page_of(number) for number in range(12))
    proposal = proposed(workshop)
    assert isinstance(proposal, StoredProposal)
    assert proposal.number is None
    assert workshop.store.proposals(SITE, waiting_only=False) == []


def test_where_known_articles_are_gone_the_pages_of_the_archive_are_enough(workshop: Workshop) -> None:
    workshop.collect(range(12), BEFORE)
    workshop.collect(range(100, 110), SINCE, "new", {name: f"tagger/{name}" for name in values_of(0)})
    proposal = proposed(workshop)
    assert isinstance(proposal, StoredProposal)
    assert workshop.store.proposals(SITE) == [proposal], "what only the tagger knows is never sure"
    read = Extractor(proposal.parsed()).extract(parse(page_of(120, "new")))
    assert read.fields["text"].value == values_of(120)["text"]


def test_pages_of_the_archive_that_are_read_as_ever_need_no_repair(workshop: Workshop) -> None:
    workshop.collect(range(12), BEFORE)
    proposal = proposed(workshop)
    assert isinstance(proposal, StoredProposal)
    assert workshop.store.proposals(SITE, waiting_only=False) == []


def test_an_empty_store_and_a_site_without_a_map(workshop: Workshop) -> None:
    failure = proposed(workshop)
    assert isinstance(failure, Failure)
    assert failure.detail == "no known article can be fetched again"
    workshop.execute("DELETE FROM maps")
    failure = proposed(workshop)
    assert isinstance(failure, Failure)
    assert failure.detail == f"{SITE} has no map yet"


def test_a_map_of_another_person_is_written_as_it_was(changed: Workshop) -> None:
    """Nothing but rules and numbers changes: index pages of no selectors, comments and marks stay."""
    text = dump_map(replace(old_map(), index=(IndexPage(url=FRONT, weight=7),)), like=MAP)
    changed.store.save_map(text, "person")
    repair = sound(repaired(changed))
    assert repair.whole.index == (IndexPage(url=FRONT, weight=7),)
    assert not any(name.startswith("index") for name in repair.changed)
