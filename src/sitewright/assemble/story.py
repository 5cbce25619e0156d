"""The records of the pages of a story in, in their order, one record out: texts, pictures and lists joined."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sitewright.assemble.joined_text import joined_text
from sitewright.domains import Domain, kinds, load_domain
from sitewright.types import Photo, Record, Value
from sitewright.values.images import distinct_photos, picture_keys

MOST_PHOTOS = 20_000
"""Further pictures are left out of a record: no story is known with a twentieth of them."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """A story of several pages, and those of its pages that say nothing of their own."""

    record: Record
    repeats: tuple[str, ...] = ()


def assemble(pages: Sequence[Record]) -> Assembled:
    r"""Join the records of a story's pages; fields that are no lists are those of the first page that has them.

    >>> one = Record(site="example.com", urls=("https://example.com/a",), fields={"text": Value("First.", 0.9, "")})
    >>> two = replace(one, urls=("https://example.com/a/2",), fields={"text": Value("Second.", 0.9, "")})
    >>> story = assemble([one, two]).record
    >>> story.fields["text"].value, story.urls
    ('First.\nSecond.', ('https://example.com/a', 'https://example.com/a/2'))
    """
    domain = load_domain(pages[0].domain)
    kept: list[Record] = []
    repeats: list[str] = []
    lines: set[str] = set()
    pictures: set[str] = set()
    for page in pages:
        own_lines, own_pictures = _lines(page, domain), _pictures(page, domain)
        if kept and own_lines <= lines and own_pictures <= pictures:
            repeats.append(page.urls[0])
        else:
            kept.append(page)
            lines |= own_lines
            pictures |= own_pictures
    urls = tuple(dict.fromkeys(url for page in kept for url in page.urls))
    return Assembled(replace(kept[0], urls=urls, fields=_fields(kept, domain)), tuple(repeats))


def _lines(page: Record, domain: Domain) -> set[str]:
    value = page.fields.get(domain.main_text)
    return set(str(value.value).split("\n")) if value is not None else set()


def _pictures(page: Record, domain: Domain) -> set[str]:
    names = domain.fields_of_kind(kinds.IMAGES)
    return {key for name in names if name in page.fields for key in picture_keys(page.fields[name].value)}


def _fields(pages: Sequence[Record], domain: Domain) -> Mapping[str, Value]:
    names = dict.fromkeys(name for page in pages for name in page.fields)
    return {name: _joined(name, [page.fields[name] for page in pages if name in page.fields], domain) for name in names}


def _joined(name: str, values: Sequence[Value], domain: Domain) -> Value:
    first = values[0]
    if len(values) == 1:
        return first
    confidence = round(min(value.confidence for value in values), 4)
    if name == domain.main_text:
        return Value(joined_text([str(value.value) for value in values]), confidence, first.rule)
    if name in domain.fields_of_kind(kinds.IMAGES):
        photos = (photo for value in values for photo in photos_in(value.value))
        return Value(distinct_photos(photos)[:MOST_PHOTOS], confidence, first.rule)
    lists = [value.value for value in values if isinstance(value.value, list)]
    if len(lists) == len(values):
        return Value(_distinct(entry for several in lists for entry in several), first.confidence, first.rule)
    return first


def photos_in(value: object) -> list[Photo]:
    """Return the pictures of a field, in whatever form records and stores hold them."""
    several = value if isinstance(value, list | tuple) else []
    return [one if isinstance(one, Photo) else Photo(**one) for one in several if isinstance(one, Photo | dict)]


def _distinct(entries: Iterable[object]) -> list[object]:
    kept: list[object] = []
    for entry in entries:
        if entry not in kept:
            kept.append(entry)
    return kept
