"""How an action tells what it does: whoever calls it gives a function, which by itself does nothing."""

from collections.abc import Callable

Tell = Callable[[str], None]
"""Takes a line for a person."""


def nobody(_told: object) -> None:
    """Take what is told, and do nothing."""
