from sitewright.assemble.story import MOST_PHOTOS, assemble, photos_in
from sitewright.types import Photo, Record, Value


def page(number: int, **fields: object) -> Record:
    values = {name: Value(value, 0.9 - number / 10, f"story/{name}#0") for name, value in fields.items()}
    return Record(site="example.com", urls=(f"https://example.com/{number}",), fields=values)


def photo(name: str, caption: str = "") -> Photo:
    return Photo(url=f"https://example.com/pictures/{name}.jpg", caption=caption)


def test_texts_and_pictures_are_joined_in_their_order() -> None:
    pages = [
        page(0, title="Bees", text="The bees are back in town.", images=[photo("harbour-1")]),
        page(
            1, title="Bees (2)", text="The bees are back in town.\nAnd they dance all day.", images=[photo("harbour-2")]
        ),
    ]
    story = assemble(pages)
    fields = story.record.fields
    assert fields["title"].value == "Bees"
    assert fields["text"].value == "The bees are back in town.\nAnd they dance all day."
    assert [one.url[-5:] for one in photos_in(fields["images"].value)] == ["1.jpg", "2.jpg"]
    assert fields["text"].confidence == 0.8
    assert story.record.urls == ("https://example.com/0", "https://example.com/1")
    assert story.repeats == ()


def test_a_picture_in_several_sizes_is_there_once_with_what_is_said_of_it() -> None:
    small, large = photo("harbour-1_320x200"), photo("harbour-1_1600x1000", "The harbour")
    story = assemble([page(0, images=[small]), page(1, text="One more page of it.", images=[large])]).record
    assert story.fields["images"].value == [large]


def test_pages_that_say_nothing_of_their_own_are_told() -> None:
    pages = [page(n, text="The bees are back.", images=[photo("harbour-1")]) for n in (0, 1)]
    story = assemble([*pages, page(2, text="Something else.")])
    assert story.repeats == ("https://example.com/1",)
    assert story.record.urls == ("https://example.com/0", "https://example.com/2")


def test_what_the_first_page_lacks_and_lists() -> None:
    story = assemble(
        [page(0, text="One.", tags=["bees"]), page(1, text="Two.", tags=["bees", "honey"], authors=["Ann"])]
    )
    assert story.record.fields["tags"].value == ["bees", "honey"]
    assert story.record.fields["authors"].value == ["Ann"]


def test_pictures_as_a_store_holds_them() -> None:
    held = {"url": "https://example.com/pictures/harbour-1.jpg", "caption": "The harbour", "credit": "Ann Lee"}
    assert photos_in([held, 7]) == [Photo(**held)]


def test_galleries_without_end_end() -> None:
    several = [page(n, images=[photo(f"picture-{n}-{m:05}") for m in range(MOST_PHOTOS // 2 + 9)]) for n in (0, 1)]
    assert len(photos_in(assemble(several).record.fields["images"].value)) == MOST_PHOTOS
