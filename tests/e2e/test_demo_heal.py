"""`sitewright demo --heal`: a paper is redesigned twice; what is told of it is what the store holds."""

import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest
from rich.console import Console
from tests.e2e.newsstand import PATIENCE
from tests.program import clean_environment

from sitewright.cli.demo.heal import Plan, run
from sitewright.cli.demo.score import FIELDS
from sitewright.demo import LivingPaper, Truth
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Incident, RecordQuery, StoredMap, StoredRecord

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="papers need 127.0.0.2")
SITE = "127.0.0.2"
PLAN = Plan(seed=1, hours=1.5, stories_an_hour=30, before=40, patience_seconds=PATIENCE)
"""Half an hour of the paper's time for each design, which are six seconds."""
ERAS = ("classic", "renamed", "rebuilt")
ERA = re.compile(
    r"(?P<design>\w+): (?P<stories>\d+) stories, (?P<missed>\d+) missed, (?P<twice>\d+) twice;"
    r" (?P<tagger>[\d,]+) values? by tagger"
)
Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]


@dataclass(frozen=True)
class Shown:
    """What was printed, and what is in the store."""

    lines: list[str]
    redesigned: list[datetime]
    """When, by what was printed."""
    records: list[StoredRecord]
    incidents: list[Incident]
    versions: list[StoredMap]
    truths: dict[str, Truth]
    base_url: str
    folder: Path

    @property
    def eras(self) -> dict[str, re.Match[str]]:
        """How many stories of each design there are, by what was printed."""
        found = (ERA.fullmatch(line) for line in self.lines)
        return {era["design"]: era for era in found if era}

    def numbers(self, reading: str) -> dict[str, Counter[str]]:
        """How many values of each field are right in one reading, by design; those that have no such reading not."""
        found: dict[str, Counter[str]] = {}
        for design, era in self.eras.items():
            start = self.lines.index(era[0]) + 1
            columns = re.split(r"  +", self.lines[start]) if start < len(self.lines) else []
            if reading in columns:
                rows = (re.split(r"  +", line) for line in self.lines[start + 1 : start + 1 + len(FIELDS)])
                place = columns.index(reading)
                found[design] = Counter({row[0]: int(row[place]) for row in rows})
        return found

    def total(self, number: str) -> int:
        """The sum over all designs."""
        return sum(int(era[number]) for era in self.eras.values())


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    folder = tmp_path_factory.mktemp("demo")
    with (folder / "printed.txt").open("w", encoding="utf-8") as file, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", file)
        run(Console(file=file, width=140), folder, PLAN)
    lines = [line.rstrip() for line in (folder / "printed.txt").read_text("utf-8").splitlines()]
    with open_store(f"sqlite:///{folder}/healed.db") as store:
        return shown_of(store, folder, lines)


def shown_of(store: Store, folder: Path, lines: list[str]) -> Shown:
    site = store.site(SITE)
    assert site is not None
    versions = store.map_versions(SITE)
    base_url = site.url.rstrip("/")
    start = versions[0].made_at.replace(hour=10, minute=0, second=0, microsecond=0)
    paper = LivingPaper(PLAN.seed, base_url=base_url, start=start, hours=8, stories=40 + 8 * 30, before=40)
    clock = [re.match(r"Mon (\d\d):(\d\d)  The Daily Lantern is redesigned", line) for line in lines]
    return Shown(
        lines=lines,
        redesigned=[start.replace(hour=int(found[1]), minute=int(found[2])) for found in clock if found],
        records=list(store.records(RecordQuery(site=SITE))),
        incidents=store.incidents(SITE, open_only=False),
        versions=versions,
        truths=paper.published(start.replace(day=4)),
        base_url=base_url,
        folder=folder,
    )


def test_both_redesigns_are_noticed_and_the_map_is_repaired_by_itself(shown: Shown) -> None:
    first, second = shown.redesigned
    assert [version.made_by for version in shown.versions] == ["learned", *["healed"] * (len(shown.versions) - 1)]
    for begin, end in ((first, second), (second, datetime.max.replace(tzinfo=second.tzinfo))):
        assert any(begin <= incident.opened_at < end for incident in shown.incidents)
        assert any(begin <= version.made_at < end for version in shown.versions)
    assert not [incident for incident in shown.incidents if incident.opened_at < first]
    told = "\n".join(shown.lines)
    assert told.count(" incident: ") >= len(shown.incidents)  # the last one may not be stored when it ends
    healed = len(shown.versions) - 1
    assert told.count(" healed: map version ") >= healed - 1  # the last one may be stored and not told when it ends
    assert healed >= 2


def test_the_repaired_map_reads_what_the_old_one_does_not(shown: Shown) -> None:
    old, now = shown.numbers("old map"), shown.numbers("now right")
    assert set(old)
    assert set(old) <= {"renamed", "rebuilt"}  # a slow machine may collect no story of an era
    stories = {design: int(era["stories"]) for design, era in shown.eras.items()}
    for era in old:
        assert old[era]["title"] < 0.1 * stories[era]
        assert now[era]["title"] > 0.9 * stories[era] - 1  # one may be of the moment of the change
        assert old[era]["text"] < 0.1 * stories[era] < now[era]["text"]


def test_the_numbers_are_those_of_the_store(shown: Shown) -> None:
    now = sum(shown.numbers("now right").values(), Counter[str]())
    assert list(shown.eras) == list(ERAS)
    assert shown.total("stories") + shown.total("twice") == len(shown.records)
    right: Counter[str] = Counter()
    seen = set()
    for stored in shown.records:
        path = stored.record.urls[0].removeprefix(shown.base_url).partition("?")[0]
        if path not in seen:
            seen.add(path)
            fields, truth = stored.record.fields, shown.truths[path]
            right["title"] += fields["title"].value == truth.title
            right["tags"] += bool(truth.tags) and "tags" in fields and list(fields["tags"].value) == list(truth.tags)
            right["by tagger"] += sum(value.rule.startswith("tagger/") for value in fields.values())
    assert len(seen) == shown.total("stories")
    assert right.pop("by tagger") == shown.total("tagger")
    assert right == Counter({name: now[name] for name in right})
    assert now["authors"] > 0


def test_rules_and_values_are_shown(shown: Shown) -> None:
    printed = "\n".join(shown.lines)
    assert "pages that have the field, over time:" in printed or "pages that the map reads, over time:" in printed
    assert "~ article/title#0\n    - {select: [h1]}\n    + {select: [" in printed
    for before, after in zip(shown.versions, shown.versions[1:], strict=False):
        assert f"version {before.version} → {after.version} (healed, " in printed
    assert "values of some stories after each redesign" in printed
    assert f"status --store sqlite:///{shown.folder}/healed.db" in printed


def test_ctrl_c_ends_it_with_what_there_is(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sitewright", "demo", "--heal"]
    with subprocess.Popen(command, cwd=tmp_path, env=clean_environment(), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if b"looking at" in line:
                    break
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
    assert rest.decode().splitlines()[-1] == "it ended before the map was learned"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--collect", "--heal"], "--collect and --heal do not go together"),
        (["--heal", "--stories", "12"], "--stories does not go with --heal"),
        (["--hours", "2"], "--hours goes with --collect or --heal"),
    ],
)
def test_options_that_do_not_go_together_are_told(sitewright: Sitewright, options: list[str], complaint: str) -> None:
    done = sitewright("demo", *options)
    assert done.returncode == 2
    assert complaint in done.stderr.decode()
