"""What is none of a story's leaves its photo set, and is named with the reason."""

from dataclasses import replace

import pytest

from sitewright.assemble import RECURS, KnownPicture, sifted
from sitewright.types import LeftOut, Photo, PhotoSet

PHOTOS = tuple(Photo(url=f"https://example.com/harbour-2024-{number}.jpg", caption=str(number)) for number in range(5))
SET = PhotoSet(site="example.com", urls=("https://example.com/a",), title="At sea", photos=PHOTOS)


def key(number: int) -> str:
    return f"harbour-2024-{number}"


@pytest.mark.parametrize(
    ("known", "code"),
    [
        (KnownPicture(stories=RECURS), "picture_recurs"),
        (KnownPicture(1, 1, 1), "picture_too_small"),
        (KnownPicture(1, 120, 90), "picture_too_small"),
        (KnownPicture(1, 9000, 9000), "picture_too_large"),
        (KnownPicture(1, code="not_picture"), "not_picture"),
        (KnownPicture(RECURS - 1), ""),
        (KnownPicture(1, 800, 600), ""),
    ],
)
def test_faults_have_codes(known: KnownPicture, code: str) -> None:
    whole = sifted(SET, {key(2): known})
    assert whole is not None
    assert whole.left_out == ((LeftOut(PHOTOS[2].url, code),) if code else ())
    assert [photo.caption for photo in whole.photos] == [str(n) for n in range(5) if n != 2 or not code]


def test_true_sizes_are_kept() -> None:
    whole = sifted(SET, {key(0): KnownPicture(1, 800, 600)})
    assert whole is not None
    assert [(photo.width, photo.height) for photo in whole.photos[:2]] == [(800, 600), (None, None)]


def test_what_was_left_out_before_is_told_as_well() -> None:
    before = LeftOut("https://example.com/more.jpg", "too_many_pictures")
    whole = sifted(replace(SET, left_out=(before,)), {key(2): KnownPicture(stories=RECURS)})
    assert whole is not None
    assert [one.code for one in whole.left_out] == ["too_many_pictures", "picture_recurs"]


def test_where_too_little_is_left_there_is_no_set() -> None:
    assert sifted(SET, {key(number): KnownPicture(stories=9) for number in range(3)}) is None
    assert sifted(SET, {key(number): KnownPicture(stories=9) for number in range(2)}) is not None
