"""Living papers from an unknown front page to records: what they publish is collected, all of it, once, and in words."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from tests import needs
from tests.e2e.newsstand import PATIENCE, Newsroom, TownClock
from tests.program import Program, clean_environment

from sitewright.demo import LivingPaper, PaperKind, ServedPaper, SitePage, Truth, serve_papers
from sitewright.demo.loopback import LoopbackServer
from sitewright.parse import days_in
from sitewright.parse.sites import site_name
from sitewright.store.database import open_store
from sitewright.store.entries import RecordQuery, StoredMap, StoredRecord, StoredSite
from sitewright.watch.timing.periods import Timing

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="papers need 127.0.0.2")
START = datetime(2026, 3, 16, 6, 0, tzinfo=UTC)
END = START + timedelta(minutes=61)
"""The last story is published."""
SPEED = 180.0
FIRST: dict[PaperKind, int] = {"static": 20, "scripted": 12, "feed": 20}
"""How many stories are there at first sight, and how many more come afterwards."""
HAS_SCRIPTED = needs.HAS_BROWSER and needs.THOROUGH
KINDS: tuple[PaperKind, ...] = ("static", "scripted", "feed") if HAS_SCRIPTED else ("static", "feed")
of_all_kinds = pytest.mark.parametrize(
    "kind",
    ["static", pytest.param("scripted", marks=(needs.browser, needs.thorough)), "feed"],
)


@dataclass(frozen=True)
class Collected:
    """What became of a paper: at first sight, after a restart and an hour of news, and after one more restart."""

    served: ServedPaper
    site: StoredSite
    map: StoredMap
    records: list[StoredRecord]
    truth: Mapping[str, Truth]
    asked_first: Counter[str]
    asked_then: Counter[str]
    asked_last: Counter[str]
    """By two more collectors that looked at all sources of plain papers again when nothing was published any more."""
    statuses_last: Mapping[str, int]
    """What the last of them was answered."""

    def path(self, stored: StoredRecord) -> str:
        return stored.record.urls[0].removeprefix(self.served.base_url)


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[PaperKind, Collected]]:
    clock = TownClock(START)
    makers = [
        partial(LivingPaper, 7 + number, kind=kind, start=START, hours=1, stories=2 * FIRST[kind], before=FIRST[kind])
        for number, kind in enumerate(KINDS)
    ]
    with serve_papers(makers, clock.now) as served:
        hosts = tuple(site_name(paper.base_url) for paper in served)
        timing = Timing(minimum=240, maximum=900, goal=240)
        newsroom = Newsroom(tmp_path_factory.mktemp("collected"), clock, hosts, timing)
        plain = [site_name(paper.base_url) for paper in served if paper.paper.kind != "scripted"]
        newsroom.add(f"{paper.base_url}/" for paper in served)
        newsroom.collect_once()
        first = [paper.requests for paper in served]

        def all_is_there() -> bool:
            return clock.now() > END and all(
                newsroom.paths(paper).keys() >= paper.paper.published(END).keys() - paper.paper.withdrawn(clock.now())
                for paper in served
            )

        clock.run(SPEED)
        newsroom.collect_until(all_is_there)
        clock.stop()
        then = [paper.requests for paper in served]
        newsroom.look_again(plain)
        current = [len(paper.log) for paper in served]
        newsroom.look_again(plain)
        with open_store(newsroom.store) as store:
            yield {
                paper.paper.kind: Collected(
                    served=paper,
                    site=store.site(site),
                    map=store.load_map(site),
                    records=newsroom.records(site),
                    truth=paper.paper.published(clock.now()),
                    asked_first=before,
                    asked_then=after - before,
                    asked_last=paper.requests - after,
                    statuses_last={
                        request.path: request.status for request in paper.log[known:] if request.path != "/robots.txt"
                    },
                )
                for paper, site, before, after, known in zip(served, hosts, first, then, current, strict=True)
            }


@of_all_kinds
def test_what_was_published_is_what_was_collected(papers: dict[PaperKind, Collected], kind: PaperKind) -> None:
    collected = papers[kind]
    found = Counter(map(collected.path, collected.records))
    assert set(found) == set(collected.truth)
    assert set(found.values()) == {1}


@of_all_kinds
def test_titles_and_days_are_the_papers_and_nearly_all_words(
    papers: dict[PaperKind, Collected], kind: PaperKind
) -> None:
    """A map that was learned may leave out what is not a paragraph: a heading, a list, a table; and live entries."""
    for stored in papers[kind].records:
        truth = papers[kind].truth[papers[kind].path(stored)]
        fields = {name: value.value for name, value in stored.record.fields.items()}
        assert fields["title"] == truth.title
        assert date.fromisoformat(fields["published"][:10]) == truth.published.date()
        least = 0.4 if "/live/" in stored.record.urls[0] else 0.8  # as in redesigning.Scene.poor_texts
        assert shared_words(fields["text"], truth.text) > least, stored.record.urls


def shared_words(first: str, second: str) -> float:
    one, other = Counter(first.split()), Counter(second.split())
    return 2 * (one & other).total() / (one.total() + other.total())


@of_all_kinds
def test_no_story_is_fetched_twice(papers: dict[PaperKind, Collected], kind: PaperKind) -> None:
    """Except for the first two, which were fetched both ways when the site was learned."""
    collected = papers[kind]
    twice = {path for path, times in collected.served.requests.items() if times > 1 and path in collected.truth}
    assert twice <= {path for path, times in collected.asked_first.items() if times == 2}
    assert len(twice) <= 2 * needs.HAS_BROWSER


@of_all_kinds
def test_a_restart_fetches_no_story_again(papers: dict[PaperKind, Collected], kind: PaperKind) -> None:
    collected = papers[kind]
    known = collected.truth.keys() & collected.asked_first.keys()
    assert len(known) == FIRST[kind]
    assert not known & collected.asked_then.keys()
    assert not collected.truth.keys() & collected.asked_last.keys()


def test_unchanged_index_pages_cost_a_304(papers: dict[PaperKind, Collected]) -> None:
    static, feed = papers["static"].statuses_last, papers["feed"].statuses_last
    assert len(static) == len(papers["static"].map.parsed().index) > 5
    assert set(static.values()) == {304}
    assert feed == {"/feed.xml": 304}


@needs.browser
@needs.thorough
def test_a_scripted_paper_is_read_in_a_browser_and_its_calls_are_offered(papers: dict[PaperKind, Collected]) -> None:
    collected = papers["scripted"]
    learned = collected.map.parsed()
    assert learned.render == "browser"
    assert {entry.render for entry in learned.index if entry.items} == {"browser"}
    calls = collected.site.state.calls
    assert calls
    assert all(call["url"].startswith(f"{collected.served.base_url}/data/") and call["share"] > 0.5 for call in calls)


@pytest.mark.parametrize("kind", ["static", "feed"])
def test_plain_papers_need_no_browser(papers: dict[PaperKind, Collected], kind: PaperKind) -> None:
    learned = papers[kind].map.parsed()
    assert learned.render == "static"
    assert {entry.render for entry in learned.index} == {"static"}
    assert not papers[kind].site.state.calls


# The command line, on one static paper whose clock stands until a test moves it


@dataclass
class Press:
    """A paper of three days, and a store in which it was collected by a first call."""

    program: Program
    server: LoopbackServer
    paper: LivingPaper
    folder: Path
    first: "subprocess.CompletedProcess[bytes]"
    now: datetime = START
    hidden: set[str] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"{self.server.base_url}/"

    def page(self, path: str) -> SitePage | None:
        if path in self.hidden:
            return None
        found = self.paper.page(path, self.now)
        if path == "/robots.txt" and found is not None and self.hidden:
            return SitePage(path, b"User-agent: *\n", found.content_type, found.kind)
        return found

    def asked(self) -> Counter[str]:
        return Counter(request.path for request in self.server.log)

    def stories(self) -> Counter[str]:
        """How often each story was asked for."""
        return Counter({path: times for path, times in self.asked().items() if path in self.paper.published(self.now)})

    def sitewright(self, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
        environment = clean_environment(
            {
                "SITEWRIGHT_FETCH_ALLOW_HOSTS": site_name(self.url),
                "SITEWRIGHT_FETCH_PAUSE_SECONDS": "0",
                "SITEWRIGHT_FETCH_BROWSER": "/nowhere/chromium",
                "SITEWRIGHT_LIMITS_PAGE_SECONDS": str(PATIENCE),
            }
        )
        return self.program.call(*arguments, folder=folder, environment=environment)

    def records(self, folder: Path) -> dict[str, StoredRecord]:
        with open_store(f"sqlite:///{folder}/sitewright.db") as store:
            found = store.records(RecordQuery(site=site_name(self.url)))
            return {stored.record.urls[0].removeprefix(self.server.base_url): stored for stored in found}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory, program: Program) -> Iterator[Press]:
    folder = tmp_path_factory.mktemp("press")
    with LoopbackServer(("127.0.0.9", 0)) as server:
        paper = LivingPaper(3, base_url=server.base_url, start=START, hours=1, stories=84, before=72)
        press = Press(program, server, paper, folder, subprocess.CompletedProcess([], 0))
        server.pages = press
        with server.running():
            press.first = press.sitewright(folder, "collect", press.url, "--once")
            yield press


@pytest.fixture
def press(printed: Press, tmp_path: Path) -> Iterator[Press]:
    """The paper and its server as they were after the first call, with a copy of the store in the test's own folder."""
    shutil.copytree(printed.folder, tmp_path, dirs_exist_ok=True)
    printed.now, printed.hidden = START, set()
    printed.server.log.clear()
    return printed


