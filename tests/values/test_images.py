"""image.v1: the largest address of a picture, its caption and its credit."""

import json
from collections.abc import Callable

import pytest

from sitewright.types import Photo, Value

Read = Callable[..., Value | None]
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


def photos(value: Value | None) -> list[Photo]:
    assert value is None or isinstance(value.value, list)
    return [] if value is None else value.value


def addresses(value: Value | None) -> list[str]:
    return [photo.url.removeprefix("https://example.com/") for photo in photos(value)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<img src="/a.jpg">', ["a.jpg"]),
        ('<img src="b.jpg">', ["news/b.jpg"]),
        ('<img src="/s.jpg" srcset="/a.jpg 480w, /b.jpg 1200w, /c.jpg 800w">', ["b.jpg"]),
        ('<img src="/s.jpg" srcset="/a.jpg, /b.jpg 2x, /c.jpg 1.5x">', ["b.jpg"]),
        ('<img src="/s.jpg" srcset="/a,1.jpg 480w,/b,2.jpg 900w">', ["b,2.jpg"]),
        ('<img src="/s.jpg" srcset="/a.jpg">', ["a.jpg"]),
        ('<img src="/s.jpg" srcset="">', ["s.jpg"]),
        ('<img data-srcset="/a.jpg 1x, /b.jpg 2x" src="/s.jpg">', ["b.jpg"]),
        (f'<img src="{PIXEL}" data-src="/a.jpg">', ["a.jpg"]),
        ('<img src="/blank.gif" data-original="/a.jpg">', ["a.jpg"]),
        ('<img src="/img/placeholder.png" data-lazy-src="/a.jpg">', ["a.jpg"]),
        ('<img src="/spacer.gif">', []),
        (f'<img src="{PIXEL}">', []),
        ("<img>", []),
        ('<img src="">', []),
        ('<img src="javascript:x">', []),
        ('<img src="/track.gif" width=1 height=1>', []),
        ('<img src="/track.gif" width="1px" height="1px">', []),
        ('<img src="/a.jpg" width=640 height=1>', []),
        ('<img src="/a.jpg" width=640 height=480>', ["a.jpg"]),
        (f'<img src="{PIXEL}" data-src="/a.jpg"><noscript><img src="/a-small.jpg"></noscript>', ["a.jpg"]),
        (f'<img src="{PIXEL}"><noscript><img src="/a.jpg"></noscript>', ["a.jpg"]),
        ('<noscript><img src="/a.jpg"></noscript>', ["a.jpg"]),
        (
            '<picture><source srcset="/a.webp 400w, /b.webp 1600w"><source srcset="/c.jpg 800w"><img src="/s.jpg"></picture>',
            ["b.webp"],
        ),
        ('<picture><source srcset="/b.webp"><img src="/s.jpg"></picture>', ["b.webp"]),
        ('<amp-img src="/a.jpg"></amp-img>', ["a.jpg"]),
        ('<img src="/a.jpg"><img src="/b.jpg"><img src="/a.jpg">', ["a.jpg", "b.jpg"]),
        ("<p>no picture</p>", []),
    ],
)
def test_addresses(read_value: Read, html: str, expected: list[str]) -> None:
    assert addresses(read_value(f"<div id=v>{html}</div>", "image.v1", many=True)) == expected


@pytest.mark.parametrize(
    ("caption", "words", "credit"),
    [
        ("<figcaption>The bridge.</figcaption>", "The bridge.", ""),
        ("<figcaption>The bridge. <span class=credit>Ann Lee</span></figcaption>", "The bridge.", "Ann Lee"),
        (
            "<figcaption>The bridge.<span class='photo-Credit'>Photo: Ann Lee/Lantern</span></figcaption>",
            "The bridge.",
            "Ann Lee/Lantern",
        ),
        ("<figcaption>The bridge.</figcaption><small class=copyright>© Ann Lee</small>", "The bridge.", "Ann Lee"),
        ("<figcaption>The bridge. <cite>Ann Lee</cite></figcaption>", "The bridge.", "Ann Lee"),
        ("<figcaption>The bridge. Photo: Ann Lee</figcaption>", "The bridge.", "Ann Lee"),
        ("<figcaption>The bridge (Photo: Ann Lee)</figcaption>", "The bridge", "Ann Lee"),
        ("<figcaption>The bridge. © Ann Lee</figcaption>", "The bridge.", "Ann Lee"),
        ("<figcaption>Die Brücke. Foto: Ann Lee/dpa</figcaption>", "Die Brücke.", "Ann Lee/dpa"),
        ("<figcaption>Мост. Фото: Иван Петров</figcaption>", "Мост.", "Иван Петров"),
        ("<figcaption>桥。图：王小明</figcaption>", "桥。", "王小明"),
        ("<figcaption>Photo: Ann Lee</figcaption>", "", "Ann Lee"),
        ("<figcaption class=credit>Ann Lee</figcaption>", "", "Ann Lee"),
        ("<div class='image-caption'>The bridge.</div>", "The bridge.", ""),
        ("<span class=credit>Ann Lee</span>", "", "Ann Lee"),
        ("", "", ""),
    ],
)
def test_captions_and_credits(read_value: Read, caption: str, words: str, credit: str) -> None:
    page = f"<figure id=v><img src=/a.jpg>{caption}</figure>"
    assert photos(read_value(page, "image.v1")) == [
        Photo(url="https://example.com/a.jpg", caption=words, credit=credit)
    ]


