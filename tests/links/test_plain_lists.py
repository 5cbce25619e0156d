"""Plain pages of short titles: their longest list is taken as one, other pages stay as they are."""

import numpy as np
import pytest

from sitewright.links.evidence import SiteLinks
from sitewright.links.judge import judge
from sitewright.links.model import load_model
from sitewright.links.page import read_page
from sitewright.links.plain_lists import with_plain_list
from sitewright.parse import parse
from sitewright.types import Page

TITLES = (
    "Growing leeks in clay", "A visit to the tram museum", "Notes on cast iron", "Why the ferry was late", "Rain, again",
    "Bread without kneading", "The allotment in May", "What the surveyor said", "Counting swifts", "Learning to whistle",
)  # fmt: skip
MENU = '<nav><a href="/">Home</a> <a href="/about">About</a> <a href="/tags">Tags</a></nav>'
ITEMS = {
    "headings": '<h2><a href="p{n}.html">{title}</a></h2><p>It rained all day, and the path was under water.</p>',
    "dates": '<li><time>2026-05-0{n}</time> <a href="/posts/{n}/">{title}</a></li>',
    "cards": '<a href="/p/{n}"><div><h3>{title}</h3><p>It rained all day, and the path was under water.</p></div></a>',
}


def links_of(body: str) -> SiteLinks:
    page = Page(url="https://plain.example/", body=f"<body>{MENU}<div id=main>{body}</div></body>")
    return SiteLinks([read_page(parse(page), load_model().networks)])


def listed(item: str, titles: tuple[str, ...] = TITLES) -> SiteLinks:
    return links_of("".join(item.format(n=n, title=title) for n, title in enumerate(titles)))


@pytest.mark.parametrize("item", ITEMS.values(), ids=ITEMS)
def test_short_titles_are_stories(item: str) -> None:
    links = judge(listed(item).pages, load_model()).links.values()
    assert {link.text for link in links if link.is_item} == set(TITLES)


@pytest.mark.parametrize(
    ("item", "titles"),
    [
        (ITEMS["headings"], TITLES[:4]),
        (ITEMS["headings"], (TITLES[0],) * 10),
        ('<li><a href="/{n}">{title}</a></li>', TITLES),
        (ITEMS["dates"], ("Home", "Sport", "Imprint", "Contact", "Log in", "Archive")),
    ],
    ids=["too few", "all of one name", "without a sign", "entries of a menu"],
)
def test_what_is_no_plain_list_stays(item: str, titles: tuple[str, ...]) -> None:
    site = listed(item, titles)
    believed = np.full(len(site.facts), 0.3, dtype=np.float32)
    assert with_plain_list(site, believed, 0.5) is believed


def test_a_page_that_lists_more_beside_it_stays() -> None:
    site = listed(ITEMS["headings"])
    believed = np.array([0.3 if fact.text in TITLES else 0.9 for fact in site.facts], dtype=np.float32)
    raised = with_plain_list(site, believed, 0.5)
    assert (raised >= 0.6).all()
    others = links_of(
        "".join(ITEMS["headings"].format(n=n, title=title) for n, title in enumerate(TITLES))
        + "".join(f'<p><a href="/s/{n}">Story {n}</a></p>' for n in range(12))
    )
    believed = np.array([0.3 if fact.text in TITLES else 0.9 for fact in others.facts], dtype=np.float32)
    assert with_plain_list(others, believed, 0.5) is believed
