"""What baselines count of a page: small, the same after a journey, and true to who read what."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from math import log1p
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.maps import parse_map
from sitewright.notice.observation import (
    EXAMPLE,
    Observation,
    Seen,
    address_of,
    agreements_of,
    fingerprint_of,
    observe,
    observe_failure,
    pack_observation,
    section_of,
    stable_names,
    unpack_observation,
)
from sitewright.parse import Document, parse
from sitewright.processes.tasks import pack_map, read_item
from sitewright.reading.mapped import Doubt, MapReader
from sitewright.store.database import open_store
from sitewright.types import Failure, Limits, Page, Photo, Record, Value

URL = "https://example.com/sport/bees-win"
AT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def document(html: str, url: str = URL) -> Document:
    return parse(Page(url=url, body=html))


def record(via: str = "", **values: object) -> Record:
    """Values of the map; those that begin with "?" are the tagger's."""
    fields = {
        name: Value(value, 0.9, f"tagger/{name}" if str(value).startswith("?") else f"article/{name}#0")
        for name, value in values.items()
    }
    template = "" if via == "tagger" else "article"
    return Record(site="example.com", urls=(URL,), fields=fields, template=template, via=via, map_version=3)  # type: ignore[arg-type]


# Journeys

texts = st.text(max_size=20)
odd_texts = st.text(st.characters(codec=None), max_size=20) | st.sampled_from(["\ud800", "a\0b", "王", ""])
seen_values = st.builds(
    Seen,
    length=st.floats(0, 30),
    shape=texts,
    digest=st.integers(0, 2**32 - 1),
    example=odd_texts,
    agrees=st.none() | st.booleans(),
)
fields = st.dictionaries(odd_texts, seen_values, max_size=5)
observations = st.builds(
    Observation,
    url=odd_texts,
    at=st.floats(0, 1e11),
    template=odd_texts,
    handed=st.booleans(),
    found=fields,
    rescued=fields,
    section=odd_texts,
    fingerprint=st.integers(0, 2**32 - 1),
    code=texts,
    map_version=st.none() | st.integers(0, 2**70),
    address=odd_texts,
    heading=st.integers(0, 2**32 - 1),
)


@given(observations)
def test_an_observation_is_the_same_after_a_journey(page: Observation) -> None:
    there = unpack_observation(pack_observation(page))
    assert there == page
    assert list(there.found) == list(page.found)
    assert all(type(seen) is Seen for seen in (*there.found.values(), *there.rescued.values()))


def test_it_travels_small() -> None:
    page = observe(record(title="Bees", text="They hum. " * 5000, tags=["x"] * 500), 5.0)
    assert len(pack_observation(page)) < 1500


# Who read what


def test_a_record_of_the_map_is_found() -> None:
    page = observe(record(title="Bees win", text="They hum."), 5.0, fingerprint=7, address="https://example.com/a")
    assert (page.url, page.at, page.template, page.handed, page.map_version) == (URL, 5.0, "article", False, 3)
    assert (page.section, page.fingerprint, page.address, page.code) == ("/sport", 7, "https://example.com/a", "")
    assert set(page.found) == {"title", "text"}
    assert page.rescued == {}


@pytest.mark.parametrize(
    ("whole", "by_map", "found", "rescued"),
    [
        pytest.param({"title": "a", "text": "b"}, {"title": "a", "text": "b"}, "title text", "", id="all by the map"),
        pytest.param({"title": "a", "text": "?b"}, {"title": "a"}, "title", "text", id="one filled in"),
        pytest.param({"title": "?a", "text": "?b"}, {}, "", "title text", id="all handed over"),
        pytest.param({"title": "?b"}, {"title": "a"}, "title", "", id="one in doubt: the map's own value counts"),
        pytest.param({}, {"title": "a"}, "title", "", id="one in doubt that the tagger does not find"),
        pytest.param({"title": "?"}, {"title": ""}, "", "title", id="an empty value is none"),
        pytest.param({"tags": []}, {"tags": []}, "", "", id="an empty list is none"),
        pytest.param({"title": ""}, {}, "", "", id="an empty value of the tagger is none"),
    ],
)
def test_what_the_map_alone_read_is_found_and_the_rest_rescued(
    whole: Mapping[str, Any], by_map: Mapping[str, Any], found: str, rescued: str
) -> None:
    page = observe(record("map, tagger", **whole), 5.0, by_map=record(**by_map))
    assert (" ".join(page.found), " ".join(page.rescued)) == (found, rescued)
    for name in page.found:
        assert page.found[name].example == by_map[name]


