"""Everything that can be done to a collector and its store, again and again: what was tried, how often, what was lost.

    python -m bench.destroy [--times N] [--hours H] [--speed S] [--only NAME…] [--seed N]

All of it happens on loopback and in a folder that is removed. Papers are generated, so it is known what they published:
lost is every story that is neither in the store nor waiting to be collected, unseen one that no list which the paper
served ever named (it came and left the lists while no collector lived long enough to look), doubled every second record
of a story, wrong every value that is not what was collected. Ends with a table, and with one line of JSON. How long a
fault lasts is told in the time of the papers; choose a speed that the machine can follow.

`day` is a day of two papers at some speed, with one random fault a minute: kills, damage to database and archive
(repaired by `store check --repair`), a store that is locked or misses a table, dead workers, servers that break
connections or drip, clocks that are wrong by hours.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.lives import Lives, lives_of
from sitewright.actions.check_store import Repair, check_store
from sitewright.demo import LivingPaper, ServedPaper, generate_site, serve_papers
from sitewright.demo.catalogue import SitePage
from sitewright.errors import SitewrightError
from sitewright.maps import parse_map
from sitewright.parse import signature
from sitewright.parse.sites import site_name
from sitewright.processes.tasks import pack_map, read_item
from sitewright.store.database import open_store
from sitewright.store.entries import Collected, RecordQuery, WatchedPage
from sitewright.store.warc import WarcStore, archive_files, read_page
from sitewright.types import Limits, Page
from sitewright.watch.clock import Clock

START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
GRACE = timedelta(hours=1)
REPAIR = Repair(wanted=True, forget_missing=True)
SPEED = 40.0
LEARNING = 300.0
PEACE = 240.0
"""Seconds in which a collector learns the papers at first, and catches up at the end, at most."""
_LISTS = ("front", "list", "feed")


@dataclass
class Row:
    """One line of the table."""

    tried: str
    times: int = 0
    lost: int = 0
    waiting: int = 0
    """Not stored, but waiting to be collected."""
    unseen: int = 0
    """Not stored, and never named by a list that was served."""
    doubled: int = 0
    wrong: int = 0
    seconds: float = 0.0
    notes: str = ""


# Stores that are damaged


@dataclass
class Shelf:
    """A store with its archive, and what is in it."""

    folder: Path
    site: str
    titles: dict[str, str] = field(default_factory=dict)

    @property
    def database(self) -> Path:
        return self.folder / "sitewright.db"

    @property
    def address(self) -> str:
        return f"sqlite:///{self.database}"

    @property
    def pages(self) -> Path:
        return self.folder / "sitewright-pages"

    def copy(self, folder: Path) -> "Shelf":
        shutil.copytree(self.folder, folder)
        return Shelf(folder, self.site, dict(self.titles))

    def judge(self, row: Row) -> None:
        """Count what is missing after a repair: a story has its record, or its page at hand and its link waiting."""
        with open_store(self.address) as store:
            found: Counter[str] = Counter()
            for stored in store.records(RecordQuery(site=self.site)):
                url = stored.record.urls[0]
                found[url] += 1
                title = stored.record.fields.get("title")
                row.wrong += title is None or title.value != self.titles.get(url)
                if stored.location is not None:
                    read_page(self.pages, stored.location)
            waiting = {signature(link.url) for link in store.due_links(self.site, limit=10_000)}
        row.lost += sum(url not in found and signature(url) not in waiting for url in self.titles)
        row.doubled += sum(count - 1 for count in found.values())


def make_shelf(folder: Path, stories: int = 60) -> Shelf:
    """Fill a store with the stories of a generated paper."""
    paper = generate_site(stories=stories)
    shelf = Shelf(folder, paper.host)
    shelf.pages.mkdir(parents=True)
    extraction_map = parse_map(paper.map_text)
    packed = pack_map(extraction_map)
    with open_store(shelf.address) as store, WarcStore(shelf.pages) as archive:
        store.add_site(shelf.site, url=f"{paper.base_url}/")
        store.save_map(paper.map_text, "learned")
        store.put_index_pages([WatchedPage(site=shelf.site, url=entry.url) for entry in extraction_map.index])
        for number, path in enumerate(paper.truth):
            if (served := paper.page(path)) is None:
                continue
            at = START + timedelta(minutes=number)
            page = Page(url=f"{paper.base_url}{path}", body=served.html, fetched_at=at, via="http")
            if (record := read_item(Limits(), page, packed).record) is None:
                continue
            shelf.titles[page.url] = str(record.fields["title"].value)
            store.commit_pages([Collected(record=record, page=page, location=archive.append(page))])
    return shelf


def damage(path: Path, chance: random.Random, most: int) -> None:
    """Write some random bytes somewhere into a file."""
    with path.open("r+b") as file:
        size = path.stat().st_size
        file.seek(chance.randrange(size))
        file.write(chance.randbytes(min(chance.randint(1, most), size - file.tell())))


def damaged(shelf: Shelf, folder: Path, times: int, chance: random.Random, where: str) -> Row:
    """Damage copies of a store, repair each, and see what is left."""
    row = Row(f"{where} damaged at a random place (1 to 64 bytes), then `store check --repair`")
    repaired: Counter[str] = Counter()
    for number in range(times):
        one = shelf.copy(folder / f"{where}-{number}")
        path = one.database if where == "database" else archive_files(one.pages)[0]
        damage(path, chance, 64)
        WarcStore(one.pages).close()  # as a collector opens it
        found = check_store(one.address, one.pages, REPAIR)
        repaired.update(finding.kind for finding in found.findings)
        row.wrong += not check_store(one.address, one.pages).is_well
        one.judge(row)
        row.times += 1
        shutil.rmtree(one.folder)
    row.notes = ", ".join(f"{kind} {count}" for kind, count in repaired.most_common(6))
    return row


def torn(shelf: Shelf, folder: Path, times: int, chance: random.Random) -> Row:
    """Cut files of the archive short, as full disks and crashes do."""
    row = Row("archive cut off at a random byte, then `store check --repair`")
    for number in range(times):
        one = shelf.copy(folder / f"torn-{number}")
        (file,) = archive_files(one.pages)
        os.truncate(file, chance.randrange(file.stat().st_size))
        check_store(one.address, one.pages, REPAIR)
        one.judge(row)
        row.times += 1
        shutil.rmtree(one.folder)
    return row


def killed_housekeeping(shelf: Shelf, folder: Path, times: int, chance: random.Random) -> Row:
    """Kill `store backup`, `move`, `prune` and `check --repair` at any moment, and run them again."""
    row = Row("`store backup`, `move`, `prune`, `check --repair` killed at a random moment, then run again")
    commands = (
        ["store", "backup", "copy"],
        ["store", "move", "sqlite:///moved.db"],
        ["store", "prune", "--older-than", "3650d"],
        ["store", "prune", "--older-than", "1d", "--pages-only"],
        ["store", "check", "--repair"],
    )
    for number in range(times):
        one = shelf.copy(folder / f"housekeeping-{number}")
        command = [sys.executable, "-m", "sitewright", *commands[number % len(commands)]]
        with subprocess.Popen(command, cwd=one.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(chance.uniform(0.5, 2.5))
            process.kill()
        subprocess.run(command, cwd=one.folder, capture_output=True, check=False)
        row.wrong += not check_store(one.address, one.pages).is_well
        one.judge(row)
        for place in ("copy/sitewright.db", "moved.db"):
            if (one.folder / place).exists():
                with open_store(f"sqlite:///{one.folder / place}") as store:
                    row.lost += len(one.titles) - store.count_records(RecordQuery(site=one.site))
        row.times += 1
        shutil.rmtree(one.folder)
    return row


# Collectors that are killed, and worse


class MoodyPaper(LivingPaper):
    """A paper whose server breaks connections, or answers slowly, for as long as it is in the mood."""

    mood = ""

    def __init__(self, seed: int, **facts: Any) -> None:
        """Write the paper; `facts` are those of all living papers."""
        super().__init__(seed, **facts)
        self.shown: set[str] = set()
        """The stories that were named by a list which was served."""

    def page(self, path: str, now: datetime) -> SitePage | None:
        """Return a page, unless there is a mood."""
        if self.mood == "broken":
            raise ConnectionResetError
        if self.mood == "slow":
            time.sleep(0.3)
        found = super().page(path, now)
        if found is not None and found.kind in _LISTS and path != "/sitemap.xml":  # which is no source
            self.shown |= {one for one in self.published(now).keys() - self.shown if one.encode() in found.html}
        return found


@dataclass
class Scene:
    """Papers that are served, a store, and a collector that suffers."""

    folder: Path
    papers: Sequence[ServedPaper]
    clock: Clock
    lives: Lives
    chance: random.Random
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def database(self) -> Path:
        return self.folder / "store.db"

    @property
    def address(self) -> str:
        return f"sqlite:///{self.database}"

    @property
    def pages(self) -> Path:
        return self.folder / "pages"

    def note(self, line: str) -> None:
        """Write a line into the diary, beside what the lives say."""
        with (self.folder / "pages.log").open("a") as diary:
            diary.write(f"{self.clock.now():%d %H:%M:%S} {line}\n")

    def kill(self) -> None:
        self.lives.kill()
        self.lives.begin(self.clock.now())

    def kill_worker(self) -> None:
        self.lives.kill_worker()

    def lock(self) -> None:
        """Hold the store for a moment, as a copy or a backup does."""
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(self.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            self._pass(10, 60)
            other.execute("COMMIT")

    def lose_table(self) -> None:
        """Take a table away for a moment, and see to it that it comes back."""
        with closing(sqlite3.connect(self.database, timeout=5)) as other:
            if renamed(other, "baselines", "elsewhere"):
                self._pass(10, 60)
                while not renamed(other, "elsewhere", "baselines"):
                    pass

    def _pass(self, shortest: float, longest: float) -> None:
        """Let some seconds of the papers pass."""
        time.sleep(self.chance.uniform(shortest, longest) / self.clock.speed)

    def break_server(self) -> None:
        self._mood("broken")

    def slow_server(self) -> None:
        self._mood("slow")

    def _mood(self, mood: str) -> None:
        paper = self.chance.choice(self.papers).paper
        setattr(paper, "mood", mood)  # noqa: B010 -- of one kind of papers
        threading.Timer(self.chance.uniform(10, 60) / self.clock.speed, setattr, (paper, "mood", "")).start()

    def wrong_clock(self) -> None:
        """Live with a clock that is wrong by up to a day, and then with the right one."""
        self.lives.kill()
        self.lives.begin(self.clock.now() + timedelta(hours=self.chance.uniform(-24, 24)))
        self._pass(30, 180)
        self.kill()

    def damage_archive(self) -> None:
        for path in archive_files(self.pages)[-1:]:
            self._damage(path)

    def damage_database(self) -> None:
        self._damage(self.database)

    def _damage(self, path: Path) -> None:
        """Damage what the collector works with, and repair it, as an operator would."""
        self.lives.kill()
        damage(path, self.chance, 32)
        with suppress(SitewrightError), open_store(self.address, clock=self.clock.now) as store:
            for site in store.leased_sites():
                store.release_sites(site.lease_owner or "")
        check_store(self.address, self.pages, REPAIR, clock=self.clock.now)
        self.lives.begin(self.clock.now())


def renamed(database: sqlite3.Connection, old: str, new: str) -> bool:
    """Give a table another name; False where the database is locked."""
    try:
        database.execute(f"ALTER TABLE {old} RENAME TO {new}")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        return False
    return True


_FAULTS: dict[str, tuple[float, Callable[[Scene], None]]] = {
    "kill -9": (2, Scene.kill),
    "worker killed": (3, Scene.kill_worker),
    "store locked": (4, Scene.lock),
    "table gone for a moment": (2, Scene.lose_table),
    "connections broken": (4, Scene.break_server),
    "server slow": (3, Scene.slow_server),
    "clock wrong by hours": (0.5, Scene.wrong_clock),
    "archive damaged, repaired": (0.5, Scene.damage_archive),
    "database damaged, repaired": (0.5, Scene.damage_database),
}
"""What happens, and how often beside the others."""


@contextmanager
def scene_of(folder: Path, speed: float, hours: float, chance: random.Random) -> Iterator[Scene]:
    """Serve two papers, and let them be learned in peace."""
    clock = Clock(speed=speed, start=START)
    makers = [partial(MoodyPaper, number, start=START, before=40, hours=max(24, round(hours))) for number in (5, 6)]
    with serve_papers(makers, clock.now) as papers:
        hosts = [paper.base_url.partition("//")[2] for paper in papers]
        address = f"sqlite:///{folder}/store.db"
        with open_store(address, clock=clock.now) as store:
            for paper in papers:
                name = site_name(paper.base_url)
                store.add_site(name, url=f"{paper.base_url}/")
                store.put_index_pages([WatchedPage(site=name, url=f"{paper.base_url}/")])
        with lives_of(address, folder / "pages", speed, hosts) as lives:
            scene = Scene(folder, papers, clock, lives, chance)
            lives.begin(clock.now())
            if not _await(lambda: all(_has_map(address, paper) for paper in papers), LEARNING):
                raise RuntimeError(f"the papers were not learned within {LEARNING:.0f} s: the machine is too busy")
            yield scene


def _has_map(address: str, paper: ServedPaper) -> bool:
    with open_store(address) as store:
        return store.load_map(site_name(paper.base_url)) is not None


def _await(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True


def missing(scene: Scene, paper: ServedPaper, since: datetime, until: datetime) -> set[str]:
    """Return what a paper published in a time, did not withdraw, and the store has not."""
    wanted = paper.paper.published(until).keys() - paper.paper.published(since).keys()
    wanted -= paper.paper.withdrawn(scene.clock.now())
    with open_store(scene.address) as store:
        query = RecordQuery(site=site_name(paper.base_url))
        return wanted - {one.record.urls[0].removeprefix(paper.base_url) for one in store.records(query)}


def judge_scene(scene: Scene, row: Row, since: datetime) -> int:
    """Let the collector catch up in peace, and compare what was published with what is stored."""
    for paper in scene.papers:
        setattr(paper.paper, "mood", "")  # noqa: B010 -- of one kind of papers
    until = scene.clock.now()
    scene.note("peace")
    scene.kill()
    _await(lambda: not any(missing(scene, paper, since, until) for paper in scene.papers), PEACE)
    scene.lives.kill()
    published = 0
    for paper in scene.papers:
        everything = paper.paper.published(scene.clock.now())
        published += len(paper.paper.published(until).keys() - paper.paper.published(since).keys())
        absent = missing(scene, paper, since, until)
        with open_store(scene.address, clock=lambda: scene.clock.now() + timedelta(days=9)) as store:
            waiting = {signature(link.url) for link in store.due_links(site_name(paper.base_url), limit=10_000)}
            late = {path for path in absent if signature(f"{paper.base_url}{path}") in waiting}
            unseen = absent - late - getattr(paper.paper, "shown")  # noqa: B009 -- of one kind of papers
            row.lost += len(absent - late - unseen)
            row.unseen += len(unseen)
            row.waiting += len(late)
            failures = {signature(one.failure.url): one for one in store.failures(site_name(paper.base_url))}
            for path in sorted(absent):
                own = signature(f"{paper.base_url}{path}")
                told = "waits" if path in late else "unseen" if path in unseen else "lost"
                print("absent:", path, told, everything[path].published, failures.get(own), flush=True)
            found = list(store.records(RecordQuery(site=site_name(paper.base_url))))
        paths = Counter(one.record.urls[0].removeprefix(paper.base_url) for one in found)
        row.doubled += sum(count - 1 for count in paths.values())
        for one in found:
            truth = everything.get(one.record.urls[0].removeprefix(paper.base_url))
            title = one.record.fields.get("title")
            row.wrong += truth is None or title is None or title.value != truth.title
    return published


def killed(folder: Path, times: int, chance: random.Random) -> Row:
    """Kill a collector again and again while papers publish."""
    row = Row("collector killed (-9) at a random moment")
    with scene_of(folder, SPEED, 24, chance) as scene:
        since = scene.clock.now()
        for _ in range(times):
            time.sleep(chance.uniform(0.0, 6.0))
            scene.kill()
            row.times += 1
        row.notes = f"{judge_scene(scene, row, since)} stories published meanwhile"
    return row


def wrong_clocks(folder: Path, times: int, chance: random.Random) -> Row:
    """Set the clock of a collector back and forth."""
    row = Row("clock set forward or back by up to a day, for some minutes")
    with scene_of(folder, SPEED, 24, chance) as scene:
        since = scene.clock.now()
        for _ in range(times):
            scene.wrong_clock()
            time.sleep(chance.uniform(0.2, 1.0))
            row.times += 1
        row.notes = f"{judge_scene(scene, row, since)} stories published meanwhile"
    return row


def day(folder: Path, hours: float, speed: float, chance: random.Random) -> Row:
    """Live through a day with one random fault a minute."""
    row = Row(f"{hours:g} simulated hours of two papers, one random fault a minute")
    names = list(_FAULTS)
    weights = [weight for weight, _ in _FAULTS.values()]
    with scene_of(folder, speed, hours, chance) as scene:
        since = scene.clock.now()
        end = since + timedelta(hours=hours)
        due = since
        while scene.clock.now() < end:
            due += timedelta(minutes=1)
            time.sleep(max((due - scene.clock.now()).total_seconds() / speed, 0.0))
            (name,) = chance.choices(names, weights)
            scene.note(name)
            _FAULTS[name][1](scene)
            scene.faults[name] += 1
            row.times += 1
            if not scene.lives.is_alive:
                scene.kill()
        row.notes = f"{judge_scene(scene, row, since)} stories published meanwhile; " + ", ".join(
            f"{name} {count}" for name, count in scene.faults.most_common()
        )
    return row


# Servers that mean harm


def _bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    block = bytes(1 << 20)
    return b"".join(packer.compress(block) for _ in range(200)) + packer.flush()


class Hostile(BaseHTTPRequestHandler):
    """Answers in a way that should cost whoever asks as much as possible."""

    kind = ""
    bomb = b""
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path == "/robots.txt":
            self.send_error(404)
            return
        with suppress(OSError):
            getattr(self, f"_{self.kind}")()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _head(self, **headers: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def _drip(self) -> None:
        self._head(Content_Length="100000")
        for _ in range(1000):
            self.wfile.write(b"<")
            self.wfile.flush()
            time.sleep(0.2)

    def _bomb(self) -> None:
        self._head(Content_Encoding="gzip", Content_Length=str(len(self.bomb)))
        self.wfile.write(self.bomb)

    def _endless(self) -> None:
        self._head(Connection="close")
        while True:
            self.wfile.write(b"<p>more" * 1000)

    def _links(self) -> None:
        body = b"".join(b"<a href=/story-%d>A story of bees, part %d</a>" % (one, one) for one in range(300_000))
        self._head(Content_Length=str(len(body)))
        self.wfile.write(body)

    def _redirects(self) -> None:
        self.send_response(302)
        self.send_header("Location", f"{self.path}x"[:200] + uuid4().hex)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _headers(self) -> None:
        self.send_response(200)
        for number in range(50_000):
            self.send_header(f"X-{number}", "bees" * 10)
        self.end_headers()

    def _garbage(self) -> None:
        self.wfile.write(os.urandom(100_000))

    def _deep(self) -> None:
        body = b"<div>" * 500_000
        self._head(Content_Length=str(len(body)))
        self.wfile.write(body)


_HOSTILE = ("drip", "bomb", "endless", "links", "redirects", "headers", "garbage", "deep")


@contextmanager
def hostile_servers() -> Iterator[list[str]]:
    """Serve all kinds of harm, each at an address of its own."""
    servers = []
    for number, kind in enumerate(_HOSTILE, start=1):
        answering = type(kind, (Hostile,), {"kind": kind, "bomb": _bomb() if kind == "bomb" else b""})
        server = ThreadingHTTPServer((f"127.0.9.{number}", 0), answering)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
    try:
        yield [f"http://{server.server_address[0]!s}:{server.server_address[1]}/" for server in servers]
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


def hostile(folder: Path, chance: random.Random) -> Row:
    """Collect two papers beside servers that mean harm."""
    row = Row(f"collecting beside hostile servers ({', '.join(_HOSTILE)})", times=len(_HOSTILE))
    clock = Clock(speed=60.0, start=START)
    makers = [partial(MoodyPaper, number, start=START, before=40, hours=24) for number in (5, 6)]
    with serve_papers(makers, clock.now) as papers, hostile_servers() as others:
        address = f"sqlite:///{folder}/store.db"
        urls = [f"{paper.base_url}/" for paper in papers] + others
        with open_store(address, clock=clock.now) as store:
            for url in urls:
                store.add_site(site_name(url), url=url)
                store.put_index_pages([WatchedPage(site=site_name(url), url=url)])
        hosts = [url.partition("//")[2].strip("/") for url in urls]
        with lives_of(address, folder / "pages", 60.0, hosts) as lives:
            lives.begin(clock.now())
            scene = Scene(folder, papers, clock, lives, chance)
            _await(lambda: all(_has_map(address, paper) for paper in papers), 120)
            since = scene.clock.now()
            _await(lambda: _all_failed(address, others), 180)
            time.sleep(20)
            published = judge_scene(scene, row, since)
        with open_store(address) as store:
            codes = {
                kind: ", ".join(sorted({one.failure.code for one in store.failures(site_name(url))})) or "none yet"
                for kind, url in zip(_HOSTILE, others, strict=True)
            }
    row.notes = f"{published} stories published meanwhile; " + ", ".join(f"{k}: {v}" for k, v in codes.items())
    return row


def _all_failed(address: str, urls: Sequence[str]) -> bool:
    with open_store(address) as store:
        return all(store.failures(site_name(url)) for url in urls)


# The table


def table(rows: Sequence[Row]) -> str:
    """Return the rows as they stand in docs/evaluation.md."""
    lines = [
        "| tried | times | lost | still waiting | unseen | doubled | wrong | notes |",
        "|---|" + "---:|" * 6 + "---|",
    ]
    for row in rows:
        figures = f"{row.times:,} | {row.lost} | {row.waiting} | {row.unseen} | {row.doubled} | {row.wrong}"
        lines.append(f"| {row.tried} | {figures} | {row.notes} |")
    return "\n".join(lines)


def main() -> None:
    """Read the command line, destroy, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=100, help="of each kind of damage; a quarter of them kills")
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--speed", type=float, default=SPEED)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)  # noqa: S311 -- the same again with the same seed
    few = max(given.times // 4, 1)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        shelf = cache(lambda: make_shelf(root / "shelf"))
        trials: dict[str, Callable[[Path], Row]] = {
            "archive": lambda folder: damaged(shelf(), folder, given.times, chance, "archive"),
            "database": lambda folder: damaged(shelf(), folder, given.times, chance, "database"),
            "torn": lambda folder: torn(shelf(), folder, given.times, chance),
            "housekeeping": lambda folder: killed_housekeeping(shelf(), folder, few, chance),
            "kills": lambda folder: killed(folder, given.times // 2, chance),
            "clocks": lambda folder: wrong_clocks(folder, few, chance),
            "hostile": lambda folder: hostile(folder, chance),
            "day": lambda folder: day(folder, given.hours, given.speed, chance),
        }
        rows = []
        for trial in given.only or trials:
            (folder := root / trial).mkdir()
            began = time.monotonic()
            row = trials[trial](folder)
            row.seconds = round(time.monotonic() - began, 1)
            rows.append(row)
            print(row, flush=True)
    print(table(rows))
    print(json.dumps([asdict(row) for row in rows]))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main()
