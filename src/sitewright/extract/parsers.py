"""The value parsers by the names that map files use; a name with its version means the same for ever."""

from collections.abc import Mapping

from sitewright.extract.values.authors import parse_authors
from sitewright.extract.values.dates import parse_date
from sitewright.extract.values.images import parse_images
from sitewright.extract.values.lists import parse_list
from sitewright.extract.values.prices import parse_price
from sitewright.extract.values.texts import parse_line, parse_text
from sitewright.extract.values.urls import parse_url
from sitewright.extract.values.value import Parser, each

PARSERS: Mapping[str, Parser] = {
    "authors.v1": parse_authors,
    "date.v1": each(parse_date),
    "image.v1": parse_images,
    "line.v1": each(parse_line),
    "list.v1": parse_list,
    "price.v1": each(parse_price),
    "text.v1": parse_text,
    "url.v1": each(parse_url),
}