def test_a_page_that_was_handed_over_keeps_the_template_that_did_not_read_it() -> None:
    page = observe(record("tagger", title="?a"), 5.0, by_map=record(title="a"))
    assert (page.template, page.handed) == ("article", True)
    page = observe(record("tagger", title="?a"), 5.0)
    assert (page.template, page.handed, set(page.found)) == ("", True, set())


def test_of_a_page_that_was_handed_over_nobody_knows_what_the_map_would_have_read() -> None:
    page = observe(record("tagger", place="Corwick", title="?a"), 5.0)
    assert (set(page.found), set(page.rescued)) == (set(), {"place", "title"})


def test_agreements_are_the_maps() -> None:
    whole, alone = record("map, tagger", title="?b", text="?c"), record(title="a")
    page = observe(whole, 5.0, by_map=alone, agreements={"title": False, "text": True})
    assert page.found["title"].agrees is False
    assert page.rescued["text"].agrees is None


@pytest.mark.parametrize(
    ("value", "shape", "size"),
    [
        ("Bees win again", "line", 14),
        ("2024-05-06T07:08:09+00:00", "date", 25),
        (AT, "date", 25),
        (AT.date(), "date", 10),
        (["Ann Lee", "Ben Ox"], None, None),
        ({"url": "https://example.com/a.jpg"}, None, None),
        (Photo(url="https://example.com/a.jpg"), None, None),
        (7.5, None, None),
        ("\ud800 half", None, None),
    ],
)
def test_any_value_is_counted(value: object, shape: str | None, size: int | None) -> None:
    (seen,) = observe(record(field=value), 5.0).found.values()
    assert seen.length > 0
    assert 0 < len(seen.example) <= EXAMPLE
    assert shape is None or seen.shape == shape
    assert size is None or seen.length == pytest.approx(log1p(size), abs=0.1)
    assert unpack_observation(pack_observation(observe(record(field=value), 5.0))).found["field"] == seen


def test_a_value_is_counted_alike_when_it_is_read_and_when_it_comes_from_the_store(tmp_path: Path) -> None:
    """Or a baseline that is learned from stored records would take the next page for a change."""
    values = {
        "published": AT,
        "modified": AT.replace(tzinfo=timezone(timedelta(hours=-5))),
        "authors": ["Ann Lee", "Ben Ox"],
        "images": [Photo(url="https://example.com/a.jpg", caption="Bees", width=5)],
        "price": {"amount": 7.5, "currency": "EUR"},
        "rating": 4.5,
        "text": "They hum.\nQuietly.",
    }
    read = replace(record(), fields={name: Value(value, 0.9, f"article/{name}#0") for name, value in values.items()})
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        store.add_site("example.com")
        store.commit_page(read, Page(url=URL, body=b"", fetched_at=AT))
        (stored,) = store.records()
    assert observe(stored.record, 5.0) == observe(read, 5.0)


def test_equal_values_share_a_digest_and_others_do_not() -> None:
    one, same, other = (observe(record(title=title), 5.0).found["title"].digest for title in ("Bees", "Bees", "Wasps"))
    assert one == same != other


# Pages


def test_headings_are_those_of_the_record_whoever_read_it() -> None:
    def heading(via: str = "", **values: str) -> int:
        domain = "shop" if "name" in values else "news"
        return observe(replace(record(via, **values), domain=domain), 5.0).heading

    assert heading(title="Bees") == heading("tagger", title="Bees") == heading(name="Bees") != heading(title="Wasps")
    assert heading(text="They hum.") == 0
    assert heading(title="") == 0


