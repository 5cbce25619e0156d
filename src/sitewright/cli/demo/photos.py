"""`sitewright demo --photos`: papers of galleries of three kinds, collected, and scored by what they meant."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from sitewright.actions.add_sites import add_site
from sitewright.actions.dedupe import dedupe
from sitewright.cli.demo.live import START, Shelf, collect_once, tell
from sitewright.cli.show.next_steps import tell_next
from sitewright.demo.galleries import (
    GalleryKind,
    GalleryPaper,
    GalleryPaperMaker,
    gallery_stories,
    picture_address,
    retold,
    serve_galleries,
)
from sitewright.demo.story import Story
from sitewright.demo.words import load_words
from sitewright.errors import BrowserMissing
from sitewright.fetch.chromium import find_chromium
from sitewright.output.rows import row_of
from sitewright.parse.sites import site_name
from sitewright.store.database import Store, open_store
from sitewright.types import PhotoSet
from sitewright.values.as_json import json_of
from sitewright.watch.clock import Clock

_ABOUT: Mapping[GalleryKind, str] = {
    "linked": "a picture a page, by numbered links or by “next”",
    "state": "one picture, all of them as JSON in a script",
    "script": "one picture, turned by a script",
}
RECORDS, STORIES = "photo-records.jsonl", "photo-stories.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which papers are made up."""

    seed: int = 1
    galleries: int = 12
    """Of each paper."""
    shared: int = 4
    """So many of the first paper's stories the second has as well, in its own words and pictures."""
    browser: bool = True
    """Whether there is one whose pictures a script turns, where a browser is here to show it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many galleries a paper has, and what came of them."""

    meant: int
    sets: int
    """What was taken for a gallery."""
    complete: int
    """Sets with all pictures of their gallery, whatever else they have."""
    ordered: int
    captioned: int
    foreign: int
    """Pictures in sets that are adverts, logos, or another story's."""
    left_out: int
    """Pictures that were taken at first, and left out by how often they recur, or by their bytes."""
    right: int
    """Sets that are as the paper meant them, in all of this."""


@dataclass(frozen=True, slots=True)
class SharedStories:
    """How many stories two papers share, how many pairs were found, and how many of these are right."""

    meant: int
    found: int
    right: int


def run(console: Console, folder: Path, plan: Plan) -> None:
    """Collect the papers from their addresses alone, and show how right their sets are."""
    clock, shelf = Clock(start=START), Shelf(folder, "photos")
    shelf.clear()
    with serve_galleries(_makers(console, plan)) as papers:
        for paper in papers:
            console.print(f"[bold]{paper.name}[/bold] ({_ABOUT[paper.kind]}) is at {paper.base_url}", highlight=False)
        with open_store(shelf.store, clock=clock.now) as store:
            for paper in papers:
                add_site(store, f"{paper.base_url}/")

        def say(site: str, line: str) -> None:
            tell(console, clock.now(), f"{site}: {line}")

        asyncio.run(collect_once([paper.base_url for paper in papers], shelf, clock, say))
        with open_store(shelf.store) as store:
            _show(console, store, papers, folder)
    named = f"--store {shelf.store}"
    tell_next(
        console,
        (
            f"export --photo-sets {named}",
            f"top --since {START - timedelta(days=30):%Y-%m-%d} {named}",
            f"dedupe {folder}/{RECORDS} --all",
        ),
    )


def _makers(console: Console, plan: Plan) -> list[GalleryPaperMaker]:
    english, german = load_words("en"), load_words("de")
    first = gallery_stories(english, plan.seed, plan.galleries, START)
    own = gallery_stories(english, plan.seed + 1, plan.galleries - plan.shared, START)
    second = (*[retold(story, 5000 + number) for number, story in enumerate(first[: plan.shared])], *own)
    makers: list[GalleryPaperMaker] = [
        partial(GalleryPaper, kind="linked", name=english.name, words=english, stories=first),
        partial(GalleryPaper, kind="state", name=f"{english.agency} Photos", words=english, stories=second),
    ]
    try:
        if plan.browser:
            find_chromium("")
            third = gallery_stories(german, plan.seed + 2, plan.galleries, START)
            makers.append(partial(GalleryPaper, kind="script", name=german.name, words=german, stories=third))
    except BrowserMissing:
        console.print("the paper whose pictures a script turns is left out: there is no Chromium", markup=False)
    return makers


