"""Steps of some work in, out a line that moves while a person watches, and one that stays when a step is done."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

_NAME = 12


class Step:
    """One step: `note` tells how it goes, `done` what came of it."""

    def __init__(self, steps: "Steps", number: int, name: str) -> None:
        self._steps = steps
        self._head = f"{number}  {name:<{_NAME}}"
        self.outcome = ""

    def note(self, line: str) -> None:
        """Show how it goes, where a person watches."""
        self._steps.show(f"{self._head}{line} …")

    def done(self, outcome: str) -> None:
        """Say what came of it."""
        self.outcome = outcome

    def line(self) -> str:
        """Return the line that stays."""
        return f"{self._head}{self.outcome}"


class Steps:
    """Prints a line for every step; the moving one only on a terminal that can."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._moves = console.is_terminal and not console.is_dumb_terminal
        self._count = 0

    @contextmanager
    def step(self, name: str, first: str = "") -> Iterator[Step]:
        """Take a step; its line is printed when it has ended well."""
        self._count += 1
        step = Step(self, self._count, name)
        began = time.monotonic()
        if first:
            step.note(first)
        try:
            yield step
        finally:
            self.show("")
        took = f"{time.monotonic() - began:.1f} s"
        room = max(self._console.width - len(took) - 2, 0)
        line = Text(step.line())
        line.truncate(room, overflow="ellipsis", pad=True)
        self._console.print(line.append(f"  {took}", style="dim"), soft_wrap=True)

    def show(self, line: str) -> None:
        """Show a line in place of the one before; an empty one takes it away."""
        if self._moves:
            shown = Text(line)
            shown.truncate(self._console.width - 1, overflow="ellipsis")
            self._console.file.write(f"\r\x1b[K{shown.plain}")
            self._console.file.flush()
