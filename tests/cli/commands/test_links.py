"""`sitewright links` as people run it on stored pages: a process, files, exit status."""

import fcntl
import gzip
import json
import lzma
import os
import signal
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]

SECTIONS = ("World", "Culture", "Business", "Sport", "Weather")
SUBJECTS = "council ferry hospital museum bridge school library railway harbour theatre market university".split()
DEEDS = "returns to court|opens at last|closes for winter|wins a long appeal|loses its roof|plans a second hall".split(
    "|"
)
LINK_KEYS = ["href", "text", "role", "article", "score", "reason"]


def headline(number: int) -> str:
    return f"Old {SUBJECTS[number % 12]} {DEEDS[number % 6]} after {number + 3} years of quarrels"


def story(number: int) -> str:
    return f"/news/2024/05/{number % 28 + 1:02}/old-{SUBJECTS[number % 12]}-and-its-quarrels-{100200 + number}.html"


def front(numbers: Sequence[int], *, head: str = "", more: str = "") -> str:
    menu = "".join(f'<li><a href="/{name.lower()}/">{name}</a></li>' for name in SECTIONS)
    cards = "".join(
        f'<article class="card"><a href="{story(n)}"><img src="/{n}.jpg"></a>'
        f'<h2 class="card-title"><a class="card-link" href="{story(n)}#top">{headline(n)}</a></h2><p>A lead.</p></article>'
        for n in numbers
    )
    foot = '<a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a> <a href="mailto:a@example.com">Mail</a>'
    return (
        f"<!doctype html><html lang=en><head><title>The Lantern</title>{head}</head><body><nav><ul>{menu}</ul></nav>"
        f"<main>{cards}{more}</main><footer>{foot}</footer></body></html>"
    )


def page(numbers: Sequence[int] = range(12), *, host: str = "lantern.example", path: str = "/", **more: Any) -> Any:
    return {"url": f"https://{host}{path}", "html": front(numbers), **more}


def lines(*pages: object) -> bytes:
    return b"".join((entry if isinstance(entry, bytes) else json.dumps(entry).encode()) + b"\n" for entry in pages)


def rows(content: bytes) -> list[dict[str, Any]]:
    assert content == b"" or content.endswith(b"\n")
    return [json.loads(line) for line in content.splitlines()]


def hrefs(row: dict[str, Any], *, role: str = "") -> list[str]:
    return [link["href"] for link in row["links"] if not role or link["role"] == role]


def files_of(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.jsonl").write_bytes(
        lines(page(time="2024-05-06T08:30:00+02:00"), page(range(6, 18), path="/world/"))
    )
    return tmp_path


