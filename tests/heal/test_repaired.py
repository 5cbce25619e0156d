"""What of a repaired map is sure, which incidents it ends, and what a person decides about."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.watch.bulletin import FRONT, MAP, SITE, old_map

from sitewright.heal.repaired import RepairedMap, is_source, map_text, proposal_of, source_name
from sitewright.heal.symptoms import Symptoms
from sitewright.maps import parse_map
from sitewright.reading.mapped import MapReader, MapReading
from sitewright.store.entries import Incident, IncidentKind, ProposedField, StoredMap
from sitewright.types import ExtractionMap, IndexPage, Record, Rule, Support, Template, Value

SINCE = datetime(2024, 6, 19, 12, 0, tzinfo=UTC)
NOW = datetime(2024, 6, 20, 12, 0, tzinfo=UTC)


def an_incident(field: str = "", kind: IncidentKind = "lost") -> Incident:
    return Incident(site=SITE, template="article", field=field, kind=kind, since=SINCE, opened_at=SINCE)


def a_repair(sure: str = "", unsure: str = "", unchanged: str = "") -> RepairedMap:
    def made(name: str, *, is_changed: bool, is_sure: bool) -> ProposedField:
        return ProposedField(
            field=f"index {FRONT}" if name == "front" else name,
            confidence=1.0,
            before=0.0,
            tagger=0.0,
            judged=5,
            changed=is_changed,
            sure=is_sure,
        )

    fields = (
        *(made(name, is_changed=True, is_sure=True) for name in sure.split()),
        *(made(name, is_changed=True, is_sure=False) for name in unsure.split()),
        *(made(name, is_changed=False, is_sure=True) for name in unchanged.split()),
    )
    return RepairedMap(old=old_map(), whole=old_map(), fields=fields)


@pytest.mark.parametrize(
    ("incident", "repair", "is_over"),
    [
        (an_incident("title"), a_repair("title"), True),
        (an_incident("title"), a_repair("title", "text"), True),
        (an_incident("title"), a_repair("text", "title"), False),
        (an_incident("title"), a_repair("text", "", "title"), False),
        (an_incident("title"), a_repair(), False),
        (an_incident("tags", "shorter"), a_repair("tags"), True),
        (an_incident("tags", "repeats"), a_repair("title"), False),
        (an_incident("", "handed over"), a_repair("title text"), True),
        (an_incident("", "handed over"), a_repair("title", "", "text"), True),
        (an_incident("", "handed over"), a_repair("text", "tags"), True),
        (an_incident("", "handed over"), a_repair("title", "text"), True),
        (an_incident("", "handed over"), a_repair("tags"), True),
        (an_incident("", "handed over"), a_repair("", "", "title text"), False),
        (an_incident("", "unlisted"), a_repair("front"), True),
        (an_incident("", "unlisted"), a_repair("front title", "text"), True),
        (an_incident("", "unlisted"), a_repair("title", "front"), False),
        (an_incident("", "unlisted"), a_repair("title"), False),
        (an_incident("", "walled"), a_repair("title text front"), False),
        (an_incident("", "refused"), a_repair("title text front"), False),
        (an_incident("", "failing"), a_repair("title text front"), False),
    ],
)
def test_an_incident_is_over_by_what_is_sure(incident: Incident, repair: RepairedMap, is_over: bool) -> None:
    assert repair.heals(incident) == is_over


def test_two_sources_are_over_only_together() -> None:
    repair = a_repair("front")
    other = replace(repair.fields[0], field="index https://example.com/nature", sure=False)
    assert not replace(repair, fields=(*repair.fields, other)).heals(an_incident("", "unlisted"))


# What is sure

HEALED = parse_map(
    MAP.replace("version: 1", "version: 2").replace("h1.headline", "h2.big").replace("div.story", "div.copy")
)
ENTRY = IndexPage(url=FRONT, items=(".card-head > a",))


def selectors(extraction_map: ExtractionMap, field: str) -> list[str]:
    return [rule.select[0] for rule in extraction_map.rules if rule.field == field]


def test_only_what_is_sure_is_new() -> None:
    sure = replace(a_repair("title", "text"), whole=HEALED).sure
    assert (selectors(sure, "title"), selectors(sure, "text")) == (["h2.big"], ["div.story"])
    assert (sure.version, sure.index) == (2, old_map().index)


def test_where_nothing_is_sure_the_old_map_is_left() -> None:
    assert replace(a_repair("", "title text"), whole=HEALED).sure == old_map()


@pytest.mark.parametrize("is_sure", [True, False])
def test_sources_are_sure_for_themselves(is_sure: bool) -> None:
    source = a_repair("front" if is_sure else "", "" if is_sure else "front").fields[0]
    repair = replace(a_repair("title"), whole=HEALED).with_sources([(source, ENTRY)])
    assert repair.whole.index == (ENTRY,)
    assert repair.sure.index == ((ENTRY,) if is_sure else old_map().index)
    assert repair.changed == {"title", source_name(FRONT)}
    assert selectors(repair.sure, "title") == ["h2.big"]


def test_a_sure_source_alone_changes_no_rule() -> None:
    repair = RepairedMap(old=old_map(), whole=old_map()).with_sources([(a_repair("front").fields[0], ENTRY)])
    assert repair.sure == replace(old_map(), index=(ENTRY,))


def test_fields_that_are_lost_are_named() -> None:
    repair = a_repair("title text")
    title, text = repair.fields
    assert replace(repair, fields=(title, replace(text, lost=True))).lost == ("text",)


def test_sources_are_told_from_fields() -> None:
    assert [is_source(name) for name in (source_name(FRONT), "title", "index")] == [True, False, False]


# For a person


def test_a_repaired_map_is_written_like_the_one_before() -> None:
    old = StoredMap(site=SITE, version=4, made_by="learned", made_at=SINCE, text=MAP)
    repair = replace(a_repair("title", "text"), whole=HEALED, warnings=("one page is a wall",))
    proposal = proposal_of(repair, old, Symptoms(reason="it looks new", since=SINCE), NOW)
    assert (proposal.site, proposal.based_on, proposal.parsed().version) == (SITE, 4, 5)
    assert proposal.text == map_text(HEALED, 5, old)
    assert proposal.text.startswith("# The Bulletin, in its old design.")
    assert (proposal.fields, proposal.warnings) == (repair.fields, repair.warnings)
    assert (proposal.reason, proposal.since, proposal.made_at) == ("it looks new", SINCE, NOW)
    assert proposal_of(repair, old, Symptoms(), NOW, 7).parsed().version == 8


def test_pages_without_what_is_lost_are_articles_all_the_same() -> None:
    """The old design told dates and sections of every story, the new one tells them of none."""
    names = ("title", "text", "published", "categories")
    rules = tuple(Rule(field=name, select=(f".{name}",), support=Support(9, 9)) for name in names)
    old = ExtractionMap(site=SITE, templates=(Template(name="article", rules=rules),))
    title, text = a_repair("title text").fields
    lost = tuple(replace(title, field=name, changed=False, sure=False, lost=True) for name in names[2:])
    repair = RepairedMap(old=old, whole=old, fields=(title, text, *lost))
    fields = {name: Value("Bees", 0.9, f"article/{name}#0") for name in names[:2]}
    record = Record(site=SITE, urls=(f"https://{SITE}/1",), template="article", fields=fields)
    reading = MapReading(record, record)
    assert MapReader(old).looks_other(reading)
    assert not MapReader(repair.sure).looks_other(reading)
    assert repair.sure.fields == old.fields, "where they are shown again, they are read"
    assert replace(repair, fields=lost).sure == old
