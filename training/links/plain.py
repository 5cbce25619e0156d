"""Texts of news sites in, small plain index pages that are made of them out: blogs, lists of a dozen headlines.

Labelled front pages are large and marked up with care. Most sites that people add are neither, so pages are made up
whose markup says little: headlines in lists, tables and boxes, with menus, archives and tag clouds around them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import Any

Row = dict[str, Any]
_NAMES = "post entry item card teaser box block row cell list link title head story c1 x tile media text col".split()
_DETAILS = ("picture", "date", "summary", "author", "section", "more", "comments")
"""What an item of a list may have beside its headline."""
_STORY_WORDS = 3
"""Titles of fewer words are not asked for: nothing would tell them from names of sections."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Texts of one language, of sites of one part."""

    titles: Sequence[str]
    names: Sequence[str]
    """Of sections and authors."""
    menus: Sequence[str]
    """What stands on links that lead to no article."""


@dataclass(slots=True)
class _Paper:
    """A page in the making: its own habits, and the links that it has so far."""

    random: Random
    wording: Wording
    links: list[Row] = field(default_factory=list)
    classes: bool = False
    semantic: bool = False

    def link(self, text: str, href: str, inner: str = "", *, article: bool = False) -> str:
        self.links.append({"href": "https://plain.example" + href, "text": text, "article": article})
        return f'<a href="{href}"{self.name()}>{inner or escape(text)}</a>'

    def name(self) -> str:
        if not self.classes or self.random.random() < 0.4:
            return ""
        return f' class="{" ".join(self.random.sample(_NAMES, self.random.choice([1, 1, 2])))}"'

    def some(self, share: float) -> bool:
        return self.random.random() < share


def plain_page(wording: Wording, random: Random) -> Row:
    """Return a page as the corpora have them: its HTML, its links, and which of them lead to articles."""
    paper = _Paper(random, wording, classes=random.random() < 0.5, semantic=random.random() < 0.5)
    stories = random.sample(wording.titles, min(random.randint(4, 45), len(wording.titles)))
    addresses = {text: f"/{2001 + number}/{_slug(text, random)}" for number, text in enumerate(stories)}
    parts = [_menu(paper, "nav" if paper.semantic else "div"), _stories(paper, addresses)]
    sides = [side(paper, addresses) for side in (_recent, _archive, _tags, _friends, _menu_of_side) if paper.some(0.35)]
    parts.insert(random.choice([1, 2, 2]), "".join(sides))
    parts.append(_menu(paper, "footer" if paper.semantic else "div"))
    body = "".join(parts)
    return {"url": "https://plain.example/", "html": f"<html><body>{body}</body></html>", "links": paper.links}


def cloud_page(wording: Wording, random: Random) -> Row:
    """Return a page that is a cloud of tags, and holds no story."""
    paper = _Paper(random, wording, classes=random.random() < 0.5)
    names = random.choices([*wording.names, *wording.menus], k=random.choice([80, 300, 1000]))
    cloud = " ".join(paper.link(name, f"/tag/{number}/{_slug(name, random)}") for number, name in enumerate(names))
    html = f"<html><body>{_menu(paper, 'div')}<div{paper.name()}>{cloud}</div></body></html>"
    return {"url": "https://plain.example/", "html": html, "links": paper.links}


def _slug(text: str, random: Random) -> str:
    words = "".join(letter if letter.isalnum() else " " for letter in text.lower()).split()
    return "-".join(words[:8]) + (f"-{random.randint(100, 999_999)}" if random.random() < 0.5 else "")


def _menu(paper: _Paper, tag: str, most: int = 14) -> str:
    texts = paper.random.sample([*paper.wording.menus, *paper.wording.names], paper.random.randint(2, most))
    entries = [paper.link(text, f"/{_slug(text, paper.random)}") for text in texts]
    if paper.some(0.5):
        return f"<{tag}{paper.name()}><ul>{''.join(f'<li>{entry}</li>' for entry in entries)}</ul></{tag}>"
    return f"<{tag}{paper.name()}>{paper.random.choice([' ', ' | ', ' · ']).join(entries)}</{tag}>"


def _stories(paper: _Paper, addresses: Mapping[str, str]) -> str:
    make = _item_maker(paper)
    items = [make(text, href) for text, href in addresses.items()]
    outer = "main" if paper.semantic and paper.some(0.5) else "div"
    return f"<{outer}{paper.name()}>{''.join(items)}</{outer}>"