def test_one_line_a_page_in_exactly_this_form(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("links", "a.jsonl")
    assert done.returncode == 0
    first, second = rows(done.stdout)
    assert (first["url"], second["url"]) == ("https://lantern.example/", "https://lantern.example/world/")
    assert datetime.fromisoformat(first["time"]) == datetime.fromisoformat("2024-05-06T06:30:00+00:00")
    assert second["time"] is None
    for row in (first, second):
        assert list(row) == ["url", "time", "links"]
        for link in row["links"]:
            assert list(link) == LINK_KEYS
            assert link["role"] in {"article", "list", "next", "other"}
            assert link["article"] is (link["role"] == "article")
            assert 0.0 <= link["score"] <= 1.0
            assert link["reason"]


def test_stories_are_articles_and_menus_are_not(sitewright: Sitewright, folder: Path) -> None:
    first, _ = rows(sitewright("links", "a.jsonl").stdout)
    site = "https://lantern.example"
    assert set(hrefs(first, role="article")) == {f"{site}{story(n)}" for n in range(12)}
    texts = {link["href"]: link["text"] for link in first["links"]}
    assert texts[f"{site}{story(3)}"] == headline(3)
    assert texts[f"{site}/world/"] == "World"
    assert not {f"{site}/imprint", f"{site}/world/"} & set(hrefs(first, role="article"))


def test_each_page_that_is_linked_to_stands_there_once_in_the_order_of_the_page(
    sitewright: Sitewright, folder: Path
) -> None:
    doubled = '<a href="/imprint#2">Imprint</a><a href="/imprint/">The imprint</a><a href="/imprint">again</a>'
    html = front(range(3), more=doubled)
    (row,) = rows(sitewright("links", "-", stdin=lines({"url": "https://lantern.example/", "html": html})).stdout)
    site = "https://lantern.example"
    stories = [f"{site}{story(n)}" for n in range(3)]
    menu = [f"{site}/{name.lower()}/" for name in SECTIONS]
    assert hrefs(row) == [*menu, *stories, f"{site}/imprint", f"{site}/privacy"]


def test_the_output_does_not_depend_on_the_number_of_processes(sitewright: Sitewright, folder: Path) -> None:
    pages = [page(range(n, n + 10), path=f"/{n}/") for n in range(70)]
    (folder / "b.jsonl").write_bytes(lines(*pages))
    outputs = {sitewright("links", "b.jsonl", "--jobs", jobs, "-q").stdout for jobs in ("1", "2", "5")}
    assert len(outputs) == 1
    assert [row["url"] for row in rows(outputs.pop())] == [entry["url"] for entry in pages]


def test_the_summary_counts_each_link_once(sitewright: Sitewright, folder: Path) -> None:
    message = sitewright("links", "a.jsonl").stderr.decode()
    assert message.startswith("2 pages in ")
    assert "25 links: 18 articles, " in message
    assert sitewright("links", "a.jsonl", "-q").stderr == b""


@pytest.mark.parametrize(("limit", "number"), [("1", 1), ("2", 2), ("99", 2)])
def test_limit(sitewright: Sitewright, folder: Path, limit: str, number: int) -> None:
    done = sitewright("links", "a.jsonl", "--limit", limit)
    assert (done.returncode, len(rows(done.stdout))) == (0, number)


def test_several_inputs_of_all_kinds_in_their_order(sitewright: Sitewright, folder: Path) -> None:
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(lines(page(path="/b"))))
    (folder / "c.jsonl.xz").write_bytes(lzma.compress(lines(page(path="/c"))))
    stated = '<link rel="canonical" href="https://lantern.example/d">'
    (folder / "d.html").write_text(front(range(5), head=stated), "utf-8")
    (folder / "e").mkdir()
    (folder / "e" / "e.htm").write_text(front(range(5), head=stated.replace("/d", "/e")), "utf-8")
    done = sitewright("links", "c.jsonl.xz", "e", "-", "b.jsonl.gz", "d.html", stdin=lines(page(path="/stdin")))
    assert done.returncode == 0
    assert [row["url"].rpartition("/")[2] for row in rows(done.stdout)] == ["c", "e", "stdin", "b", "d"]


def test_several_sites_in_one_input_are_judged_each_for_itself(sitewright: Sitewright, folder: Path) -> None:
    one = [page(host="one.example"), page(range(3, 9), host="one.example", path="/world/")]
    other = [page(range(20, 30), host="other.example"), page(range(25, 33), host="other.example", path="/sport/")]
    mixed = rows(sitewright("links", "-", "-q", stdin=lines(one[0], other[0], one[1], other[1])).stdout)
    apart = [rows(sitewright("links", "-", "-q", stdin=lines(*pages)).stdout) for pages in (one, other)]
    assert mixed == [apart[0][0], apart[1][0], apart[0][1], apart[1][1]]


@pytest.mark.parametrize("stdin", [b"", b"\n\n  \n"])
def test_empty_input_is_an_error(sitewright: Sitewright, stdin: bytes) -> None:
    done = sitewright("links", "-", stdin=stdin)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"error[input_error]: there is no page in standard input" in done.stderr