def test_the_first_call_learns_collects_and_shows_a_table(printed: Press) -> None:
    assert printed.first.returncode == 0, printed.first.stderr.decode()
    said, table = printed.first.stderr.decode(), printed.first.stdout.decode()
    assert "learned from 24 articles" in said
    number = len(printed.records(printed.folder))
    assert number > 20
    assert re.search(rf"127\.0\.0\.9: {number} records, map version 1 \(learned\), \d+ sources", table)
    for name, share in {"title": "100%", "published": "100%", "text": "100%", "authors": r"\d+%"}.items():
        assert re.search(rf"^{name} +\d+ +{number} +{share} ", table, re.MULTILINE), table


def test_a_second_call_uses_the_stored_map_at_once(press: Press, tmp_path: Path) -> None:
    before = press.records(tmp_path)
    again = press.sitewright(tmp_path, "collect", press.url, "--once")
    assert again.returncode == 0, again.stderr.decode()
    assert b"learned" not in again.stderr
    assert b"map version 1 (learned)" in again.stdout
    assert press.records(tmp_path) == before
    assert not press.stories()
    assert {request.status for request in press.server.log if request.path != "/robots.txt"} == {304}


def test_watch_collects_what_is_new(press: Press, tmp_path: Path) -> None:
    before = press.records(tmp_path)
    press.now = END
    with open_store(f"sqlite:///{tmp_path}/sitewright.db") as store:
        store.hasten(site_name(press.url))
    done = press.sitewright(tmp_path, "watch", "--once")
    assert done.returncode == 0, done.stderr.decode()
    new = press.paper.published(END).keys() - press.paper.published(START).keys()
    assert press.records(tmp_path).keys() == before.keys() | new
    assert press.stories() == Counter(new)
    assert f"{len(before) + len(new)} records" in done.stdout.decode()


