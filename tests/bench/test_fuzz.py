import json
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from bench.fuzz_jobs import judge_map
from bench.mutate_maps import wide_map
from bench.samples import StoredPage
from bench.shrink import shrink

from bench import fuzz
from sitewright.errors import PageError
from sitewright.fetch import Place
from sitewright.maps import parse_map
from sitewright.processes.extract import ExtractJob, Line
from sitewright.types import Limits

pytestmark = pytest.mark.slow

PAGES = [StoredPage("https://example.com/a", "<title>A</title><p>" + "words " * 50 + "</p>")]
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class PlantedJob:
    """The extract job, but with a bug that only some pages meet."""

    real: ExtractJob
    harm: str

    def start(self) -> Callable[[Place], Line]:
        read = self.real.start()

        def work(place: Place) -> Line:
            line = read(place)
            body = place.load().body
            if "words" not in (body if isinstance(body, str) else body.decode("latin-1")):
                return line
            row = json.loads(line.content)
            match self.harm:
                case "internal":
                    row["error"] = {"code": "internal_error", "stage": "extract", "detail": "KeyError: planted"}
                    return Line(json.dumps(row).encode(), "internal_error")
                case "future":
                    return Line(json.dumps({**row, "published": "2999-01-01"}).encode())
                case "chance":
                    return Line(json.dumps({**row, "title": os.urandom(8).hex()}).encode())
                case _:
                    os.kill(os.getpid(), signal.SIGKILL)
                    return line

        return work

    def weigh(self, task: Place) -> int:
        return self.real.weigh(task)

    def fail(self, task: Place, error: PageError) -> Line:
        return self.real.fail(task, error)


class Planted(fuzz.MapUnderTest):
    harm = ""

    @property
    def job(self) -> PlantedJob:  # type: ignore[override]
        limits = Limits(page_seconds=300)
        return PlantedJob(ExtractJob(extraction_map=parse_map(self.text), limits=limits, now=NOW), self.harm)

    @property
    def trace(self) -> fuzz.TraceJob:  # type: ignore[override]
        return fuzz.TraceJob(extraction_map=parse_map(self.text), limits=Limits(page_seconds=300), now=NOW, seconds=300)


@pytest.mark.parametrize(
    ("harm", "kind"), [("internal", "internal_error"), ("future", "future_date"), ("chance", "not_deterministic")]
)
def test_a_planted_bug_is_found_and_its_page_saved(
    harm: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "mutate", _plain_page)
    monkeypatch.setattr(fuzz, "PAGE_SECONDS", 300.0)
    planted = Planted(
        '{"sitewright": 1, "site": "x", "templates": [{"name": "a", "rules": {"title": {"select": ["title"]}}}]}'
    )
    planted.harm = harm
    fuzzer = fuzz.Fuzzer(PAGES, seed=1, workers=1, results=tmp_path)
    fuzzer.try_pages(Random(1), planted, 3)
    assert any(signature.startswith(kind) for signature in fuzzer.tally.found)
    [saved] = tmp_path.glob(f"{kind}-*.json")
    html = json.loads(json.loads(saved.read_text())["line"])["html"]
    assert html == (PAGES[0].html if harm == "chance" else "words")


def test_a_crash_is_told_as_such_and_breaks_no_promise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "mutate", _plain_page)
    monkeypatch.setattr(fuzz, "PAGE_SECONDS", 300.0)
    planted = Planted(
        '{"sitewright": 1, "site": "x", "templates": [{"name": "a", "rules": {"title": {"select": ["title"]}}}]}'
    )
    planted.harm = "crash"
    fuzzer = fuzz.Fuzzer(PAGES, seed=1, workers=1, results=tmp_path)
    fuzzer.try_pages(Random(1), planted, 1)
    assert not fuzzer.tally.found
    assert fuzzer.tally.outcomes == {"page_crashed": 1}
    assert sum(fuzzer.tally.noted.values()) == 1


def _plain_page(chance: Random, pages: list[StoredPage], number: int) -> fuzz.Mutant:
    return fuzz.Mutant(url=f"{pages[0].url}?{number}", body=pages[0].html)


def test_map_files_are_judged() -> None:
    assert judge_map(wide_map()).code == ""
    assert judge_map("[").code == "map_syntax"
    assert judge_map("a: 1").code == "map_invalid"


@pytest.mark.parametrize("body", ["xx bug yy" * 20, b"....bug" + b"z" * 5000, "bug"])
def test_shrinking_leaves_only_what_fails(body: str | bytes) -> None:
    wanted = b"bug" if isinstance(body, bytes) else "bug"

    def first_failing(bodies: list[str | bytes]) -> int | None:
        return next((n for n, one in enumerate(bodies) if wanted in one), None)

    assert shrink(body, first_failing) == wanted
