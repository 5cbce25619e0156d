"""Time and memory of Sitewright beside parsers and peers, all in one run on the same pages.

    python -m bench.speed [--pages shared|demo] [--rounds N] [--only NAME,…]
                          [--floor NAME=VALUE …] [--ceiling NAME=VALUE …]

CPU time of a single core, the best of several rounds in which all take turns. Every contender is a process of its
own; its peak memory includes the interpreter and the pages, which the first line of the table shows alone. The
command line is measured as CPU seconds of the process and its children for many pages, less those for one page,
divided by the pages; its memory is that of all its processes together. Ends with one line of JSON.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from bench.contender import CONTENDERS
from bench.figures import Figure, missed, results, table
from bench.generic_map import fill_rates
from bench.processes import Watch
from bench.samples import ROOT, Sample, has_shared, load_samples

COMMAND_PAGES = 1500
"""Of each site, its pages over and over, as shared/eval does it: enough to make the start of the process small."""
COMMAND = "sitewright_cli"
FAILED_SHARE = 0.05
"""The time of who fails on more of the pages says nothing, and is not told."""
DISTRIBUTIONS = {"lexbor": "selectolax", "readability": "readability-lxml", "python": ""}


class Runner:
    """A contender in its process."""

    def __init__(self, name: str, pages: Path) -> None:
        """Start it; it warms up while others do."""
        self.name = name
        self.seconds: list[float] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.contender", name, str(pages)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self._answer()

    def measure(self) -> None:
        """Do one round."""
        self.seconds.append(float(self._ask("go")))

    def finish(self, page_count: int) -> Figure:
        """End the process and return what was measured."""
        peak, failed = json.loads(self._ask("memory"))
        self._process.communicate()
        does = CONTENDERS[self.name].does
        told = self.name != "python" and failed <= page_count * FAILED_SHARE
        milliseconds = min(self.seconds) / page_count * 1000 if told else None
        return Figure(
            name=self.name,
            does=does,
            milliseconds=milliseconds,
            megabytes=peak,
            failed=failed,
            note=_version(self.name),
        )

    def _ask(self, order: str) -> str:
        assert self._process.stdin is not None  # noqa: S101 -- a pipe
        self._process.stdin.write(order + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> str:
        assert self._process.stdout is not None  # noqa: S101 -- a pipe
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.name} ended too early, with exit status {self._process.wait()}")
        return answer


class CommandRunner:
    """`sitewright extract` on the pages of one site."""

    def __init__(self, sample: Sample, folder: Path) -> None:
        """Write the files it reads."""
        self.pages = len(sample.pages)
        self._folder = folder
        self._many: list[float] = []
        self._one: list[float] = []
        folder.mkdir()
        (folder / "m.yaml").write_text(sample.map_text, "utf-8")
        rows = [json.dumps({"url": page.url, "html": page.html}, ensure_ascii=False) + "\n" for page in sample.pages]
        times = COMMAND_PAGES // len(rows) + 1
        (folder / "many.jsonl").write_text("".join((rows * times)[:COMMAND_PAGES]), "utf-8")
        (folder / "one.jsonl").write_text(rows[0], "utf-8")

    def measure(self) -> None:
        """Do one round."""
        self._one.append(self._cpu("one.jsonl"))
        self._many.append(self._cpu("many.jsonl"))

    def milliseconds(self) -> float:
        """Return the CPU time a page: the best run of many less the best run of one."""
        return (min(self._many) - min(self._one)) / COMMAND_PAGES * 1000

    def megabytes(self) -> float:
        """Run once more, and return the peak memory of all processes together."""
        process = subprocess.Popen(self._command("many.jsonl"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        watch = Watch(process.pid)
        process.wait()
        watch.stop()
        return watch.peak.best

    def _command(self, name: str) -> list[str]:
        files = {option: str(self._folder / name) for option, name in (("--map", "m.yaml"), ("-o", "out.jsonl"))}
        options = [part for pair in files.items() for part in pair]
        return [sys.executable, "-m", "sitewright", "extract", str(self._folder / name), *options]

    def _cpu(self, name: str) -> float:
        before = os.times()
        subprocess.run(self._command(name), check=True, capture_output=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system


def run(samples: Sequence[Sample], names: Sequence[str], rounds: int) -> list[Figure]:
    """Measure all contenders, turn by turn."""
    page_count = sum(len(sample.pages) for sample in samples)
    missing = {name for name in names if name in CONTENDERS and find_spec(CONTENDERS[name].module) is None}
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "pages.jsonl"
        with pages.open("w", encoding="utf-8") as file:
            for sample in samples:
                file.writelines(json.dumps([page.url, page.html, sample.map_text]) + "\n" for page in sample.pages)
        runners = {name: Runner(name, pages) for name in names if name in CONTENDERS and name not in missing}
        commands = [CommandRunner(sample, Path(folder) / str(number)) for number, sample in enumerate(samples)]
        for _n in range(rounds):
            for runner in (*runners.values(), *(commands if COMMAND in names else ())):
                runner.measure()
        figures = {name: runner.finish(page_count) for name, runner in runners.items()}
        if COMMAND in names:
            figures[COMMAND] = _command_figure(commands, page_count)
    absent = {name: Figure(name=name, does=CONTENDERS[name].does, note="not installed") for name in missing}
    return [(figures | absent)[name] for name in names]


def _command_figure(commands: Sequence[CommandRunner], page_count: int) -> Figure:
    return Figure(
        name=COMMAND,
        does="sitewright extract FILE --map",
        milliseconds=sum(command.milliseconds() * command.pages for command in commands) / page_count,
        megabytes=max(command.megabytes() for command in commands),
    )


def _version(name: str) -> str:
    distribution = DISTRIBUTIONS.get(name, name)
    return version(distribution) if distribution else sys.version.split()[0]


def tell_pages(samples: Sequence[Sample]) -> None:
    """Print what is measured on, and how much of it the maps fill, so that nobody is fooled."""
    for sample in samples:
        pages = [(page.url, page.html) for page in sample.pages]
        size = sum(len(html) for _, html in pages) / len(pages) / 1000
        rates = ", ".join(f"{field} {rate:.0%}" for field, rate in fill_rates(sample.map_text, pages).items())
        print(f"{sample.site}: {len(pages)} pages of {size:.0f} k characters; the map fills {rates}")


def import_milliseconds() -> float:
    """Return what `import sitewright` adds to a fresh interpreter, the best of several."""

    def best(statement: str) -> float:
        times = []
        for _ in range(9):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", statement], check=True)
            times.append(time.perf_counter() - started)
        return min(times)

    return round((best("import sitewright") - best("pass")) * 1000, 1)


def main() -> int:
    """Measure, print the table and the figures; return the exit status."""
    names = [*list(CONTENDERS)[:5], COMMAND, *list(CONTENDERS)[5:]]
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__.split("\n")[0])
    parser.add_argument("--pages", choices=("shared", "demo"), default="shared" if has_shared() else "demo")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", metavar="NAME,…", help=f"of {', '.join(names)}")
    parser.add_argument("--floor", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--ceiling", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    samples = load_samples(options.pages)
    tell_pages(samples)
    chosen = [name for name in names if not options.only or name in options.only.split(",")]
    figures = run(samples, chosen, options.rounds)
    print(table(figures))
    found = {**results(figures), "import_ms": import_milliseconds()}
    print(f"import sitewright: {found['import_ms']} ms")
    wrong = missed(found, options.floor, options.ceiling)
    print("; ".join(wrong) if wrong else "holds")
    print(json.dumps({"pages": options.pages, **found}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