def test_watch_wants_a_store_with_sites(press: Press, tmp_path: Path) -> None:
    nothing = press.sitewright(tmp_path, "watch", "--once", "--store", "sqlite:///other.db")
    assert nothing.returncode == 2
    assert b"begin with: sitewright collect URL" in nothing.stderr
    other = press.sitewright(tmp_path, "watch", "--once", "paper.example")
    assert other.returncode == 2
    assert b"there is no site paper.example" in other.stderr
    assert not press.server.log


@pytest.mark.parametrize("hidden", [set(), {"/sitemap.xml", "/feed.xml"}], ids=["sitemap", "lists"])
def test_since_a_day_brings_older_stories(press: Press, tmp_path: Path, hidden: set[str]) -> None:
    """By the sitemap, or where there is none by turning the pages of lists, whose links do not all say their days."""
    press.hidden = hidden
    before = press.records(tmp_path)
    day = (START - timedelta(days=2)).date()
    done = press.sitewright(tmp_path, "collect", press.url, "--once", "--since", str(day))
    assert done.returncode == 0, done.stderr.decode()
    published = press.paper.published(START)
    wanted = {path for path, truth in published.items() if truth.published.astimezone(UTC).date() >= day}
    older = {path for path, truth in published.items() if truth.published.astimezone(UTC).date() < day}
    assert len(wanted - before.keys()) > 5
    assert len(older) > 5
    found = press.records(tmp_path).keys()
    assert wanted <= found
    changed = {path for path, truth in published.items() if truth.modified and truth.modified.date() >= day}
    assert not any(any(days_in(path)) for path in (found - before.keys()) & (older - changed))
    assert max(press.stories().values()) == 1
    with open_store(f"sqlite:///{tmp_path}/sitewright.db") as store:
        assert store.site(site_name(press.url)).state.past is None