@pytest.mark.parametrize(
    ("url", "section"),
    [
        ("https://example.com/sport/bees-win", "/sport"),
        ("https://example.com/bees-win", ""),
        ("https://example.com/", ""),
        ("https://example.com", ""),
        ("https://example.com/en/video/123/bees", "/en/video"),
        ("https://example.com/2024/05/06/bees", "/0"),
        ("https://example.com/sport2024/x", "/sport0"),
        ("https://example.com//sport//x", "/sport"),
        (f"https://example.com/{'s' * 99}/x", f"/{'s' * 40}"),
        ("http://[", ""),
        ("", ""),
    ],
)
def test_sections(url: str, section: str) -> None:
    assert section_of(url) == section


HEAD = '<meta property="og:type" content="article">'


@pytest.mark.parametrize(
    ("html", "is_same"),
    [
        (f"{HEAD}<main class=story><h1 class=head>Wasps</h1><p>They sting.<p>Much.", True),
        (f"{HEAD}<main class='story css-1x2y3z'><h1 class='head h1-77'>Bees</h1>", True),
        (f"{HEAD}<main class=story><h1 class=title>Bees</h1>", False),
        (f"{HEAD}<main class=video><h1 class=head>Bees</h1>", False),
        (f"{HEAD}<main class=story><div><h1 class=head>Bees</h1>", False),
        ("<main class=story><h1 class=head>Bees</h1>", False),
        (f"{HEAD}<main class=story><h2 class=head>Bees</h2>", False),
        ("", False),
    ],
)
def test_fingerprints_are_of_the_build(html: str, is_same: bool) -> None:
    usual = fingerprint_of(document(f"{HEAD}<main class=story><h1 class=head>Bees</h1><p>They hum."))
    number = fingerprint_of(document(html))
    assert 0 < number < 2**32
    assert (number == usual) == is_same


def test_names_that_people_gave() -> None:
    element = document("<p class='story b2 x lead_text css-1x2y3z -- Ärger'>").tree.select_one("p")
    assert element is not None
    assert stable_names(element) == ["lead_text", "story"]


@pytest.mark.parametrize(
    ("html", "address"),
    [
        ('<link rel="canonical" href="https://example.com/a">', "https://example.com/a"),
        ('<link rel="canonical" href="/a">', "/a"),
        ('<link rel="canonical" href="">', ""),
        ('<link rel="canonical">', ""),
        ('<link rel="alternate" href="/b">', ""),
        ("", ""),
    ],
)
def test_the_address_that_a_page_gives_as_its_own(html: str, address: str) -> None:
    assert address_of(document(html)) == address


@pytest.mark.parametrize(
    ("stated", "values", "agreements"),
    [
        ("og:title=Bees are out | The Bee", {"title": "Bees are  OUT"}, {"title": True}),
        ("og:title=Bees", {"title": "Bees are out"}, {"title": True}),
        ("og:title=Bees are out", {"title": "Most read"}, {"title": False}),
        ("og:title=Bees are out", {"title": " "}, {"title": False}),
        ("og:title=Bees are out", {"text": "They hum."}, {}),
        ("og:title=", {"title": "Bees"}, {}),
        ("", {"title": "Bees", "published": "2024-05-06"}, {}),
        (
            "article:published_time=2024-05-07T04:30:00Z",
            {"published": "2024-05-06T23:30:00-05:00"},
            {"published": True},
        ),
        ("article:published_time=2024-05-06", {"published": AT}, {"published": True}),
        ("article:published_time=2024-06-06", {"published": AT}, {"published": False}),
        ("article:published_time=6 May 2024", {"published": AT}, {"published": True}),
    ],
)
def test_agreement_with_metadata(stated: str, values: Mapping[str, Any], agreements: Mapping[str, bool]) -> None:
    name, _, content = stated.partition("=")
    html = f'<meta property="{name}" content="{content}">' if stated else "<p>"
    assert agreements_of(document(html), record(**values)) == agreements


# Failures


def test_a_failure_is_observed_by_its_code() -> None:
    page = observe_failure(Failure(URL, "fetch", "connection_failed", "no answer"), 5.0, 7)
    assert page == Observation(url=URL, at=5.0, code="connection_failed", section="/sport", fingerprint=7)
    assert unpack_observation(pack_observation(page)) == page


MAP = parse_map("sitewright: 1\nsite: example.com\ntemplates:\n  - {name: a, rules: {title: {select: [h1]}}}\n")


