from sitewright.assemble.photo_set import FEWEST_PHOTOS, MOST_PHOTOS, photo_set_of
from sitewright.types import LeftOut, Photo, Record, Value

PHOTOS = [Photo(url=f"https://example.com/harbour-{number}.jpg") for number in range(FEWEST_PHOTOS)]


def record(**fields: object) -> Record:
    values = {name: Value(value, 0.9, "") for name, value in fields.items()}
    return Record(site="example.com", urls=("https://example.com/a", "https://example.com/a/2"), fields=values)


def test_a_set_has_the_pictures_of_all_pages_and_names_them() -> None:
    found = photo_set_of(record(title="Three days", images=PHOTOS))
    assert found is not None
    assert (found.title, found.text, found.photos) == ("Three days", "", tuple(PHOTOS))
    assert found.urls == ("https://example.com/a", "https://example.com/a/2")


def test_a_set_has_at_most_so_many_pictures_and_says_so() -> None:
    several = [Photo(url=f"https://example.com/picture-{number:05}.jpg") for number in range(MOST_PHOTOS + 2)]
    found = photo_set_of(record(images=several))
    assert found is not None
    assert len(found.photos) == MOST_PHOTOS
    assert found.left_out == (LeftOut(several[MOST_PHOTOS].url, "too_many_pictures"),)


def test_a_story_with_few_pictures_is_none() -> None:
    assert photo_set_of(record(title="Three days", images=PHOTOS[1:])) is None
    assert photo_set_of(record(title="Three days")) is None
