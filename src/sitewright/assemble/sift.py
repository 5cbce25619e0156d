"""A photo set in, and what its site's store knows of its pictures; the set without adverts, logos and pixels out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sitewright.assemble.photo_set import FEWEST_PHOTOS
from sitewright.errors import PictureError, PictureRecurs
from sitewright.parse.picture_head import PictureHead, check_size
from sitewright.types import LeftOut, Photo, PhotoSet
from sitewright.values.images import picture_key

RECURS = 4
"""A picture that so many stories of a site show is the site's. Of 311 labelled pictures on sites with ten pages or more
(folds 1 to 4), none that was a story's stood on three pages; those that did were logos and stand-ins."""


@dataclass(frozen=True, slots=True)
class KnownPicture:
    """What is known of a picture beside what its page says."""

    stories: int = 0
    """How many stories of the site show it."""
    width: int = 0
    height: int = 0
    """Its true size; 0: it was not asked for."""
    code: str = ""
    """Why it is no picture of a story; empty: nothing speaks against it."""


def sifted(photo_set: PhotoSet, known: Mapping[str, KnownPicture]) -> PhotoSet | None:
    """Leave out what is none of the story's, by the keys of pictures; None where too little is left to be a set.

    >>> photos = tuple(Photo(url=f"https://example.com/harbour-2024-{n}.jpg") for n in range(5))
    >>> known = {"harbour-2024-1": KnownPicture(stories=90), "harbour-2024-2": KnownPicture(1, 800, 600)}
    >>> whole = sifted(PhotoSet(site="example.com", urls=("https://example.com/a",), photos=photos), known)
    >>> [photo.width for photo in whole.photos], whole.left_out
    ([None, 800, None, None], (LeftOut(url='https://example.com/harbour-2024-1.jpg', code='picture_recurs'),))
    """
    kept: list[Photo] = []
    left_out: list[LeftOut] = []
    for photo in photo_set.photos:
        told = known.get(picture_key(photo.url), KnownPicture())
        if code := _fault(told):
            left_out.append(LeftOut(photo.url, code))
        else:
            kept.append(replace(photo, width=told.width, height=told.height) if told.width else photo)
    if len(kept) < FEWEST_PHOTOS:
        return None
    return replace(photo_set, photos=tuple(kept), left_out=(*photo_set.left_out, *left_out))


def _fault(told: KnownPicture) -> str:
    if told.stories >= RECURS:
        return PictureRecurs.code
    try:
        check_size(PictureHead("", told.width, told.height))
    except PictureError as error:
        return error.code
    return told.code
