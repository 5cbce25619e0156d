"""Pages done in, a progress bar for a person who watches out."""

import sys
import time
from collections import Counter
from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from sitewright.cli.show.lines import echo
from sitewright.values.words import counted, one_line

REFRESH_SECONDS = 0.1


class PageCounter:
    """Counts pages and failures, shows a bar while they come (on a terminal only), and sums up at the end."""

    def __init__(self, share_read: Callable[[], float | None], *, quiet: bool = False, resumable: bool = False) -> None:
        """`share_read` tells how much of the input has been read, 0 to 1."""
        self._share_read = share_read
        self._resumable = resumable
        self._quiet = quiet
        self._started = self._shown = time.monotonic()
        self.pages = 0
        self.failures: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        """What is told of the first page that failed, by code."""
        self.templates: Counter[str] = Counter()
        self.handed: Counter[str] = Counter()
        self._bar = _bar() if sys.stderr.isatty() and not quiet else None
        if self._bar is not None:
            self._task = self._bar.add_task("", total=1.0, pages="")
            self._bar.start()

    def count(self, failure: str, template: str, via: str = "", detail: str = "") -> None:
        """Note one finished page; `detail` says which one failed, and why."""
        self.pages += 1
        if failure:
            self.failures[failure] += 1
            self._first.setdefault(failure, detail)
        elif via:
            self.handed[via] += 1
        else:
            self.templates[template] += 1
        now = time.monotonic()
        if self._bar is not None and now - self._shown >= REFRESH_SECONDS:
            self._shown = now
            self._show()

    def finish(self, *, interrupted: bool = False) -> None:
        """Take the bar away and say what was done."""
        if self._bar is not None:
            self._bar.stop()
        if not self._quiet:
            sys.stderr.write(self.summary(interrupted=interrupted) + "\n")
            for code, detail in self._first.items():
                if detail:
                    echo(f"{code}: {one_line(detail)}", err=True)

    def summary(self, *, interrupted: bool = False) -> str:
        """Return one line: pages, time, speed, failures by code, pages that no template recognised."""
        seconds = time.monotonic() - self._started
        rate = f" ({self._rate():,.0f} pages/s)" if self._rate() >= 1 else ""
        parts = [f"{counted(self.pages, 'page')} in {seconds:.1f} s{rate}"]
        if self.failures:
            codes = ", ".join(f"{code} {count:,}" for code, count in self.failures.most_common())
            parts.append(f"{self.failures.total():,} failed ({codes})")
        if self.templates[""]:
            parts.append(f"{self.templates['']:,} matched no template")
        if self.handed:
            share = self.handed.total() / self.pages
            parts.append(
                f"{self.handed.total():,} ({share:.0%}) handed to the tagger, {self.handed['map, tagger']:,} in part"
            )
        if interrupted:
            parts.append("interrupted; what is written is complete" + " (go on with --resume)" * self._resumable)
        return "; ".join(parts)

    def _rate(self) -> float:
        return self.pages / max(time.monotonic() - self._started, 1e-6)

    def _show(self) -> None:
        if self._bar is None:
            return
        share = self._share_read()
        failed = f", {self.failures.total():,} failed" if self.failures else ""
        pages = f"{counted(self.pages, 'page')}, {self._rate():,.0f}/s{failed}"
        self._bar.update(self._task, completed=share or 0.0, total=None if share is None else 1.0, pages=pages)
        self._bar.refresh()


def _bar() -> Progress:
    """Make a bar that draws only when told to: its own thread would make forking workers unsafe."""
    return Progress(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[pages]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    )
