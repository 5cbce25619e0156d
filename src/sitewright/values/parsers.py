"""The value parsers by the names that map files use; a name with its version means the same for ever."""

from collections.abc import Mapping

from sitewright.values.authors import parse_authors
from sitewright.values.codes import parse_code, parse_gtin
from sitewright.values.dates import parse_date
from sitewright.values.images import parse_images
from sitewright.values.lists import parse_list
from sitewright.values.numbers import parse_number
from sitewright.values.prices import parse_price
from sitewright.values.texts import parse_line, parse_text
from sitewright.values.urls import parse_url
from sitewright.values.value import Parser, each

PARSERS: Mapping[str, Parser] = {
    "authors.v1": parse_authors,
    "code.v1": each(parse_code),
    "date.v1": each(parse_date),
    "gtin.v1": each(parse_gtin),
    "image.v1": parse_images,
    "line.v1": each(parse_line),
    "list.v1": parse_list,
    "number.v1": each(parse_number),
    "price.v1": each(parse_price),
    "text.v1": parse_text,
    "url.v1": each(parse_url),
}
