"""Parts of pages that several templates share: pictures, teasers, credits, and what stands between passages."""

from datetime import datetime
from html import escape

from sitewright.demo.designs.inline import headline, linked_bio, picture_image
from sitewright.demo.newspaper import (
    Newspaper,
    author_path,
    picture_path,
    portrait_path,
    section_path,
    story_path,
    tag_path,
)
from sitewright.demo.story import Picture, Story


def shot(picture: Picture, size: str = "wide") -> str:
    """Return a picture that opens in full, and its words."""
    return (
        f'<div class="shot shot-{size}"><a class="shot-full" href="{picture_path(picture, picture.width)}">'
        f"{picture_image(picture)}</a>{legend(picture)}</div>"
    )


def legend(picture: Picture) -> str:
    """Return the words under a picture."""
    return (
        f'<div class="legend"><span class="legend-words">{escape(picture.caption)}</span> '
        f'<span class="legend-source">{escape(picture.credit)}</span></div>'
    )


def opener(story: Story, *, is_heading: bool = True, flag: str = "") -> str:
    """Return what a story begins with: its sections, headline and subtitle; some headlines are no heading element."""
    desks = " ".join(f'<a href="{section_path(section)}">{escape(section.name)}</a>' for section in story.sections)
    start, end = ("h2", "h2") if is_heading else ('div role="heading" aria-level="1"', "div")
    intro = f'<div class="intro">{escape(story.subtitle)}</div>' if story.subtitle else ""
    return (
        f'<div class="opener"><div class="desks">{desks}{flag}</div>\n'
        f'<{start} class="headline">{headline(story)}</{end}>\n{intro}</div>'
    )


def colophon(paper: Newspaper, story: Story) -> str:
    """Return who made a story and when: a column beside the text."""
    return (
        f'<aside class="colophon">{_written(paper, story)}{_facts(paper, story)}{_writers(story)}'
        f"{_spread(paper, story)}</aside>"
    )


def _written(paper: Newspaper, story: Story) -> str:
    """Return the byline; some are one plain sentence, as in print."""
    if not story.author_names:
        return ""
    is_plain = paper.words.plain_bylines and len(story.authors) > 1
    names = tuple(map(escape, story.author_names)) if is_plain else _marked_names(story)
    text = paper.words.byline.format(names=paper.words.list_gap.join(names))
    if story.desk:
        text = paper.words.byline_role.format(byline=text, desk=escape(story.desk))
    return f'<div class="written">{text}</div>'


def _marked_names(story: Story) -> tuple[str, ...]:
    if story.agency:
        return (f"<b>{escape(story.agency)}</b>",)
    return tuple(f'<a href="{author_path(person)}">{escape(person.name)}</a>' for person in story.authors)


def _facts(paper: Newspaper, story: Story) -> str:
    released = _fact(paper, "published", "released", story.published)
    revised = _fact(paper, "updated", "revised", story.modified) if story.modified else ""
    return f'<dl class="facts">{released}{revised}</dl>'


def _fact(paper: Newspaper, label: str, css_class: str, moment: datetime) -> str:
    return (
        f'<dt>{escape(paper.label(label))}</dt><dd class="{css_class}" data-moment="{moment.isoformat()}">'
        f"{escape(paper.long_date(moment))}</dd>"
    )


def _writers(story: Story) -> str:
    return "".join(
        f'<div class="writer"><img src="{portrait_path(person)}" width="72" height="72" alt="">'
        f"<div>{linked_bio(person)}</div></div>"
        for person in story.authors
    )


def _spread(paper: Newspaper, story: Story) -> str:
    url = paper.absolute(story_path(story))
    buttons = "".join(
        f'<a rel="nofollow" href="https://{name.lower()}.example/share?url={escape(url)}">{name}</a>'
        for name in ("Chirp", "Facegram", "Pinwall")
    )
    mail = f'<a href="mailto:?body={escape(url)}">{escape(paper.label("mail"))}</a>'
    return f'<div class="spread"><span>{escape(paper.label("share"))}</span>{buttons}{mail}</div>'


