"""Sites that are not as they should be, all given in one call with a good one: each is told, none holds up another."""

import gzip
import shutil
import ssl
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.e2e.newsstand import PATIENCE
from tests.e2e.servers import HTML, Answer, Reply, SiteServer, serving
from tests.program import Program, clean_environment

from sitewright.demo import EPOCH
from sitewright.store.database import Store, open_store
from sitewright.store.entries import RecordQuery

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="each site has a loopback address of its own"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed"),
]
NOWHERE = "nowhere.invalid"
STORIES = 24


# What is wrong with each; the front page is at "/"


def robots_forbid_all(site: SiteServer) -> Answer:
    rules = Reply("User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})
    return lambda path: rules if path == "/robots.txt" else site.good(path)


def robots_are_a_page(site: SiteServer) -> Answer:
    page = Reply("<!doctype html><title>Oh</title><p>User-agent: *\n" + "Disallow: /\n" * 400_000)
    return lambda path: page if path == "/robots.txt" else site.good(path)


def front_answers(status: int, **headers: str) -> Callable[[SiteServer], Answer]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda site: lambda path: Reply("no", status, named) if path == "/" else site.good(path)


def stories_answer(status: int, **headers: str) -> Callable[[SiteServer], Answer]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda site: lambda path: Reply("no", status, named) if site.is_story(path) else site.good(path)


def leads_back_to_itself(site: SiteServer) -> Answer:
    return lambda path: Reply(status=302, headers={"Location": "/b" if path == "/a" else "/a"})


def wants_a_login(site: SiteServer) -> Answer:
    form = "<form action=/in method=post><input name=user><input type=password name=word><button>Log in</button></form>"
    return lambda _: Reply(f"<!doctype html><title>Members</title><h1>Welcome back</h1>{form}")


def wants_consent(site: SiteServer) -> Answer:
    told = "<h1>Before you go on</h1><p>We and our 812 partners store cookies. Your consent counts.</p>"
    return lambda _: Reply(f"<!doctype html><title>Consent</title>{told}<button>Accept all</button>")


def is_a_pdf(site: SiteServer) -> Answer:
    return lambda _: Reply(
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + b"0 obj " * 1000, headers={"Content-Type": "application/pdf"}
    )


def is_a_bomb(site: SiteServer) -> Answer:
    bomb = gzip.compress(bytes(200_000_000), 9)
    return lambda _: Reply(bomb, headers={**HTML, "Content-Encoding": "gzip"})


def has_no_articles(site: SiteServer) -> Answer:
    links = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("about", "contact", "prices", "imprint"))
    page = f"<!doctype html><title>Plumber</title><h1>Pipes and taps</h1><ul>{links}</ul>"
    return lambda path: Reply(page) if path in {"/", "/about", "/contact", "/prices", "/imprint"} else Reply("no", 404)


def has_an_endless_calendar(site: SiteServer) -> Answer:
    def month(number: int) -> str:
        return f"/calendar/{number // 12}/{number % 12 + 1:02}/"

    def page(number: int) -> str:
        days = "".join(f"<td><a href={month(number)}{day:02}/>{day}</a>" for day in range(1, 29))
        return f"<table>{days}</table><a href={month(number - 1)}>Earlier</a> <a href={month(number + 1)}>Later</a>"

    def answer(path: str) -> Reply:
        if path.startswith("/calendar/"):
            _, _, year, number, *_ = path.split("/")
            return Reply(f"<!doctype html><title>Calendar</title>{page(int(year) * 12 + int(number) - 1)}")
        reply = site.good(path)
        calendar = page(EPOCH.year * 12 + EPOCH.month - 1).encode()
        return Reply(reply.body.replace(b"</body>", calendar + b"</body>"), reply.status, reply.headers)

    return answer


def has_session_ids(site: SiteServer) -> Answer:
    numbers = count()

    def answer(path: str) -> Reply:
        reply = site.good(path)
        if "html" not in reply.headers["Content-Type"]:
            return reply
        session = f"PHPSESSID={next(numbers):032x}".encode()
        return Reply(reply.body.replace(b'.html"', b".html?" + session + b'"').replace(b'/"', b"/?" + session + b'"'))

    return answer


def has_a_huge_front_page(site: SiteServer) -> Answer:
    padding = b"<p hidden>" + b"0123456789abcdef " * 600_000 + b"</p></body>"

    def answer(path: str) -> Reply:
        reply = site.good(path)
        return Reply(reply.body.replace(b"</body>", padding), headers=reply.headers) if path == "/" else reply

    return answer


