"""Commands in, printed so that they can be copied out."""

import os
import shutil
import sys
from collections.abc import Iterable

from rich.console import Console


def tell_next(console: Console, commands: Iterable[str]) -> None:
    """Print commands that can be tried next; each is what follows the name of the program."""
    program = "sitewright" if shutil.which("sitewright") else os.path.relpath(sys.argv[0])
    for command in commands:
        console.print(f"  {program} {command}", style="cyan", highlight=False, markup=False, soft_wrap=True)