def _show(console: Console, store: Store, papers: Sequence[GalleryPaper], folder: Path) -> None:
    console.print("\nThe sets that were collected, against what the papers meant", style="bold", highlight=False)
    console.print(_table([(paper, outcome_of(store, paper)) for paper in papers]))
    shared = shared_stories(store, papers, folder)
    console.print(
        f"\nStories that two papers share: {shared.right} of {shared.meant} found, {shared.found - shared.right} wrong",
        highlight=False,
    )


def _table(outcomes: Sequence[tuple[GalleryPaper, Outcome]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("paper", "galleries", "sets", "complete", "in order", "captions", "foreign", "left out", "P", "R"):
        table.add_column(column, justify="left" if column == "paper" else "right")
    for paper, one in outcomes:
        counts = (one.meant, one.sets, one.complete, one.ordered, one.captioned, one.foreign, one.left_out)
        shares = (one.right / (one.sets or 1), one.right / one.meant)
        table.add_row(paper.name, *(f"{count:,}" for count in counts), *(f"{share:.3f}" for share in shares))
    return table


def outcome_of(store: Store, paper: GalleryPaper) -> Outcome:
    """Return what came of a paper's galleries."""
    truth = {f"{paper.base_url}{path}": story for path, story in paper.truth().items()}
    sets = store.photo_sets(site_name(paper.base_url))
    judged = [_judged(one, truth.get(one.urls[0]), paper.base_url) for one in sets]
    return Outcome(
        meant=len(truth),
        sets=len(sets),
        complete=sum(said["complete"] for said in judged),
        ordered=sum(said["ordered"] for said in judged),
        captioned=sum(said["captioned"] for said in judged),
        foreign=sum(said["foreign"] for said in judged),
        left_out=sum(len(one.left_out) for one in sets),
        right=sum(said["captioned"] and not said["foreign"] for said in judged),
    )


def _judged(found: PhotoSet, story: Story | None, base_url: str) -> Mapping[str, int]:
    """Say of a set whether it has all pictures, these in order, and with their captions; and count the others."""
    meant = {picture_address(base_url, photo): photo.caption for photo in (story.photos if story else ())}
    own = [photo for photo in found.photos if photo.url in meant]
    is_complete = bool(meant) and {photo.url for photo in own} == meant.keys()
    is_ordered = is_complete and [photo.url for photo in own] == list(meant)
    captioned = is_ordered and all(photo.caption == meant[photo.url] for photo in own)
    foreign = len(found.photos) - len(own)
    return {"complete": is_complete, "ordered": is_ordered, "captioned": captioned, "foreign": foreign}


def shared_stories(store: Store, papers: Sequence[GalleryPaper], folder: Path) -> SharedStories:
    """Have the records deduplicated as the command does, and compare with the stories that papers share."""
    with (folder / RECORDS).open("wb") as file:
        file.writelines(json_of(row_of(stored.record)) + b"\n" for stored in store.records())
    with (folder / STORIES).open("wb") as file:
        rows: list[Mapping[str, Any]] = []
        dedupe([str(folder / RECORDS)], rows.append)
        file.writelines(json_of(row) + b"\n" for row in rows)
    meant = set(_shared(papers))
    found = {frozenset(pair) for row in rows for pair in combinations(_addresses(row), 2) if _are_of_two_sites(*pair)}
    return SharedStories(len(meant), len(found), len(found & meant))


def _are_of_two_sites(one: str, other: str) -> bool:
    return site_name(one) != site_name(other)


def _addresses(row: Mapping[str, Any]) -> list[str]:
    return [row["url"], *(other["url"] for other in row.get("also", ()))]


def _shared(papers: Sequence[GalleryPaper]) -> Iterator[frozenset[str]]:
    """Yield the addresses of the stories that two papers tell: those with the same beginning."""
    for one, other in combinations(papers, 2):
        begun = {story.body[0]: path for path, story in one.truth().items()}
        for path, story in other.truth().items():
            if story.body[0] in begun:
                yield frozenset((f"{one.base_url}{begun[story.body[0]]}", f"{other.base_url}{path}"))
