"""A redesigned paper, its records and all that was read before in, out how right each reading is, era by era."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sitewright.cli.demo.live import Shelf, collected, wanted
from sitewright.cli.demo.score import values_of, verdict_of
from sitewright.demo import Design, ServedPaper, Truth
from sitewright.extract import Extractor
from sitewright.parse import parse
from sitewright.parse.sites import site_name
from sitewright.processes.places import StoredPlace
from sitewright.reading.explain import TAGGER
from sitewright.store.database import Store
from sitewright.store.entries import StoredMap, StoredRecord
from sitewright.types import Record


@dataclass(frozen=True, slots=True)
class Era:
    """One look of a paper: since when it has it, and how many requests were answered before."""

    design: Design
    since: datetime
    requests: int = 0


class EraReading(NamedTuple):
    """What somebody read of a story: values as JSON has them, and how many of them are the tagger's."""

    values: Mapping[str, Any]
    version: int | None
    by_tagger: int

    def is_right(self, field: str, truth: Truth) -> bool:
        """Tell whether a field is what the paper meant, also where that is nothing."""
        return verdict_of(field, self.values.get(field), truth) in {None, "right"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldStory:
    """A story in three readings: by the map from before the redesign, when it was collected, and as stored now."""

    url: str
    truth: Truth
    era: int
    old: EraReading | None
    """None where there was no redesign before."""
    first: EraReading
    now: EraReading


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What became of a paper: its eras, the stories that were collected, how many were missed, and how many twice."""

    site: str
    eras: Sequence[Era]
    stories: Sequence[ToldStory]
    missed: Counter[int]
    """By era."""
    twice: Counter[int]
    """Stories that were collected once more under another address; by era."""

    def of(self, era: int) -> list[ToldStory]:
        """Return the stories that were collected in an era."""
        return [story for story in self.stories if story.era == era]


def reading_of(record: Record) -> EraReading:
    """Return what a record holds."""
    by_tagger = sum(value.rule.startswith(TAGGER) for value in record.fields.values())
    return EraReading(values_of(record), record.map_version, by_tagger)


def tell_eras(
    store: Store, shelf: Shelf, served: ServedPaper, eras: Sequence[Era], first: Mapping[str, EraReading], now: datetime
) -> Told:
    """Compare all that was read with what the paper meant; `first` has what records held when they were new."""
    site = site_name(served.base_url)
    versions = store.map_versions(site)
    asked = {request.path: number for number, request in reversed(list(enumerate(served.log)))}
    fetched = {page.url: page.fetched_at or now for page in store.pages(site)}
    truths = served.paper.published(now)
    old = [_reader(versions, era) for era in eras]
    stories: dict[str, ToldStory] = {}
    twice: Counter[int] = Counter()
    for address, stored in collected(store, served).items():  # in the order in which they were collected
        path, url = address.partition("?")[0], stored.record.urls[0]
        if path in stories:
            twice[_era_at(eras, fetched.get(url, now))] += 1
        elif path in truths:
            era = _last([era.requests <= asked.get(path, 0) for era in eras])
            stories[path] = ToldStory(
                url=url,
                truth=truths[path],
                era=era,
                old=_old_reading(shelf, stored, old[era]),
                first=first.get(stored.id) or reading_of(stored.record),
                now=reading_of(stored.record),
            )
    lost = wanted(served.paper, versions[0].made_at if versions else now, now) - stories.keys()
    missed = Counter(_era_at(eras, truths[path].published) for path in lost)
    return Told(site=site, eras=eras, stories=tuple(stories.values()), missed=missed, twice=twice)


def _era_at(eras: Sequence[Era], moment: datetime) -> int:
    return _last([era.since <= moment for era in eras])


def _last(begun: Sequence[bool]) -> int:
    """Return the number of the last era that has begun."""
    return max(sum(begun) - 1, 0)


def _reader(versions: Sequence[StoredMap], era: Era) -> Extractor | None:
    """Return what reads pages by the map as it was before an era; None where there was none."""
    before = [version for version in versions if version.made_at < era.since]
    return Extractor(before[-1].parsed()) if before else None


def _old_reading(shelf: Shelf, stored: StoredRecord, extractor: Extractor | None) -> EraReading | None:
    if extractor is None or stored.location is None:
        return None
    page = StoredPlace(shelf.pages, stored.location, stored.record.urls[0]).load()
    return reading_of(extractor.extract(parse(page)))
