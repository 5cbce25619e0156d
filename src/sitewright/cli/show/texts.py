"""Texts of strangers in, cells and titles of tables out that have no power over a terminal."""

from rich.text import Text

from sitewright.values.words import harmless


def shown_text(content: str, style: str = "") -> Text:
    """Return a text as a table takes it: as it is, but for what a terminal would obey."""
    return Text(harmless(content), style)
