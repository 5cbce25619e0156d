"""HTML as a person has it (text, bytes, a file, pairs, archives) in, Pages out; an error says what else it is."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, TypeGuard

from sitewright.errors import UsageError
from sitewright.fetch.archive import (
    LINE_SUFFIXES,
    PAGE_SUFFIXES,
    WARC_SUFFIXES,
    FilePlace,
    PagePlace,
    Place,
    open_archive,
)
from sitewright.types import Page

Html = str | bytes | bytearray | os.PathLike[str] | IO[str] | IO[bytes] | Page
"""A page: its HTML as text or bytes, the path of its file, an open file, or a Page."""
Pages = str | os.PathLike[str] | Mapping[str, Html] | Iterable[Html | tuple[str, Html] | Mapping[str, Any]]
"""Many: the path of a folder, a web archive or a JSONL file; a mapping of addresses to HTML; or one after the other."""
_ADDRESS = re.compile(r"\s*(?:https?://|www\.)\S+\s*", re.IGNORECASE)
_FILES = (*PAGE_SUFFIXES, *LINE_SUFFIXES, *WARC_SUFFIXES, ".gz", ".xz")
_LONGEST_PATH = 1_000
_SHOWN = 60


def page_of(html: Html, url: str = "", *, call: str = "read") -> Page:
    """Return the page that a person means; `call` is the function that they called, which errors name.

    >>> page_of("<h1>Hello</h1>", "https://example.com/").body
    '<h1>Hello</h1>'
    """
    if not isinstance(url, str):
        raise UsageError(f"the url of {call}() is a str, not {type(url).__name__}")
    if isinstance(html, Page):
        return replace(html, url=url, final_url="") if url else html
    if isinstance(html, os.PathLike):
        page = FilePlace(os.fspath(html), 0).load()
        return replace(page, url=url) if url else page
    body = html.read() if hasattr(html, "read") else html
    if isinstance(body, str):
        _refuse_names(body, call)
        return Page(url=url, body=body)
    if isinstance(body, (bytes, bytearray)):
        return Page(url=url, body=bytes(body))
    raise UsageError(
        f"{call}() takes HTML as str or bytes, a pathlib.Path, an open file or a Page, not {type(html).__name__}"
        f"{'; pass its .content' if hasattr(html, 'content') else ''}"
    )


def _refuse_names(text: str, call: str) -> None:
    """Refuse what only says where a page is."""
    if _ADDRESS.fullmatch(text):
        address = text.strip()
        raise UsageError(
            f"{address!r} is an address, not HTML; fetch it first: {call}(sitewright.fetch_page({address!r}))"
        )
    if "<" not in text and _is_file_name(text):
        raise UsageError(f"{text!r} is the name of a file, not HTML; pass pathlib.Path({text!r})")


def _is_file_name(text: str) -> bool:
    if not text.strip() or len(text) > _LONGEST_PATH or not text.isprintable():
        return False
    return text.lower().endswith(_FILES) or Path(text).exists()


def places_of(pages: Pages, url: str = "", *, call: str = "learn") -> Iterator[Place]:
    """Yield where the pages are that a person means; `url` is the address of those that have none of their own."""
    if isinstance(pages, str):
        yield from _named(pages, call)
    elif isinstance(pages, os.PathLike):
        yield from open_archive(os.fspath(pages)).places()
    elif isinstance(pages, (bytes, bytearray, Page)):
        raise UsageError(f"{call}() takes several pages of a site, and this is one; pass a list of them")
    elif isinstance(pages, Mapping):
        yield from (PagePlace(page_of(html, address, call=call)) for address, html in pages.items())
    elif isinstance(pages, Iterable):
        for entry in pages:
            yield from _places_of_entry(entry, url, call)
    else:
        raise UsageError(
            f"{call}() takes a list of pages, a dict of addresses and HTML, or the path of a folder or archive, "
            f"not {type(pages).__name__}"
        )


def is_address(pages: object) -> TypeGuard[str]:
    """Tell whether somebody named a site in place of pages."""
    return isinstance(pages, str) and _ADDRESS.fullmatch(pages) is not None


def _named(name: str, call: str) -> Iterator[Place]:
    if "<" in name:
        raise UsageError(f"{call}() takes several pages of a site, and this is one: {name.strip()[:_SHOWN]!r}")
    return open_archive(name).places()


def _places_of_entry(entry: Any, url: str, call: str) -> Iterator[Place]:
    """Yield the place of a page, of all pages of an archive, of a pair or of a row as JSONL files have them."""
    if isinstance(entry, os.PathLike):
        yield from open_archive(os.fspath(entry)).places()
    elif isinstance(entry, Mapping):
        yield PagePlace(page_of(_html_of(entry, call), entry.get("url") or url, call=call))
    elif isinstance(entry, tuple):
        if len(entry) != 2:
            raise UsageError(f"{call}() takes pairs (url, html); this tuple has {len(entry)} entries")
        yield PagePlace(page_of(entry[1], entry[0], call=call))
    elif isinstance(entry, Page):
        yield PagePlace(entry)
    else:
        yield PagePlace(page_of(entry, url, call=call))


def _html_of(row: Mapping[str, Any], call: str) -> Html:
    if "html" not in row:
        raise UsageError(
            f'{call}() takes rows {{"url": …, "html": …}}; this one has {", ".join(map(str, row)) or "nothing"}'
        )
    html: Html = row["html"]
    return html
