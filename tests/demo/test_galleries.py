"""Papers of galleries show of each story what its truth says, each kind in its way."""

import json
import re
from datetime import UTC, datetime

import pytest

from sitewright.demo.galleries import GalleryKind, GalleryPaper, gallery_stories, picture_address, retold
from sitewright.demo.words import load_words

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
WORDS = load_words("en")
STORIES = gallery_stories(WORDS, 1, 4, NOW)


def paper(kind: GalleryKind) -> GalleryPaper:
    return GalleryPaper(kind=kind, name="Paper", words=WORDS, stories=STORIES, base_url="http://127.0.0.2")


def html(kind: GalleryKind, path: str) -> str:
    page = paper(kind).page(path)
    assert page is not None
    return page.html.decode()


def test_there_are_as_many_galleries_as_are_wanted_and_none_is_later() -> None:
    assert [story.kind for story in STORIES] == ["gallery"] * 4
    assert max(story.published for story in STORIES) <= NOW


def test_each_page_shows_one_picture_and_leads_to_the_others() -> None:
    for path, story in paper("linked").truth().items():
        last = len(story.photos)
        for number, photo in enumerate(story.photos, start=1):
            shown = html("linked", path if number == 1 else f"{path}?page={number}")
            assert f"/media/{photo.slug}.png" in shown
            led_to = {int(page) for page in re.findall(r"\?page=(\d+)'?\"", shown)}
            assert led_to <= set(range(2, last + 1))
            assert number == last or number + 1 in led_to
        assert paper("linked").page(f"{path}?page={last + 1}") is None


def test_all_pictures_stand_in_the_state_of_the_page() -> None:
    for path, story in paper("state").truth().items():
        state = re.search(r"__GALLERY__ = (.*?);</script>", html("state", path))
        assert state is not None
        captions = [slide["caption"] for slide in json.loads(state[1])["slides"] if slide["caption"]]
        assert captions == [photo.caption for photo in story.photos]


def test_the_script_asks_for_one_picture_after_the_other() -> None:
    for path, story in paper("script").truth().items():
        assert html("script", path).count("/media/") == 3  # the picture, the logo, the advert
        asked = [json.loads(html("script", f"{path}data.json?page={n + 1}")) for n in range(len(story.photos))]
        assert [photo["caption"] for photo in asked] == [photo.caption for photo in story.photos]


def test_pictures_differ_and_are_there() -> None:
    addresses = [picture_address("", photo) for story in STORIES for photo in story.photos]
    drawn = [paper("linked").page(address) for address in addresses[:4]]
    assert len({page.html for page in drawn if page is not None}) == 4


@pytest.mark.parametrize("path", ["/photos/2026/03/nothing-1/", "/about/"])
def test_there_is_nothing_else(path: str) -> None:
    assert paper("linked").page(path) is None


def test_another_paper_tells_it_in_its_own_way() -> None:
    told = retold(STORIES[0], 5000)
    assert told.headline != STORIES[0].headline
    assert told.body == STORIES[0].body[: len(told.body)]
    assert {photo.slug for photo in told.photos}.isdisjoint(photo.slug for photo in STORIES[0].photos)
    assert [photo.caption for photo in told.photos] == [photo.caption for photo in STORIES[0].photos]


def test_some_galleries_have_numbered_links_and_some_only_the_next() -> None:
    last = [f"?page={len(story.photos)}" in html("linked", path) for path, story in paper("linked").truth().items()]
    assert set(last) == {True, False}
