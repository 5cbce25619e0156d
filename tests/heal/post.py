"""A newspaper before and after a redesign: what its records hold, its stories in two designs, its index."""

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from sitewright.extract import Extractor
from sitewright.heal.known import KnownPage
from sitewright.heal.repaired import RepairedMap
from sitewright.parse import Document, parse
from sitewright.store.entries import ProposedField
from sitewright.types import ExtractionMap, Page, Rule

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
PAGES, MORE = 8, 4
PEOPLE = ("Ann Lee", "Ben Okafor", "Clara Winter", "Dario Rossi", "Eva Lind", "Finn Moe", "Gwen Park")
SPOTS = ("harbour", "library", "market hall", "river bridge", "tram depot", "city garden")
TOPICS = ("bees", "rain", "traffic", "schools", "tides", "parks", "rents", "trams", "boats", "bread")
SECTIONS = ("Local", "Nature", "Money")


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
        "published": f"2024-05-{number + 1:02}",
        "text": "\n\n".join(sentences),
        "authors": [PEOPLE[number % 7]],
        "categories": [SECTIONS[number % 3]],
        "tags": draw.sample(TOPICS, 2 + number % 3),
    }


def shown(number: int) -> dict[str, str]:
    """Return the parts of a story's page that both designs share."""
    values = values_of(number)
    day = datetime.fromisoformat(str(values["published"]))
    return {
        "title": str(values["title"]),
        "author": str(values["authors"][0]),  # type: ignore[index]
        "section": str(values["categories"][0]),  # type: ignore[index]
        "iso": str(values["published"]),
        "day": f"{day:%B} {day.day}, {day.year}",
        "menu": "".join(f'<a href="/{name.lower()}">{name}</a>' for name in SECTIONS),
        "paragraphs": "".join(f"<p>{line}</p>" for line in str(values["text"]).split("\n\n")),
    }


def tags_of(number: int, before: str, after: str) -> str:
    tags: list[str] = values_of(number)["tags"]  # type: ignore[assignment]
    return "".join(f"{before}{tag}{after}" for tag in tags)


def old_design(number: int) -> Document:
    body = (
        '<nav class="menu">{menu}</nav><main><a class="section" href="/x">{section}</a><h1 class="headline">{title}</h1>'
        '<p class="byline">By <a class="author" rel="author">{author}</a></p><time class="date" datetime="{iso}">{day}</time>'
        '<div class="story">{paragraphs}</div><ul class="tags">TAGS</ul></main><footer class="end">All rights.</footer>'
    )
    return page_of(number, body, '<li><a class="tag" rel="tag">', "</a></li>")


def new_design(number: int, leave_out: str = "") -> Document:
    body = (
        '<div class="bar">{menu}</div><div class="sheet"><div class="crumb"><span class="rubric-x">{section}</span></div>'
        '<h2 class="big">{title}</h2><div class="info"><span class="who">{author}</span> <span class="when">{day}</span></div>'
        '<div class="promo-lane"><p>Switch to Brightwave broadband today and pay nothing for the first three months.</p></div>'
        '<div class="copy">{paragraphs}</div><div class="subjects">TAGS</div></div><div class="foot">All rights.</div>'
    )
    for name in filter(None, [leave_out]):
        body = body.replace(name, "")
    return page_of(number, body, '<span class="subject">', "</span>")


def page_of(number: int, body: str, before: str, after: str) -> Document:
    filled = body.replace("TAGS", tags_of(number, before, after)).format(**shown(number))
    html = f'<!DOCTYPE html><html lang="en"><head><title>{shown(number)["title"]} | Post</title></head><body>{filled}</body></html>'
    return parse(Page(url=f"https://www.example.com/news/{number}", body=html))


def known_pages(leave_out: str = "", pages: int = PAGES) -> list[KnownPage[Document]]:
    return [KnownPage(new_design(number, leave_out), values_of(number)) for number in range(pages)]


def field_of(repaired: RepairedMap, field: str) -> ProposedField:
    return next(found for found in repaired.fields if found.field == field)


def read(extraction_map: ExtractionMap, document: Document) -> Mapping[str, object]:
    return {name: value.value for name, value in Extractor(extraction_map).extract(document, NOW).fields.items()}


def edited(extraction_map: ExtractionMap, field: str) -> ExtractionMap:
    def mark(rule: Rule) -> Rule:
        return replace(rule, edited=rule.field == field)

    templates = tuple(
        replace(template, rules=tuple(map(mark, template.rules))) for template in extraction_map.templates
    )
    return replace(extraction_map, templates=templates)


def wall(number: int) -> Document:
    html = "<html lang=en><body><h1>We value your privacy</h1><p>Accept all cookies to read on.</p></body></html>"
    return parse(Page(url=f"https://www.example.com/news/{number}", body=html))