LATER = {"Retry_After": "7200"}
TROUBLE: dict[str, tuple[Callable[[SiteServer], Answer], str, str]] = {
    "robots forbid all": (robots_forbid_all, "robots_forbid", "robots.txt asks not to fetch it; leave the address out"),
    "front 403": (front_answers(403), "error_page", "answered 403: it does not want to be read by programs; ask the"),
    "front 404": (front_answers(404), "error_page", "answered 404; check the address"),
    "front 429": (front_answers(429), "error_page", "answered 429: it is too busy or out of order; try again later"),
    "front 429, later": (front_answers(429, **LATER), "error_page", "answered 429: it is too busy"),
    "front 503": (front_answers(503), "error_page", "answered 503: it is too busy or out of order; try again later"),
    "front 503, later": (front_answers(503, **LATER), "error_page", "answered 503: it is too busy"),
    "stories 403": (stories_answer(403), "error_page", "answered 403: it does not want to be read by programs"),
    "stories 429": (stories_answer(429, **LATER), "error_page", "answered 429: it is too busy"),
    "stories 503": (stories_answer(503), "error_page", "answered 503: it is too busy"),
    "redirect loop": (leads_back_to_itself, "too_many_redirects", "leads back to"),
    "login": (wants_a_login, "login_wall", "asks for a name and a password; what only members see is not collected"),
    "consent": (wants_consent, "consent_wall", "asks for consent to cookies"),
    "pdf": (is_a_pdf, "not_html", "application/pdf; name the front page of the site, or its feed"),
    "bomb": (is_a_bomb, "page_too_large", "limits.page_bytes"),
    "no articles": (has_no_articles, "no_articles", "no article links were found; name the page that lists them"),
}
"""What is wrong, the code of the failure, and a part of the sentence that tells it."""
ODD: dict[str, Callable[[SiteServer], Answer]] = {
    "robots are a page": robots_are_a_page,
    "endless calendar": has_an_endless_calendar,
    "session ids": has_session_ids,
    "huge front page": has_a_huge_front_page,
}
"""What can be collected all the same."""


@dataclass
class Called:
    """One call with all sites, and what came of it."""

    sites: Mapping[str, SiteServer]
    done: "subprocess.CompletedProcess[bytes]"
    store: Store
    folder: Path
    waited: list[bool]
    """Whether the slow site had to wait for the good one in vain."""

    @property
    def said(self) -> str:
        return self.done.stderr.decode()

    def records(self, name: str) -> Counter[str]:
        """Return the paths of the records of a site."""
        site = self.sites[name]
        found = self.store.records(RecordQuery(site=site.host))
        return Counter(urlsplit(stored.record.urls[0]).path for stored in found)


def collect(program: Program, folder: Path, *urls: str) -> "subprocess.CompletedProcess[bytes]":
    environment = clean_environment(
        {
            "SITEWRIGHT_FETCH_ALLOW_HOSTS": ",".join(f"127.0.1.{number}" for number in range(1, 60)),
            "SITEWRIGHT_FETCH_PAUSE_SECONDS": "0",
            "SITEWRIGHT_FETCH_SECONDS": str(2 * PATIENCE),
            "SITEWRIGHT_FETCH_BROWSER": "/nowhere/chromium",
            "SITEWRIGHT_LIMITS_PAGE_SECONDS": str(PATIENCE),
        }
    )
    return program.call("collect", "--once", *urls, folder=folder, environment=environment)


def site_of(number: int, scheme: str = "http") -> SiteServer:
    return SiteServer(f"127.0.1.{number}", seed=number, stories=STORIES, scheme=scheme)


def self_signed(folder: Path) -> ssl.SSLContext:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = f"openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=bees.example -keyout {key} -out {certificate}"
    subprocess.run(made.split(), check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory, program: Program) -> Iterator[Called]:
    folder = tmp_path_factory.mktemp("bad")
    numbers = count(1)
    sites = {name: site_of(next(numbers)) for name in (*TROUBLE, *ODD, "slow", "good")}
    sites["tls"] = site_of(next(numbers), "https")
    sites["tls"].socket = self_signed(folder).wrap_socket(sites["tls"].socket, server_side=True)
    for name, (make, _, _) in TROUBLE.items():
        sites[name].answer = make(sites[name])
    for name, make in ODD.items():
        sites[name].answer = make(sites[name])
    good, slow = sites["good"], sites["slow"]
    all_served, waited = threading.Event(), list[bool]()

    def serve_good(path: str) -> Reply:
        if good.paper.truth.keys() <= {urlsplit(one).path for one in good.asked}:
            all_served.set()
        return good.good(path)

    def wait_for_good(path: str) -> Reply:
        if path == "/":
            waited.append(not all_served.wait(PATIENCE))
        return slow.good(path)

    good.answer, slow.answer = serve_good, wait_for_good
    with serving(*sites.values()):
        done = collect(program, folder, "htp:/mistyped", f"http://{NOWHERE}/", *(site.url for site in sites.values()))
        with open_store(f"sqlite:///{folder}/sitewright.db") as store:
            yield Called(sites, done, store, folder, waited)