@pytest.mark.parametrize(
    ("page", "code", "has_fingerprint"),
    [
        (Page(url=URL, body=b"<main><h1>Bees</h1>", fetched_at=AT), "", True),
        (Page(url=URL, body=b"<p>No heading", fetched_at=AT), "not_item", True),
        (Page(url=URL, body=b"<h1>Gone", status=410, fetched_at=AT), "error_page", False),
        (Page(url=URL, body=b"%PDF-1.4", fetched_at=AT), "not_html", False),
    ],
    ids=["read", "no article", "gone", "no page"],
)
def test_whatever_becomes_of_a_page_it_is_observed(page: Page, code: str, has_fingerprint: bool) -> None:
    read = read_item(Limits(), page, pack_map(MAP))
    seen = unpack_observation(read.observation)
    assert (seen.url, seen.code, seen.at) == (URL, code, AT.timestamp())
    assert (seen.fingerprint > 0) == has_fingerprint
    assert (read.record is None) == bool(code)


def test_a_page_without_a_time_is_observed_now() -> None:
    read = read_item(Limits(), Page(url=URL, body=b"<h1>Bees"), pack_map(MAP))
    assert unpack_observation(read.observation).at > AT.timestamp()


def test_a_field_in_doubt_is_observed_as_the_map_reads_it() -> None:
    html = "<html><head><title>Bees win</title></head><body><h1>Bees win</h1><p>They hum."
    reading = MapReader(MAP, [Doubt("a", "title")]).read(document(html))
    page = observe(reading.record, 5.0, by_map=reading.by_map)
    assert page.found["title"].example == "Bees win"
    assert "title" not in page.rescued


# Records, by their rules


def read_by(via: str = "", **rules: str) -> Record:
    fields = {
        name: Value("2024-05-06" if name == "published" else "Bees are out early", 0.9, rule)
        for name, rule in rules.items()
    }
    return replace(record(via), urls=("https://example.com/sport/bees",), fields=fields)


def test_an_observation_tells_what_the_map_read_and_what_the_tagger_did() -> None:
    page = observe(read_by("map, tagger", title="article/title#0", published="tagger/published: stated"), 5.0)
    assert (page.template, page.section, page.handed, page.map_version) == ("article", "/sport", False, 3)
    assert set(page.found) == {"title"}
    assert page.rescued["published"].shape == "date"


def test_an_observation_of_a_page_that_was_handed_over() -> None:
    handed = read_by("tagger", title="tagger/title", text="tagger/text")
    page = observe(handed, 5.0)
    assert (page.template, page.handed, set(page.found), set(page.rescued)) == ("", True, set(), {"title", "text"})
    page = observe(handed, 5.0, by_map=read_by(title="article/title#0"))
    assert (page.template, page.handed, set(page.found), set(page.rescued)) == ("article", True, {"title"}, {"text"})


def test_metadata_may_disagree() -> None:
    page = observe(read_by(title="article/title#0"), 0.0, agreements={"title": False})
    assert page.found["title"].agrees is False


def test_empty_values_are_none() -> None:
    empty = replace(
        read_by(title="a"), fields={"title": Value("", 0.5, "article/title#0"), "tags": Value([], 0.5, "a")}
    )
    assert observe(empty, 0.0).found == {}


def test_a_fingerprint_is_of_the_structure() -> None:
    def number(body: str) -> int:
        return fingerprint_of(parse(Page(url="https://example.com/a", body=body)))

    one = number("<main class='story x1'><h1 class=head>Bees</h1><p>They hum.")
    assert one == number("<main class='story x2'><h1 class=head>Wasps</h1><p>They sting.<p>Much.")
    assert one != number("<main class='video'><h1 class=head>Bees</h1>")
    assert one != number("<meta property=og:type content=video.other><main class=story><h1 class=head>Bees</h1>")
    assert number("") > 0


def test_seen_values_are_small() -> None:
    text = Record(site="a", urls=("https://a/",), fields={"text": Value("x" * 10_000, 1.0, "a/text#0")}, template="a")
    (value,) = observe(text, 0.0).found.values()
    assert isinstance(value, Seen)
    assert len(value.example) == 120
