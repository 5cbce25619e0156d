"""Mutated pages and maps through the real pipeline; exit status 1 where a promise is broken.

    python -m bench.fuzz [--minutes M] [--seed S] [--pages shared|demo] [--workers N]

What breaks a promise is shrunk and saved under bench/results/. The run is repeatable: same seed, same mutants, round
by round (how many rounds there are depends on the time).
"""

import argparse
import base64
import hashlib
import json
import resource
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import count
from pathlib import Path
from random import Random

import dateparser

from bench import invariants
from bench.fuzz_jobs import BUG, MapJob, TraceJob, Verdict
from bench.generic_map import CANDIDATES
from bench.invariants import Broken, Expected
from bench.mutate_maps import broken_map, random_map, wide_map
from bench.mutate_pages import Mutant, as_text, mutate
from bench.samples import ROOT, StoredPage, demo_sample, fuzz_pages, has_shared
from bench.shrink import shrink
from sitewright.errors import SitewrightError
from sitewright.fetch import Place
from sitewright.fetch.archive import PagePlace, TextPlace
from sitewright.maps import parse_map
from sitewright.processes.extract import ExtractJob, Line
from sitewright.processes.pool import Job, Pool
from sitewright.types import Limits, Page

RESULTS = ROOT / "bench" / "results"
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
"""Fixed, so that a saved page fails again next year."""
PAGE_SECONDS = 3.0
MEMORY_BYTES = 6 << 30
PAGES_A_ROUND = 120
PAGES_A_RANDOM_MAP = 8
MAPS_A_ROUND = 60
DAMAGED_LINES = 0.04
LOCATED_A_ROUND = 2
"""Finding out where a slow page spends its time takes as long as the page."""
GENERIC_MAP = json.dumps(
    {"sitewright": 1, "site": "any", "templates": [{"name": "a", "rules": {f: list(r) for f, r in CANDIDATES.items()}}]}
)


