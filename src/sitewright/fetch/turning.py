"""A gallery in a tab in, turned by its own control until nothing new comes; all its pictures on one page out."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab


@dataclass(frozen=True, slots=True, kw_only=True)
class Turning:
    """How the pictures of a gallery are turned."""

    words: frozenset[str] = frozenset({"next"})
    """What the controls say, in small letters; names of elements and arrows are known."""
    most: int = 200
    """So many pictures at most."""
    seconds: float = 60.0
    """What has not come by then is missing."""


@dataclass(frozen=True, slots=True)
class Turned:
    """How many states of a gallery were shown (1 or less: there is none to turn), and whether there may be more."""

    shown: int = 0
    more: bool = False


UNTURNED = Turned()


async def turn_pictures(tab: "Tab", turning: Turning) -> Turned:
    """Have all that a gallery shows stand on its page, in order."""
    wanted = {"words": sorted(turning.words), "most": turning.most, "seconds": turning.seconds}
    found: dict[str, Any] = await tab.evaluate(_script(), wanted)
    return Turned(found["shown"], found["more"])


@cache
def _script() -> str:
    return files("sitewright.fetch").joinpath("turn_pictures.js").read_text("utf-8")
