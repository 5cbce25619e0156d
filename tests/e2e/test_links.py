"""`sitewright links` on sites that are served on loopback: pages, feeds, sitemaps, robots.txt, and what goes wrong."""

import gzip
import json
import os
import pty
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from sitewright import demo

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]

QUICKLY = {"SITEWRIGHT_FETCH_ALLOW_HOSTS": "127.0.0.1", "SITEWRIGHT_FETCH_PAUSE_SECONDS": "0"}
LINK_KEYS = ["href", "text", "role", "article", "score", "reason"]
SUBJECTS = "council ferry hospital museum bridge school library railway harbour theatre market university".split()


@dataclass
class Reply:
    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class Site(ThreadingHTTPServer):
    """Answers by its table of paths; what is not in it is a 404. Remembers what it was asked, and may hold an answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Responder)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.replies: dict[str, Reply] = {}
        self.asked: list[str] = []
        self.held = ""
        self.reached, self.release = threading.Event(), threading.Event()


class _Responder(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path == self.server.held:
            self.server.reached.set()
            self.server.release.wait(600)
        reply = self.server.replies.get(self.path, Reply(b"<h1>Sorry</h1>", 404, {"Content-Type": "text/html"}))
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is that of the base class
        """Log nothing."""


def headline(number: int) -> str:
    return f"Old {SUBJECTS[number % 12]} opens its doors again after {number + 3} years of quarrels"


def story(number: int) -> str:
    return f"/news/2024/05/{number % 28 + 1:02}/old-{SUBJECTS[number % 12]}-and-its-quarrels-{100200 + number}.html"


def front(first: int = 0) -> Reply:
    menu = "".join(f'<li><a href="/{name}/">{name.title()}</a></li>' for name in ("world", "sport", "culture"))
    cards = "".join(f'<h2 class="card"><a href="{story(n)}">{headline(n)}</a></h2>' for n in range(first, first + 10))
    html = (
        '<html lang=en><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body>'
        f'<nav><ul>{menu}</ul></nav><main>{cards}</main><footer><a href="/imprint">Imprint</a></footer></body></html>'
    )
    return Reply(html.encode(), headers={"Content-Type": "text/html; charset=utf-8"})


def xml(text: str) -> Reply:
    return Reply(text.encode(), headers={"Content-Type": "application/xml"})


@pytest.fixture
def site() -> Iterator[Site]:
    """Serve a newspaper: the front page has stories 0-9, the feed 8-11, the sitemaps 5-13 and some pages more."""
    with Site() as server:
        items = "".join(
            f"<item><title>{headline(n)}</title><link>{story(n)}</link><pubDate>Mon, 06 May 2024 08:{n}:00 GMT</pubDate></item>"
            for n in (8, 9, 10, 11)
        )
        news = "".join(
            f"<url><loc>{server.url}{story(n)}</loc><news:news><news:publication_date>2024-05-07T09:00:00Z"
            f"</news:publication_date><news:title>{headline(n)}</news:title></news:news></url>"
            for n in (11, 12)
        )
        plain = [*(story(n) for n in (5, 6, 13)), "/imprint", "/jobs"]
        listed = "".join(f"<url><loc>{server.url}{path}</loc></url>" for path in plain)
        index = "".join(
            f"<sitemap><loc>{server.url}/{name}</loc></sitemap>" for name in ("pages.xml.gz", "news.xml", "gone.xml")
        )
        server.replies = {
            "/": front(),
            "/world/": front(4),
            "/robots.txt": Reply(f"User-agent: *\nDisallow: /private\nSitemap: {server.url}/index.xml\n".encode()),
            "/feed.xml": xml(f"<rss version='2.0'><channel><title>The Lantern</title>{items}</channel></rss>"),
            "/index.xml": xml(f"<sitemapindex>{index}</sitemapindex>"),
            "/news.xml": xml(f"<urlset xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'>{news}</urlset>"),
            "/pages.xml.gz": Reply(gzip.compress(f"<urlset>{listed}</urlset>".encode())),
            "/start": Reply(status=302, headers={"Location": "/"}),
            "/loop": Reply(status=302, headers={"Location": "/loop"}),
            "/picture": Reply(b"\x89PNG\r\n\x1a\n" + b"\0" * 64, headers={"Content-Type": "image/png"}),
            "/broken": Reply(b"<h1>Sorry</h1><a href=/a>Home</a>", 503),
            "/empty": Reply(b"<p>Nothing to see.</p>", headers={"Content-Type": "text/html"}),
        }
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.release.set()
            server.shutdown()
            thread.join()


def environment(**more: str) -> dict[str, str]:
    """Return the variables of a process that is not started by the fixture."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("SITEWRIGHT_")}
    return {**inherited, **QUICKLY, **more}


