"""The main part of a page in, the whole page out: head, bar at the top, notice on cookies, foot."""

from dataclasses import dataclass
from html import escape

from sitewright.demo.dates import format_date
from sitewright.demo.newspaper import KIND_PATHS, Newspaper, section_path


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a page says of itself."""

    path: str
    kind: str
    title: str = ""
    head: str = ""


def document(paper: Newspaper, frame: Frame, main: str) -> str:
    """Put the main part of a page into the site's frame."""
    return (
        f'<!DOCTYPE html>\n<html lang="{paper.words.language}" dir="{paper.words.direction}">\n'
        f'{_head(paper, frame)}<body class="page-{frame.kind}">\n<div class="wrapper">\n{_bar(paper)}'
        f'<div class="stage" role="main">\n{main}\n</div>\n{_foot(paper)}</div>\n{_consent(paper)}</body>\n</html>\n'
    )


def entitled(paper: Newspaper, title: str) -> str:
    """Return a title as the browser shows it: the paper's name comes first."""
    return ": ".join(filter(None, (paper.words.name, title)))


def _head(paper: Newspaper, frame: Frame) -> str:
    return (
        f'<head>\n<meta charset="{paper.words.charset}">\n'
        f"<title>{escape(entitled(paper, frame.title))}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="theme-color" content="#10243e">\n'
        f'<link rel="canonical" href="{escape(paper.absolute(frame.path))}">\n'
        f'<link rel="alternate" type="application/rss+xml" href="{paper.absolute("/feed.xml")}">\n'
        '<link rel="icon" type="image/png" href="/assets/icon.png">\n'
        '<link rel="stylesheet" href="/assets/main.css">\n<script src="/assets/main.js" defer></script>\n'
        f"{frame.head}\n</head>\n"
    )


def _bar(paper: Newspaper) -> str:
    today = format_date(paper.words.calendar, paper.words.calendar.day, paper.newest)
    kinds = [(paper.label(path.strip("/")), path) for path in KIND_PATHS.values()]
    return (
        '<div class="bar" role="banner"><div class="bar-inner">'
        f'<a class="brand" href="/">{escape(paper.words.name)}</a>'
        f'<span class="today">{escape(today)}</span>'
        f'<a class="join" href="/about/">{escape(paper.label("subscribe"))}</a></div>\n'
        f'<nav class="places">{_links([(paper.label("latest"), "/latest/"), *_sections(paper), *kinds])}</nav></div>\n'
    )


def _foot(paper: Newspaper) -> str:
    links = [(paper.label("about"), "/about/"), ("RSS", "/feed.xml"), (paper.label("latest"), "/latest/")]
    return (
        f'<div class="foot" role="contentinfo"><div class="foot-words"><b>{escape(paper.words.name)}</b>'
        f"<span>{escape(paper.words.tagline)}</span>"
        f"<small>© {paper.newest.year} {escape(paper.label('rights'))}</small></div>"
        f'<nav class="foot-links">{_links(_sections(paper))}</nav><nav class="foot-links">{_links(links)}</nav></div>\n'
    )


def _consent(paper: Newspaper) -> str:
    return (
        f'<form class="consent" method="dialog"><span>{escape(paper.label("cookies_text"))}</span>'
        f'<button type="button" class="choice">{escape(paper.label("cookies_accept"))}</button>'
        f'<button type="button" class="choice choice-plain">{escape(paper.label("cookies_settings"))}</button></form>\n'
    )


def _sections(paper: Newspaper) -> list[tuple[str, str]]:
    return [(section.name, section_path(section)) for section in paper.words.sections]


def _links(links: list[tuple[str, str]]) -> str:
    return "".join(f'<a href="{path}">{escape(name)}</a>' for name, path in links)
