import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

import pytest
import turbohtml
from tests.demo.pairs import DESIGNS, PAIRS

from sitewright.demo import LANGUAGES, Site, SitePage, generate_site
from sitewright.maps import parse_map

pytestmark = pytest.mark.slow

CODECS = {"utf-8": "utf-8", "windows-1251": "cp1251", "gbk": "gbk", "shift_jis": "cp932"}
STORY_KINDS = {"article", "gallery", "video", "live"}


@cache
def site(language: str = "en", design: str = "classic") -> Site:
    return generate_site(1, language=language, design=DESIGNS[design])


def html_pages(of: Site) -> list[SitePage]:
    return [page for page in of.pages.values() if page.content_type.startswith("text/html")]


def decode(page: SitePage) -> str:
    return page.html.decode(CODECS[page.content_type.partition("charset=")[2]])


def bytes_of(of: Site) -> dict[str, bytes]:
    return {path: page.html for path, page in of.pages.items()}


def test_the_same_seed_gives_the_same_bytes() -> None:
    again = generate_site(1)
    assert bytes_of(again) == bytes_of(site())
    assert again.truth == site().truth
    assert again.map_text == site().map_text


def test_bytes_do_not_depend_on_the_process() -> None:
    script = (
        "import hashlib; from sitewright.demo import generate_site; "
        "pages = generate_site(4, language='de', stories=10).pages; "
        "print(hashlib.sha256(b''.join(path.encode() + page.html for path, page in pages.items())).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone, "LC_ALL": "C"},
            check=True,
            capture_output=True,
        ).stdout
        for hash_seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(digests) == 1


def test_another_seed_gives_another_site() -> None:
    other = generate_site(2)
    assert other.truth.keys() != site().truth.keys()
    assert other.pages["/"].html != site().pages["/"].html


def test_base_url_changes_links_but_not_stories() -> None:
    local = generate_site(1, base_url="http://127.0.0.1:8123")
    assert local.truth.keys() == site().truth.keys()
    assert "http://127.0.0.1:8123/" in decode(local.pages["/"])
    assert site().base_url.encode() not in b"".join(page.html for page in local.pages.values())


def test_epoch_moves_every_date() -> None:
    epoch = datetime(2031, 1, 2, 12, tzinfo=UTC)
    moved = generate_site(1, stories=10, epoch=epoch)
    assert all(truth.published <= epoch for truth in moved.truth.values())
    assert {truth.published.year for truth in moved.truth.values()} <= {2030, 2031}


