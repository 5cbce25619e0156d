"""A story in, its page out: one template a kind."""

from datetime import datetime
from html import escape

from sitewright.demo.dates import format_date
from sitewright.demo.designs.classic import parts
from sitewright.demo.designs.classic.metadata import is_broken, iso, json_ld, meta_tags
from sitewright.demo.designs.classic.shell import Frame, document
from sitewright.demo.designs.inline import headline, linked_place, source_set, table
from sitewright.demo.newspaper import Newspaper, embed_path, picture_path, story_path
from sitewright.demo.story import Block, Bullets, Entry, Figure, Heading, Paragraph, Picture, Quote, Story, Table

PLACEHOLDER = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E"


def draw_story(paper: Newspaper, story: Story) -> str:
    """Return the page of a story."""
    draw = {"article": _article, "gallery": _gallery, "video": _video, "live": _live}[story.kind]
    frame = Frame(
        title=story.headline,
        path=story_path(story),
        head=f"{meta_tags(paper, story)}\n{json_ld(paper, story)}",
        base=paper.absolute("/video/") if story.kind == "video" else "",
        kind=story.kind,
    )
    return document(paper, frame, draw(paper, story))


def draw_player(paper: Newspaper, story: Story) -> str:
    """Return the page in which a film plays: its poster, slowly moving."""
    picture = story.pictures[0]
    return (
        f'<!DOCTYPE html>\n<html lang="{paper.words.language}"><head><meta charset="{paper.words.charset}">'
        f'<meta name="robots" content="noindex"><title>{escape(story.headline)}</title>'
        "<style>body{margin:0;overflow:hidden;background:#000}img{width:100vw;height:100vh;object-fit:cover;"
        "animation:pan 40s alternate infinite}@keyframes pan{to{transform:scale(1.25)}}</style></head>"
        f'<body><img src="{picture_path(picture, picture.width)}" alt=""></body></html>\n'
    )


def _article(paper: Newspaper, story: Story) -> str:
    lead = parts.figure(story.lead, "lead") if story.lead else ""
    subtitle = f'<p class="story__standfirst">{escape(story.subtitle)}</p>' if story.subtitle else ""
    return (
        f'<article class="story">\n<header class="story__head">{parts.breadcrumbs(paper, story)}{parts.kicker(story)}\n'
        f'<h1 class="story__title">{headline(story)}</h1>\n{subtitle}\n'
        f"{parts.byline(paper, story)}\n{_dates(paper, story)}{parts.share(paper, story)}</header>\n{lead}\n"
        f'<div class="story__body">\n{_body(paper, story)}\n</div>\n'
        f"{parts.tags(paper, story)}{parts.author_box(paper, story)}{parts.advertisement(paper, 'foot')}"
        f"{parts.comments(paper, story)}</article>"
    )


def _dates(paper: Newspaper, story: Story) -> str:
    """Return the dates as people read them; most pages add them for machines, the others have them in JSON-LD."""
    is_bare = story.number % 7 == 3 and not is_broken(story)
    dates = [("published", "story__date", story.published), ("updated", "story__updated", story.modified)]
    shown = " · ".join(
        f'{escape(paper.label(name))} <time class="{css_class}"{"" if is_bare else f" datetime={iso(moment)!r}"}>'
        f"{escape(paper.long_date(moment))}</time>"
        for name, css_class, moment in dates
        if moment
    )
    return f'<p class="story__dates">{shown}</p>'


def _body(paper: Newspaper, story: Story) -> str:
    """Return the blocks of the body with the noise that real sites put between them."""
    pieces = [_block(block) for block in story.body]
    pieces[0] = linked_place(story, pieces[0])
    paragraphs = [number for number, block in enumerate(story.body) if isinstance(block, Paragraph)]
    pieces[paragraphs[-2]] += parts.newsletter(paper)
    pieces[paragraphs[2]] += parts.related(paper, story)
    pieces[paragraphs[1]] += parts.advertisement(paper, "middle") if story.number % 2 else parts.read_also(paper, story)
    return "\n".join(pieces)


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{escape(text, quote=False)}</p>"
        case Heading(text):
            return f"<h2>{escape(text, quote=False)}</h2>"
        case Quote(text):
            return f"<blockquote><p>{escape(text, quote=False)}</p></blockquote>"
        case Bullets(items):
            return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>"
        case Table(rows):
            return table(rows)
        case Figure(picture):
            return parts.figure(picture)


