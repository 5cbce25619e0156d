"""Records that were stored in, their photo sets in the store out, sifted by what is known of their pictures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sitewright.assemble import RECURS, KnownPicture, photo_set_of, sifted
from sitewright.errors import PartMissing, PartRepeats, PictureError
from sitewright.store.database import Store
from sitewright.store.photo_sets import keys_of
from sitewright.store.pictures import StoredPicture
from sitewright.store.story_parts import PartState
from sitewright.types import LeftOut, PhotoSet, Record
from sitewright.values.images import picture_key, stated_size

MOST_ASKED = 200
"""So many pictures of a set are asked for their true size: the largest labelled gallery has 60."""
_LARGE = 300
"""Pixels of the longer side: where a page states as much, it is believed."""


def keep_photo_sets(store: Store, records: Sequence[Record]) -> None:
    """Store the photo sets of records that have pictures enough; those that have no longer enough go."""
    for site in dict.fromkeys(record.site for record in records):
        own = [record for record in records if record.site == site]
        _tell_recurring(store, site, _keep(store, site, own))


def sift_again(store: Store, site: str, keys: Iterable[str]) -> int:
    """Make the photo sets anew in which some pictures are, of which more is known by now; return how many."""
    records = [stored.record for stored in store.find_records(site, store.stories_showing(site, keys))]
    _keep(store, site, records)
    return len(records)


def _keep(store: Store, site: str, records: Sequence[Record]) -> Mapping[str, StoredPicture]:
    """Store the photo sets of a site's records; return what is known of their pictures."""
    whole = {record.urls[0]: photo_set_of(record) for record in records}
    keys = {key for one in whole.values() if one is not None for key in keys_of(one)}
    pictures = store.pictures(site, keys) if keys else {}
    known = {key: _known(picture) for key, picture in pictures.items()}
    kept = [(url, sifted(one, known) if one is not None else None) for url, one in whole.items()]
    gone = {one.urls[0] for one in store.photo_sets_of(site, [url for url, one in kept if one is None])}
    for url in gone:
        store.forget_photo_set(site, url)
    if several := [_without_parts(store, one) for _, one in kept if one is not None]:
        store.put_photo_sets(several)
        store.want_pictures(site, {key for one in several for key in _unsure(one)})
    return pictures


def _without_parts(store: Store, photo_set: PhotoSet) -> PhotoSet:
    """Name the pages of its story that a set lacks, with the reason."""
    parts = store.parts_of(photo_set.site, photo_set.urls[0])
    gone = tuple(LeftOut(part.url, _OF_PARTS[part.state]) for part in parts if part.state in _OF_PARTS)
    return replace(photo_set, left_out=(*photo_set.left_out, *gone)) if gone else photo_set


_OF_PARTS: Mapping[PartState, str] = {"missing": PartMissing.code, "repeat": PartRepeats.code}


def _tell_recurring(store: Store, site: str, pictures: Mapping[str, StoredPicture]) -> None:
    """Take pictures that turn out to be the site's from the sets that were stored before this was known."""
    news = {key for key, picture in pictures.items() if picture.stories >= RECURS and not picture.is_told}
    if news:
        sift_again(store, site, news)
        store.mark_told(site, news)


def _known(picture: StoredPicture) -> KnownPicture:
    code = picture.code if picture.code in _OF_PICTURES else ""  # what could not be had for now is no fault
    return KnownPicture(picture.stories, picture.width, picture.height, code)


_OF_PICTURES = frozenset(error.code for error in PictureError.__subclasses__())


def _unsure(photo_set: PhotoSet) -> Iterable[str]:
    """Return the keys of the pictures of a set whose size pages do not state, or state as small."""
    return [picture_key(one.url) for one in photo_set.photos if stated_size(one) < _LARGE][:MOST_ASKED]
