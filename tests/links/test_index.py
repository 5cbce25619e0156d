"""Selectors learned from an index page find the links of the next day."""

from datetime import UTC, datetime, timedelta
from urllib.parse import unquote

import pytest

from sitewright.demo import LANGUAGES, generate_site
from sitewright.links.anchors import read_anchors
from sitewright.links.index import learn_index
from sitewright.links.selected import select_links
from sitewright.parse import Document, parse
from sitewright.types import IndexPage, Page

URL = "https://www.example.com/"
EPOCH = datetime(2025, 5, 18, 17, tzinfo=UTC)


def read(body: str, url: str = URL) -> Document:
    return parse(Page(url=url, body=f"<!doctype html><body>{body}"))


def front(day: int, link: str = "<h2 class=title><a class=link href={href}>Tale {name}</a></h2>") -> str:
    """Return the front page of a day: eight stories, the same menu and footer."""
    menu = "".join(
        f"<li class=entry><a class=link href=/{name}>{name}</a></li>" for name in ("world", "sport", "arts", "law")
    )
    names = [f"{day}-{number}" for number in range(8)]
    teasers = "".join(f"<div class=teaser>{link.format(href=f'/tale-{name}', name=name)}</div>" for name in names)
    return f"<ul class=menu>{menu}</ul><div class=stories>{teasers}</div><div class=end><a class=link href=/imprint>Imprint</a></div>"


def stories(document: Document) -> set[str]:
    return {anchor.page for anchor in read_anchors(document) if "/tale-" in anchor.page}


def selected(document: Document, entry: IndexPage) -> set[str]:
    return {link.url.rstrip("/") for link in select_links(document, entry).links if link.role == "article"}


@pytest.mark.parametrize(
    "link",
    [
        "<h2 class=title><a class=link href={href}>Tale {name}</a></h2>",
        "<a class=link href={href}>Tale {name}</a>",
        "<a href={href}>Tale {name}</a>",
        "<a class=link href={href}><h3>Tale {name}</h3></a>",
        "<a class='link css-1a2b3c' id=t{name} href={href}>Tale {name}</a>",
        "<span><a data-x='\"]' class='link ]\" \\' href={href}>Tale {name}</a></span>",
        "<a class=picture href={href}><img></a><h2><a class=link href={href}>Tale {name}</a></h2>",
    ],
)
def test_what_one_day_teaches_holds_on_the_next(link: str) -> None:
    today, tomorrow = read(front(1, link)), read(front(2, link))
    learned = learn_index([today], stories(today))
    assert learned is not None
    assert (learned.precision, learned.recall) == (1, 1)
    assert learned.entry.url == URL
    assert stories(tomorrow).isdisjoint(stories(today))
    assert selected(tomorrow, learned.entry) == stories(tomorrow)


@pytest.mark.parametrize("language", LANGUAGES)
def test_papers_of_nine_languages_are_learned(language: str) -> None:
    documents, truths = [], []
    for day, seed in enumerate((3, 4)):
        site = generate_site(seed, language=language, epoch=EPOCH + timedelta(days=day))
        drawn = site.pages["/"]
        headers = {"content-type": drawn.content_type}
        documents.append(parse(Page(url=f"{site.base_url}/", body=drawn.html, headers=headers)))
        truths.append({unquote(site.base_url + path).rstrip("/") for path in site.truth})
    known = [
        {
            anchor.page
            for anchor in read_anchors(document)
            if unquote(anchor.page).partition("?")[0].rstrip("/") in truth
        }
        for document, truth in zip(documents, truths, strict=True)
    ]
    learned = learn_index(documents[:1], known[0])
    assert learned is not None
    found = selected(documents[1], learned.entry)
    assert len(found & known[1]) >= 0.8 * len(known[1])
    assert len(found - known[1]) <= 0.1 * len(found)


def test_several_days_teach_together() -> None:
    days = [read(front(day)) for day in range(3)]
    learned = learn_index(days, set().union(*map(stories, days)))
    assert learned is not None
    assert (learned.precision, learned.recall) == (1, 1)


def test_two_kinds_of_teasers_take_two_selectors() -> None:
    briefs = "".join(f"<p class=brief><a href=/tale-b{n}>Brief {n}</a></p>" for n in range(6))
    document = read(f"{front(1)}<aside class=box>{briefs}</aside>")
    learned = learn_index([document], stories(document))
    assert learned is not None
    assert len(learned.entry.items) == 2
    assert learned.recall == 1


@pytest.mark.parametrize(
    ("body", "articles"),
    [
        ("", set()),
        ("<p>No links</p>", {f"{URL}tale-1"}),
        (front(1), set()),
        (front(1), {"https://elsewhere.example/tale"}),
        ("<h1 class=x><a href=/tale-1>Tale</a></h1>", {f"{URL}tale-1"}),  # one link is too few to learn from
        (
            "".join(f"<a href=/{n}>{n}</a>" for n in range(9)),
            {f"{URL}{n}" for n in range(0, 9, 2)},
        ),  # nothing tells them apart
    ],
)
def test_nothing_is_learned_where_nothing_tells_articles(body: str, articles: set[str]) -> None:
    assert learn_index([read(body)], articles) is None


def test_no_pages_teach_nothing() -> None:
    assert learn_index([], {f"{URL}tale-1"}) is None


def test_a_selector_that_finds_menus_as_well_is_not_kept() -> None:
    document = read(front(1, "<a class=link href={href}>Tale {name}</a>"))
    learned = learn_index([document], stories(document))
    assert learned is not None
    assert "a.link" not in learned.entry.items


@pytest.mark.slow
def test_ten_thousand_links_are_learned_from() -> None:
    body = "".join(
        f"<p class={'tale' if n % 2 else 'tag'}><a class='c{n}' href=/{'tale' if n % 2 else 'tag'}-{n}>T {n}</a></p>"
        for n in range(10_000)
    )
    document = read(body)
    learned = learn_index([document], stories(document))
    assert learned is not None
    assert selected(document, learned.entry) == stories(document)
