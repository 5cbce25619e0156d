"""Bytes in, Document out: decoding, the tree, visible text, URLs, and what a page says about itself."""

from sitewright.parse.document import Document, parse
from sitewright.parse.jsonld import Json, JsonLd, read_jsonld, types_of
from sitewright.parse.metadata import PAGE_SOURCES, Fact, Metadata
from sitewright.parse.selectors import Found, Selector, check_selector, compile_selector, is_xpath
from sitewright.parse.signatures import clean_url, signature, signature_of_clean
from sitewright.parse.sites import is_of_site, owner_of
from sitewright.parse.text import (
    TITLE_SEPARATOR,
    clean_line,
    clean_lines,
    fold_words,
    visible_lines,
    visible_text,
    without,
)
from sitewright.parse.urls import absolute_url, days_in, host_of, normalise_url, url_id

__all__ = [
    "PAGE_SOURCES",
    "TITLE_SEPARATOR",
    "Document",
    "Fact",
    "Found",
    "Json",
    "JsonLd",
    "Metadata",
    "Selector",
    "absolute_url",
    "check_selector",
    "clean_line",
    "clean_lines",
    "clean_url",
    "compile_selector",
    "days_in",
    "fold_words",
    "host_of",
    "is_of_site",
    "is_xpath",
    "normalise_url",
    "owner_of",
    "parse",
    "read_jsonld",
    "signature",
    "signature_of_clean",
    "types_of",
    "url_id",
    "visible_lines",
    "visible_text",
    "without",
]
