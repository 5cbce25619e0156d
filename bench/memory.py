"""Many pages through `sitewright extract`, the memory of all its processes watched; exit status 1 above the ceiling.

python -m bench.memory [--mode stdin|file|both] [--pages N] [--ceiling-mb 400]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from threading import Thread
from typing import IO

from bench.processes import MB, Memory, Watch
from bench.samples import StoredPage, demo_sample

STDIN_PAGES = 100_000
FILE_PAGES = 20_000
FILE_BYTES = 2_000_000_000
CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run showed."""

    mode: str
    pages: int
    megabytes: float
    seconds: float
    status: int
    lines: int
    peak: Memory
    curve: dict[int, Memory]


def page_lines(pages: tuple[StoredPage, ...], count: int) -> Iterator[bytes]:
    """Yield lines of a page file: the same pages over and over, each time under another URL."""
    halves = [json.dumps({"url": page.url, "html": page.html}).partition('", "html"') for page in pages]
    encoded = [(head.encode(), (middle + tail).encode()) for head, middle, tail in halves]
    for number, (head, tail) in enumerate(islice(cycle(encoded), count)):
        yield b"%s?copy=%d%s\n" % (head, number, tail)


class Counter:
    """Counts the lines that come out of a process."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Begin reading, in a thread."""
        self.lines = 0
        self._stream = stream
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait for the end of the stream."""
        self._thread.join()

    def _read(self) -> None:
        while chunk := self._stream.read(CHUNK):
            self.lines += chunk.count(b"\n")


def run(mode: str, count: int, folder: Path) -> Outcome:
    """Stream so many pages through the command, from standard input or from a plain file."""
    sample = demo_sample()
    (folder / "site.map.yaml").write_text(sample.map_text, "utf-8")
    source, sent = "-", 0
    if mode == "file":
        source = str(folder / "pages.jsonl")
        sent = _write(Path(source), page_lines(sample.pages, count))
    command = [sys.executable, "-m", "sitewright", "extract", source, "--map", str(folder / "site.map.yaml"), "-q"]
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
    assert process.stdin is not None  # noqa: S101 -- both are pipes
    assert process.stdout is not None  # noqa: S101
    counter = Counter(process.stdout)
    watch = Watch(process.pid, lambda: counter.lines / count)
    if mode == "stdin":
        for line in page_lines(sample.pages, count):
            sent += process.stdin.write(line)
    process.stdin.close()
    counter.join()
    watch.stop()
    status = process.wait()
    seconds = time.monotonic() - begin
    return Outcome(mode, count, sent / MB, seconds, status, counter.lines, watch.peak, watch.curve)


def _write(path: Path, lines: Iterator[bytes]) -> int:
    written = 0
    with path.open("wb") as file:
        for line in lines:
            written += file.write(line)
            if written > FILE_BYTES:
                raise SystemExit(f"so many pages make a file of more than {FILE_BYTES:,} bytes")
    return written


def tell(outcome: Outcome) -> dict[str, float]:
    """Print what a run showed, and return its figures."""
    print(
        f"{outcome.mode}: {outcome.pages:,} pages, {outcome.megabytes:,.0f} MB, {outcome.seconds:.1f} s, "
        f"exit status {outcome.status}, {outcome.lines:,} lines out"
    )
    print("  done   RSS MB   PSS MB   (peak within each tenth, all processes together)")
    for tenth, seen in sorted(outcome.curve.items()):
        print(f"  {tenth * 10 + 10:3d} %  {seen.rss:7.1f}  {_shown(seen.pss)}")
    print(f"  peak   {outcome.peak.rss:7.1f}  {_shown(outcome.peak.pss)}")
    figures = {f"{outcome.mode}_rss_mb": round(outcome.peak.rss, 1)}
    return figures if outcome.peak.pss is None else {**figures, f"{outcome.mode}_pss_mb": round(outcome.peak.pss, 1)}


def _shown(value: float | None) -> str:
    return "      –" if value is None else f"{value:7.1f}"


def complaints(outcome: Outcome, ceiling: float) -> list[str]:
    """Return what is wrong with a run: too much memory, lines missing, a failed command."""
    found = []
    if outcome.peak.best > ceiling:
        found.append(f"{outcome.mode}: peak of {outcome.peak.best:.1f} MB > {ceiling:g}")
    if outcome.lines != outcome.pages:
        found.append(f"{outcome.mode}: {outcome.lines:,} lines for {outcome.pages:,} pages")
    if outcome.status != 0:
        found.append(f"{outcome.mode}: exit status {outcome.status}")
    return found


def main() -> int:
    """Run the modes asked for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__.split("\n")[0])
    parser.add_argument("--mode", choices=("stdin", "file", "both"), default="both")
    parser.add_argument("--pages", type=int, help=f"default: {STDIN_PAGES:,}, from a file {FILE_PAGES:,}")
    parser.add_argument("--ceiling-mb", type=float, default=400.0, help="of PSS where the system tells it, else of RSS")
    options = parser.parse_args()
    modes = ("stdin", "file") if options.mode == "both" else (options.mode,)
    wrong: list[str] = []
    figures: dict[str, float] = {}
    for mode in modes:
        with tempfile.TemporaryDirectory() as folder:
            count = options.pages or (STDIN_PAGES if mode == "stdin" else FILE_PAGES)
            outcome = run(mode, count, Path(folder))
        figures |= tell(outcome)
        wrong += complaints(outcome, options.ceiling_mb)
    print(json.dumps(figures))
    print("; ".join(wrong) if wrong else "holds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