PICTURE = {"url": "https://bad.example/p", "html": "x", "headers": {"content-type": "image/png"}}
ONLY_SCRIPTS = "<a href='javascript:void(0)'>Menu</a><a href='mailto:a@bad.example'>Mail</a><a href='tel:+1'>Call</a>"
BAD: dict[str, tuple[object, str, str]] = {
    "not JSON": (b"nonsense", "bad_page_line", "fetch"),
    "no page": ({"url": "https://bad.example/", "text": "x"}, "bad_page_line", "fetch"),
    "a picture": (PICTURE, "not_html", "parse"),
    "no HTML at all": ({"url": "https://bad.example/", "html": "%PDF-1.7 plain words"}, "no_links", "links"),
    "nothing": ({"url": "https://bad.example/", "html": ""}, "no_links", "links"),
    "no links": ({"url": "https://bad.example/", "html": "<p>Words, and more words.</p>"}, "no_links", "links"),
    "scripts and mail only": ({"url": "https://bad.example/", "html": ONLY_SCRIPTS}, "no_links", "links"),
    "too deep": ({"url": "https://bad.example/", "html": "<div>" * 900 + "<a href=/x>x</a>"}, "page_too_deep", "parse"),
    "an empty feed": ({"url": "https://bad.example/rss", "html": "<rss><channel/></rss>"}, "no_links", "links"),
    "a feed that is none": ({"url": "https://bad.example/f", "html": '{"version": "https://jsonfeed.org/'}, "not_feed", "links"),
    "no URL": ({"html": "<a href='/a'>A story without a place</a>"}, "no_links", "links"),
}  # fmt: skip


def test_bad_lines_have_their_error_and_the_others_go_on(sitewright: Sitewright, folder: Path) -> None:
    pages: list[object] = []
    for number, (bad, _, _) in enumerate(BAD.values()):
        pages += [bad, page(path=f"/{number}")]
    (folder / "b.jsonl").write_bytes(lines(*pages))
    done = sitewright("links", "b.jsonl")
    found = rows(done.stdout)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    told = [(row["error"]["code"], row["error"]["stage"]) for row in found[::2]]
    assert told == [(code, stage) for _, code, stage in BAD.values()]
    assert all(list(row) == ["url", "error"] and row["error"]["detail"] for row in found[::2])
    assert [row["url"] for row in found[1::2]] == [f"https://lantern.example/{n}" for n in range(len(BAD))]
    assert all(row["links"] for row in found[1::2])
    assert f"{len(BAD)} failed (no_links 6, bad_page_line 2".encode() in done.stderr


def test_an_error_line_names_the_page_or_its_line_and_says_what_is_missing(
    sitewright: Sitewright, folder: Path
) -> None:
    (folder / "b.jsonl").write_bytes(lines(b"{", BAD["no URL"][0], BAD["no links"][0]))
    broken, nameless, named = rows(sitewright("links", "b.jsonl").stdout)
    assert (broken["url"], nameless["url"], named["url"]) == ("b.jsonl:1", "b.jsonl:2", "https://bad.example/")
    assert "its own URL" in nameless["error"]["detail"]
    assert "its own URL" not in named["error"]["detail"]


def test_limits_of_the_settings_hold(sitewright: Sitewright, folder: Path) -> None:
    feed = "<rss><channel>" + "<item><link>/a</link></item>" * 50 + "</channel></rss>"
    done = sitewright(
        "links",
        "-",
        stdin=lines(page(), {"url": "https://lantern.example/rss", "html": feed}),
        env={"SITEWRIGHT_LIMITS_PAGE_BYTES": "1000"},
    )
    assert [row["error"]["code"] for row in rows(done.stdout)] == ["page_too_large", "page_too_large"]


def test_an_input_that_breaks_off_keeps_what_was_read(sitewright: Sitewright, folder: Path) -> None:
    pages = [page(range(n % 7, n % 7 + 8), path=f"/{n}/", x=str(n * 7919)) for n in range(1500)]
    packed = gzip.compress(lines(*pages))
    (folder / "b.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    done = sitewright("links", "b.jsonl.gz", "-o", "o.jsonl", "--report", "r.html", "--write-map", "m.yaml")
    found = rows((folder / "o.jsonl").read_bytes())
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1].startswith("error[input_error]: b.jsonl.gz cannot be read to its end")
    assert 0 < len(found) < 1500
    assert [row["url"] for row in found] == [entry["url"] for entry in pages[: len(found)]]
    assert "which links lead to articles" in (folder / "r.html").read_text("utf-8")
    assert not (folder / "m.yaml").exists()


