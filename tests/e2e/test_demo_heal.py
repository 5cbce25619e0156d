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
from sitewright.demo import LivingPaper, Truth
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Incident, RecordQuery, StoredMap, StoredRecord

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="papers need 127.0.0.2")
SITE = "127.0.0.2"
PLAN = Plan(seed=1, hours=1.5, stories_an_hour=30, before=40, patience_seconds=PATIENCE)
"""Half an hour of the paper's time for each design, which are six seconds."""
ERAS = ("classic", "renamed", "rebuilt")
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
    def summary(self) -> list[list[str]]:
        """The lines of the last table: design, reading and numbers; the design stands only in its first."""
        start = self.lines.index("how many values are what the paper wrote")
        rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in self.lines[start:] if line[:1] == "│"]
        return [row for row in rows if len(row) == 11]

    def numbers(self, reading: str) -> dict[str, Counter[str]]:
        """The numbers of one reading, by design."""
        columns = ("title", "published", "authors", "tags", "text", "by tagger")
        found, design = {}, ""
        for row in self.summary:
            design = row[0] or design
            if row[4] == reading:
                found[design] = Counter(dict(zip(columns, map(int, row[5:]), strict=True)))
        return found

    def totals(self) -> Counter[str]:
        """How many stories were collected, missed, and collected twice, by what was printed."""
        total: Counter[str] = Counter()
        for row in self.summary:
            if row[0]:
                total.update(dict(zip(("stories", "missed", "twice"), map(int, row[1:4]), strict=True)))
        return total


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
    assert told.count(" healed: map version ") >= 2


def test_the_repaired_map_reads_what_the_old_one_does_not(shown: Shown) -> None:
    old, now = shown.numbers("old map"), shown.numbers("now")
    assert set(old)
    assert set(old) <= {"renamed", "rebuilt"}  # a slow machine may collect no story of an era
    stories = {row[0]: int(row[1]) for row in shown.summary if row[0]}
    for era in old:
        assert old[era]["title"] < 0.1 * stories[era]
        assert now[era]["title"] > 0.9 * stories[era] - 1  # one may be of the moment of the change
        assert old[era]["text"] < 0.1 * stories[era] < now[era]["text"]


def test_the_numbers_are_those_of_the_store(shown: Shown) -> None:
    total, now = shown.totals(), sum(shown.numbers("now").values(), Counter())
    assert set(shown.numbers("now")) <= set(ERAS)
    assert total["stories"] + total["twice"] == len(shown.records)
    right: Counter[str] = Counter()
    seen = set()
    for stored in shown.records:
        path = stored.record.urls[0].removeprefix(shown.base_url).partition("?")[0]
        if path not in seen:
            seen.add(path)
            fields, truth = stored.record.fields, shown.truths[path]
            right["title"] += fields["title"].value == truth.title
            right["tags"] += (list(fields["tags"].value) if "tags" in fields else []) == list(truth.tags)
            right["by tagger"] += sum(value.rule.startswith("tagger/") for value in fields.values())
    assert len(seen) == total["stories"]
    assert right == Counter({name: now[name] for name in right})


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
