"""Pictures of sets are asked for their true sizes, each once; their files are kept where that is wished."""

import asyncio
import hashlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import orjson
import pytest
from tests.parse.test_picture_head import gif, jpeg, png
from tests.watch.bulletin import LEARNED, SITE
from tests.watch.workshop import Workshop, open_workshop

from sitewright.errors import ConnectionFailed
from sitewright.store.entries import Collected
from sitewright.types import Page, Photo, Record, Value
from sitewright.watch.photo_sets import keep_photo_sets
from sitewright.watch.pictures import Pictures

ADDRESSES = [f"https://example.com/harbour-{number}.jpg" for number in range(6)]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workshop]:
    with open_workshop(tmp_path, LEARNED) as opened:
        photos = [Photo(url=url, caption=str(number)) for number, url in enumerate(ADDRESSES)]
        url = "https://example.com/sea"
        record = Record(site=SITE, urls=(url,), fields={"images": Value(photos, 0.9, "")}, extracted_at=LEARNED)
        opened.store.commit_pages([Collected(record=record, page=Page(url=url, body=b"", fetched_at=LEARNED))])
        keep_photo_sets(opened.store, [record])
        opened.web.pages = dict(zip(ADDRESSES, BODIES, strict=True))
        yield opened


BODIES = [jpeg(800, 600), png(1, 1), b"<html>gone</html>", png(50_000, 50_000), gif(640, 480), jpeg(1200, 800)]


def ask(shop: Workshop, folder: str = "") -> int:
    async def all_of_them() -> int:
        pictures, steps = Pictures(replace(shop.tools, downloads=folder), SITE), 0
        while await pictures.step():
            steps += 1
        return steps

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("download", [False, True])
def test_what_is_no_picture_of_the_story_leaves_its_set(shop: Workshop, tmp_path: Path, download: bool) -> None:
    folder = str(tmp_path / "pictures") if download else ""
    assert ask(shop, folder) == 1
    (photo_set,) = shop.store.photo_sets(SITE)
    assert [(photo.caption, photo.width) for photo in photo_set.photos] == [("0", 800), ("4", 640), ("5", 1200)]
    assert [one.code for one in photo_set.left_out] == ["picture_too_small", "not_picture", "picture_too_large"]
    assert f"{ADDRESSES[1]}: picture_too_small" in shop.said
    assert sorted(shop.web.asked) == ADDRESSES
    assert ask(shop, folder) == 0
    assert len(shop.web.asked) == 6


def test_what_cannot_be_had_stays_and_is_asked_for_some_times(shop: Workshop) -> None:
    shop.web.pages[ADDRESSES[5]] = ConnectionFailed("no")
    shop.web.pages[ADDRESSES[4]] = 404
    for _ in range(5):
        ask(shop)
        shop.clock.move(hours=1.1)
    assert shop.web.asked.count(ADDRESSES[5]) == shop.web.asked.count(ADDRESSES[4]) == 3
    known = shop.store.pictures(SITE, ["harbour-4", "harbour-5"])
    assert {key: one.code for key, one in known.items()} == {"harbour-4": "bad_url", "harbour-5": "connection_failed"}
    (photo_set,) = shop.store.photo_sets(SITE)
    assert [photo.caption for photo in photo_set.photos] == ["0", "4", "5"]


def test_files_are_kept_once_under_what_they_hold(shop: Workshop, tmp_path: Path) -> None:
    shop.web.pages[ADDRESSES[5]] = jpeg(800, 600)  # the same picture under another address
    folder = tmp_path / "pictures"
    ask(shop, str(folder))
    digest = hashlib.sha256(jpeg(800, 600)).hexdigest()
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    gif_digest = hashlib.sha256(gif(640, 480)).hexdigest()
    assert files == {"pictures.jsonl", f"{digest[:2]}/{digest}.jpeg", f"{gif_digest[:2]}/{gif_digest}.gif"}
    lines = [orjson.loads(line) for line in (folder / "pictures.jsonl").read_bytes().splitlines()]
    assert {(line["url"], line["file"], line["width"]) for line in lines} == {
        (ADDRESSES[0], f"{digest[:2]}/{digest}.jpeg", 800),
        (ADDRESSES[5], f"{digest[:2]}/{digest}.jpeg", 800),
        (ADDRESSES[4], f"{gif_digest[:2]}/{gif_digest}.gif", 640),
    }
    asked = len(shop.web.asked)
    assert ask(shop, str(folder)) == 0
    assert len(shop.web.asked) == asked


def test_files_of_pictures_whose_size_is_known_are_fetched_later(shop: Workshop, tmp_path: Path) -> None:
    ask(shop)
    asked = len(shop.web.asked)
    ask(shop, str(tmp_path / "pictures"))
    assert sorted(shop.web.asked[asked:]) == [ADDRESSES[0], ADDRESSES[4], ADDRESSES[5]]


def test_a_folder_that_cannot_be_written_loses_nothing(shop: Workshop, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.write_text("a file")
    ask(shop, str(folder))
    assert any("cannot write" in line for line in shop.said)
    folder.unlink()
    shop.clock.now()
    shop.clock.move(seconds=timedelta(hours=2).total_seconds())
    ask(shop, str(folder))
    assert len(list(folder.rglob("*.jpeg"))) == 2