def test_an_image_inside_a_figure_has_its_caption(read_value: Read) -> None:
    page = "<figure><img id=v src=/a.jpg><figcaption>The bridge.</figcaption></figure>"
    assert photos(read_value(page, "image.v1"))[0].caption == "The bridge."


def test_sizes_are_kept(read_value: Read) -> None:
    page = '<img id=v src=/a.jpg width="640" height="480px"><img src=/b.jpg width="100%">'
    assert photos(read_value(page, "image.v1")) == [Photo(url="https://example.com/a.jpg", width=640, height=480)]
    assert photos(read_value(page, "image.v1", select=("img + img",))) == [Photo(url="https://example.com/b.jpg")]


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ("/a.jpg", [Photo(url="https://example.com/a.jpg")]),
        (["/a.jpg", "/b.jpg"], [Photo(url="https://example.com/a.jpg"), Photo(url="https://example.com/b.jpg")]),
        ({"@type": "ImageObject", "url": "/a.jpg"}, [Photo(url="https://example.com/a.jpg")]),
        (
            {"contentUrl": "/a.jpg", "caption": "The bridge", "creditText": "Ann Lee"},
            [Photo(url="https://example.com/a.jpg", caption="The bridge", credit="Ann Lee")],
        ),
        (
            {"url": "/a.jpg", "description": "The bridge", "author": {"name": "Ann Lee"}},
            [Photo(url="https://example.com/a.jpg", caption="The bridge", credit="Ann Lee")],
        ),
        ({"@type": "ImageObject"}, []),
        ("", []),
    ],
)
def test_images_of_jsonld(read_value: Read, image: object, expected: list[Photo]) -> None:
    script = json.dumps({"@type": "NewsArticle", "image": image})
    page = f'<script type="application/ld+json">{script}</script>'
    assert photos(read_value(page, "image.v1", select=(), take="jsonld:NewsArticle.image", many=True)) == expected


def test_reading_pictures_leaves_the_text_alone(read_value: Read) -> None:
    page = "<figure id=v><img src=/a.jpg><figcaption>The bridge. <b class=credit>Ann Lee</b></figcaption></figure>"
    assert photos(read_value(page, "image.v1")) == photos(read_value(page, "image.v1"))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            '<img srcset="/f_auto,q_auto:low,w_400/y.jpg 400w, /f_auto,q_auto:low,w_800/y.jpg 800w">',
            ["f_auto,q_auto:low,w_800/y.jpg"],
        ),
        ('<img srcset="/a.jpg 1x,/b.jpg 2x">', ["b.jpg"]),
        ('<img src="/google-pixel-9.png">', ["google-pixel-9.png"]),
        ('<img src="/img/placeholder-300x200.png">', []),
        ('<img src="/a b.jpg">', ["a%20b.jpg"]),
    ],
)
def test_odd_addresses(read_value: Read, html: str, expected: list[str]) -> None:
    assert addresses(read_value(f"<div id=v>{html}</div>", "image.v1", many=True)) == expected


@pytest.mark.parametrize("caption", ["- " * 20_000, "(" * 20_000, "© " * 20_000, "© a" + "." * 20_000 + "x"])
def test_a_monstrous_caption_is_borne(read_value: Read, caption: str) -> None:
    html = f"<figure id=v><img src=/a.jpg><figcaption>{caption}</figcaption></figure>"
    assert addresses(read_value(html, "image.v1", many=True)) == ["a.jpg"]