@pytest.mark.parametrize("wrong", [{"language": "tlh"}, {"stories": 3}])
def test_what_cannot_be_generated_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no words for|at least"):
        generate_site(1, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_story_has_a_truth(language: str) -> None:
    generated = site(language)
    assert len(generated.truth) == 40
    assert {generated.pages[path].kind for path in generated.truth} == STORY_KINDS
    for truth in generated.truth.values():
        assert truth.title
        assert truth.text.count("\n") >= 1
        assert truth.published.tzinfo is not None
        assert truth.categories
        assert len(truth.tags) >= 2
        assert truth.images


@pytest.mark.parametrize("language", LANGUAGES)
def test_unusual_stories_are_there(language: str) -> None:
    truths = list(site(language).truth.values())
    assert any(not truth.subtitle for truth in truths)
    assert any(not truth.authors for truth in truths)
    assert any(len(truth.authors) == 2 for truth in truths)
    assert any("&" in truth.title for truth in truths)
    assert any(" | " in truth.text for truth in truths), "a table"
    assert any(truth.modified for truth in truths)
    assert any(len(truth.images) >= 5 for truth in truths), "a gallery"


@pytest.mark.parametrize("language", LANGUAGES)
def test_paragraphs_do_not_recur(language: str) -> None:
    lines = [line for truth in site(language).truth.values() for line in truth.text.split("\n")]
    paragraphs = [line for line in lines if len(line) > 60]
    assert len(set(paragraphs)) == len(paragraphs)


@pytest.mark.parametrize(("language", "design"), PAIRS)
def test_pages_decode_and_parse(language: str, design: str) -> None:
    generated = site(language, design)
    for page in html_pages(generated):
        tree = turbohtml.parse(decode(page))
        assert tree.select_one("title") is not None, page.path
        assert "\ufffd" not in decode(page)
    for path, truth in generated.truth.items():
        page = generated.pages[path]
        text = re.sub(r"\s+", " ", turbohtml.parse(decode(page)).text)
        assert truth.title in text
        assert all(cell in text for line in truth.text.split("\n") for cell in line.split(" | ")), path


@pytest.mark.parametrize(("language", "charset"), [("ru", "windows-1251"), ("zh", "gbk"), ("ja", "shift_jis")])
def test_old_encodings_are_really_used(language: str, charset: str) -> None:
    front = site(language).pages["/"]
    assert front.content_type == f"text/html; charset={charset}"
    with pytest.raises(UnicodeDecodeError):
        front.html.decode("utf-8")


def links(page: SitePage, of: Site) -> set[str]:
    tree = turbohtml.parse(decode(page))
    base = tree.select_one("base")
    start = urljoin(of.base_url + page.path, str(base.attrs["href"]) if base is not None else "")
    found = [
        str(element.attrs[name])
        for name in ("href", "src", "data-src", "srcset", "data-srcset")
        for element in tree.select(f"[{name}]")
    ]
    urls = [part.split()[0] for value in found for part in (value.split(", ") if " 480w" in value else [value])]
    return {urljoin(start, url) for url in urls if not url.startswith(("data:", "mailto:"))}


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("language", ["en", "zh", "ar"])
def test_links_lead_somewhere(language: str, design: str) -> None:
    generated = site(language, design)
    for page in html_pages(generated):
        for link in links(page, generated):
            parts = urlsplit(link)
            if parts.netloc == generated.host:
                assert parts.path in generated.pages, f"{page.path} links to {link}"


def test_pictures_of_the_truth_are_served() -> None:
    generated = site()
    for truth in generated.truth.values():
        for url, caption, credit in truth.images:
            page = generated.pages[urlsplit(url).path]
            assert page.content_type == "image/svg+xml"
            assert caption
            assert credit


def test_feed_and_sitemap_name_existing_pages() -> None:
    generated = site()
    feed = ElementTree.fromstring(generated.pages["/feed.xml"].html)  # noqa: S314 - our own text
    sitemap = ElementTree.fromstring(generated.pages["/sitemap.xml"].html)  # noqa: S314 - our own text
    urls = [str(item.findtext("link")) for item in feed.iter("item")]
    urls += [str(element.text) for element in sitemap.iter() if element.tag.endswith("}loc")]
    assert len(urls) > 60
    assert {urlsplit(url).path for url in urls} <= generated.pages.keys()
    assert "Sitemap: https://the-daily-lantern.example/sitemap.xml" in generated.pages["/robots.txt"].html.decode()


def test_noise_surrounds_the_stories() -> None:
    generated = site()
    articles = "".join(decode(generated.pages[path]) for path in generated.truth)
    wanted = ("cookies", "related", "newsletter", "share", "comment", "ad", "bio", "read-also")
    assert all(f'class="{name}"' in articles for name in wanted)
    for piece in (
        '"@graph"',
        ",}\n</script>",
        "<base ",
        "itemprop=",
        "DC.title",
        "og:title",
        "<noscript>",
        "utm_source",
    ):
        assert piece in articles, piece
    for element in ("<em>", "&amp;", "<table>", "<blockquote>", "<ul><li>", "<h2>"):
        assert element in articles, element
    assert re.search(r'<p class="byline">By [^<]+ and [^<]+, \w[^<]+</p>', articles), "a byline without markup"


@pytest.mark.parametrize(("language", "design"), PAIRS)
def test_map_recognises_every_story_and_nothing_else(language: str, design: str) -> None:
    generated = site(language, design)
    extraction_map = parse_map(generated.map_text)
    assert extraction_map.site == generated.host
    assert extraction_map.timezone == generated.timezone
    for page in html_pages(generated):
        tree = turbohtml.parse(decode(page))
        url = f"http://127.0.0.1:8000{page.path}?utm_source=x"
        names = [
            template.name
            for template in extraction_map.templates
            if re.search(template.url, url) and tree.select_one(template.probe) is not None
        ]
        assert names == ([page.kind] if page.kind in STORY_KINDS else []), page.path


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_dates_read_back(language: str) -> None:
    generated = site(language)
    (pattern,) = parse_map(generated.map_text).date_formats
    for path, truth in generated.truth.items():
        if generated.pages[path].kind == "video":
            shown = turbohtml.parse(decode(generated.pages[path])).select_one(".clip__date")
            assert shown is not None
            assert datetime.strptime(shown.text, pattern) == truth.published.replace(tzinfo=None)
