"""Facts in, markup without a class out: what every design writes alike."""

from collections.abc import Sequence
from html import escape

from sitewright.demo.newspaper import author_path, picture_path, tag_path
from sitewright.demo.pictures import widths
from sitewright.demo.story import Person, Picture, Story


def headline(story: Story) -> str:
    """Return the headline with its emphasis, and with punctuation as entities."""
    text = escape(story.headline).replace("—", "&mdash;").replace("’", "&rsquo;")
    emphasis = escape(story.emphasis)
    return text.replace(emphasis, f"<em>{emphasis}</em>", 1) if emphasis else text


def source_set(picture: Picture) -> str:
    """Return the renditions of a picture, as in `srcset`."""
    return ", ".join(f"{picture_path(picture, width)} {width}w" for width in widths(picture))


def picture_image(picture: Picture) -> str:
    """Return a picture as a plain responsive image."""
    return (
        f'<img src="{picture_path(picture, 480)}" srcset="{source_set(picture)}" '
        f'sizes="(min-width: 60em) 44rem, 100vw" width="{picture.width}" height="{picture.height}" '
        f'alt="{escape(picture.caption)}">'
    )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table; its first row is its head."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>\n" for row in rows[1:])
    return f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"


def linked_place(story: Story, html: str) -> str:
    """Link the story's place where it is first named."""
    place = escape(story.place)
    return html.replace(place, f'<a href="{tag_path(story.tags[0])}">{place}</a>', 1)


def linked_bio(person: Person) -> str:
    """Return what is to be known of a person, with a link at the name."""
    name = escape(person.name)
    return escape(person.bio).replace(name, f'<a href="{author_path(person)}">{name}</a>', 1)