@pytest.mark.parametrize(
    ("option", "part"), [("--ban", "/video/"), ("--seed", "/sport/"), ("--seed", r"re:/20\d\d/\d\d/\d\d/")]
)
def test_seeds_and_bans_choose_links(press: Press, tmp_path: Path, option: str, part: str) -> None:
    press.now = END
    before = press.records(tmp_path)
    done = press.sitewright(tmp_path, "collect", press.url, "--once", option, part)
    assert done.returncode == 0, done.stderr.decode()
    new = press.paper.published(END).keys() - press.paper.published(START).keys()
    chosen = {path for path in new if bool(re.search(part.removeprefix("re:"), path)) == (option == "--seed")}
    assert 0 < len(chosen) < len(new)
    assert press.records(tmp_path).keys() - before.keys() == chosen
    assert press.stories() == Counter(chosen)


def test_a_feed_may_be_named_in_place_of_a_front_page(press: Press, tmp_path: Path) -> None:
    for name in ("sitewright.db", "sitewright.db-wal", "sitewright.db-shm"):
        with suppress(FileNotFoundError):
            (tmp_path / name).unlink()
    done = press.sitewright(tmp_path, "collect", f"{press.url}feed.xml", "--once")
    assert done.returncode == 0, done.stderr.decode()
    assert len(press.records(tmp_path)) >= 20


def test_a_run_is_bounded_told_of_and_keeps_its_secrets(press: Press, tmp_path: Path) -> None:
    press.now = END
    secret = "s3cr3t-t0k3n"  # noqa: S105
    host = site_name(press.url)
    (tmp_path / "cookies.txt").write_text(f"{host}\tFALSE\t/\tFALSE\t0\tsession\t{secret}\n", "utf-8")
    settings = f'[sites."{host}"]\ncookies = "cookies.txt"\nheaders = {{ X-Key = "{secret}" }}\n'
    (tmp_path / "sitewright.toml").write_text(settings, "utf-8")
    before = press.records(tmp_path)
    script = "import sys; open('heard.jsonl', 'ab').write(sys.stdin.buffer.read())"
    options = ("--once", "--max-pages", "3", "--summary", "-", "--on-event", f'{sys.executable} -c "{script}" {secret}')
    done = press.sitewright(tmp_path, "collect", press.url, *options)
    assert done.returncode == 0, done.stderr.decode()
    new = press.records(tmp_path).keys() - before.keys()
    summary = json.loads(done.stdout)
    (own,) = summary["sites"]
    assert len(new) == 3
    assert sum(press.stories().values()) == 3
    assert (summary["new"], own["new"], own["site"], own["learned"], summary["status"]) == (3, 3, host, True, 0)
    heard = [json.loads(line) for line in (tmp_path / "heard.jsonl").read_bytes().splitlines()]
    records = [row for row in heard if row["event"] == "record"]
    assert {row["url"].removeprefix(press.server.base_url) for row in records} == new
    assert {row["change"] for row in records} == {"new"}
    status = press.sitewright(tmp_path, "status")
    (tmp_path / "status").write_bytes(status.stdout + status.stderr + done.stdout + done.stderr)
    press.sitewright(tmp_path, "export", "-o", "all.warc.gz")
    press.sitewright(tmp_path, "export", "-o", "all.jsonl", "--explain")
    held = {path.name for path in tmp_path.rglob("*") if path.is_file() and secret.encode() in unpacked(path)}
    assert held == {"cookies.txt", "sitewright.toml"}


def unpacked(path: Path) -> bytes:
    return gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()


def test_stories_that_are_too_old_are_left_out(press: Press, tmp_path: Path) -> None:
    press.now = END
    before = press.records(tmp_path)
    done = press.sitewright(tmp_path, "collect", press.url, "--once", "--max-age", "1h", "--summary", "run.json")
    assert done.returncode == 0, done.stderr.decode()
    added = {path: stored for path, stored in press.records(tmp_path).items() if path not in before}
    assert not any("published" in stored.record.fields for stored in added.values())
    assert json.loads((tmp_path / "run.json").read_text("utf-8"))["new"] == len(added)
    new = press.paper.published(END).keys() - press.paper.published(START).keys()
    assert len(added) < len(new) / 2
    with open_store(f"sqlite:///{tmp_path}/sitewright.db") as store:
        codes = Counter(stored.failure.code for stored in store.failures(site_name(press.url)))
    assert codes["too_old"] + len(added) == press.stories().total()


def test_wrong_expressions_are_told_before_anything_is_fetched(press: Press, tmp_path: Path) -> None:
    done = press.sitewright(tmp_path, "collect", press.url, "--once", "--ban", "re:(")
    assert done.returncode == 2
    assert b"error[settings_error]: " in done.stderr
    assert not press.server.log
