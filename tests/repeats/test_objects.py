"""Reviews and variants as pages display them: in elements called so, in choices, below a heading; and what is none."""

from datetime import UTC, datetime

import pytest

from sitewright import Page
from sitewright.domains import load_domain
from sitewright.parse import Document, parse
from sitewright.repeats import FoundObjects, find_objects
from sitewright.values import page_context

SHOP = load_domain("shop")
SAID = {
    "Ann Lee": "It digs deeper than the last one I had, and the handle is still whole.",
    "Bo Prem": "The blade was bent when it came, but a new one was sent within a week.",
}


def page(body: str) -> Document:
    return parse(Page(url="https://shop.example/p", body=f"<body><h1>Spade</h1><p>{'It digs. ' * 30}</p>{body}</body>"))


def found(field: str, body: str) -> FoundObjects | None:
    document = page(body)
    return find_objects(document, SHOP.fields[field], page_context(document, datetime(2026, 3, 16, tzinfo=UTC)))


def reviews(pattern: str) -> str:
    return "".join(pattern.format(author, text) for author, text in SAID.items())


@pytest.mark.parametrize(
    "body",
    [
        reviews('<div class="review"><b class="author">{}</b><time datetime="2026-02-01">1 Feb</time>'
                '<span class="stars" aria-label="4 out of 5 stars"></span><p>{}</p></div>'),
        "<ul id=reviews>" + reviews("<li><h4 class='star-rating Four'></h4><p>{1}</p><small>Reviewed by <strong>{0}</strong>"
                                    " on 1 February 2026 | <a href=#>Permalink</a></small></li>") + "</ul>",
        reviews('<div itemprop="review" itemscope><meta itemprop="datePublished" content="2026-02-01"><i itemprop=author>{}</i>'
                '<meta itemprop="ratingValue" content="4"><p itemprop="reviewBody">{}</p></div>'),
        "<table class=comments>" + reviews("<tr><td class=user>{}</td><td class=rank>★★★★☆</td><td class=date>2026-02-01"
                                           "</td><td class=content>{}</td></tr>") + "</table>",
    ],
)  # fmt: skip
def test_reviews_are_read(body: str) -> None:
    shown = found("reviews", body)
    assert shown is not None
    assert [(one["author"], one["stars"], str(one["time"])[:10]) for one in shown.objects] == [
        (author, 4.0, "2026-02-01") for author in SAID
    ]
    assert [one["text"] for one in shown.objects] == list(SAID.values())


@pytest.mark.parametrize(
    "body",
    [
        '<form class="review-form"><label>Your name</label><textarea>Say something of this product here</textarea></form>',
        '<a class="review-count">12 reviews</a>',
        '<div class="review-summary"><b>4.5</b> of 5, by 12 people who bought this spade</div>',
        "<div class=reviews><p>Nobody has said anything yet. Be the first to do so.</p></div>",
    ],
)
def test_what_is_about_reviews_is_none(body: str) -> None:
    assert found("reviews", body) is None


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (("<label for=s>Size:</label><select id=s name=id><option value=''>Choose</option><option value=1 data-sku=S-1>small"
         "</option><option value=2 data-sku=S-2>large</option></select>"), ["small", "large"]),
        ("<h2>Variants:</h2><a href=/s>Spade, small</a><br><a href=/l>Spade, large</a><h2>Else</h2><a href=/x>Hose</a>",
         ["Spade, small", "Spade, large"]),
        (("<table class=variants><tr><td class=name>small</td><td class=sku>S-1</td><td>€ 12</td></tr><tr><td class=name>"
         "large</td><td class=sku>S-2</td><td>€ 15</td></tr></table>"), ["small", "large"]),
    ],
)  # fmt: skip
def test_variants_are_read(body: str, names: list[str]) -> None:
    shown = found("variants", body)
    assert shown is not None
    assert [one["name"] for one in shown.objects] == names
    skus = [one.get("sku") for one in shown.objects]
    assert skus in (["S-1", "S-2"], [None, None])


@pytest.mark.parametrize(
    "body",
    [
        "<label for=q>Quantity</label><select id=q name=quantity><option value=1>1</option><option value=2>2</option></select>",
        "<label>Size <select name=size><option value=1>small</option></select></label>",
        (
            "<label>Size <select name=size><option value=1>S</option><option value=2>L</option></select></label>"
            "<label>Colour <select name=colour><option value=1>red</option><option value=2>blue</option></select></label>"
        ),
    ],
)
def test_what_is_no_choice_of_variants_is_none(body: str) -> None:
    """Of two choices that go together, no single entry is a variant."""
    assert found("variants", body) is None
