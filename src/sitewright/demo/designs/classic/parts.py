"""Parts of pages that several templates share: figures, bylines, cards, and the noise round a story."""

from html import escape

from sitewright.demo.designs.inline import headline, linked_bio, picture_image
from sitewright.demo.newspaper import Newspaper, author_path, portrait_path, section_path, story_path, tag_path
from sitewright.demo.story import Picture, Story


def caption(picture: Picture) -> str:
    """Return the words under a picture."""
    return (
        f'<figcaption><span class="figure__caption">{escape(picture.caption)}</span> '
        f'<span class="figure__credit">{escape(picture.credit)}</span></figcaption>'
    )


def figure(picture: Picture, variant: str = "inline") -> str:
    """Return a picture with its caption and credit."""
    return f'<figure class="figure figure--{variant}">{picture_image(picture)}{caption(picture)}</figure>'


def kicker(story: Story) -> str:
    """Return the sections of a story."""
    links = " ".join(
        f'<a class="kicker__link" href="{section_path(section)}">{escape(section.name)}</a>'
        for section in story.sections
    )
    return f'<p class="kicker">{links}</p>'


def breadcrumbs(paper: Newspaper, story: Story) -> str:
    """Return the way from the front page to a story."""
    section = story.sections[0]
    return (
        f'<nav class="crumbs"><a href="{paper.absolute("/")}">{escape(paper.label("home"))}</a> › '
        f'<a href="{section_path(section)}">{escape(section.name)}</a></nav>'
    )


def byline(paper: Newspaper, story: Story) -> str:
    """Return who wrote a story; some bylines are one plain sentence, as in print."""
    if not story.author_names:
        return ""
    is_plain = paper.words.plain_bylines and len(story.authors) > 1
    names = tuple(map(escape, story.author_names)) if is_plain else _marked_names(story)
    text = paper.words.byline.format(names=paper.words.list_gap.join(names))
    if story.desk:
        text = paper.words.byline_role.format(byline=text, desk=escape(story.desk))
    return f'<p class="byline">{text}</p>'


def _marked_names(story: Story) -> tuple[str, ...]:
    if story.agency:
        return (f'<span class="byline__name">{escape(story.agency)}</span>',)
    return tuple(
        f'<a class="byline__name" rel="author" href="{author_path(person)}?ref=byline">{escape(person.name)}</a>'
        for person in story.authors
    )


def tags(paper: Newspaper, story: Story) -> str:
    """Return the topics of a story."""
    items = "".join(f'<li><a rel="tag" href="{tag_path(tag)}">{escape(tag.name)}</a></li>' for tag in story.tags)
    return f'<div class="tags"><span>{escape(paper.label("tags"))}</span><ul>{items}</ul></div>'


def share(paper: Newspaper, story: Story) -> str:
    """Return the share buttons."""
    url = paper.absolute(story_path(story))
    buttons = "".join(
        f'<li><a rel="nofollow" href="https://{name.lower()}.example/share?url={escape(url)}">{name}</a></li>'
        for name in ("Chirp", "Facegram", "Pinwall")
    )
    mail = f'<li><a href="mailto:?body={escape(url)}">{escape(paper.label("mail"))}</a></li>'
    return f'<div class="share"><span>{escape(paper.label("share"))}</span><ul>{buttons}{mail}</ul></div>'


def related(paper: Newspaper, story: Story) -> str:
    """Return the box of related stories that stands inside the body, if there are any."""
    others = paper.related(story, 3)
    items = "".join(
        f'<li><a href="{story_path(other)}?ref=related">{escape(other.headline)}</a></li>' for other in others
    )
    return f'<aside class="related"><h3>{escape(paper.label("related"))}</h3><ul>{items}</ul></aside>' if others else ""


def read_also(paper: Newspaper, story: Story) -> str:
    """Return the one-line pointer between two paragraphs, if there is another story."""
    others = paper.related(story, 5)
    if not others:
        return ""
    link = f'<a href="{paper.absolute(story_path(others[-1]))}?utm_source=inline">{escape(others[-1].headline)}</a>'
    return f'<p class="read-also">{escape(paper.label("read_also"))} {link}</p>'


def newsletter(paper: Newspaper) -> str:
    """Return the newsletter teaser."""
    return (
        f'<div class="newsletter"><strong>{escape(paper.label("newsletter_title"))}</strong>'
        f"<p>{escape(paper.label('newsletter_text'))}</p>"
        f'<form action="/about/" method="get"><input type="email" name="mail" '
        f'placeholder="{escape(paper.label("newsletter_field"))}">'
        f'<button class="button">{escape(paper.label("newsletter_button"))}</button></form></div>'
    )


def advertisement(paper: Newspaper, slot: str) -> str:
    """Return an advertisement."""
    return (
        f'<div class="ad" data-slot="{slot}"><small>{escape(paper.label("advertisement"))}</small>'
        f'<a rel="sponsored" href="/about/?utm_source=house&amp;utm_medium=banner&amp;utm_campaign={slot}">'
        '<img src="/assets/banner.svg" width="600" height="150" alt=""></a></div>'
    )


def author_box(paper: Newspaper, story: Story) -> str:
    """Return the lines about whoever wrote the story."""
    people = "".join(
        f'<div class="bio"><img src="{portrait_path(person)}" width="72" height="72" alt="">'
        f"<p>{linked_bio(person)}</p></div>"
        for person in story.authors
    )
    return f'<section class="bios"><h2>{escape(paper.label("about_author"))}</h2>{people}</section>' if people else ""


def comments(paper: Newspaper, story: Story) -> str:
    """Return what readers wrote."""
    items = "".join(
        f'<li class="comment"><b class="comment__name">{escape(comment.name)}</b> '
        f'<time datetime="{comment.moment.isoformat()}">{paper.long_date(comment.moment)}</time>'
        f"<p>{escape(comment.text)}</p></li>"
        for comment in story.comments
    )
    title = f"{escape(paper.label('comments'))} ({len(story.comments)})"
    return f'<section class="comments" id="comments"><h2>{title}</h2><ol>{items}</ol></section>'


def card(paper: Newspaper, story: Story, size: str = "small", source: str = "") -> str:
    """Return a story as a card of an index page."""
    path = story_path(story) + (f"?utm_source={source}&amp;utm_medium=card" if source else "")
    picture = story.pictures[0] if story.pictures and size != "line" else None
    image = f'<a class="card__image" href="{path}" tabindex="-1">{picture_image(picture)}</a>' if picture else ""
    subtitle = f'<p class="card__text">{escape(story.subtitle)}</p>' if story.subtitle and size != "line" else ""
    mark = _mark(paper, story)
    return (
        f'<article class="card card--{size}">{image}<p class="card__kicker">{mark}{escape(story.sections[0].name)}</p>'
        f'<h3 class="card__title"><a class="card__link" href="{path}">{headline(story)}</a></h3>{subtitle}'
        f'<p class="card__date">{paper.long_date(story.published)}</p></article>'
    )


def _mark(paper: Newspaper, story: Story) -> str:
    names = {"gallery": "photos", "video": "video", "live": "live"}
    if story.kind == "article":
        return ""
    return f'<span class="card__mark card__mark--{story.kind}">{escape(paper.label(names[story.kind]))}</span> '
