"""A page that was read in, the record of its story out once its other pages are here, or known not to come."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sitewright.assemble import assemble
from sitewright.links import StoryPages
from sitewright.parse import url_id
from sitewright.store.database import Store
from sitewright.store.entries import Collected, PageLocation, StoredRecord
from sitewright.store.story_parts import FoundPart, PartState, StoryPart
from sitewright.types import Page, Record
from sitewright.watch.twins import folded

MOST_PAGES = 500
"""Further pages of a story are left out: the longest labelled one has 32."""


def collected_story(store: Store, own: Collected, pages: StoryPages) -> Collected | None:
    """Return what is to be stored of a page: its record, that of its story, or nothing yet.

    What the page says is kept until all pages of the story are here, so a collector may be killed at any moment; the
    first page is stored at once, so that its news is out, and the whole story when the last page has come, or is known
    not to come. A page that comes after that completes it.
    """
    site, url = own.record.site, own.record.urls[0]
    known = store.part_of(site, url)
    if known is None and not pages.parts:
        return own
    story, number = (known.story, known.number) if known is not None else _story_of(store, site, url, pages)
    store.keep_part(site, story, FoundPart(url, number), own.record)
    parts = store.parts_of(site, story)
    story = _rooted(store, site, story, parts)
    repeats = _marked_repeats(store, site, parts)
    if url not in repeats and (further := _further(pages, parts)):
        store.expect_parts(site, story, further)
        parts = store.parts_of(site, story)
    if _is_awaited(parts) and url_id(url) != url_id(story):
        return None
    return _whole(store, site, story, parts, own)


def give_up_part(store: Store, site: str, url: str, state: PartState = "missing") -> Collected | None:
    """Go on without a page that cannot be had, or not now; return the story where no other page is awaited."""
    known = store.part_of(site, url)
    if known is None or known.state != "awaited":
        return None
    store.mark_part(site, url, state)
    parts = store.parts_of(site, known.story)
    return None if _is_awaited(parts) else _whole(store, site, known.story, parts, None)


def end_story(store: Store, site: str, url: str) -> Collected | None:
    """Note that there is no page where a pattern of addresses led; return the story where no other page is awaited."""
    store.settle_part(site, [url])
    return give_up_part(store, site, url, "none")


def missing_parts(store: Store, record: Record) -> list[str]:
    """Return the addresses of the pages of a story that its record lacks."""
    parts = store.parts_of(record.site, record.urls[0])
    return [part.url for part in parts if part.state in ("awaited", "missing")]


def of_page_alone(store: Store, url: str, stored: StoredRecord | None, site: str) -> StoredRecord | None:
    """Return the record of a page as the page alone gives it: stories of several pages hold more."""
    part = store.part_of(site, url)
    if part is None or part.record is None:
        return stored
    whole = stored or store.find_record(site, part.story)
    return replace(whole, record=part.record) if whole is not None else None


def pages_alone(store: Store, stored: Iterable[StoredRecord]) -> Iterator[StoredRecord]:
    """Yield records, those of stories of several pages as their first pages alone give them."""
    for one in stored:
        own = of_page_alone(store, one.record.urls[0], one, one.record.site) if len(one.record.urls) > 1 else one
        yield own or one


def read_again(store: Store, own: Collected) -> Collected:
    """Keep what a page says now; return what is to be stored: its record, or that of its story."""
    site, url = own.record.site, own.record.urls[0]
    known = store.part_of(site, url)
    if known is None:
        return replace(own, record=folded(store, own.record))
    store.keep_part(site, known.story, FoundPart(known.url, known.number), own.record)
    return _whole(store, site, known.story, store.parts_of(site, known.story), own) or own


def _story_of(store: Store, site: str, url: str, pages: StoryPages) -> tuple[str, int]:
    """Return the address of a page's story, and its number there: that of a page that it links and that is known."""
    linked = (store.part_of(site, part) for part in pages.parts)
    known = next((part.story for part in linked if part is not None), None)
    return known or pages.first(url), pages.number


def _rooted(store: Store, site: str, story: str, parts: Sequence[StoryPart]) -> str:
    """Return the address of a story's first page; of one that was met in its midst that may turn out to be another."""
    first = next((part.url for part in parts if part.state == "here"), story)
    if url_id(first) != url_id(story):
        store.rename_story(site, story, first)
        return first
    return story


def _marked_repeats(store: Store, site: str, parts: Sequence[StoryPart]) -> set[str]:
    """Mark the pages that only repeat others; return their addresses."""
    told = [part.record for part in parts if part.record is not None and part.state == "here"]
    repeats = set(assemble(told).repeats)
    for part in parts:
        if part.record is not None and part.record.urls[0] in repeats:
            store.mark_part(site, part.url, "repeat")
    return repeats


def _further(pages: StoryPages, parts: Sequence[StoryPart]) -> list[FoundPart]:
    """Return the pages that are linked and not known yet, as many as a story may have: some go on without end."""
    known = {url_id(part.url) for part in parts}
    numbered = zip(pages.numbers, pages.parts, strict=True)
    found = [FoundPart(url, number, url == pages.guessed) for number, url in numbered if url_id(url) not in known]
    return found[: max(0, MOST_PAGES - len(parts))]


def _is_awaited(parts: Sequence[StoryPart]) -> bool:
    return any(part.state == "awaited" for part in parts)


def _whole(store: Store, site: str, story: str, parts: Sequence[StoryPart], own: Collected | None) -> Collected | None:
    """Return the story as its pages say it that are here."""
    told = [part.record for part in parts if part.record is not None and part.state == "here"]
    if not told:
        return None
    joined = assemble(told).record
    record = replace(joined, urls=tuple(dict.fromkeys((story, *joined.urls))))
    if own is not None and url_id(own.record.urls[0]) == url_id(story):
        return replace(own, record=record)
    page, location = _first_page(store, site, story, record)
    if location is None and own is not None:
        page, location = own.page, own.location
    return Collected(record=record, page=page, location=location)


def _first_page(store: Store, site: str, story: str, record: Record) -> tuple[Page, PageLocation | None]:
    stored = store.find_record(site, story)
    page = Page(url=story, body=b"", fetched_at=record.extracted_at)
    return page, stored.location if stored is not None else None
