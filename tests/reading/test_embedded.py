"""Records are completed by the state of their page, where it is of the same gallery."""

import json

import pytest

from sitewright.parse import parse
from sitewright.reading.embedded import with_embedded_pictures
from sitewright.types import Page, Photo, Record, Value

SLIDES = [{"src": f"/harbour-{n}.jpg", "caption": f"Day {n}"} for n in range(5)]


def completed(shown: list[Photo], slides: object) -> list[str]:
    body = f"<h1>Sea</h1><script type=application/json>{json.dumps(slides)}</script>"
    document = parse(Page(url="https://example.com/sea", body=body))
    fields = {"images": Value(shown, 0.8, "gallery/images#0")} if shown else {}
    record = Record(site="example.com", urls=(document.url,), fields=fields)
    done = with_embedded_pictures(record, document)
    if not shown:
        assert done is record
        return []
    value = done.fields["images"]
    assert (value.confidence, value.rule) == (0.8, "gallery/images#0")
    assert isinstance(value.value, list)
    return [f"{photo.url.rpartition('/')[2]}: {photo.caption}" for photo in value.value]


def photo(name: str, caption: str = "") -> Photo:
    return Photo(url=f"https://example.com/{name}", caption=caption)


def test_the_list_that_has_the_picture_which_is_shown_completes_it() -> None:
    assert completed([photo("harbour-0_800x600.jpg", "Day 0")], SLIDES) == [
        f"harbour-{n}.jpg: Day {n}" for n in range(5)
    ]


@pytest.mark.parametrize(
    ("shown", "slides"),
    [
        ([photo("crane-0.jpg")], SLIDES),
        ([photo(f"harbour-{n}.jpg", f"Day {n}") for n in range(5)], SLIDES),
        ([], SLIDES),
        ([photo("harbour-0.jpg")], {}),
    ],
    ids=["another gallery", "all are shown", "none is shown", "no state"],
)
def test_otherwise_it_stays_as_it_is(shown: list[Photo], slides: object) -> None:
    assert completed(shown, slides) == [f"{one.url.rpartition('/')[2]}: {one.caption}" for one in shown]
