"""A story in pictures in, its pages out: markup, data and the script by which a reader goes from picture to picture."""

import json
from collections.abc import Sequence
from html import escape

from sitewright.demo.dates import format_date
from sitewright.demo.story import Paragraph, Picture, Story
from sitewright.demo.words import Words

DATA = "data.json"
SCRIPT_PATH = "/assets/turning.js"
_ADVERTS = 3
_SCRIPT = """\
document.querySelectorAll('[data-photos]').forEach(stage => {
  const count = Number(stage.dataset.photos), find = name => stage.querySelector(name);
  let shown = 1;
  find('.stage__forward').onclick = async () => {
    shown = shown % count + 1;
    const photo = await (await fetch(`${location.pathname}data.json?page=${shown}`)).json();
    find('img').src = photo.src;
    find('.photo__caption').textContent = photo.caption;
    find('.photo__credit').textContent = photo.credit;
    find('.stage__count').textContent = `${shown}/${count}`;
  };
});
"""


def gallery_path(story: Story) -> str:
    """Return where a story begins."""
    return f"/photos/{story.published:%Y/%m}/{story.slug}-{story.number}/"


def picture_path(picture: Picture) -> str:
    """Return where a picture is."""
    return f"/media/{picture.slug}.png"


def turning_script() -> str:
    """Return the script that turns pictures."""
    return _SCRIPT


def photo_data(story: Story, number: int) -> str:
    """Return what the script asks for when it turns to a picture."""
    return json.dumps(_data(story.photos[number - 1]), ensure_ascii=False)


def front(name: str, words: Words, stories: Sequence[Story]) -> str:
    """Return the front page: a card a story."""
    cards = "".join(
        f'<article class="card"><h2><a href="{gallery_path(story)}">{escape(story.headline)}</a></h2>'
        f'<p class="card__date">{_date(words, story)}</p><p>{escape(story.subtitle)}</p></article>\n'
        for story in stories
    )
    return _document(name, words, name, f'<div class="cards">{cards}</div>')


def frame(name: str, words: Words, story: Story, stage: str) -> str:
    """Return a page of a story around what it shows."""
    first, *others = [f"<p>{escape(block.text)}</p>" for block in story.body if isinstance(block, Paragraph)]
    authors = escape(words.list_gap.join(story.author_names))
    main = (
        f'<article class="gallery"><h1>{escape(story.headline)}</h1><p class="gallery__deck">{escape(story.subtitle)}'
        f'</p><p class="gallery__by"><span class="gallery__author">{authors}</span> <time '
        f'datetime="{story.published.isoformat()}">{_date(words, story)}</time></p>{stage}\n'
        f'<div class="gallery__text">{first}{"".join(others)}</div></article>'
    )
    return _document(name, words, story.headline, main)


def linked(story: Story, number: int) -> str:
    """Return one picture, with numbered links to the others, or one to the next alone."""
    last = len(story.photos)
    if story.number // 10 % 2:  # galleries are every tenth story
        links = "".join(_link(story, n, str(n)) if n != number else f"<b>{n}</b> " for n in range(1, last + 1))
    else:
        links = _link(story, number + 1, "Next ›") if number < last else ""
    return f'<div class="stage">{_figure(story.photos[number - 1])}{_advert(story)}<nav>{links}</nav></div>'


def with_state(story: Story, _number: int) -> str:
    """Return the first picture, and all as JSON in a script."""
    first, *others = map(_data, story.photos)
    slides = [first, {"src": _advert_path(story), "caption": "", "credit": ""}, *others]
    state = json.dumps({"story": story.number, "slides": slides}, ensure_ascii=False).replace("<", "\\u003c")
    return f'<div class="stage">{_figure(story.photos[0])}</div><script>window.__GALLERY__ = {state};</script>'


def turned(story: Story, _number: int) -> str:
    """Return the first picture, with a button by which a script turns to the next."""
    return (
        f'<div class="stage" data-photos="{len(story.photos)}">{_figure(story.photos[0])}'
        f'<button class="stage__forward" aria-label="Next picture">›</button> '
        f'<span class="stage__count">1/{len(story.photos)}</span>{_advert(story)}</div>'
        f'<script src="{SCRIPT_PATH}"></script>'
    )


def _advert(story: Story) -> str:
    """Return an advert that looks like a picture of the story."""
    return f'<figure class="photo"><a href="/partners/"><img src="{_advert_path(story)}" alt=""></a></figure>'


def _advert_path(story: Story) -> str:
    return f"/media/partner-{story.number % _ADVERTS}.png"


def _link(story: Story, number: int, text: str) -> str:
    address = gallery_path(story) + (f"?page={number}" if number > 1 else "")
    return f'<a href="{address}">{text}</a> '


def _figure(photo: Picture) -> str:
    return (
        f'<figure class="photo"><img src="{picture_path(photo)}" alt=""><figcaption>'
        f'<span class="photo__caption">{escape(photo.caption)}</span> '
        f'<span class="photo__credit">{escape(photo.credit)}</span></figcaption></figure>'
    )


def _data(photo: Picture) -> dict[str, str]:
    return {"src": picture_path(photo), "caption": photo.caption, "credit": photo.credit}


def _date(words: Words, story: Story) -> str:
    return format_date(words.calendar, words.calendar.long, story.published)


def _document(name: str, words: Words, title: str, main: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="{words.language}"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title></head>"
        f'<body><header class="masthead"><a href="/"><img src="/media/masthead.png" width="320" height="320" '
        f'alt="{escape(name)}"></a></header>\n<main>{main}</main>\n'
        f"<footer>{escape(words.labels['rights'])}</footer></body></html>\n"
    )