@dataclass(frozen=True, slots=True)
class Case:
    """One page as it is given to the workers, and what made it so."""

    place: Place
    made_by: tuple[str, ...]
    expected: Expected
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to be looked at: what kind, where in src/, and the input that shows it."""

    kind: str
    place: str
    detail: str
    case: dict[str, object]

    @property
    def signature(self) -> str:
        """What makes two findings the same bug."""
        return f"{self.kind} | {self.place}"


@dataclass(slots=True)
class Tally:
    """What happened so far."""

    pages: int = 0
    maps: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    noted: Counter[str] = field(default_factory=Counter)
    """What breaks no promise, but is worth a look: slow pages, crashed processes."""


class MapUnderTest:
    """A map and the jobs that read pages with it."""

    def __init__(self, text: str, *, is_random: bool = False) -> None:
        """Keep the text; it must be valid."""
        self.text = text
        self.is_random = is_random

    @cached_property
    def job(self) -> ExtractJob:
        """Reads pages."""
        return ExtractJob(extraction_map=parse_map(self.text), limits=Limits(page_seconds=PAGE_SECONDS), now=NOW)

    @cached_property
    def trace(self) -> TraceJob:
        """Locates failures."""
        return TraceJob(extraction_map=self.job.extraction_map, limits=self.job.limits, now=NOW, seconds=PAGE_SECONDS)


class Fuzzer:
    """Runs rounds of mutants and keeps what they break."""

    def __init__(self, pages: Sequence[StoredPage], seed: int, workers: int = 2, results: Path = RESULTS) -> None:
        """Set up."""
        self.tally = Tally()
        self._pages = pages
        self._seed = seed
        self._workers = workers
        self._results = results
        self._good_maps = [demo_sample().map_text, GENERIC_MAP, wide_map()]

    def run_round(self, number: int) -> None:
        """Do the round of this number: some pages with a fixed map, some with a random one, some map files."""
        chance = Random(f"{self._seed}/{number}")  # noqa: S311 -- repeatable on purpose
        self.try_pages(chance, MapUnderTest(chance.choice(self._good_maps)), PAGES_A_ROUND)
        self.try_maps([broken_map(chance, self._good_maps) for _n in range(MAPS_A_ROUND)])
        candidates = [random_map(chance) for _n in range(MAPS_A_ROUND // 2)]
        verdicts = self.try_maps(candidates)
        accepted = [text for text, verdict in zip(candidates, verdicts, strict=False) if not verdict.code]
        for text in accepted[:8]:
            self.try_pages(chance, MapUnderTest(text, is_random=True), PAGES_A_RANDOM_MAP)

    def try_pages(self, chance: Random, tested: MapUnderTest, count: int) -> None:
        """Read mutants twice with a map, and check every promise."""
        cases = [_case(chance, mutate(chance, self._pages, number)) for number in range(count)]
        self.tally.pages += len(cases)
        lines = self.read(tested.job, cases)
        if lines is None:
            return
        first, twins = lines[: len(cases)], lines[: len(cases) - 1 : -1]
        self.tally.outcomes.update(line.failure or "ok" for line in first)
        broken = [
            *invariants.check_lines([case.expected for case in cases], first),
            *invariants.check_twins(first, twins),
        ]
        for one in broken:
            self._keep_page(one, cases[one.task], tested)
        self._note_slow(first, cases, tested)
        self._check_urls(address for case in cases for address in case.addresses)

    def read(self, job: Job[Place, Line], cases: Sequence[Case]) -> list[Line] | None:
        """Return the lines of the pages, forwards and then backwards; None where the pool itself gave up."""
        places = [case.place for case in cases]
        try:
            return list(Pool(job, self._workers, PAGE_SECONDS).run([*places, *reversed(places)]))
        except Exception as error:  # noqa: BLE001 -- a pool never raises for what a page does: that is a promise
            detail = f"{type(error).__name__}: {error}"
            self._keep(Finding("pool_died", detail[:80], detail, {"pages": [_saved(case.place) for case in cases]}))
            return None

    def try_maps(self, texts: Sequence[str]) -> list[Verdict]:
        """Judge map files."""
        self.tally.maps += len(texts)
        verdicts = list(Pool(MapJob(), self._workers, PAGE_SECONDS).run(texts))
        self.tally.verdicts.update(verdict.code or "accepted" for verdict in verdicts)
        for text, verdict in zip(texts, verdicts, strict=True):
            if verdict.code in (BUG, "accepted_then_refused", "round_trip", "page_crashed"):
                self._keep_map(text, verdict)
            elif verdict.code == "page_timeout":
                self._note(Finding("slow_map", "parse_map", f"{len(text):,} characters", {"map": text}))
        return verdicts

    def _keep_map(self, text: str, verdict: Verdict) -> None:
        place = verdict.detail.rpartition(" at ")[2] if verdict.code == BUG else verdict.detail[:60]
        finding = Finding(f"map_{verdict.code}", place, verdict.detail, {})
        if finding.signature in self.tally.found:
            self.tally.found[finding.signature] += 1
            return

        def first_failing(texts: Sequence[str]) -> int | None:
            found = Pool(MapJob(), self._workers, PAGE_SECONDS).run(texts)
            same = [one.code == verdict.code and one.detail[:30] == verdict.detail[:30] for one in found]
            return same.index(True) if True in same else None

        self._keep(Finding(finding.kind, place, verdict.detail, {"map": shrink(text, first_failing)}))

    def _keep_page(self, broken: Broken, case: Case, tested: MapUnderTest) -> None:
        where = self._locate(case.place, tested) if broken.kind == BUG else _sort(broken)[-1]
        finding = Finding(broken.kind, where, broken.detail, {})
        if finding.signature in self.tally.found:
            self.tally.found[finding.signature] += 1
            return
        place = case.place if broken.kind == "not_deterministic" else self._shrunk(broken, case, tested)
        saved = {**_saved(place), "map": tested.text, "made_by": case.made_by}
        self._keep(Finding(broken.kind, where, broken.detail, saved))

    def _shrunk(self, broken: Broken, case: Case, tested: MapUnderTest) -> Place:
        """Return a smaller page that breaks the same promise in the same way."""
        wanted = _sort(broken)

        def first_failing(bodies: Sequence[str | bytes]) -> int | None:
            places = [_with_body(case.place, body) for body in bodies]
            lines = list(Pool(tested.job, self._workers, PAGE_SECONDS).run(places))
            found = invariants.check_lines([case.expected] * len(lines), lines)
            return next((one.task for one in found if _sort(one) == wanted), None)

        body = _body(case.place)
        if body is None or first_failing([body]) is None:
            return case.place
        return _with_body(case.place, shrink(body, first_failing))

    def _locate(self, place: Place, tested: MapUnderTest) -> str:
        return next(Pool(tested.trace, 1, PAGE_SECONDS * 3).run([place]), "")

    def _note_slow(self, lines: Sequence[Line], cases: Sequence[Case], tested: MapUnderTest) -> None:
        located = 0
        for line, case in zip(lines, cases, strict=False):
            if line.failure == "page_crashed" or (line.failure == "page_timeout" and not tested.is_random):
                located += 1
                where = self._locate(case.place, tested) if located <= LOCATED_A_ROUND else "not located"
                saved = {**_saved(case.place), "map": tested.text, "made_by": case.made_by}
                self._note(Finding(line.failure, where, "+".join(case.made_by), saved))

    def _check_urls(self, addresses: Iterator[str]) -> None:
        for url in invariants.check_urls(addresses):

            def first_failing(urls: Sequence[str]) -> int | None:
                return next((n for n, one in enumerate(urls) if list(invariants.check_urls([one]))), None)

            small = shrink(url, first_failing)
            shape = "".join("x" if char.isalnum() and char.isascii() else char for char in small)
            self._keep(Finding("url_not_idempotent", shape[:60], small, {"url": small, "from": url}))

    def _keep(self, finding: Finding) -> None:
        """Count what breaks a promise; print and save the first of its kind."""
        self.tally.found[finding.signature] += 1
        if self.tally.found[finding.signature] == 1:
            print(
                f"BROKEN {finding.signature}\n       {finding.detail[:300]}\n       {self._save(finding)}", flush=True
            )

    def _note(self, finding: Finding) -> None:
        self.tally.noted[finding.signature] += 1
        if self.tally.noted[finding.signature] == 1:
            print(f"note   {finding.signature} ({finding.detail[:120]})\n       {self._save(finding)}", flush=True)

    def _save(self, finding: Finding) -> Path:
        self._results.mkdir(parents=True, exist_ok=True)
        digest = hashlib.blake2b(finding.signature.encode("utf-8", "replace"), digest_size=4).hexdigest()
        path = self._results / f"{finding.kind}-{digest}.json"
        content = {"signature": finding.signature, "detail": finding.detail, **finding.case}
        path.write_text(json.dumps(content, indent=1), "ascii")
        return path


def _case(chance: Random, mutant: Mutant) -> Case:
    """Make a mutant a task: bytes as archives hold them, text as a line of a page file, which may be damaged too."""
    markup = as_text(mutant.body)
    addresses = (mutant.url, *invariants.addresses_in(markup))
    if isinstance(mutant.body, bytes):
        page = Page(url=mutant.url, body=mutant.body, headers=mutant.headers)
        return Case(PagePlace(page), mutant.made_by, Expected(mutant.url, NOW), addresses)
    row = {"url": mutant.url, "html": mutant.body, "time": mutant.time, "headers": dict(mutant.headers)}
    line = json.dumps(row, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
    if chance.random() < DAMAGED_LINES:
        line = _damaged(chance, line)
        return Case(TextPlace("fuzz", 1, line), (*mutant.made_by, "damaged_line"), Expected(None, _now_of(line)))
    return Case(TextPlace("fuzz", 1, line), mutant.made_by, Expected(mutant.url, _now_of(line)), addresses)


def _damaged(chance: Random, line: bytes) -> bytes:
    """Return a line of a page file that is broken, or right but strange."""
    deep = b"[" * 5000 + b"]" * 5000
    start = chance.randrange(len(line))
    return chance.choice(
        (
            line[:start],
            line[:start] + bytes([chance.randrange(256)]) + line[start + 1 :],
            b"[]", b"null", b"1e999", b"{}", b'"', b"\xff", deep, b'{"html":null}',
            b'{"html":"<p>x","url":5,"time":NaN}',
            b'{"html":"<p>x","url":"http://a/","headers":{"a":' + b"[" * 900 + b"]" * 900 + b"}}",
            b'{"html":"<p>x","url":"http://a/","headers":{"content-type":"image/png"}}',
            b'{"html":"<p>x","url":"http://a/","time":' + b"9" * 5000 + b"}",
            b'{"html":"<p>x","url":"http://a/","time":' + b"[" * 900 + b"]" * 900 + b"}",
            b'{"url":"http://a/","html":"<p>\\ud800</p>","time":' + deep + b"}",
        )
    )  # fmt: skip


def _now_of(line: bytes) -> datetime:
    """Return what the page says of its fetch time, as the pipeline reads it; NOW where it says nothing."""
    try:
        return TextPlace("fuzz", 1, line).load().fetched_at or NOW
    except (SitewrightError, ValueError, RecursionError):
        return NOW


def _sort(broken: Broken) -> tuple[str, ...]:
    """Return what stays the same while a page is shrunk: the kind, the stage or field, the type of the error."""
    parts = broken.detail.split(":")
    if broken.kind == BUG:
        return broken.kind, *parts[:2]
    return (broken.kind, parts[0]) if broken.kind in ("paragraph_twice", "future_date") else (broken.kind, "")


def _body(place: Place) -> str | bytes | None:
    if isinstance(place, PagePlace):
        return place.page.body
    try:
        return place.load().body
    except (SitewrightError, ValueError, RecursionError):
        return None


def _with_body(place: Place, body: str | bytes) -> Place:
    if isinstance(place, PagePlace):
        page = place.page
        return PagePlace(Page(url=page.url, body=body, headers=page.headers, fetched_at=page.fetched_at))
    assert isinstance(place, TextPlace)  # noqa: S101 -- the only other kind made here
    row = json.loads(place.line.decode("utf-8", "replace"))
    return TextPlace(place.source, place.number, json.dumps({**row, "html": body}).encode())


def _saved(place: Place) -> dict[str, object]:
    """Return a place as JSON can keep it."""
    if isinstance(place, TextPlace):
        return {"line": place.line.decode("utf-8", "backslashreplace")}
    assert isinstance(place, PagePlace)  # noqa: S101 -- the only other kind made here
    body = place.page.body
    encoded = base64.b64encode(body).decode() if isinstance(body, bytes) else None
    return {"url": place.page.url, "body_base64": encoded, "headers": dict(place.page.headers)}


def report(tally: Tally, seconds: float) -> dict[str, object]:
    """Print what was done and found, and return it."""
    print(f"\n{tally.pages:,} pages ({tally.pages / seconds * 60:,.0f} a minute, each read twice), {tally.maps:,} maps")
    print("pages:", ", ".join(f"{code} {count:,}" for code, count in tally.outcomes.most_common()))
    print("maps: ", ", ".join(f"{code} {count:,}" for code, count in tally.verdicts.most_common()))
    for title, counts in (("worth a look", tally.noted), ("BROKEN", tally.found)):
        for signature, times in counts.most_common():
            print(f"{title}: {times} × {signature}")
    if not tally.found:
        print("every promise held")
    return {"pages": tally.pages, "maps": tally.maps, "broken": dict(tally.found), "noted": dict(tally.noted)}


def main() -> int:
    """Run until the time is over; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", choices=("shared", "demo"), default="shared" if has_shared() else "demo")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    _bound_memory()
    warnings.simplefilter("ignore")  # of the YAML reader, on what is broken on purpose
    dateparser.parse("12 x")  # loads 200 languages; every worker that is forked later has them
    fuzzer = Fuzzer(fuzz_pages(options.pages, options.seed), options.seed, options.workers)
    begin = told = time.monotonic()
    try:
        for number in count():
            fuzzer.run_round(number)
            now = time.monotonic()
            if now >= told + 60:
                told = now
                print(f"{(now - begin) / 60:4.1f} min: {number + 1} rounds, {_counts(fuzzer.tally)}", flush=True)
            if now >= begin + options.minutes * 60:
                break
    except KeyboardInterrupt:
        print("interrupted")
    print(json.dumps(report(fuzzer.tally, time.monotonic() - begin)))
    return 1 if fuzzer.tally.found else 0


def _counts(tally: Tally) -> str:
    slow = sum(tally.noted.values())
    return f"{tally.pages:,} pages, {tally.maps:,} maps, {len(tally.found)} broken promises, {slow} slow or crashed"


def _bound_memory() -> None:
    """Let no process take all memory of the machine."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES if hard < 0 else min(hard, MEMORY_BYTES), hard))


if __name__ == "__main__":
    sys.exit(main())
