"""A record in, out the same with what a Python program does with records: values by name, JSON, Markdown."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from typing import Any, Self

from sitewright import types
from sitewright.domains import kinds, load_domain
from sitewright.errors import DomainError
from sitewright.output.markdown import markdown_of
from sitewright.output.rows import row_of
from sitewright.parse import parse
from sitewright.reading.body import read_body
from sitewright.types import Photo
from sitewright.values.as_json import json_of, plain_of
from sitewright.values.words import short, value_line

_SHOWN, _SHORT = 3, 40


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Record(types.Record):
    """What was read from one page.

    `record["title"]` is a value, `record.get("title")` the same or None, `record.fields["title"]` the value with its
    confidence and the rule that gave it. Which fields there are says the domain (docs/fields.md).
    """

    page: types.Page | None = field(default=None, compare=False)
    """What it was read from, where that is at hand."""

    @classmethod
    def of(cls, record: types.Record, page: types.Page | None = None) -> Self:
        """Return a record of the package's stages (`Extractor`, `PageReader`, stores) as one of these."""
        known = {own.name: getattr(record, own.name) for own in fields(types.Record)}
        return cls(**known, page=page)

    @property
    def url(self) -> str:
        """The address of the page; empty where it is not known."""
        return self.urls[0] if self.urls else ""

    def __getitem__(self, name: str) -> Any:
        """Return the value of a field."""
        if name not in self.fields:
            raise KeyError(f"the record has no {name}; it has {', '.join(self.fields) or 'no fields'}")
        return self.fields[name].value

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a field, or something else where the page has none."""
        return self.fields[name].value if name in self.fields else default

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the fields."""
        return iter(self.fields)

    def keys(self) -> list[str]:
        """Return the names of the fields; with it `dict(record)` is all values."""
        return list(self.fields)

    def to_dict(self, *, explain: bool = False) -> dict[str, Any]:
        """Return what a line of the JSONL output holds: texts, numbers, lists and objects; dates in ISO 8601.

        With `explain` also the id of the record, and by which rule each value was read.
        """
        row: dict[str, Any] = plain_of(row_of(self, explain=explain))
        return row

    def to_json(self, *, explain: bool = False) -> str:
        """Return a line of the JSONL output, without its line break."""
        return json_of(row_of(self, explain=explain)).decode("utf-8")

    def to_markdown(self) -> str:
        """Return it as a Markdown document: facts as front matter, then title, text and pictures.

        Headings, lists, tables, quotes, links and pictures stand where the page has them; of a record out of a store,
        whose page is not at hand, the text is paragraphs.
        """
        body = read_body(parse(self.page), self) if self.page is not None else None
        return markdown_of(self.to_dict(), self.domain, body)

    def __repr__(self) -> str:
        """Show the address and the first values, not the whole text."""
        shown = [f"{name}={short(value_line(plain_of(self[name])), _SHORT)!r}" for name in self.keys()[:_SHOWN]]
        if len(self.fields) > _SHOWN:
            shown.append(f"{len(self.fields) - _SHOWN} more")
        return f"<Record {self.url or 'without address'}: {', '.join(shown) or 'nothing found'}>"


def restored(record: types.Record) -> Record:
    """Return a record out of a store with the values that it had before: dates and pictures, not their JSON."""
    try:
        known = load_domain(record.domain).fields
    except DomainError:  # the file that described it is gone
        return Record.of(record)
    values = {
        name: replace(value, value=_RESTORE[known[name].kind](value.value))
        if name in known and known[name].kind in _RESTORE
        else value
        for name, value in record.fields.items()
    }
    return Record.of(replace(record, fields=values))


def _moment(value: object) -> object:
    """Return the date or moment that a text states; what states none stays as it is.

    >>> _moment("2024-05-06"), _moment("2024-05-06T10:30:00+00:00").hour, _moment("today")
    (datetime.date(2024, 5, 6), 10, 'today')
    """
    try:
        text = str(value)
        return date.fromisoformat(text) if len(text) == len("2024-05-06") else datetime.fromisoformat(text)
    except ValueError:
        return value


def _pictures(value: object) -> object:
    if not isinstance(value, list):
        return value
    known = {own.name for own in fields(Photo)}
    return [
        Photo(**image) if isinstance(image, Mapping) and "url" in image and image.keys() <= known else image
        for image in value
    ]


_RESTORE: Mapping[str, Callable[[object], object]] = {kinds.DATE: _moment, kinds.IMAGES: _pictures}