def test_ten_thousand_links(sitewright: Sitewright, folder: Path) -> None:
    html = "<ul>" + "".join(f"<li><a href='{story(n)}'>{headline(n)}</a></li>" for n in range(10_000)) + "</ul>"
    patient = {"SITEWRIGHT_LIMITS_PAGE_SECONDS": "600"}
    page = lines({"url": "https://a.example/", "html": html})
    (row,) = rows(sitewright("links", "-", "--report", "r.html", stdin=page, env=patient).stdout)
    assert len(set(hrefs(row))) == len(row["links"]) == 10_000
    assert "and 9,600 more" in (folder / "r.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("head", "start"),
    [
        ('<base href="https://elsewhere.example/deep/">', "https://elsewhere.example"),
        ('<base href="//cdn.example/">', "https://cdn.example"),
        ('<base href="http://[broken">', "https://lantern.example"),
        ('<base href="javascript:alert(1)">', "https://lantern.example"),
        ("<base>", "https://lantern.example"),
    ],
)
def test_links_start_from_the_stated_base_where_it_is_one(sitewright: Sitewright, head: str, start: str) -> None:
    html = front(range(4), head=head)
    (row,) = rows(sitewright("links", "-", stdin=lines({"url": "https://lantern.example/", "html": html})).stdout)
    assert {f"{start}{story(n)}" for n in range(4)} <= set(hrefs(row))


def test_links_through_counters_are_kept_as_they_are_written(sitewright: Sitewright) -> None:
    target = "https://lantern.example/news/2024/05/07/wrapped-story-about-the-harbour-100999.html"
    wrapped = f"/go?u={target.replace(':', '%3A').replace('/', '%2F')}"
    archived = f"https://web.archive.org/web/20240506083000/{target}"
    more = f'<h2><a href="{wrapped}">{headline(40)}</a></h2><h2><a href="{archived}">{headline(41)}</a></h2>'
    page = {"url": "https://lantern.example/", "html": front(range(8), more=more)}
    done = sitewright("links", "-", stdin=lines(page))
    (row,) = rows(done.stdout)
    assert done.returncode == 0
    assert {f"https://lantern.example{wrapped}", archived} <= set(hrefs(row))


def snapshots() -> list[dict[str, Any]]:
    times = [f"2024-05-{day:02}T08:00:00Z" for day in range(1, 9)]
    return [page(range(n * 3, n * 3 + 9), time=time) for n, time in enumerate(times)]


def test_snapshots_may_come_in_any_order(sitewright: Sitewright) -> None:
    ordered = snapshots()
    mixed = [ordered[n] for n in (5, 0, 7, 2, 2, 6, 1, 4, 3)]
    by_time = {row["time"]: row for row in rows(sitewright("links", "-", stdin=lines(*ordered)).stdout)}
    found = rows(sitewright("links", "-", stdin=lines(*mixed)).stdout)
    assert [row["time"][:10] for row in found] == [entry["time"][:10] for entry in mixed]
    assert [{**link, "reason": ""} for row in found for link in row["links"]] == [
        {**link, "reason": ""} for row in found for link in by_time[row["time"]]["links"]
    ]


def test_what_comes_and_goes_says_so(sitewright: Sitewright) -> None:
    found = rows(sitewright("links", "-", stdin=lines(*snapshots())).stdout)
    reasons = {link["href"]: link["reason"] for row in found for link in row["links"]}
    assert "gone after 48 h" in reasons[f"https://lantern.example{story(10)}"]
    assert "there for 7 days and still" in reasons["https://lantern.example/imprint"]


@pytest.mark.parametrize("time", ["2024-05-06T08:00:00Z", None, "nonsense"])
def test_snapshots_of_one_time_or_none_tell_nothing_of_time(sitewright: Sitewright, time: str | None) -> None:
    pages = [page(range(n, n + 9), time=time) for n in range(3)]
    done = sitewright("links", "-", stdin=lines(*pages))
    found = rows(done.stdout)
    assert (done.returncode, len(found)) == (0, 3)
    reasons = [link["reason"] for row in found for link in row["links"]]
    assert not [reason for reason in reasons if "still" in reason or "gone" in reason or "seen once" in reason]


RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>The Lantern</title>
<item><title>Bees &amp;amp; wasps</title><link>/bees</link><pubDate>Mon, 06 May 2024 08:30:00 GMT</pubDate></item>
<item><title>No date here</title><link>https://lantern.example/wasps</link></item></channel></rss>"""
NEWS = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
<url><loc>https://lantern.example/news-1</loc><news:news><news:publication_date>2024-05-06</news:publication_date>
<news:title>The first of the news</news:title></news:news></url></urlset>"""
INDEX = "<sitemapindex><sitemap><loc>/sitemap-1.xml</loc></sitemap><sitemap><loc>/sitemap-2.xml</loc></sitemap></sitemapindex>"


def test_stored_feeds_and_sitemaps_are_read_as_well(sitewright: Sitewright) -> None:
    stored = {"/rss": RSS, "/news.xml": NEWS, "/sitemap.xml": INDEX}
    pages = [{"url": f"https://lantern.example{path}", "html": body} for path, body in stored.items()]
    done = sitewright("links", "-", stdin=lines(*pages))
    rss, news, index = rows(done.stdout)
    assert done.returncode == 0
    assert [list(link) for link in rss["links"]] == [[*LINK_KEYS, "published"], LINK_KEYS]
    assert [(link["href"], link["text"], link["role"]) for link in rss["links"]] == [
        ("https://lantern.example/bees", "Bees & wasps", "article"),
        ("https://lantern.example/wasps", "No date here", "article"),
    ]
    assert rss["links"][0]["published"] == "2024-05-06T08:30:00+00:00"
    assert [(link["href"], link["role"]) for link in news["links"]] == [("https://lantern.example/news-1", "article")]
    assert [(link["href"], link["role"]) for link in index["links"]] == [
        ("https://lantern.example/sitemap-1.xml", "list"),
        ("https://lantern.example/sitemap-2.xml", "list"),
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.jsonl"], "error[input_error]: there is no file missing.jsonl"),
        (["www.lantern.example"], "the address of a page begins with http:// or https://"),
        (["ftp://lantern.example/"], "the address of a page begins with http:// or https://"),
        (["a.txt"], "error[unknown_format]: a.txt"),
        ([], "there is nothing to read"),
        (["a.jsonl", "--limit", "0"], "--limit"),
        (["a.jsonl", "--jobs", "0"], "--jobs"),
        (["a.jsonl", "--all"], "error[input_error]: --all looks for feeds and sitemaps on the web"),
        (["a.jsonl", "--map", "good.yaml", "--write-map", "new.yaml"], "error[input_error]: --map uses selectors"),
        (["a.jsonl", "--map", "missing.yaml"], "error[input_error]"),
        (["a.jsonl", "--map", "broken.yaml"], "error[map_syntax]: broken.yaml:"),
        (["a.jsonl", "--map", "empty.yaml"], "error[map_error]: empty.yaml has no selectors of article links"),
        (["a.jsonl", "--map", "wrong.yaml"], "error[map_invalid]: wrong.yaml:"),
        (["a.jsonl", "--write-map", "broken.yaml"], "error[map_syntax]: broken.yaml:"),
        (["a.jsonl", "--write-map", "-"], "error[output_error]: a map is not written to standard output"),
        (["a.jsonl", "--write-map", "pages"], "error[input_error]: cannot read pages"),
        (["a.jsonl", "--write-map", "a.txt/new.yaml"], "error[output_error]: cannot write a.txt/new.yaml"),
        (["a.jsonl", "--write-map", "a.jsonl"], "a.jsonl is an input of this run"),
        (["a.jsonl", "--write-map", "m.yaml", "-o", "m.yaml"], "m.yaml is the output of this run"),
        (["a.jsonl", "--map", "good.yaml", "-o", "good.yaml"], "good.yaml is an input of this run"),
        (["a.jsonl", "-o", "a.jsonl"], "error[output_error]: a.jsonl is an input of this run"),
        (["a.jsonl", "-o", "no/such/o.jsonl"], "error[output_error]: cannot write no/such/o.jsonl"),
        (["a.jsonl", "-o", "pages"], "error[output_error]: cannot write pages"),
        (["a.jsonl", "--report", "-"], "error[output_error]: a report cannot be written to standard output"),
        (["a.jsonl", "--report", "a.jsonl"], "a.jsonl is an input of this run"),
        (["a.jsonl", "--report", "pages"], "error[output_error]: cannot write pages"),
        (["pages", "--report", "pages/new.html"], "pages/new.html would be one of the pages in pages"),
    ],
)
def test_what_cannot_be_done_is_status_two_before_anything_is_written(
    sitewright: Sitewright, folder: Path, arguments: list[str], words: str
) -> None:
    (folder / "a.txt").write_text("x", "utf-8")
    (folder / "pages").mkdir()
    (folder / "pages" / "one.html").write_text(front(range(3)), "utf-8")
    (folder / "broken.yaml").write_text("a: [", "utf-8")
    (folder / "good.yaml").write_text(MAP, "utf-8")
    (folder / "empty.yaml").write_text(MAP.partition("index:")[0], "utf-8")
    (folder / "wrong.yaml").write_text(MAP.replace(".card-link", "a["), "utf-8")
    before = files_of(folder)
    done = sitewright("links", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert files_of(folder) == before


MAP = """\
# The Lantern, kept by hand.
sitewright: 1
site: lantern.example
version: 4
templates:
  - name: article
    rules:
      title: {select: [h1]}  # there is only one
