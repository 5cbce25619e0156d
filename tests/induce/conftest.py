"""Pages whose opinions are given by hand, and a newspaper whose stories are made up, so that all values are known."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache

import pytest

from sitewright.domains import load_domain
from sitewright.induce import Sample
from sitewright.parse import Document, host_of, parse
from sitewright.tag import PageReader
from sitewright.tag.units import UnitKind, read_units
from sitewright.types import Label, Page, PageKind, TaggedPage, TextLine
from sitewright.values import PARSERS, Context, zone_of_host

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
"""When the pages of these tests were fetched."""
UNLIKELY = 0.02
"""What a line is worth that nobody has an opinion on."""

Opinions = Mapping[str, Mapping[str, float]]
Tagged = tuple[Document, TaggedPage]


def _document(html: str, url: str) -> Document:
    return parse(Page(url=url, body=html, fetched_at=NOW))


def _context(document: Document) -> Context:
    zone = zone_of_host(host_of(document.url))
    return Context(document=document, now=NOW, timezone=zone, language=document.metadata.language)


def _opined(
    html: str,
    opinions: Opinions | None = None,
    url: str = "https://www.example.com/news/a",
    kind: PageKind = "article",
    kind_score: float = 0.95,
    labels: Sequence[Label] = (),
) -> Tagged:
    """Label the units of a page by their texts, `{field: {text: score}}`, the text by its lines; add other labels."""
    document = _document(html, url)
    wanted = dict(opinions or {})
    lines = wanted.pop("text", {})
    units = read_units(document)
    spoken = {unit.text for unit in units}
    assert all(set(texts) <= spoken for texts in (*wanted.values(), lines)), (opinions, spoken)
    found = list(labels)
    for field, scores in wanted.items():
        spec = load_domain("news").fields[field]
        for unit in units:
            parsed = PARSERS[spec.parse]([unit.text], spec.many, _context(document)) if unit.text in scores else None
            if parsed is not None:
                values = parsed.value if isinstance(parsed.value, list) else [parsed.value]
                node = document.number_of(unit.element) if unit.element is not None and unit.place is not None else None
                source = f"part of {unit.source}" if unit.source and unit.kind is UnitKind.PIECE else unit.source
                found += [
                    Label(field=field, value=value, score=scores[unit.text], node=node, source=source)
                    for value in values
                ]
    runs = [unit for unit in units if unit.kind is UnitKind.RUN and unit.place is not None and unit.element is not None]
    shown = [
        TextLine(run.text, document.number_of(run.element), lines.get(run.text, UNLIKELY))
        for run in runs
        if run.element is not None
    ]
    return document, TaggedPage(url=url, kind=kind, kind_score=kind_score, labels=tuple(found), lines=tuple(shown))


def _sampled(pages: Sequence[Tagged], domain: str = "news") -> list[Sample]:
    return [Sample(document, tagged, load_domain(domain), _context(document)) for document, tagged in pages]


@dataclass(frozen=True)
class Story:
    """All that is known of a made-up story."""

    number: int
    title: str
    subtitle: str
    authors: tuple[str, ...]
    published: datetime
    modified: datetime
    section: str
    tags: tuple[str, ...]
    paragraphs: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.paragraphs)


_SUBJECTS = "council ferry hospital museum bridge school library railway harbour theatre market university".split()
_DEEDS = "returns opens closes wins loses plans rejects delays doubles repairs sells rebuilds".split()
_OBJECTS = "its oldest hall|a second line|the winter season|its new entrance|the long dispute|a rare collection".split(
    "|"
)
_FIRST, _LAST = "Ann Bo Carla Dmitri Elena Farid Greta Hugo".split(), "Lee Ek Moss Orlov Petri Quist Rowe Sand".split()
_SECTIONS = ("World", "Culture", "Business")
_TOPICS = "bees honey harbours ferries schools budgets tourism weather museums railways".split()
_SENTENCES = (
    "The {} said on {} that the work would take about {} weeks longer than the owners had promised in spring.",
    "Nobody at the {} wanted to say on {} why the bill had risen by {} percent within a single year.",
    "A spokeswoman for the {} told reporters on {} that {} people had signed the petition so far.",
    "In the end the {} agreed on {} to share the costs, which are put at {} million by independent experts.",
    "Visitors of the {} will have to wait until {} at least, when the first {} rooms are to be handed over.",
    "“We had stopped believing in it,” said one who has worked at the {} since a {} in March, {} years ago.",
)
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday".split()


def _story(number: int) -> Story:
    draw = random.Random(number)
    subject = _SUBJECTS[number % len(_SUBJECTS)]
    published = datetime(2024, 2, 1, 7, 10, tzinfo=UTC) + timedelta(days=number * 3, minutes=draw.randrange(600))
    sentences = draw.sample(_SENTENCES, 5)
    return Story(
        number=number,
        title=f"Old {subject} {draw.choice(_DEEDS)} {draw.choice(_OBJECTS)} after {number + 3} years",
        subtitle=f"The {subject} has waited for this moment longer than anybody expected, {number + 40} people say",
        authors=tuple(
            f"{first} {last}" for first, last in zip(draw.sample(_FIRST, 2), draw.sample(_LAST, 2), strict=True)
        )[: 1 + number % 2],
        published=published,
        modified=published + timedelta(days=1, minutes=45),
        section=_SECTIONS[number % 3],
        tags=tuple(draw.sample(_TOPICS, 3)),
        paragraphs=tuple(
            sentence.format(subject, draw.choice(_DAYS), draw.randrange(3, 900))
            + " "
            + draw.choice(_SENTENCES).format(draw.choice(_SUBJECTS), draw.choice(_DAYS), draw.randrange(3, 900))
            for sentence in sentences
        ),
    )


MENU = "".join(f'<li><a href="/{word.lower()}">{word}</a></li>' for word in ("Home", *_SECTIONS, "Sport"))
TEASERS = "".join(
    f'<li class="teaser"><a href="/news/{n}">{title}</a><p>{lead}</p></li>'
    for n, (title, lead) in enumerate(
        {
            "Five walks that are worth the trip this spring": "We have tried them all, and these were the ones that we liked most of all.",
            "What the new timetable means for commuters": "More trains at night, fewer at noon: an overview of all that changes from May on.",
            "Our newsletter: the week in five minutes": "Every Friday the most important stories of the week, free of charge, in your mailbox.",
        }.items()
    )
)
APPEAL = "Good journalism takes time and money. Support our work with a subscription, from two euros a week on."


def _shown_date(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y, %H:%M}"


def _jsonld(story: Story) -> str:
    node = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.title,
        "description": story.subtitle,
        "datePublished": story.published.isoformat(),
        "dateModified": story.modified.isoformat(),
        "author": [{"@type": "Person", "name": name} for name in story.authors],
        "articleSection": story.section,
        "keywords": list(story.tags),
    }
    return f'<script type="application/ld+json">{json.dumps(node)}</script>'


def _lantern(
    story: Story, *, stated: bool = True, subtitle: bool = True, tags: bool = True, updated: bool = True
) -> str:
    """Write the page of a story as the newspaper shows it; `stated`: with metadata."""
    authors = " and ".join(f'<a rel="author" href="/people/{n}">{name}</a>' for n, name in enumerate(story.authors))
    paragraphs = [f"<p>{paragraph}</p>" for paragraph in story.paragraphs]
    paragraphs.insert(2, f'<div class="appeal"><p>{APPEAL}</p></div>')
    listed = "".join(f'<li><a href="/tag/{tag}">{tag}</a></li>' for tag in story.tags)
    head = f'<meta property="og:title" content="{story.title}">{_jsonld(story)}' if stated else ""
    lead = f'<p class="standfirst">{story.subtitle}</p>' if subtitle else ""
    change = f'<p class="updated">Updated: {_shown_date(story.modified)}</p>' if updated else ""
    return f"""<!doctype html><html lang="en"><head><title>{story.title} | The Lantern</title>{head}</head>