def topics(paper: Newspaper, story: Story) -> str:
    """Return the topics of a story."""
    links = " ".join(f'<a href="{tag_path(tag)}">{escape(tag.name)}</a>' for tag in story.tags)
    return f'<nav class="topics"><h4>{escape(paper.label("tags"))}</h4>{links}</nav>'


def promo(paper: Newspaper, story: Story) -> str:
    """Return the box of other stories that stands between passages, if there are any."""
    others = paper.related(story, 3)
    links = "".join(f'<a href="{story_path(other)}">{escape(other.headline)}</a>' for other in others)
    return f'<div class="promo"><h4>{escape(paper.label("related"))}</h4>{links}</div>' if others else ""


def nudge(paper: Newspaper, story: Story) -> str:
    """Return the pointer to one other story, if there is one."""
    others = paper.related(story, 5)
    if not others:
        return ""
    link = f'<a href="{story_path(others[-1])}">{escape(others[-1].headline)}</a>'
    return f'<div class="nudge"><span>{escape(paper.label("read_also"))}</span> {link}</div>'


def signup(paper: Newspaper) -> str:
    """Return the invitation to the newsletter."""
    return (
        f'<form class="signup" action="/about/" method="get"><h4>{escape(paper.label("newsletter_title"))}</h4>'
        f"<div>{escape(paper.label('newsletter_text'))}</div>"
        f'<input type="email" name="mail" placeholder="{escape(paper.label("newsletter_field"))}">'
        f'<button class="choice">{escape(paper.label("newsletter_button"))}</button></form>'
    )


def advert(paper: Newspaper, slot: str) -> str:
    """Return an advertisement."""
    return (
        f'<div class="advert" data-slot="{slot}"><a rel="sponsored" href="/about/?utm_campaign={slot}">'
        '<img src="/assets/banner.svg" width="600" height="150" alt=""></a>'
        f"<span>{escape(paper.label('advertisement'))}</span></div>"
    )


def voices(paper: Newspaper, story: Story) -> str:
    """Return what readers wrote."""
    items = "".join(
        f'<div class="voice"><b>{escape(comment.name)}</b> '
        f'<time datetime="{comment.moment.isoformat()}">{paper.long_date(comment.moment)}</time>'
        f"<div>{escape(comment.text)}</div></div>"
        for comment in story.comments
    )
    return f'<div class="voices"><h4>{escape(paper.label("comments"))} ({len(story.comments)})</h4>{items}</div>'


def popular(paper: Newspaper) -> str:
    """Return a short list in an order that is not that of time."""
    links = "".join(
        f'<li><a href="{story_path(story)}?at=popular">{escape(story.headline)}</a></li>'
        for story in paper.most_read(5)
    )
    return f'<div class="popular"><h4>{escape(paper.label("most_read"))}</h4><ol>{links}</ol></div>'


def teaser(paper: Newspaper, story: Story, size: str) -> str:
    """Return a story as index pages show it: all of it is one link."""
    image = f'<span class="teaser-picture">{picture_image(story.pictures[0])}</span>' if story.pictures else ""
    blurb = f'<span class="teaser-blurb">{escape(story.subtitle)}</span>' if story.subtitle else ""
    return (
        f'<a class="teaser teaser-{size}" href="{story_path(story)}">{image}<span class="teaser-words">'
        f'<span class="teaser-desk">{escape(story.sections[0].name)}{_badge(paper, story)}</span>'
        f'<strong class="teaser-headline">{headline(story)}</strong>{blurb}'
        f'<span class="teaser-time">{paper.long_date(story.published)}</span></span></a>'
    )


def _badge(paper: Newspaper, story: Story) -> str:
    names = {"gallery": "photos", "video": "video", "live": "live"}
    if story.kind == "article":
        return ""
    return f' <i class="badge badge-{story.kind}">{escape(paper.label(names[story.kind]))}</i>'
