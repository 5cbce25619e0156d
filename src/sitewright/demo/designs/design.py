"""What a design is: functions from facts to pages, and the map that reads those pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sitewright.demo.newspaper import Listing, Newspaper, Notice
from sitewright.demo.story import Story

APP_PATH = "/assets/app.js"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that belongs to a design, such as a style sheet."""

    body: bytes
    content_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One look of a newspaper."""

    name: str
    draw_story: Callable[[Newspaper, Story], str]
    draw_front: Callable[[Newspaper], str]
    draw_listing: Callable[[Newspaper, Listing], str]
    draw_notice: Callable[[Newspaper, Notice], str]
    draw_shell: Callable[[Newspaper, str, str], str]
    """The page at a path (the first text) that a script fills with the data it finds at another (the second)."""
    draw_player: Callable[[Newspaper, Story], str]
    """The page in which a film plays."""
    write_map: Callable[[Newspaper], str]
    """The text of the map file that extracts the truth from these pages."""
    assets: Mapping[str, Asset]
    app: Asset
    """The script that fills shells, at `APP_PATH`."""
