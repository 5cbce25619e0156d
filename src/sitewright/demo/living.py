"""A seed and a moment in, the newspaper as it is served at that moment out: stories appear, and a few vanish."""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from sitewright.demo.agenda import Agenda, Run
from sitewright.demo.catalogue import Catalogue, SitePage
from sitewright.demo.designs import CLASSIC, Design
from sitewright.demo.newspaper import Newspaper, story_path
from sitewright.demo.pages import PAGES, PaperKind
from sitewright.demo.story import Entry, Story
from sitewright.demo.truth import Truth, truth_of
from sitewright.demo.words import load_words
from sitewright.demo.writing import KINDS, write_stories

FRONT_LENGTH = 20


class LivingPaper:
    """A newspaper with a clock: all its stories are written, and each has its time."""

    def __init__(  # noqa: PLR0913 - each is one independent fact of the paper
        self,
        seed: int,
        *,
        kind: PaperKind = "static",
        language: str = "en",
        base_url: str,
        start: datetime,
        hours: int = 48,
        stories: int = 200,
        before: int = 30,
        design: Design | Callable[[datetime], Design] = CLASSIC,
    ) -> None:
        """Write the stories and plan when they are published: `before` of them before `start`, the others in `hours`.

        A design may be a function of the moment, for a paper that is redesigned.
        """
        words = load_words(language)
        zone = ZoneInfo(words.timezone)
        agenda = Agenda(start=start, hours=hours, stories=stories, before=before, zone=zone)
        _check(agenda)
        self.kind: PaperKind = kind
        self.name = words.name
        self.base_url = base_url.rstrip("/")
        self.start = start.astimezone(zone)
        self._design_at: Callable[[datetime], Design] = (lambda _: design) if isinstance(design, Design) else design
        self._runs = agenda.runs(Random(seed))
        written = write_stories(words, Random(seed), stories, self.start)
        self._paper = Newspaper(
            words=words,
            host=urlsplit(base_url).netloc,
            base_url=self.base_url,
            newest=self.start,
            stories=tuple(_dated(story, run, self.start) for story, run in zip(written, self._runs, strict=True)),
            front_length=FRONT_LENGTH,
        )
        self._paths = [story_path(story) for story in self._paper.stories]
        self._truths = [truth_of(self._paper, story) for story in self._paper.stories]
        self._moments = sorted({moment for run in self._runs for moment in _changes(run) if moment > self.start})
        self._edition = ((-1, ""), Catalogue(self._paper))

    def page(self, path: str, now: datetime) -> SitePage | None:
        """Return what is served at a path; before the start it is the same as at the start."""
        number, design = bisect_right(self._moments, now), self._design_at(now)
        key, catalogue = self._edition
        if key != (number, design.name):
            catalogue = PAGES[self.kind](self._paper_after(number), design)
            self._edition = (number, design.name), catalogue
        return catalogue.page(path)

    def published(self, now: datetime) -> dict[str, Truth]:
        """Return path and truth of all stories published by now, also of those withdrawn since; the newest first."""
        stories = zip(self._paths, self._truths, self._runs, strict=True)
        return {path: truth for path, truth, run in stories if run.published <= max(now, self.start)}

    def withdrawn(self, now: datetime) -> set[str]:
        """Return the paths of the stories that are no longer there."""
        stories = zip(self._paths, self._runs, strict=True)
        return {path for path, run in stories if run.withdrawn is not None and run.withdrawn <= now}

    def moments(self) -> list[datetime]:
        """Return when, after the start, stories appear or vanish."""
        return list(self._moments)

    def _paper_after(self, changes: int) -> Newspaper:
        newest = self._moments[changes - 1] if changes else self.start
        stories = zip(self._paper.stories, self._runs, strict=True)
        shown = tuple(_commented(story, newest) for story, run in stories if run.is_shown(newest))
        return replace(self._paper, newest=newest, stories=shown)


def _check(agenda: Agenda) -> None:
    if agenda.start.tzinfo is None:
        raise ValueError("the start needs a time zone")
    if not len(KINDS) <= agenda.before <= agenda.stories:
        raise ValueError(f"at least {len(KINDS)} of the stories, and at most all, are published before the start")
    if agenda.stories - agenda.before > 60 * agenda.hours:
        raise ValueError(f"a paper publishes at most one story a minute; {agenda.hours} hours are too short")


def _changes(run: Run) -> Iterator[datetime]:
    yield run.published
    if run.withdrawn is not None:
        yield run.withdrawn


def _dated(story: Story, run: Run, start: datetime) -> Story:
    """Move a story to its moment; what it tells of itself is never later than when it can first be seen."""
    shift = _between(story.published, run.published)
    modified = _later(story.modified, shift) if story.modified and not story.entries else None
    return replace(
        story,
        published=run.published,
        modified=modified if modified and modified <= start else None,
        entries=_finished(story, run.published),
        comments=tuple(replace(comment, moment=_later(comment.moment, shift)) for comment in story.comments),
    )


def _finished(story: Story, moment: datetime) -> tuple[Entry, ...]:
    """Move the updates of a live blog before its publication, so that its text is whole then and stays as it is."""
    shift = _between(story.entries[0].moment, moment) if story.entries else timedelta()
    return tuple(replace(entry, moment=_later(entry.moment, shift)) for entry in story.entries)


def _between(first: datetime, second: datetime) -> timedelta:
    """Return the time that passes; two moments of one zone alone would be compared by the clock on the wall."""
    return second.astimezone(UTC) - first.astimezone(UTC)


def _later(moment: datetime, shift: timedelta) -> datetime:
    return (moment.astimezone(UTC) + shift).astimezone(moment.tzinfo)


def _commented(story: Story, now: datetime) -> Story:
    """Leave out what readers have not written yet."""
    written = tuple(comment for comment in story.comments if comment.moment <= now)
    return story if written == story.comments else replace(story, comments=written)