index:
  - {url: "https://lantern.example/", articles: [".card-link"], next: [".next"], weight: 7}
"""


def test_the_selectors_of_a_map_decide(sitewright: Sitewright, folder: Path) -> None:
    (folder / "m.yaml").write_text(MAP, "utf-8")
    html = front(
        range(6), more='<a class=next href="/page/2">Older</a><h2><a href="/unnamed">Bridge opens at last</a></h2>'
    )
    pages = [{"url": f"https://lantern.example{path}", "html": html} for path in ("/", "/world/")]
    done = sitewright("links", "-", "--map", "m.yaml", stdin=lines(*pages, BAD["no links"][0]))
    own, section, failed = rows(done.stdout)
    assert done.returncode == 1
    for row in (own, section):
        assert set(hrefs(row, role="article")) == {f"https://lantern.example{story(n)}" for n in range(6)}
        assert hrefs(row, role="next") == ["https://lantern.example/page/2"]
        assert [list(link) for link in row["links"]] == [LINK_KEYS] * len(row["links"])
        assert {link["reason"] for link in row["links"] if link["article"]} == {"selected by .card-link"}
    assert failed["error"]["code"] == "no_links"


def test_a_new_map_finds_the_links_it_was_learned_from(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("links", "a.jsonl", "--write-map", "new.yaml")
    assert done.returncode == 0
    assert "https://lantern.example/: 1 selector; found 100% of the article links" in done.stderr.decode()
    assert sitewright("map", "check", "new.yaml").returncode == 0
    selected = rows(sitewright("links", "a.jsonl", "--map", "new.yaml").stdout)
    judged = rows(done.stdout)
    assert [hrefs(row, role="article") for row in selected] == [hrefs(row, role="article") for row in judged]


def test_a_map_that_is_there_keeps_all_but_the_selectors(sitewright: Sitewright, folder: Path) -> None:
    wrong = MAP.replace('[".card-link"]', '[".no-such-thing"]')
    kept = '  - {url: "https://lantern.example/archive/", articles: [.old]}  # of the archive\n'
    (folder / "m.yaml").write_text(wrong + kept, "utf-8")
    assert sitewright("links", "a.jsonl", "--write-map", "m.yaml", "-q").returncode == 0
    first = (folder / "m.yaml").read_text("utf-8")
    assert "# The Lantern, kept by hand." in first
    assert "# there is only one" in first
    assert "articles: [.old]}  # of the archive" in first
    assert "version: 5" in first
    assert "weight: 7" in first
    assert "no-such-thing" not in first
    assert "https://lantern.example/world/" in first
    assert sitewright("links", "a.jsonl", "--write-map", "m.yaml", "-q").returncode == 0
    assert (folder / "m.yaml").read_text("utf-8") == first


@pytest.mark.parametrize(
    ("pages", "code"),
    [
        ([{"url": "https://lantern.example/", "html": "<a href=/a>Imprint</a><a href=/b>Privacy</a>"}], "no_stable_rule"),
        ([{"url": "https://lantern.example/rss", "html": RSS}], "no_stable_rule"),
        ([page(host="one.example"), page(host="other.example")], "mixed_sites"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("there", [True, False])
def test_where_no_map_can_be_learned_the_links_are_written_and_the_map_is_not(
    sitewright: Sitewright, folder: Path, pages: list[object], code: str, there: bool
) -> None:
    target = folder / "m.yaml"
    if there:
        target.write_text(MAP, "utf-8")
    done = sitewright("links", "-", "--write-map", "m.yaml", stdin=lines(*pages))
    assert (done.returncode, len(rows(done.stdout))) == (2, len(pages))
    last = done.stderr.decode().splitlines()[-1]
    assert last.startswith(f"error[{code}]: ")
    assert last.endswith("m.yaml is left as it is" if there else "m.yaml is not written")
    assert target.exists() is there
    assert not there or target.read_text("utf-8") == MAP


def test_subdomains_are_of_one_site(sitewright: Sitewright, folder: Path) -> None:
    pages = [page(host="www.lantern.example"), page(range(9), host="sport.lantern.example")]
    assert sitewright("links", "-", "--write-map", "m.yaml", stdin=lines(*pages)).returncode == 0
    assert (folder / "m.yaml").read_text("utf-8").count("- {url: ") == 2


def test_a_report_changes_nothing_else(sitewright: Sitewright, folder: Path) -> None:
    (folder / "b.jsonl").write_bytes(lines(page(), b"nonsense"))
    plain = sitewright("links", "b.jsonl", "-q")
    done = sitewright("links", "b.jsonl", "-q", "--report", "r.html")
    assert (done.returncode, done.stdout, done.stderr) == (1, plain.stdout, b"")
    report = (folder / "r.html").read_text("utf-8")
    assert headline(3) in report
    assert "bad_page_line" in report


@pytest.mark.parametrize("arguments", [["-o", "/dev/full"], []])
@pytest.mark.parametrize("number", [1, 60])
def test_a_full_disk_is_told(folder: Path, arguments: list[str], number: int) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    (folder / "b.jsonl").write_bytes(lines(*(page(path=f"/{n}") for n in range(number))))
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sitewright", "links", "b.jsonl", "-q", *arguments],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=600,
        )
    assert done.returncode == 2
    assert done.stderr.decode() == "error[output_error]: cannot write the output: No space left on device\n"


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    (folder / "many.jsonl").write_bytes(lines(*(page(path=f"/{n}") for n in range(200))))
    command = f"{sys.executable} -m sitewright links many.jsonl -q | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, check=False, timeout=600)
    assert len(rows(done.stdout)) == 1
    assert done.stderr == b""


def waiting_in(pipe: Any) -> int:
    """Return how many bytes of a pipe have not been read yet."""
    return int(struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4))[0])


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_judges_and_writes_what_was_read(folder: Path, signal_number: signal.Signals) -> None:
    arguments = ["links", "-", "-o", "o.jsonl", "--jobs", "1", "--write-map", "m.yaml"]
    process = subprocess.Popen(
        [sys.executable, "-m", "sitewright", *arguments], stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
    )
    assert process.stdin is not None
    assert process.stderr is not None
    pages = [page(path=f"/{n}", x="x" * 5_000) for n in range(200)]
    process.stdin.write(lines(*pages))
    process.stdin.flush()
    moment = threading.Event()
    while waiting_in(process.stdin) and process.poll() is None:
        moment.wait(0.02)
    os.kill(process.pid, signal_number)
    assert process.wait(600) == 130
    message = process.stderr.read()
    process.stderr.close()
    process.stdin.close()
    assert b"interrupted; what is written is complete" in message
    assert b"Traceback" not in message
    found = rows((folder / "o.jsonl").read_bytes())
    assert 32 <= len(found) <= 200
    assert [row["url"] for row in found] == [entry["url"] for entry in pages[: len(found)]]
    assert not (folder / "m.yaml").exists()