def rows(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.splitlines()]


def links(row: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the links of a line by their address, each of which is there once."""
    found = {link["href"].rstrip("/"): link for link in row["links"]}
    assert len(found) == len(row["links"])
    return found


def test_a_page_is_fetched_and_nothing_else(sitewright: Sitewright, site: Site) -> None:
    done = sitewright("links", f"{site.url}/", env=QUICKLY)
    (row,) = rows(done.stdout)
    assert done.returncode == 0
    assert list(row) == ["url", "time", "links"]
    assert row["url"] == f"{site.url}/"
    assert row["time"] is not None
    assert {link["href"] for link in row["links"] if link["article"]} == {f"{site.url}{story(n)}" for n in range(10)}
    assert site.asked == ["/robots.txt", "/"]


def test_feeds_and_sitemaps_are_merged_into_one_entry_a_page(sitewright: Sitewright, site: Site) -> None:
    done = sitewright("links", f"{site.url}/", "--all", env=QUICKLY)
    (row,) = rows(done.stdout)
    assert done.returncode == 0
    found = links(row)
    by_number = [found[f"{site.url}{story(n)}"] for n in range(14)]
    assert [link["role"] for link in by_number] == ["article"] * 14
    assert [list(link) for link in by_number[:8]] == [LINK_KEYS] * 8
    assert [list(link) for link in by_number[8:13]] == [[*LINK_KEYS, "published"]] * 5
    assert by_number[8]["published"] == "2024-05-06T08:08:00+00:00"
    assert by_number[12]["published"] == "2024-05-07T09:00:00+00:00"
    assert "also in the feed /feed.xml" in by_number[9]["reason"]
    assert "also in the sitemap /pages.xml.gz" in by_number[5]["reason"]
    assert by_number[10]["reason"].startswith("listed in the feed /feed.xml")
    assert by_number[10]["text"] == headline(10)
    assert by_number[11]["reason"].startswith("listed in the feed")
    assert "also in the sitemap /news.xml" in by_number[11]["reason"]
    assert not found[f"{site.url}/jobs"]["article"]
    assert not found[f"{site.url}/imprint"]["article"]


def test_what_is_looked_at_is_told_and_what_fails_does_no_harm(sitewright: Sitewright, site: Site) -> None:
    done = sitewright("links", f"{site.url}/", "--all", env=QUICKLY)
    told = done.stderr.decode().splitlines()
    assert told[:5] == [
        f"{site.url}/feed.xml: 4 entries",
        f"{site.url}/index.xml: 3 sitemaps",
        f"{site.url}/news.xml: 2 entries",
        f"{site.url}/pages.xml.gz: 5 entries",
        f"{site.url}/gone.xml: the server answered 404",
    ]
    assert told[5].startswith("1 page in ")
    assert told[6].startswith("19 links: 14 articles, ")
    assert sitewright("links", f"{site.url}/", "--all", "-q", env=QUICKLY).stderr == b""


def test_pages_of_a_site_share_its_feeds(sitewright: Sitewright, site: Site) -> None:
    done = sitewright("links", f"{site.url}/", f"{site.url}/world/", "--all", env=QUICKLY)
    home, world = rows(done.stdout)
    assert f"{site.url}{story(10)}" in links(home)
    assert f"{site.url}{story(10)}" in links(world)
    assert f"{site.url}{story(0)}" not in links(world)
    assert site.asked.count("/feed.xml") == site.asked.count("/pages.xml.gz") == 1


def test_where_nothing_is_named_the_usual_places_are_tried(sitewright: Sitewright, site: Site) -> None:
    bare = site.replies["/"].body.replace(b'rel="alternate"', b'rel="icon"')
    site.replies |= {"/": Reply(bare), "/robots.txt": Reply(status=404), "/rss.xml": site.replies["/feed.xml"]}
    (row,) = rows(sitewright("links", f"{site.url}/", "--all", env=QUICKLY).stdout)
    assert f"{site.url}{story(11)}" in links(row)
    assert {"/sitemap.xml", "/rss.xml"} <= set(site.asked)


def test_a_feed_that_robots_forbid_is_left_alone(sitewright: Sitewright, site: Site) -> None:
    site.replies["/robots.txt"] = Reply(b"User-agent: *\nDisallow: /feed.xml\n")
    done = sitewright("links", f"{site.url}/", "--all", env=QUICKLY)
    (row,) = rows(done.stdout)
    assert done.returncode == 0
    assert "/feed.xml" not in site.asked
    assert b"robots.txt asks not to fetch it" in done.stderr
    assert len(row["links"]) == 14


def test_feeds_and_sitemaps_may_be_given_themselves(sitewright: Sitewright, site: Site) -> None:
    places = [f"{site.url}{path}" for path in ("/feed.xml", "/pages.xml.gz", "/index.xml")]
    done = sitewright("links", *places, "--all", env=QUICKLY)
    feed, sitemap, index = rows(done.stdout)
    assert done.returncode == 0
    assert [row["url"] for row in (feed, sitemap, index)] == places
    assert [link["text"] for link in feed["links"]] == [headline(n) for n in (8, 9, 10, 11)]
    assert len(sitemap["links"]) == 5
    assert [link["role"] for link in index["links"]] == ["list"] * 3
    assert site.asked[0] == "/robots.txt"
    assert sorted(site.asked[1:]) == ["/feed.xml", "/index.xml", "/pages.xml.gz"]


def test_a_redirect_is_followed_and_the_line_says_where_it_led(sitewright: Sitewright, site: Site) -> None:
    (row,) = rows(sitewright("links", f"{site.url}/start", "--all", env=QUICKLY).stdout)
    assert row["url"] == f"{site.url}/"
    assert f"{site.url}{story(12)}" in links(row)


def test_what_cannot_be_fetched_has_its_line_and_the_others_go_on(
    sitewright: Sitewright, site: Site, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}/"
    (tmp_path / "a.jsonl").write_text(json.dumps({"url": "https://a.example/", "html": "<a href=/b>B</a>"}), "utf-8")
    codes = {
        f"{site.url}/missing": "error_page",
        f"{site.url}/broken": "error_page",
        f"{site.url}/picture": "not_html",
        f"{site.url}/empty": "no_links",
        f"{site.url}/private": "robots_forbid",
        f"{site.url}/loop": "too_many_redirects",
        nobody: "connection_failed",
        "http://nowhere.invalid/": "host_not_found",
        "http://10.0.0.1/": "address_refused",
        "http://somebody:secret@127.0.0.1/": "bad_url",
        "https://": "bad_url",
    }
    done = sitewright("links", f"{site.url}/", *codes, "a.jsonl", f"{site.url.upper()}/world/", env=QUICKLY)
    first, *failed, stored, last = rows(done.stdout)
    assert done.returncode == 1
    assert {row["url"]: row["error"]["code"] for row in failed} == codes
    assert [row["url"] for row in failed] == list(codes)
    assert all(row["error"]["detail"] for row in failed)
    assert first["url"] == f"{site.url}/"
    assert stored["url"] == "https://a.example/"
    assert last["url"] == f"{site.url}/world/"
    assert f"{len(codes)} failed".encode() in done.stderr


def test_a_host_that_is_not_allowed_is_refused_with_what_to_do(sitewright: Sitewright, site: Site) -> None:
    done = sitewright("links", f"{site.url}/", "--all")
    (row,) = rows(done.stdout)
    assert (done.returncode, row["error"]["code"]) == (1, "address_refused")
    assert "SITEWRIGHT_FETCH_ALLOW_HOSTS=127.0.0.1" in row["error"]["detail"]
    assert site.asked == []


def test_snapshots_that_are_stored_help_and_are_not_merged(sitewright: Sitewright, site: Site, tmp_path: Path) -> None:
    html = site.replies["/world/"].body.decode()
    stored = [{"url": f"{site.url}/", "html": html, "time": f"2024-05-0{day}T08:00:00Z"} for day in (1, 2)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(page) + "\n" for page in stored), "utf-8")
    done = sitewright("links", "a.jsonl", f"{site.url}/", "--all", env=QUICKLY)
    before, _, now = rows(done.stdout)
    assert len(before["links"]) == 14
    assert f"{site.url}{story(11)}" in links(now)
    assert "gone after 24 h" in links(before)[f"{site.url}{story(13)}"]["reason"]


def test_limit_is_of_pages_that_are_fetched(sitewright: Sitewright, site: Site) -> None:
    done = sitewright("links", f"{site.url}/", f"{site.url}/world/", "--limit", "1", env=QUICKLY)
    assert len(rows(done.stdout)) == 1
    assert site.asked == ["/robots.txt", "/"]


def test_a_map_learned_from_the_web_reads_the_page_of_tomorrow(
    sitewright: Sitewright, site: Site, tmp_path: Path
) -> None:
    learned = sitewright("links", f"{site.url}/", "--write-map", "new.yaml", "--report", "r.html", "-q", env=QUICKLY)
    assert (learned.returncode, learned.stderr) == (0, b"")
    site.replies["/"] = front(30)
    (row,) = rows(sitewright("links", f"{site.url}/", "--map", "new.yaml", "--all", env=QUICKLY).stdout)
    selected = {link["href"] for link in row["links"] if link["reason"].startswith("selected by ")}
    assert selected == {f"{site.url}{story(n)}" for n in range(30, 40)}
    assert f"{site.url}{story(10)}" in links(row)
    assert headline(3) in (tmp_path / "r.html").read_text("utf-8")


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_feeds_are_fetched_writes_what_there_is(
    site: Site, tmp_path: Path, signal_number: signal.Signals
) -> None:
    site.held = "/pages.xml.gz"
    arguments = ["links", f"{site.url}/", "--all", "-o", "o.jsonl", "--report", "r.html"]
    process = subprocess.Popen(
        [sys.executable, "-m", "sitewright", *arguments],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stderr is not None
    assert site.reached.wait(600)
    os.kill(process.pid, signal_number)
    assert process.wait(600) == 130
    message = process.stderr.read()
    process.stderr.close()
    assert b"interrupted; what is written is complete" in message
    assert b"Traceback" not in message
    assert b"Aborted" not in message
    (row,) = rows((tmp_path / "o.jsonl").read_bytes())
    assert {f"{site.url}{story(n)}" for n in range(10)} <= set(links(row))
    assert not (tmp_path / "r.html").exists()


def test_progress_is_shown_on_a_terminal(site: Site, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "sitewright", "links", f"{site.url}/", f"{site.url}/world/", "--all", "-o", "o.jsonl"],
        cwd=tmp_path,
        stderr=theirs,
        env=environment(SITEWRIGHT_FETCH_PAUSE_SECONDS="0.2", TERM="xterm"),
    )
    os.close(theirs)
    shown = bytearray()
    while block := _read(ours):
        shown += block
    os.close(ours)
    assert process.wait(600) == 0
    assert b"Traceback" not in shown
    assert b"2 pages in " in shown
    assert len(rows((tmp_path / "o.jsonl").read_bytes())) == 2


def _read(descriptor: int) -> bytes:
    """Read from a terminal; on Linux, one that nobody writes to any more is an error."""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_stories_of_the_demo_newspaper_are_found(sitewright: Sitewright, language: str) -> None:
    made = []

    def make(base_url: str) -> demo.Site:
        made.append(demo.generate_site(5, language=language, stories=25, base_url=base_url))
        return made[-1]

    with demo.serve(make) as base_url:
        done = sitewright("links", f"{base_url}/", "--all", env=QUICKLY)
    (row,) = rows(done.stdout)
    assert done.returncode == 0
    named = {link["href"].partition("?")[0] for link in row["links"]}
    articles = {link["href"].partition("?")[0] for link in row["links"] if link["article"]}
    stories = {f"{base_url}{path}" for path in made[0].truth}
    assert stories <= named
    assert len(articles & stories) >= 0.9 * len(stories)
    assert not {f"{base_url}/about/", f"{base_url}/"} & articles