@pytest.mark.parametrize(
    ("shown", "caption", "credit"),
    [
        ("The harbour. (Ann Lee/Lantern)", "The harbour.", "Ann Lee/Lantern"),
        ("El puerto. EFE/ J. Ek", "El puerto.", "EFE/ J. Ek"),
        ("Der Hafen. Keystone/AP/Bo Ek", "Der Hafen.", "Keystone/AP/Bo Ek"),
        ("Der Hafen | Bildquelle: WDR / Ek", "Der Hafen", "WDR / Ek"),
        ("Legende: Der Hafen", "Der Hafen", ""),
        ("Limanda bir gün. Fotoğraf : Ann Lee/AA", "Limanda bir gün.", "Ann Lee/AA"),
        ("El puerto / Ann Lee", "El puerto", "Ann Lee"),
        ("港の朝＝ＡＰ", "港の朝", "ＡＰ"),
        ("The harbour (left) at dawn", "The harbour (left) at dawn", ""),
        ("Open 9/5, closed on Sunday", "Open 9/5, closed on Sunday", ""),
    ],
)
def test_captions_end_in_credits(read_value: Read, shown: str, caption: str, credit: str) -> None:
    html = f"<figure id=v><img src=/a.jpg><figcaption>{shown}</figcaption></figure>"
    [photo] = read_value(html, "image.v1", many=True).value
    assert (photo.caption, photo.credit) == (caption, credit)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<img src="/s.jpg" data-image-url="/large.jpg">', "large.jpg"),
        ('<img src="/s.jpg" data-lazyimage-src="/large.jpg">', "large.jpg"),
        ('<img src="/s.jpg" data-lazyimage-srcset="/a.jpg 400w, /b.jpg 900w">', "b.jpg"),
        ('<img src="/s.jpg" data-track="click on image.jpg by reader">', "s.jpg"),
        ('<video poster="/still.jpg"></video>', "still.jpg"),
        (
            '<picture><source media="(max-width: 480px)" srcset="/narrow.jpg"><img src="/wide.jpg"></picture>',
            "wide.jpg",
        ),
        (
            '<picture><source media="(max-width: 480px)" srcset="/thin.webp"><source srcset="/wide.jpg"><img src="/s.jpg"></picture>',
            "wide.jpg",
        ),
        (
            (
                '<picture><source media="(min-width: 601px)" width=2000 srcset="/a.jpg 2x, /b.jpg 3x">'
                '<source media="(max-width: 600px)" srcset="/c.jpg 1280w"><img src="/d.jpg"></picture>'
            ),
            "b.jpg",
        ),
        ('<picture><source srcset="/a.webp 600w"><source srcset="/a.jpg 600w"><img src="/s.jpg"></picture>', "a.jpg"),
        ('<img src="/index-transparent_w-4.gif"><noscript><img src="/real.jpg"></noscript>', "real.jpg"),
    ],
)
def test_the_largest_address_wherever_it_is_written(read_value: Read, html: str, expected: str) -> None:
    assert addresses(read_value(f"<div id=v>{html}</div>", "image.v1", many=True)) == [expected]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<img src=/w/90/harbour-dawn-7.jpg><img src=/w/900/harbour-dawn-7.jpg>", 1),
        ("<img src=/harbour-dawn-640x480.jpg><img src=/harbour-dawn.webp>", 1),
        ("<img src=/harbour-dawn-11.jpg><img src=/harbour-dawn-12.jpg>", 2),
        ("<img src=/1/photo.jpg><img src=/2/photo.jpg>", 2),
        ("<img src='/show?id=1'><img src='/show?id=2'>", 2),
    ],
)
def test_a_picture_in_several_sizes_is_one(read_value: Read, html: str, expected: int) -> None:
    assert len(photos(read_value(f"<div id=v>{html}</div>", "image.v1", many=True))) == expected


def test_of_several_sizes_the_largest_with_the_caption_of_any(read_value: Read) -> None:
    figure = "<figure><img src=/harbour-dawn-90x60.jpg><figcaption>At dawn. Photo: Ann Lee</figcaption></figure>"
    page = f"<div id=v>{figure}<img src=/harbour-dawn-900x600.jpg></div>"
    [photo] = photos(read_value(page, "image.v1", many=True))
    assert photo == Photo(url="https://example.com/harbour-dawn-900x600.jpg", caption="At dawn.", credit="Ann Lee")


@pytest.mark.parametrize(
    ("html", "words", "credit"),
    [
        ("<div><img src=/a.jpg><div>The bridge at dawn</div></div>", "The bridge at dawn", ""),
        ("<div><img src=/a.jpg><div>The bridge</div><div>Getty Images</div></div>", "The bridge", "Getty Images"),
        ("<div><div><img src=/a.jpg></div><p class='media-caption'>The bridge</p></div>", "The bridge", ""),
        ("<div><span>Photo: Ann Lee</span><img src=/a.jpg><div>The bridge</div></div>", "The bridge", "Ann Lee"),
        ("<article><img src=/a.jpg><figcaption>The bridge</figcaption><p>Text.</p></article>", "The bridge", ""),
        ("<article><div><img src=/a.jpg alt='The bridge'></div><div>The bridge</div></article>", "The bridge", ""),
        ("<article><p><img src=/a.jpg></p><p>The first paragraph of a story.</p></article>", "", ""),
        ("<div><img src=/a.jpg><h2>Another story</h2></div>", "", ""),
        ("<div><a href=/b><img src=/a.jpg> Another story</a></div>", "", ""),
        ("<img src=/a.jpg data-caption='The bridge. Photo: Ann Lee'>", "The bridge.", "Ann Lee"),
        ("<img src=/a.jpg alt='A bridge, seen from below'>", "", ""),
        (
            (
                "<figure><img src=/a.jpg><figcaption>The bridge <span class=credit>Photo by Ann Lee</span>"
                " <span class=distributor>/Lantern</span></figcaption></figure>"
            ),
            "The bridge",
            "Ann Lee/Lantern",
        ),
    ],
)
def test_captions_are_found_without_figures(read_value: Read, html: str, words: str, credit: str) -> None:
    [photo] = photos(read_value(f"<main>{html}</main>", "image.v1", select=("main",), many=True))
    assert (photo.caption, photo.credit) == (words, credit)
