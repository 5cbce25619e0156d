"""A site that is built anew says the same words, and nothing else of it is as it was."""

import re
from collections import Counter

from bench.mutate import ADVERTS
from bench.rebuild import rebuild

from sitewright.demo import generate_site
from sitewright.extract import extract
from sitewright.maps import parse_map
from sitewright.parse import parse
from sitewright.types import Page

SITE = generate_site(stories=10)
STORIES = [path for path, page in SITE.pages.items() if page.kind == "article"]


def before(path: str) -> str:
    return SITE.pages[path].html.decode()


def letters(html: str) -> Counter[str]:
    body = parse(Page(url="https://example.com/", body=html)).tree.select_one("body")
    assert body is not None
    for script in body.select("script, style"):
        script.extract()
    text = body.text
    for advert in ADVERTS:
        text = text.replace(advert, " ")
    return Counter("".join(text.split()))


def names(html: str) -> set[str]:
    return {name for found in re.findall(r'(?:class|id)="([^"]*)"', html) for name in found.split()}


def test_the_words_are_the_same() -> None:
    for path in STORIES:
        assert letters(rebuild(before(path), 7)) == letters(before(path))


def test_no_name_and_no_statement_is_left() -> None:
    for path in STORIES:
        html = rebuild(before(path), 7)
        assert not names(html) & names(before(path))
        assert not re.search(r"<(h1|time|ul|ol|li|article)\b|ld\+json|itemprop|og:title|datetime=", html)


def test_all_pages_of_a_site_change_in_the_same_way() -> None:
    one, other = (names(rebuild(before(path), 7)) for path in STORIES[:2])
    assert len(one & other) > 10
    assert not one & names(rebuild(before(STORIES[0]), 8))


def test_the_old_map_reads_nothing_any_more() -> None:
    old = parse_map(SITE.map_text)
    for path in STORIES:
        document = parse(Page(url=SITE.base_url + path, body=rebuild(before(path), 7)))
        assert not {"text", "authors", "tags", "published"} & extract(old, document).fields.keys()