def test_a_good_site_among_bad_ones_is_collected_as_a_whole(called: Called) -> None:
    assert called.records("good") == called.sites["good"].stories
    assert called.done.returncode == 1
    assert "Traceback" not in called.said
    assert f"{called.sites['good'].host}: {STORIES} records" in called.done.stdout.decode()


def test_nobody_waits_for_a_slow_site(called: Called) -> None:
    assert called.waited
    assert not any(called.waited)
    assert called.records("slow") == called.sites["slow"].stories


@pytest.mark.parametrize("name", TROUBLE)
def test_trouble_is_told_and_stored_by_its_code(called: Called, name: str) -> None:
    _, code, sentence = TROUBLE[name]
    site = called.sites[name]
    told = next(line for line in called.said.splitlines() if line.startswith(f"error[{code}]: {site.host}: "))
    assert sentence in told
    failures = [stored.failure for stored in called.store.failures(site.host)]
    assert [(failure.stage, failure.code) for failure in failures] == [("learn", code)]
    assert sentence in failures[0].detail
    assert called.store.load_map(site.host) is None
    assert not called.records(name)


@pytest.mark.parametrize("name", ODD)
def test_odd_sites_are_collected_all_the_same(called: Called, name: str) -> None:
    site = called.sites[name]
    assert called.records(name) == called.sites[name].stories
    assert called.store.failures(site.host) == []
    assert site.asked_stories == called.sites[name].stories


def test_a_calendar_is_not_walked_through(called: Called) -> None:
    asked = [path for path in called.sites["endless calendar"].asked if path.startswith("/calendar/")]
    assert len(asked) < 20


def test_a_bad_certificate_is_told_and_nothing_is_asked(called: Called) -> None:
    site = called.sites["tls"]
    (stored,) = called.store.failures(site.host)
    assert stored.failure.code == "connection_failed"
    assert "its certificate is not valid (self-signed certificate); check the address" in stored.failure.detail
    assert f"error[connection_failed]: {site.host}: " in called.said
    assert site.asked == []


def test_a_host_that_does_not_exist_is_told(called: Called) -> None:
    (stored,) = called.store.failures(NOWHERE)
    assert stored.failure.code == "host_not_found"
    assert f"error[host_not_found]: {NOWHERE}: " in called.said
    assert "check the name, and whether this machine is online" in called.said


def test_a_mistyped_address_is_told_and_makes_no_site(called: Called) -> None:
    assert "error[bad_url]: 'htp:/mistyped' is not the address of a site; write it like https://" in called.said
    assert {site.name for site in called.store.sites()} == {NOWHERE, *(site.host for site in called.sites.values())}


@pytest.mark.parametrize("name", ["front 429, later", "front 503, later", "stories 429"])
def test_who_asks_for_patience_is_left_alone(called: Called, name: str) -> None:
    (page,) = called.store.index_pages(called.sites[name].host)
    assert page.next_due > datetime.now(UTC) + timedelta(hours=1)
    assert len([path for path in called.sites[name].asked if path == "/"]) == 1


def test_a_busy_site_is_learned_again_soon_and_one_without_articles_tomorrow(called: Called) -> None:
    (busy,), (other,) = (called.store.index_pages(called.sites[name].host) for name in ("front 503", "no articles"))
    now = datetime.now(UTC)
    assert busy.next_due < now + timedelta(minutes=6)
    assert now + timedelta(hours=20) < other.next_due < now + timedelta(hours=25)


@pytest.mark.parametrize(
    ("urls", "code"),
    [
        (["htp://example.com"], "bad_url"),
        (["https:/example.com"], "bad_url"),
        (["two words"], "bad_url"),
        (["https://"], "bad_url"),
        (["htp:/a", "http://[b"], "bad_url"),
        ([f"http://{NOWHERE}/"], "host_not_found"),
        (["http://127.0.2.1/"], "address_refused"),
        (["ftp.example:80:80"], "bad_url"),
    ],
)
def test_nothing_but_bad_ones(program: Program, tmp_path: Path, urls: list[str], code: str) -> None:
    done = collect(program, tmp_path, *urls)
    assert done.returncode == 2
    assert f"error[{code}]: " in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_a_site_that_is_named_twice_is_not_a_bad_one(called: Called, program: Program) -> None:
    good = called.sites["good"]
    done = collect(program, called.folder, good.url, f"{good.url}latest/")
    assert done.returncode == 0, done.stderr.decode()