def _gallery(paper: Newspaper, story: Story) -> str:
    authors = paper.words.list_gap.join(
        f'<span itemprop="author" itemscope itemtype="https://schema.org/Person">'
        f'<span class="gallery__author" itemprop="name">{escape(name)}</span></span>'
        for name in story.author_names
    )
    photos = "\n".join(_photo(picture, place) for place, picture in enumerate(story.photos, start=1))
    modified = f'<meta itemprop="dateModified" content="{iso(story.modified)}">' if story.modified else ""
    return (
        f'<section class="gallery" itemscope itemtype="https://schema.org/ImageGallery">\n{parts.kicker(story)}\n'
        f'<h1 class="gallery__title" itemprop="headline">{headline(story)}</h1>\n'
        f'<p class="gallery__deck" itemprop="alternativeHeadline">{escape(story.subtitle)}</p>\n'
        f'<p class="gallery__by">{paper.words.byline.format(names=authors)}, {paper.long_date(story.published)}</p>'
        f'<meta itemprop="datePublished" content="{iso(story.published)}">{modified}\n'
        f'<div class="gallery__intro" itemprop="text">{"".join(map(_block, story.body))}</div>\n'
        f"{parts.share(paper, story)}\n<div class='gallery__photos'>\n{photos}\n</div>\n"
        f"{parts.tags(paper, story)}{parts.newsletter(paper)}{parts.related(paper, story)}"
        f"{parts.comments(paper, story)}</section>"
    )


def _photo(picture: Picture, place: int) -> str:
    full = picture_path(picture, picture.width)
    return (
        f'<figure class="gallery__photo" id="photo-{place}">'
        f'<img class="lazy" src="{PLACEHOLDER}" data-src="{full}" data-srcset="{source_set(picture)}" '
        f'width="{picture.width}" height="{picture.height}" alt="">'
        f'<noscript><img src="{full}" alt="{escape(picture.caption)}"></noscript>{parts.caption(picture)}</figure>'
    )


def _video(paper: Newspaper, story: Story) -> str:
    """Return a film's page; its links are relative to its `base`, its date has neither zone nor markup."""
    names = paper.words.list_gap.join(
        f'<span class="clip__author">{escape(name)}</span>' for name in story.author_names
    )
    updated = (
        f' · {escape(paper.label("updated"))} <span class="clip__updated">{_short_date(paper, story.modified)}</span>'
        if story.modified
        else ""
    )
    return (
        f'<div class="clip">\n{parts.kicker(story)}<h1 class="clip__title">{headline(story)}</h1>\n'
        f"{_player(paper, story)}\n"
        f'<p class="clip__deck">{escape(story.subtitle)}</p>\n<p class="clip__meta">{escape(paper.label("video_by"))} '
        f'{names} · <span class="clip__date">{_short_date(paper, story.published)}</span>'
        f'{updated}</p>\n<div class="clip__text">{"".join(map(_block, story.body))}{parts.advertisement(paper, "clip")}'
        f"</div>\n{parts.share(paper, story)}{parts.tags(paper, story)}{parts.related(paper, story)}"
        f"{parts.comments(paper, story)}</div>"
    )


def _short_date(paper: Newspaper, moment: datetime) -> str:
    return format_date(paper.words.calendar, paper.words.calendar.short, moment)


def _player(paper: Newspaper, story: Story) -> str:
    if story.lead is None:
        return ""
    poster = f"..{picture_path(story.lead, story.lead.width)}"
    return (
        f'<div class="player"><a class="player__link" href="..{embed_path(story)}">'
        f'<img class="player__poster" src="{poster}" width="{story.lead.width}" height="{story.lead.height}" alt="">'
        f'<span class="player__button">{escape(paper.label("play"))}</span></a>'
        f'<p class="player__caption">{escape(story.lead.caption)}</p>'
        f'<p class="player__credit">{escape(story.lead.credit)}</p></div>'
    )


def _live(paper: Newspaper, story: Story) -> str:
    points = "".join(
        f'<li><a href="#update-{number}">{escape(_title(entry))}</a></li>' for number, entry in enumerate(story.entries)
    )
    entries = "\n".join(_entry(entry, number) for number, entry in enumerate(story.entries))
    flag = f'<span class="live__flag">{escape(paper.label("live"))}</span>'
    return (
        f'<div class="live">\n<header>{parts.kicker(story)}{flag}\n'
        f'<h1 class="live__title">{headline(story)}</h1>\n<p class="live__deck">{escape(story.subtitle)}</p>\n'
        f"{parts.byline(paper, story)}{_dates(paper, story)}</header>\n"
        f'<div class="live__lead">{"".join(map(_block, story.body))}</div>\n'
        f'<aside class="live__points"><h2>{escape(paper.label("key_points"))}</h2><ul>{points}</ul></aside>\n'
        f'<div class="live__feed">\n{entries}\n</div>\n{parts.share(paper, story)}{parts.tags(paper, story)}'
        f"{parts.author_box(paper, story)}{parts.comments(paper, story)}</div>"
    )


def _title(entry: Entry) -> str:
    return next(block.text for block in entry.blocks if isinstance(block, Heading))


def _entry(entry: Entry, number: int) -> str:
    blocks = "\n".join(_block(block) for block in entry.blocks)
    return (
        f'<section class="live__entry" id="update-{number}"><time class="live__time" datetime="{iso(entry.moment)}">'
        f"{entry.moment:%H:%M}</time>\n{blocks}</section>"
    )