def _item_maker(paper: _Paper) -> Callable[[str, str], str]:
    """Return what makes the items of a page: all of them alike, in one of many ways."""
    random = paper.random
    box = random.choice(["div", "li", "article", "section", "p", "td", ""])
    head = random.choice(["h2", "h2", "h3", "h4", "h1", "strong", "div", "span", ""])
    has = {what: random.random() < 0.35 for what in _DETAILS}
    inside, own_name, head_name = random.random() < 0.3, paper.name(), paper.name()
    more = random.choice([*paper.wording.menus, "Read more", "…", "»"])

    def item(text: str, href: str) -> str:
        heading = escape(text)
        if inside and head:
            linked = paper.link(text, href, f"<{head}{head_name}>{heading}</{head}>", article=True)
        else:
            linked = paper.link(text, href, heading, article=True)
            linked = f"<{head}{head_name}>{linked}</{head}>" if head else linked
        parts = [paper.link("", href, '<img src="/i.png" alt="">', article=True) if has["picture"] else "", linked]
        parts += [f"<span{paper.name()}>{_date(random)}</span>"] if has["date"] else []
        parts += [f"<p>{escape(random.choice(paper.wording.titles))}</p>"] if has["summary"] else []
        parts += [_named(paper, "author")] if has["author"] else []
        parts += [_named(paper, "section")] if has["section"] else []
        parts += [paper.link(more, href, article=True)] if has["more"] else []
        parts += [paper.link(f"({random.randint(0, 60)})", f"{href}#comments", article=True)] if has["comments"] else []
        inner = " ".join(parts)
        return f"<{box}{own_name}>{inner}</{box}>" if box else f"{inner}<br>"

    return item


def _named(paper: _Paper, kind: str) -> str:
    name = paper.random.choice(paper.wording.names)
    return paper.link(name, f"/{kind}/{_slug(name, Random(name))}")


def _date(random: Random) -> str:
    year, month, day = random.randint(2001, 2026), random.randint(1, 12), random.randint(1, 28)
    written = random.choice([f"{day}.{month}.{year}", f"{year}-{month:02}-{day:02}", f"{day:02}/{month:02}/{year}"])
    return f"<time>{written}</time>" if random.random() < 0.4 else written


def _boxed(paper: _Paper, entries: Sequence[str]) -> str:
    tag = "aside" if paper.semantic else "div"
    title = f"<h3>{escape(paper.random.choice(paper.wording.names))}</h3>" if paper.some(0.6) else ""
    return f"<{tag}{paper.name()}>{title}<ul>{''.join(f'<li>{entry}</li>' for entry in entries)}</ul></{tag}>"


def _recent(paper: _Paper, addresses: Mapping[str, str]) -> str:
    shown = paper.random.sample(list(addresses), min(5, len(addresses)))
    return _boxed(paper, [paper.link(text, addresses[text], article=True) for text in shown])


def _archive(paper: _Paper, _: Mapping[str, str]) -> str:
    months = paper.random.sample(range(1, 13), 8)
    year = paper.random.randint(2001, 2026)
    return _boxed(paper, [paper.link(f"{month}/{year} ({month * 3})", f"/archive/{year}/{month}") for month in months])


def _tags(paper: _Paper, _: Mapping[str, str]) -> str:
    return " ".join(_named(paper, "tag") for _ in range(paper.random.choice([8, 20, 60])))


def _friends(paper: _Paper, _: Mapping[str, str]) -> str:
    names = paper.random.sample(paper.wording.names, min(6, len(paper.wording.names)))
    entries = [paper.link(name, f"/friends/{_slug(name, paper.random)}") for name in names]
    return _boxed(paper, entries)


def _menu_of_side(paper: _Paper, _: Mapping[str, str]) -> str:
    return _menu(paper, "div", most=20)


def wordings(texts: Iterator[tuple[str, str, str]], least: int = 15) -> dict[str, Wording]:
    """Return the wordings of each group of texts, which come as group, kind (`title`, `name`, `menu`) and text."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for group, kind, text in texts:
        own = found.setdefault(group, {"title": {}, "name": {}, "menu": {}})
        if kind != "title" or len(text.split()) >= _STORY_WORDS or not text.isascii():
            own[kind][text[:200]] = None
    return {
        group: Wording(list(own["title"]), [*own["name"], *list(own["menu"])[:least]], list(own["menu"]))
        for group, own in found.items()
        if min(len(own["title"]), len(own["menu"])) >= least
    }
