"""What a person may pass as a page or as pages, and what is said where they pass something else."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from sitewright.errors import InputError, SitewrightError, UsageError
from sitewright.python.pages import page_of, places_of
from sitewright.types import Page

HTML, URL = "<h1>Bees are back</h1>", "https://example.com/bees"


def bodies(pages: Any, url: str = "") -> list[tuple[str, str | bytes]]:
    return [(page.url, page.body) for page in (place.load() for place in places_of(pages, url))]


@pytest.mark.parametrize(
    ("given", "body"),
    [
        (HTML, HTML),
        (HTML.encode(), HTML.encode()),
        (bytearray(HTML.encode()), HTML.encode()),
        (io.StringIO(HTML), HTML),
        (io.BytesIO(HTML.encode()), HTML.encode()),
        (Page(url="", body=HTML), HTML),
        ("", ""),
        ("Bees are back", "Bees are back"),
    ],
)
def test_a_page_may_be_text_bytes_a_file_or_a_page(given: Any, body: str | bytes) -> None:
    page = page_of(given, URL)
    assert (page.url, page.body) == (URL, body)


def test_a_page_may_be_the_path_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "bees.html"
    file.write_text(HTML, "utf-8")
    assert page_of(file) == Page(url=file.as_uri(), body=HTML.encode())
    assert page_of(file, URL) == Page(url=URL, body=HTML.encode())


def test_a_page_keeps_its_own_address() -> None:
    page = Page(url=URL, final_url=f"{URL}/", body=HTML)
    assert page_of(page) is page
    assert page_of(page, "https://example.com/other").location == "https://example.com/other"


class Response:
    content = b"<p>"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (None, "takes HTML as str or bytes, a pathlib.Path, an open file or a Page, not NoneType"),
        (3, "not int"),
        (Response(), "not Response; pass its .content"),
        ("https://example.com/bees", r"is an address.*fetch_page\('https://example.com/bees'\)"),
        (" www.example.com ", "is an address"),
        ("bees.html", r"is the name of a file.*pathlib.Path\('bees.html'\)"),
        ("pages.warc.gz", "is the name of a file"),
    ],
)
def test_what_is_no_page_is_told(given: Any, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        page_of(given)
    with pytest.raises(TypeError):
        page_of(given)


def test_an_address_that_is_no_text_is_told() -> None:
    with pytest.raises(UsageError, match=r"the url of read\(\) is a str, not bytes"):
        page_of(HTML, b"https://example.com")  # type: ignore[arg-type]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        page_of(tmp_path / "nowhere.html")


@pytest.mark.parametrize(
    "given",
    [
        {URL: HTML},
        {URL: HTML}.items(),
        [(URL, HTML)],
        [{"url": URL, "html": HTML}],
        [Page(url=URL, body=HTML)],
        ((URL, html) for html in [HTML]),
    ],
)
def test_pages_with_addresses(given: Any) -> None:
    assert bodies(given) == [(URL, HTML)]


def test_pages_without_addresses_take_the_one_of_their_site() -> None:
    assert bodies([HTML, HTML.encode(), {"html": HTML}], URL) == [(URL, HTML), (URL, HTML.encode()), (URL, HTML)]


@pytest.mark.parametrize("as_text", [True, False])
def test_folders_and_archives_by_their_path(tmp_path: Path, as_text: bool) -> None:
    lines, page = tmp_path / "pages.jsonl", tmp_path / "pages" / "a.html"
    lines.write_text(json.dumps({"url": URL, "html": HTML}), "utf-8")
    page.parent.mkdir()
    page.write_text(HTML, "utf-8")
    assert bodies(str(lines) if as_text else lines) == [(URL, HTML)]
    assert bodies(str(page.parent) if as_text else page.parent) == [(page.as_uri(), HTML.encode())]
    assert bodies([lines, page]) == [(URL, HTML), (page.as_uri(), HTML.encode())]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (None, "takes a list of pages.*not NoneType"),
        (3, "not int"),
        (HTML, "takes several pages of a site, and this is one"),
        (HTML.encode(), "several pages"),
        (Page(url=URL, body=HTML), "several pages"),
        ([URL], "is an address, not HTML"),
        ([None], "not NoneType"),
        ([(URL, HTML, 200)], "this tuple has 3 entries"),
        ([{"address": URL}], "this one has address"),
        ("nowhere.jsonl", "there is no nowhere.jsonl"),
    ],
)
def test_what_are_no_pages_is_told(given: Any, told: str) -> None:
    with pytest.raises(SitewrightError, match=told):
        list(places_of(given))
