"""The names of the value parsers, as map files may use them; `extract/` implements them."""

PARSER_NAMES = (
    "authors.v1",
    "date.v1",
    "image.v1",
    "line.v1",
    "list.v1",
    "price.v1",
    "text.v1",
    "url.v1",
)
