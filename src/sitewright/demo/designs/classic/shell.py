"""The main part of a page in, the whole page out: head, masthead, navigation, cookie banner, footer."""

from dataclasses import dataclass
from html import escape

from sitewright.demo.dates import format_date
from sitewright.demo.newspaper import KIND_PATHS, Newspaper, section_path


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a page says in its head."""

    path: str
    title: str = ""
    head: str = ""
    base: str = ""
    kind: str = "index"


def document(paper: Newspaper, frame: Frame, main: str) -> str:
    """Wrap the main part of a page into the site's frame."""
    return (
        f'<!DOCTYPE html>\n<html lang="{paper.words.language}" dir="{paper.words.direction}">\n'
        f'{_head(paper, frame)}<body class="is-{frame.kind}">\n{_banner(paper)}{_masthead(paper)}'
        f'<main class="page" id="main">\n{main}\n</main>\n{_footer(paper)}{_scripts(frame)}</body>\n</html>\n'
    )


def _head(paper: Newspaper, frame: Frame) -> str:
    title = " | ".join(filter(None, (frame.title, paper.words.name)))
    base = f'<base href="{escape(frame.base)}">\n' if frame.base else ""
    return (
        f'<head>\n<meta charset="{paper.words.charset}">\n{base}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        f'<link rel="canonical" href="{escape(paper.absolute(frame.path))}">\n'
        f'<link rel="alternate" type="application/rss+xml" href="{paper.absolute("/feed.xml")}">\n'
        '<link rel="icon" type="image/png" href="/assets/icon.png">\n'
        f'<link rel="stylesheet" href="/assets/site.css">\n{frame.head}\n</head>\n'
    )


def _banner(paper: Newspaper) -> str:
    return (
        f'<div class="cookies" role="dialog" aria-live="polite"><p>{escape(paper.label("cookies_text"))}</p>'
        f'<button class="button" data-dismiss>{escape(paper.label("cookies_accept"))}</button>'
        f'<button class="button button--quiet" data-dismiss>{escape(paper.label("cookies_settings"))}</button></div>\n'
    )


def _masthead(paper: Newspaper) -> str:
    today = format_date(paper.words.calendar, paper.words.calendar.day, paper.newest)
    sections = [(section.name, section_path(section)) for section in paper.words.sections]
    kinds = [(paper.label(path.strip("/")), path) for path in KIND_PATHS.values()]
    menu = _items([(paper.label("latest"), "/latest/"), *sections, *kinds])
    return (
        f'<header class="masthead"><div class="masthead__bar"><span>{escape(today)}</span>'
        f'<a href="/about/">{escape(paper.label("subscribe"))}</a></div>\n'
        f'<a class="masthead__name" href="/">{escape(paper.words.name)}</a>\n'
        f'<p class="masthead__tagline">{escape(paper.words.tagline)}</p>\n'
        f'<nav class="menu"><ul>{menu}</ul></nav></header>\n'
    )


def _items(links: list[tuple[str, str]]) -> str:
    return "".join(f'<li><a href="{path}">{escape(name)}</a></li>' for name, path in links)


def _footer(paper: Newspaper) -> str:
    links = [(paper.label("about"), "/about/"), ("RSS", "/feed.xml"), (paper.label("latest"), "/latest/")]
    sections = [(section.name, section_path(section)) for section in paper.words.sections]
    return (
        f'<footer class="footer"><a class="footer__name" href="/">{escape(paper.words.name)}</a>'
        f"<ul>{_items(sections)}</ul><ul>{_items(links)}</ul>"
        f"<p>© {paper.newest.year} {escape(paper.words.name)}. {escape(paper.label('rights'))}</p></footer>\n"
    )


def _scripts(frame: Frame) -> str:
    return (
        f'<script>window.dataLayer=window.dataLayer||[];dataLayer.push({{"page":"{frame.kind}"}});</script>\n'
        '<script src="/assets/site.js" defer></script>\n'
        '<noscript><img src="/assets/pixel.png" width="1" height="1" alt=""></noscript>\n'
    )
