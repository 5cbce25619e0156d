"""Which pictures of a page are the story's: signs of each, what they weigh, and what is given of them."""

import json
from pathlib import Path

import pytest

from sitewright.parse import Document, parse
from sitewright.tag import PageReader
from sitewright.tag.images import Images
from sitewright.tag.picture_judge import PictureJudge
from sitewright.tag.pictures import SIGNS
from sitewright.types import Page, Photo

TEXT = [
    f"The {place} counted {number:,} visitors last year, said the mayor on Monday, and most of them had come by ferry, "
    f"which nobody at the {place} had thought possible when the work began some years ago."
    for place, number in [("harbour", 8046), ("library", 9708), ("market hall", 1458), ("river bridge", 8919)]
]
LEAD = "<figure class=lead><img src=/lead-77.jpg width=900 height=600><figcaption>The quay</figcaption></figure>"
INLINE = "<figure><img src=/inline-78.jpg width=900 height=600><figcaption>The hall. Photo: Bo Ek</figcaption></figure>"


@pytest.fixture(scope="module")
def reader() -> PageReader:
    return PageReader()


def page(lead: str = "", inline: str = "", after: str = "", head: str = "", top: str = "") -> Document:
    body = "".join(f"<p>{text}</p>{inline if n == 1 else ''}" for n, text in enumerate(TEXT))
    html = (
        f"<html lang=en><head><title>More visitors than ever</title>{head}</head><body>{top}"
        f"<article><h1>More visitors than ever</h1><p class=byline>By <a rel=author href=/ann>Ann Lee</a></p>{lead}"
        f"<div class=story>{body}</div></article>{after}<footer>All rights reserved.</footer></body></html>"
    )
    return parse(Page(url="https://www.example.com/news/harbour", body=html))


def addresses(reader: PageReader, document: Document) -> list[str]:
    value = reader.extract(document).fields.get("images")
    photos = value.value if value is not None else []
    assert isinstance(photos, list)
    return [photo.url.rpartition("/")[2] for photo in photos]


def test_lead_and_pictures_of_the_text_are_in(reader: PageReader) -> None:
    assert addresses(reader, page(lead=LEAD, inline=INLINE)) == ["lead-77.jpg", "inline-78.jpg"]


def test_caption_and_credit_come_with_them(reader: PageReader) -> None:
    value = reader.extract(page(inline=INLINE)).fields["images"]
    assert value.value == [
        Photo(url="https://www.example.com/inline-78.jpg", caption="The hall.", credit="Bo Ek", width=900, height=600)
    ]
    assert value.confidence > 0.6


@pytest.mark.parametrize(
    "part",
    [
        {"top": "<header><a href=/><img class=logo src=/logo.png width=200 height=60></a></header>"},
        {"lead": "<div class=author-box><a href=/ann><img class=avatar src=/ann-lee.jpg width=60 height=60></a></div>"},
        {"lead": "<div class=share><img class=icon src=/icons/share.svg width=20 height=20></div>"},
        {"inline": "<img src=/count.gif width=1 height=1>"},
        {
            "inline": "<aside class=related><ul>"
            + "".join(
                f"<li class=teaser><a href=/news/{n}><img src=/thumb-{n}.jpg width=120 height=80> Story number {n}</a></li>"
                for n in range(1, 4)
            )
            + "</ul></aside>"
        },
        {
            "after": "<section class=recommended>"
            + "".join(
                f"<div class=card><a href=/news/{n}><img src=/card-{n}.jpg width=300 height=200><h3>Story {n}</h3></a></div>"
                for n in range(1, 6)
            )
            + "</section>"
        },
        {"after": "<div class=ad><a href=https://shop.example.net/><img src=/advert.gif width=728 height=90></a></div>"},
    ],
)  # fmt: skip
def test_what_is_no_picture_of_the_story_is_out(reader: PageReader, part: dict[str, str]) -> None:
    document = page(**{**part, "lead": part.get("lead", "") + LEAD})
    assert addresses(reader, document) == ["lead-77.jpg"]


def test_the_same_picture_in_two_sizes_is_given_once_and_large(reader: PageReader) -> None:
    copy = LEAD.replace("lead-77.jpg width=900 height=600", "lead-77-1800x1200.jpg")
    assert addresses(reader, page(lead=LEAD, inline=copy)) == ["lead-77-1800x1200.jpg"]


def test_a_stated_picture_where_none_is_displayed(reader: PageReader) -> None:
    document = page(head='<meta property="og:image" content="/stated-79.jpg">')
    value = reader.extract(document).fields["images"]
    assert addresses(reader, document) == ["stated-79.jpg"]
    assert value.rule == "tagger/images: not displayed, stated: meta:og:image"


def test_the_picture_of_the_site_is_none_of_the_story(reader: PageReader) -> None:
    assert addresses(reader, page(head='<meta property="og:image" content="/img/logo-512.png">')) == []


def test_a_list_of_stories_has_no_pictures(reader: PageReader) -> None:
    cards = "".join(
        f"<div class=card><a href=/news/{n}><img src=/card-{n}.jpg width=300><h3>Story number {n} of today</h3></a></div>"
        for n in range(30)
    )
    document = parse(Page(url="https://www.example.com/", body=f"<title>News</title><main>{cards}</main>"))
    assert addresses(reader, document) == []


def test_labels_tell_of_every_picture_and_where_it_is(reader: PageReader) -> None:
    document = page(lead=LEAD, top="<a href=/><img class=logo src=/logo.png width=200 height=60></a>")
    labels = [label for label in reader.read(document).tagged.labels if label.field == "images"]
    logo, lead = labels
    assert logo.score < 0.4 < lead.score
    assert [document.elements[label.node or 0].tag for label in labels] == ["img", "img"]


def test_without_pictures_there_is_no_value() -> None:
    assert Images().value("images") is None


def test_the_judge_sums_what_it_knows(tmp_path: Path) -> None:
    file = tmp_path / "pictures.json"
    file.write_text(json.dumps({"bias": -1.0, "weights": {"figure": 3.0, "no sign of ours": 9.0}}), "utf-8")
    bare, framed = PictureJudge(file).probabilities([[0.0] * len(SIGNS), [1.0] * len(SIGNS)])
    assert (round(float(bare), 3), round(float(framed), 3)) == (0.269, 0.881)


def test_the_shipped_judge_knows_all_signs() -> None:
    from sitewright.tag.models import PICTURES, model_file  # noqa: PLC0415

    weights = json.loads(model_file("news", PICTURES).read_text("utf-8"))["weights"]
    assert tuple(weights) == SIGNS


def test_a_stated_picture_that_is_displayed_is_given_as_it_is_displayed(reader: PageReader) -> None:
    body = '<main><div class="player"><img src="/stated-79-1600.svg" width="1600" height="900" alt=""></div></main>'
    document = page(body, head='<meta property="og:image" content="/stated-79-960.svg">')
    assert addresses(reader, document) == ["stated-79-1600.svg"]