<body class="page page-{story.number}000"><header class="site-header"><a class="logo" href="/">The Lantern</a>
<nav><ul>{MENU}</ul></nav></header><main><article id="post-{story.number}7" class="story css-{story.number % 2}x{story.number}k9q">
<div class="section-name"><a href="/{story.section.lower()}">{story.section}</a></div>
<h1 class="story__title">{story.title}</h1>{lead}
<div class="byline">By {authors}</div><time class="dated" datetime="{story.published.isoformat()}">{_shown_date(story.published)}</time>{change}
<div class="story__text">{"".join(paragraphs)}</div>{f'<ul class="tags">{listed}</ul>' if tags else ""}</article>
<aside class="more"><h2>More from The Lantern</h2><ul>{TEASERS}</ul></aside></main>
<footer class="site-footer"><p>The Lantern, 1 Harbour Street. All rights reserved by the publisher.</p></footer></body></html>"""


def _modular(story: Story) -> str:
    """Write the page of a story with names as CSS modules and CSS-in-JS make them, new ones in every build."""
    build = f"{story.number % 7}aQ{story.number % 5}z"
    paragraphs = "".join(f'<p class="css-{build}{n}">{paragraph}</p>' for n, paragraph in enumerate(story.paragraphs))
    authors = ", ".join(f'<span class="Byline_name__{build}">{name}</span>' for name in story.authors)
    return f"""<!doctype html><html lang="en"><head><title>{story.title}</title></head><body><div id="root-{story.number}1">
