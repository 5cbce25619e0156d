"""A small newspaper in several designs: its stories, its front page, the map that reads the old design."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

from sitewright.maps import parse_map
from sitewright.notice.observation import Observation, observe
from sitewright.types import ExtractionMap, Page, Record, Value

SITE = "example.com"
FRONT = "https://example.com/"
LEARNED = datetime(2024, 6, 1, 6, 0, tzinfo=UTC)
PEOPLE = ("Ann Lee", "Ben Okafor", "Clara Winter", "Dario Rossi", "Eva Lind", "Finn Moe", "Gwen Park")
SPOTS = ("harbour", "library", "market hall", "river bridge", "tram depot", "city garden")
TOPICS = ("bees", "rain", "traffic", "schools", "tides", "parks", "rents", "trams", "boats", "bread")
SECTIONS = ("local", "nature", "money")
DESIGNS: Mapping[str, str] = {
    "old": (
        '<nav class="menu">{menu}</nav><main><h1 class="headline">{title}</h1>'
        '<p class="byline">By <a class="author" rel="author">{author}</a></p>'
        '<time class="date" datetime="{iso}">{day}</time><div class="story">{paragraphs}</div>'
        '<ul class="tags">{tags}</ul></main><footer class="end">All rights.</footer>'
    ),
    "new": (
        '<div class="bar">{menu}</div><div class="sheet"><h2 class="big">{title}</h2>'
        '<div class="info"><span class="who">{author}</span> <span class="when">{day}</span></div>'
        '<div class="promo-lane"><p>Switch to Brightwave broadband today and pay nothing for three months.</p></div>'
        '<div class="copy">{paragraphs}</div><div class="subjects">{tags}</div></div><div class="foot">All rights.</div>'
    ),
}
TAGS = {"old": '<li><a class="tag" rel="tag">{}</a></li>', "new": '<span class="subject">{}</span>'}
RENAMED = {"headline": "top-line", "tag": "topic", "author": "writer"}
"""What has another class in the design `renamed`, which is the old one otherwise."""
MAP = """\
# The Bulletin, in its old design.
sitewright: 1
site: example.com
version: 1
language: en
templates:
  - name: article
    rules:
      title: {select: [h1.headline], support: {found: 8, sampled: 8}}
      published: {select: [time.date], take: "@datetime", support: {found: 8, sampled: 8}}
      text: {select: [div.story], many: true, support: {found: 8, sampled: 8, length: 900}}
      authors: {select: [a.author], many: true, support: {found: 8, sampled: 8}}
      tags: {select: [a.tag], many: true, support: {found: 8, sampled: 8}}
index:
  - {url: "https://example.com/", articles: [li.teaser > a]}
"""


@cache
def old_map() -> ExtractionMap:
    return parse_map(MAP)


def url_of(number: int) -> str:
    return f"https://example.com/{SECTIONS[number % 3]}/story-{number}"


def values_of(number: int) -> dict[str, object]:
    """Return what the record of a story holds, as it is stored."""
    draw = random.Random(number)
    sentences = [
        f"The {draw.choice(SPOTS)} counted {draw.randint(100, 9999)} visitors in {draw.randint(1950, 2023)}, said "
        f"{draw.choice(PEOPLE)}, and the {draw.choice(SPOTS)} had {draw.randint(3, 90)} percent more than the year before."
        for _ in range(6)
    ]
    return {
        "title": f"The {SPOTS[number % 6]} of Corwick reopens after {number + 3} years of work",
        "published": (LEARNED + timedelta(hours=number)).isoformat(),
        "text": "\n".join(sentences),
        "authors": [PEOPLE[number % 7]],
        "tags": draw.sample(TOPICS, 2 + number % 3),
    }


def html_of(number: int, design: str = "old", leave_out: str = "") -> str:
    if design == "renamed":
        html = html_of(number, "old", leave_out)
        for old, new in RENAMED.items():
            html = html.replace(f'class="{old}"', f'class="{new}"').replace(f' rel="{old}"', "")
        return html
    values = values_of(number)
    day = datetime.fromisoformat(str(values["published"]))
    body = DESIGNS[design].replace(leave_out, "") if leave_out else DESIGNS[design]
    tags: Iterable[str] = values["tags"]  # type: ignore[assignment]
    filled = body.format(
        title=values["title"],
        author=values["authors"][0],  # type: ignore[index]
        iso=values["published"],
        day=f"{day:%B} {day.day}, {day.year} {day:%H:%M}",
        menu="".join(f'<a href="/{name}">{name.title()}</a>' for name in SECTIONS),
        paragraphs="".join(f"<p>{line}</p>" for line in str(values["text"]).split("\n")),
        tags="".join(map(TAGS[design].format, tags)),
    )
    head = f"<head><title>{values['title']} | The Bulletin</title></head>"
    return f'<!DOCTYPE html><html lang="en">{head}<body>{filled}</body></html>'


def page_of(number: int, design: str = "old", at: datetime | None = None, leave_out: str = "") -> Page:
    return Page(
        url=url_of(number),
        body=html_of(number, design, leave_out).encode(),
        headers={"Content-Type": "text/html; charset=utf-8"},
        fetched_at=at,
        via="http",
    )


def record_of(number: int, at: datetime, rules: Mapping[str, str] | None = None, **changes: object) -> Record:
    """Return the record of a story; `changes` are other values (None: the field is not there)."""
    values = {name: value for name, value in {**values_of(number), **changes}.items() if value is not None}
    by = rules or {}
    fields = {name: Value(value, 0.9, by.get(name, f"article/{name}#0")) for name, value in values.items()}
    return Record(site=SITE, urls=(url_of(number),), fields=fields, template="article", map_version=1, extracted_at=at)


def observation_of(number: int, at: datetime, *lost: str) -> Observation:
    """Return a story as baselines see it; of the lost fields the tagger alone reads something."""
    record = record_of(number, at, {name: f"tagger/{name}" for name in lost})
    by_map = record_of(number, at, **dict.fromkeys(lost))
    if lost:
        record = replace(record, via="map, tagger")
    return replace(observe(record, at.timestamp(), by_map=by_map), heading=number)


def front_of(numbers: Iterable[int], design: str = "old") -> Page:
    """Return the front page that lists some stories."""
    item = {
        "old": '<li class="teaser"><a class="teaser-link" href="{url}">{title}</a></li>',
        "new": '<div class="card-x"><div class="card-head"><a href="{url}">{title}</a></div></div>',
    }[design]
    items = "".join(item.format(url=url_of(n), title=values_of(n)["title"]) for n in numbers)
    menu = "".join(f'<a href="/{name}">{name}</a>' for name in (*SECTIONS, "about-us", "imprint", "contact"))
    html = f'<html lang=en><body><nav class="menu-{design}">{menu}</nav><main>{items}</main></body></html>'
    return Page(url=FRONT, body=html.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
