"""The pages of one story in, one record and one photo set out."""

from sitewright.assemble.photo_set import FEWEST_PHOTOS, photo_set_of
from sitewright.assemble.ranking import Ranked, Standing, rank, reasons
from sitewright.assemble.sift import RECURS, KnownPicture, sifted
from sitewright.assemble.story import Assembled, assemble

__all__ = [
    "FEWEST_PHOTOS",
    "RECURS",
    "Assembled",
    "KnownPicture",
    "Ranked",
    "Standing",
    "assemble",
    "photo_set_of",
    "rank",
    "reasons",
    "sifted",
]
