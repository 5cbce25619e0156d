"""Records or pairs in, which of them tell the same story out: `sitewright dedupe`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any

from sitewright.actions.record_lines import RecordLines, Row, object_of
from sitewright.errors import InputError
from sitewright.fetch.lines import read_lines
from sitewright.stories import WINDOW, Link, Stories, StoriesHere, StoryWork, Told, account_of, group, judge, view_of
from sitewright.values.moments import moment_of

_TOGETHER = 500
"""Pairs that are judged in one go."""


@dataclass(frozen=True, slots=True)
class Deduped:
    """How many records there are, and how many of them are told elsewhere as well."""

    records: int
    stories: int
    repeated: int


def judged_pairs(source: str) -> Iterator[Row]:
    """Yield for each line of a file of pairs whether they tell the same: `{"same", "score", "kind"}`."""
    read = read_lines(source)
    while lines := list(islice(read, _TOGETHER)):
        pairs = [_pair(object_of(line, source, number), f"{source}:{number}") for number, line in lines]
        for said in judge([tuple(view_of(account_of(*text)) for text in pair) for pair in pairs]):  # type: ignore[misc]
            yield {"same": said.same, "score": round(said.score, 4), "kind": said.kind}


def _pair(row: Row, place: str) -> tuple[tuple[str, str], tuple[str, str]]:
    found = [row.get(name) for name in ("a", "b")]
    if not all(isinstance(text, dict) for text in found):
        raise InputError(f'{place}: expected {{"a": {{"title", "text"}}, "b": {{"title", "text"}}}}')
    one, other = (_texts(text) for text in found)  # type: ignore[arg-type]
    return one, other


def _texts(row: Row) -> tuple[str, str]:
    return tuple(value if isinstance(value := row.get(name), str) else "" for name in ("title", "text"))  # type: ignore[return-value]


def dedupe(
    sources: Sequence[str],
    write: Callable[[Row], None],
    *,
    everything: bool = False,
    days: float | None = None,
    work: StoryWork | None = None,
) -> Deduped:
    """Write the records of files, of each story the richest, with the others linked to it; `work` says who compares."""
    with RecordLines(sources) as lines:
        told = (_told(row) for row in lines.read())
        window = WINDOW if days is None else timedelta(days=days) if days else None
        stories = group(told, lambda number: _told(lines.row(number)), window, work)
        kept = {number: own for own in stories.groups for number in [_richest(lines, own)]}
        others = {number: chosen for chosen, own in kept.items() for number in own if number != chosen}
        links = _by_record(stories)
        for number in range(len(lines)):
            if number in others and everything:
                write(lines.row(number) | {"same_as": _reference(lines, number, others[number], links)})
            elif number in kept:
                also = [_reference(lines, number, other, links) for other in kept[number] if other != number]
                write(lines.row(number) | {"also": also})
            elif number not in others:
                write(lines.row(number))
        return Deduped(len(lines), len(lines) - len(others), len(others))


@contextmanager
def story_work(engine: str, master: str | None = None) -> Iterator[StoryWork]:
    """Open who compares records: this process, or a Spark cluster (`spark`)."""
    if engine == "here":
        yield StoriesHere()
        return
    from sitewright.processes.spark_stories import StoriesOnSpark  # noqa: PLC0415 -- only who asks for Spark needs it

    work = StoriesOnSpark(master)
    try:
        yield work
    finally:
        work.close()


def _told(row: Row) -> Told:
    published = row.get("published")
    return Told(*_texts(row), moment_of(published) if isinstance(published, str) else None)


def _richest(lines: RecordLines, own: Sequence[int]) -> int:
    """Return the record with most pictures, then most text; of those alike the one that came first."""
    return max(own, key=lambda number: (*_riches(lines.row(number)), -number))


def _riches(row: Row) -> tuple[int, int]:
    images: Any = row.get("images")
    return (len(images) if isinstance(images, list) else 0, len(_texts(row)[1]))


def _by_record(stories: Stories) -> dict[frozenset[int], Link]:
    return {frozenset(link[:2]): link for link in stories.links}


def _reference(lines: RecordLines, one: int, other: int, links: dict[frozenset[int], Link]) -> Row:
    """Say of a record where it is, and how it is the same; one that is so by way of a third has no score."""
    row = lines.row(other)
    link = links.get(frozenset((one, other)))
    said = {"kind": link.kind, "score": round(link.score, 4)} if link else {"kind": "same event"}
    return {name: row[name] for name in ("url", "title") if name in row} | said
