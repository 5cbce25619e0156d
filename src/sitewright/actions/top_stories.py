"""A store in, its stories out, those first that are worth reading first, with the reasons."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from statistics import median

from sitewright.actions.sites import known_sites
from sitewright.assemble import Ranked, Standing, rank
from sitewright.domains import kinds, load_domain
from sitewright.parse import clean_line, signature
from sitewright.store.database import Store
from sitewright.store.entries import RecordQuery, StoredRecord
from sitewright.stories import Told, group

RECENT = timedelta(days=3)
"""Older stories have lost nineteen twentieths of their score."""
_MOST = 20_000
"""So many of the newest records are compared, which takes some seconds for each thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A record of a story, as ranking sees it."""

    site: str
    url: str
    shown_at: datetime
    pictures: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TopStory:
    """A story: its richest record, the others that tell it, and how high it stands."""

    record: StoredRecord
    others: Sequence[StoredRecord]
    standing: Standing
    ranked: Ranked

    @property
    def title(self) -> str:
        """What it is called."""
        known = self.record.record
        heading = known.fields.get(load_domain(known.domain).heading)
        return clean_line(str(heading.value)) if heading is not None else known.urls[0]


def top_stories(store: Store, sites: Sequence[str], now: datetime, *, since: datetime | None = None) -> list[TopStory]:
    """Return the stories since a moment (None: the last three days), the highest first."""
    names = [site.name for site in known_sites(store, sites)]
    query = RecordQuery(sites=tuple(names), shown_since=since or now - RECENT, newest_first=True, limit=_MOST)
    found = [stored for stored in store.records(query) if stored.shown_at <= now + timedelta(hours=1)]
    weights, sizes = weights_of(store, {one.record.site for one in found}), _sizes(store, found)
    stories = [_story(own, weights, sizes, now) for own in _together(found)]
    return sorted(stories, key=lambda story: (-story.ranked.score, -story.record.number))


def standing_of(members: Sequence[Member], weights: Mapping[str, int], now: datetime) -> Standing:
    """Return what counts for a story, told by these; the first of them is shown."""
    first = min(members, key=lambda one: one.shown_at)
    came: dict[str, datetime] = {}
    for one in sorted(members, key=lambda one: one.shown_at):
        came.setdefault(one.site, one.shown_at)
    followed = tuple(at - first.shown_at for site, at in came.items() if site != first.site)
    return Standing(
        age=now - first.shown_at,
        pictures=members[0].pictures,
        weight=max((weights.get(signature(one.url), 1) for one in members), default=1),
        followed=followed,
    )


def weights_of(store: Store, sites: Iterable[str]) -> Mapping[str, int]:
    """Return the weights of the heaviest sources that list links now, by the links' signatures."""
    weights: dict[str, int] = {}
    for site in sites:
        for source in store.index_pages(site):
            for name in source.state.listed:
                weights[name] = max(weights.get(name, 1), source.weight)
    return weights


def _together(found: Sequence[StoredRecord]) -> list[list[StoredRecord]]:
    """Return the records of each story, the richest first: of each site one, as what it writes next is news again."""
    groups = group((_told(one) for one in found), lambda number: _told(found[number])).groups
    several = []
    for own in groups:
        richest: dict[str, StoredRecord] = {}
        for one in sorted((found[number] for number in own), key=_riches, reverse=True):
            richest.setdefault(one.record.site, one)
        several.append(list(richest.values()))
    together = {one.number for own in several for one in own}
    return [*several, *([one] for one in found if one.number not in together)]


def _told(stored: StoredRecord) -> Told:
    record, domain = stored.record, load_domain(stored.record.domain)
    texts = (record.fields.get(name) for name in (domain.heading, domain.main_text))
    title, text = (str(value.value or "") if value is not None else "" for value in texts)
    return Told(title, text, stored.shown_at)


def _riches(stored: StoredRecord) -> tuple[int, int]:
    return _pictures(stored), len(_told(stored).text)


def _pictures(stored: StoredRecord) -> int:
    record = stored.record
    named = (record.fields.get(name) for name in load_domain(record.domain).fields_of_kind(kinds.IMAGES))
    return sum(len(value.value) for value in named if value is not None and isinstance(value.value, list))


@dataclass(frozen=True, slots=True)
class _Size:
    """How many pictures a photo set has, and how long their longer side usually is."""

    pictures: int
    longest: int


def _sizes(store: Store, found: Collection[StoredRecord]) -> Mapping[tuple[str, str], _Size]:
    """Return what the photo sets of stories are like, by site and address."""
    sizes: dict[tuple[str, str], _Size] = {}
    for site in {one.record.site for one in found}:
        own = [one.record.urls[0] for one in found if one.record.site == site]
        for photo_set in store.photo_sets_of(site, own):
            sides = [max(photo.width or 0, photo.height or 0) for photo in photo_set.photos]
            known = [side for side in sides if side]
            sizes[site, photo_set.urls[0]] = _Size(len(sides), round(median(known)) if known else 0)
    return sizes


def _story(
    own: Sequence[StoredRecord],
    weights: Mapping[str, int],
    sizes: Mapping[tuple[str, str], _Size],
    now: datetime,
) -> TopStory:
    first = own[0]
    members = [
        Member(site=one.record.site, url=one.record.urls[0], shown_at=one.shown_at, pictures=_pictures(one))
        for one in own
    ]
    standing = standing_of(members, weights, now)
    if (size := sizes.get((first.record.site, first.record.urls[0]))) is not None:
        standing = replace(standing, pictures=size.pictures, longest=size.longest)
    return TopStory(record=first, others=list(islice(own, 1, None)), standing=standing, ranked=rank(standing))
