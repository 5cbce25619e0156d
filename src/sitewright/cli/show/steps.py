"""What is being done in, one line of it at a time on a terminal out, each over the one before."""

import sys

from sitewright.cli.show.lines import echo
from sitewright.values.words import one_line


class Steps:
    """Shows steps while they are done, and nothing where nobody watches."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._shows = not quiet and sys.stderr.isatty()

    def tell(self, line: str) -> None:
        """Show a step in the place of the one before."""
        if self._shows:
            sys.stderr.write(f"\r\033[K{one_line(line)}")
            sys.stderr.flush()

    def end(self, line: str = "") -> None:
        """Take the last step away, and print a line that stays."""
        if self._shows:
            sys.stderr.write("\r\033[K")
        if line:
            echo(line)
