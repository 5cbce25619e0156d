"""What `collect` and `watch` are told of a run in (how many pages, who is told), its summary as JSON out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import orjson

from sitewright.actions.run_summary import summary_of
from sitewright.cli.files import put_out
from sitewright.errors import OutputError
from sitewright.maps.file import write_atomically
from sitewright.watch.courier import shown
from sitewright.watch.tally import Tally

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of a run."""

    max_pages: int | None = None
    summary: str | None = None
    on_event: str = field(default="", repr=False)
    download: str = ""
    command: str
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    tally: Tally = field(init=False)

    def __post_init__(self) -> None:
        """Refuse what cannot work before any work is done."""
        object.__setattr__(self, "tally", Tally(self.max_pages))
        if self.on_event:
            shown(self.on_event)
        if self.download and Path(self.download).is_file():
            raise OutputError(f"--download: {self.download} is a file; name a folder")
        if self.summary not in (None, STANDARD_OUTPUT) and not Path(str(self.summary)).absolute().parent.is_dir():
            raise OutputError(f"--summary: cannot write {self.summary}: there is no such folder")

    @property
    def is_alone_on_output(self) -> bool:
        """Whether standard output is for the summary."""
        return self.summary == STANDARD_OUTPUT

    def end(self, names: Sequence[str], unlearned: Sequence[str], status: int) -> int:
        """Write the summary where one is wanted; return the exit status."""
        if self.summary is None:
            return status
        row = summary_of(self.command, self.tally.of(names), unlearned, started=self.started, status=status)
        text = orjson.dumps(row, option=orjson.OPT_INDENT_2).decode("utf-8") + "\n"
        if self.is_alone_on_output:
            put_out(text)
        else:
            write_atomically(Path(self.summary), text)
        return status


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a run."""
    for option in (
        click.option(
            "--download",
            default="",
            metavar="FOLDER",
            help="Keep the files of the stories' pictures, each once, named by what it holds.",
        ),
        click.option(
            "--on-event",
            default="",
            metavar="COMMAND|URL",
            help="Tell a command (on its standard input) or a webhook of records, failures and incidents, as JSON.",
        ),
        click.option("--summary", metavar="FILE", help="Write the counts of the run as JSON; -: to standard output."),
        click.option(
            "--max-pages",
            type=click.IntRange(min=1),
            metavar="N",
            help="At most so many stories of each site in this run, which ends when all sites have had theirs.",
        ),
    ):
        command = option(command)
    return command
