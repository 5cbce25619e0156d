"""Runs of a page, which of them are text, and the pictures of the record in; which picture stands where out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from turbohtml import Element

from sitewright.body.runs import Run
from sitewright.types import Photo
from sitewright.values.images import photo_of

ASIDE = frozenset({"nav", "aside", "footer", "form"})
"""What stands in these is no part of a text unless its reader says so."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of a record."""

    photos: Sequence[Photo] = ()
    chosen: bool = True
    """Whether a rule chose them one by one; else they are what was around the text, buttons and teasers among them."""


@dataclass(frozen=True, slots=True)
class PlacedPictures:
    """Pictures by the number of the run that displays them, and those that the page states without displaying them."""

    shown: dict[int, Photo] = field(default_factory=dict)
    stated: list[Photo] = field(default_factory=list)


def place_pictures(runs: Sequence[Run], own: set[int], pictures: Pictures | None, base_url: str) -> PlacedPictures:
    """Find the pictures of a record on its page; without any (None), the figures within its text."""
    left = {photo.url: photo for photo in pictures.photos} if pictures is not None else {}
    placed = PlacedPictures()
    items = {element for number in own for element in runs[number].chain if element.tag == "li"}
    for number, run in enumerate(runs):
        photo = photo_of(run.picture, base_url) if run.picture is not None else None
        if photo is None or (pictures is not None and photo.url not in left):
            continue
        known = left.pop(photo.url, photo)
        if (pictures is not None and pictures.chosen) or _belongs(run, number, own, items):
            placed.shown.setdefault(number, known)
    placed.stated.extend(left.values())
    return placed


def _belongs(run: Run, number: int, own: set[int], items: set[Element]) -> bool:
    """Tell whether a picture is one of the story: no drawing of a button, and in no list of something else."""
    tags = {element.tag for element in run.chain}
    lists = [element for element in run.chain if element.tag == "li"]
    photo = photo_of(run.picture, "http://x/") if run.picture is not None else None
    if not own or not tags.isdisjoint(ASIDE) or not items.issuperset(lists):
        return False
    if photo is None or urlsplit(photo.url).path.lower().endswith(".svg"):
        return False
    if "figure" in tags:
        return True
    if run.picture is None or number > max(own):
        return False
    return number > min(own) or run.picture.closest("a") is None
