"""Bytes in, Document out: decoding, the tree, visible text, URLs, and what a page says about itself."""

from sitewright.parse.document import Document, parse
from sitewright.parse.jsonld import Json, JsonLd, read_jsonld, types_of
from sitewright.parse.metadata import PAGE_SOURCES, Fact, Metadata
from sitewright.parse.selectors import Found, Selector, check_selector, compile_selector, is_xpath
from sitewright.parse.signatures import clean_url, signature, signature_of_clean
from sitewright.parse.text import (
    TITLE_SEPARATOR,
    clean_line,
    clean_lines,
    fold_words,
    visible_lines,
    visible_text,
    without,
)
from sitewright.parse.urls import absolute_url, days_in, host_of, is_of_site, normalise_url, site_of_host, url_id

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
    "parse",
    "read_jsonld",
    "signature",
    "signature_of_clean",
    "site_of_host",
    "types_of",
    "url_id",
    "visible_lines",
    "visible_text",
    "without",
]
