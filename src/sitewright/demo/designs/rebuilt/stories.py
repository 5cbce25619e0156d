"""A story in, its page out: one template a kind."""

import json
from collections.abc import Iterable
from html import escape
from itertools import chain, groupby
from typing import NamedTuple

from sitewright.demo.designs.inline import linked_place, table
from sitewright.demo.designs.rebuilt import parts
from sitewright.demo.designs.rebuilt.frame import Frame, document, entitled
from sitewright.demo.newspaper import Newspaper, embed_path, picture_path, story_path
from sitewright.demo.story import Block, Bullets, Entry, Figure, Heading, Paragraph, Quote, Story, Table


class Piece(NamedTuple):
    """What stands in the column of the text: a part of it, or something else."""

    html: str
    is_text: bool = True


def draw_story(paper: Newspaper, story: Story) -> str:
    """Return the page of a story."""
    draw = {"article": _article, "gallery": _gallery, "video": _video, "live": _live}[story.kind]
    frame = Frame(title=story.headline, path=story_path(story), head=_head(paper, story), kind=story.kind)
    return document(paper, frame, draw(paper, story))


def draw_player(paper: Newspaper, story: Story) -> str:
    """Return the page in which a film plays: its poster, and a bar that runs."""
    picture = story.pictures[0]
    return (
        f'<!DOCTYPE html>\n<html lang="{paper.words.language}"><head><meta charset="{paper.words.charset}">'
        f'<meta name="robots" content="noindex"><title>{escape(story.headline)}</title>'
        "<style>body{margin:0;background:#000}img{width:100vw;height:100vh;object-fit:cover}"
        "hr{position:fixed;inset:auto auto 0 0;margin:0;border:3px solid #e4572e;animation:run 90s linear}"
        "@keyframes run{from{width:0}to{width:100vw}}</style></head>"
        f'<body><img src="{picture_path(picture, picture.width)}" alt=""><hr></body></html>\n'
    )


def _head(paper: Newspaper, story: Story) -> str:
    """Return what the page tells machines: enough to share it, and that this is a site."""
    image = paper.absolute(picture_path(story.pictures[0], 960)) if story.pictures else ""
    pairs = [
        ("og:site_name", paper.words.name),
        ("og:title", entitled(paper, story.headline)),
        ("og:description", story.subtitle),
        ("og:url", paper.absolute(story_path(story))),
        ("og:image", image),
    ]
    tags = "\n".join(f'<meta property="{name}" content="{escape(content)}">' for name, content in pairs if content)
    site = {"@context": "https://schema.org", "@type": "WebSite", "url": paper.absolute("/")}
    return f'{tags}\n<script type="application/ld+json">{json.dumps(site)}</script>'


def _layout(paper: Newspaper, story: Story, column: str) -> str:
    """Return the two columns: the story with what follows it, and who made it."""
    return (
        f'<div class="layout">\n<div class="column">\n{column}\n{parts.voices(paper, story)}\n'
        f"{parts.topics(paper, story)}</div>\n{parts.colophon(paper, story)}\n</div>"
    )


def _article(paper: Newspaper, story: Story) -> str:
    lead = parts.shot(story.lead, "hero") if story.lead else ""
    column = (
        f'{parts.opener(story, is_heading=False)}\n{lead}\n<div class="copy">\n{_copy(paper, story)}\n</div>\n'
        f"{parts.advert(paper, 'foot')}"
    )
    return _layout(paper, story, column)


def _copy(paper: Newspaper, story: Story) -> str:
    """Return the passages of an article, and between them what interrupts the reader."""
    pieces = [[_piece(block)] for block in story.body]
    pieces[0] = [Piece(linked_place(story, pieces[0][0].html))]
    paragraphs = [number for number, block in enumerate(story.body) if isinstance(block, Paragraph)]
    middle = parts.advert(paper, "middle") if story.number % 2 else parts.nudge(paper, story)
    pieces[paragraphs[-2]].append(Piece(parts.signup(paper), is_text=False))
    pieces[paragraphs[2]].append(Piece(parts.promo(paper, story), is_text=False))
    pieces[paragraphs[1]].append(Piece(middle, is_text=False))
    return _passages(chain.from_iterable(pieces))


def _text(blocks: Iterable[Block]) -> str:
    return _passages(map(_piece, blocks))


def _passages(pieces: Iterable[Piece]) -> str:
    """Return pieces with the text among them in sections."""
    runs = groupby((piece for piece in pieces if piece.html), key=lambda piece: piece.is_text)
    joined = ((is_text, "\n".join(piece.html for piece in run)) for is_text, run in runs)
    return "\n".join(f'<section class="passage">{html}</section>' if is_text else html for is_text, html in joined)


def _piece(block: Block) -> Piece:
    return Piece(_block(block), is_text=not isinstance(block, Figure))


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{escape(text, quote=False)}</p>"
        case Heading(text):
            return f"<h3>{escape(text, quote=False)}</h3>"
        case Quote(text):
            return f'<div class="pull">{escape(text, quote=False)}</div>'
        case Bullets(items):
            return f'<ul class="points">{"".join(f"<li>{escape(item)}</li>" for item in items)}</ul>'
        case Table(rows):
            return f'<div class="numbers">{table(rows)}</div>'
        case Figure(picture):
            return parts.shot(picture)


def _gallery(paper: Newspaper, story: Story) -> str:
    slides = "\n".join(f'<li class="slide">{parts.shot(picture, "slide")}</li>' for picture in story.photos)
    column = (
        f'{parts.opener(story)}\n<div class="copy">{_text(story.body)}</div>\n<ol class="slides">\n{slides}\n</ol>\n'
        f"{parts.signup(paper)}{parts.promo(paper, story)}"
    )
    return _layout(paper, story, column)


def _video(paper: Newspaper, story: Story) -> str:
    column = (
        f'{_film(paper, story)}\n{parts.opener(story)}\n<div class="copy">{_text(story.body)}</div>\n'
        f"{parts.advert(paper, 'film')}{parts.promo(paper, story)}"
    )
    return _layout(paper, story, column)


def _film(paper: Newspaper, story: Story) -> str:
    if story.lead is None:
        return ""
    still = picture_path(story.lead, story.lead.width)
    return (
        f'<div class="film"><a class="film-play" href="{embed_path(story)}">'
        f'<img class="film-still" src="{still}" width="{story.lead.width}" height="{story.lead.height}" alt="">'
        f"<span>{escape(paper.label('play'))}</span></a>{parts.legend(story.lead)}</div>"
    )


def _live(paper: Newspaper, story: Story) -> str:
    flag = f' <i class="badge badge-live">{escape(paper.label("live"))}</i>'
    points = "".join(
        f'<li><a href="#minute-{number}">{escape(_title(entry))}</a></li>' for number, entry in enumerate(story.entries)
    )
    minutes = "\n".join(_minute(entry, number) for number, entry in enumerate(story.entries))
    column = (
        f'{parts.opener(story, is_heading=False, flag=flag)}\n<div class="copy">{_text(story.body)}</div>\n'
        f'<div class="glance"><h4>{escape(paper.label("key_points"))}</h4><ol>{points}</ol></div>\n'
        f'<ol class="ticker">\n{minutes}\n</ol>'
    )
    return _layout(paper, story, column)


def _title(entry: Entry) -> str:
    return next(block.text for block in entry.blocks if isinstance(block, Heading))


def _minute(entry: Entry, number: int) -> str:
    return (
        f'<li class="minute" id="minute-{number}"><span class="clock">{entry.moment:%H:%M}</span>'
        f"{_text(entry.blocks)}</li>"
    )