<nav class="Menu_list__{build}"><ul>{MENU}</ul></nav><div class="Article_wrapper__{build} css-{build}">
<div class="Article_heading__{build}">{story.title}</div><div class="Byline_line__{build}">By {authors}</div>
<div class="Article_dated__{build}">{_shown_date(story.published)}</div>
<div class="Article_content__{build}">{paragraphs}</div></div><div class="Teasers_list__{build}"><ul>{TEASERS}</ul></div></div></body></html>"""


def _old(story: Story) -> str:
    """Write the page of a story as the newspaper showed it before it changed its design."""
    words = "".join(f"<p>{paragraph}</p>" for paragraph in story.paragraphs)
    return f"""<!doctype html><html lang="en"><head><title>The Lantern: {story.title}</title></head><body>
<table id="frame"><tr><td class="leftcol"><ul>{MENU}</ul></td><td class="maincol"><div class="rubric">{story.section}</div>
<h2 class="heading">{story.title}</h2><div class="writer">by {", ".join(story.authors)}</div>
<div class="issued">{_shown_date(story.published)}</div><div class="words">{words}</div></td></tr></table></body></html>"""


DESIGNS: Mapping[str, Callable[..., str]] = {"lantern": _lantern, "modular": _modular, "old": _old}


@pytest.fixture(scope="session")
def story() -> Callable[[int], Story]:
    """Return a function of a number that makes a story up."""
    return _story


@pytest.fixture(scope="session")
def newspaper() -> Callable[..., Tagged]:
    """Return a function of a number that tags the page of a story, as the package's own tagger does."""
    reader = PageReader()

    @cache
    def tagged(
        number: int, design: str = "lantern", site: str = "https://www.lantern.example", **facts: bool
    ) -> Tagged:
        document = _document(DESIGNS[design](_story(number), **facts), f"{site}/{design}/{number}")
        return document, reader.read(document, NOW).tagged

    return tagged


@pytest.fixture(scope="session")
def opined() -> Callable[..., Tagged]:
    """Return a function of a page and opinions on its texts, which gives what rules are learned from."""
    return _opined


@pytest.fixture(scope="session")
def sampled() -> Callable[..., list[Sample]]:
    """Return a function of tagged pages that gives samples."""
    return _sampled
