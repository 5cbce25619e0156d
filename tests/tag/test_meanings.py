"""Pages read by what their fields mean: words, labels, looks, places; with the shop's trees and without any."""

from datetime import UTC, datetime

import numpy as np
import pytest

from sitewright import Page
from sitewright.domains import load_domain, parse_domain
from sitewright.parse import parse
from sitewright.tag import PageReader
from sitewright.tag.meanings import Looker, MeaningTagger
from sitewright.tag.meanings.by_words import by_words
from sitewright.tag.meanings.looks import LOOKS, looks_of
from sitewright.tag.units import read_units
from sitewright.types import Record

NOW = datetime(2024, 1, 1, tzinfo=UTC)
SHOP = load_domain("shop")

PRODUCT = """<html lang=en><title>Walnut desk lamp | Lumen</title><body>
<nav><ul><li><a href=/>Home</a></li><li><a href=/lamps>Lamps</a></li></ul></nav>
<div class=breadcrumbs><a href=/>Home</a> <a href=/lamps>Lamps</a> <a href=/lamps/desk>Desk lamps</a></div>
<div class=product-detail><h1 class=product-title>Walnut desk lamp</h1>
<div class=product-price><del class=old-price>$ 89.00</del> <span class=price>$ 64.50</span></div>
<p class=stock>Sold out</p><p>SKU: WL-204</p><form class=cart><button>Add to cart</button></form>
<div class=description><p>A lamp of solid walnut with a brass joint, made to light a desk and nothing else.</p>
<p>It comes with a cable of two metres and a bulb that lasts for ten years of evenings.</p></div></div>
<div class=related><h2>You may also like</h2><ul><li><a href=/p/1>Oak shelf</a> <span class=price>$ 20.00</span></li>
<li><a href=/p/2>Ash stool</a> <span class=price>$ 35.00</span></li></ul></div></body></html>"""


def read(html: str, domain: str = "shop") -> Record:
    return PageReader(domain).extract(parse(Page(url="https://lumen.example/p/lamp", body=html)), NOW)


def values(record: Record) -> dict[str, object]:
    return {name: value.value for name, value in record.fields.items()}


def test_a_product_without_any_metadata() -> None:
    record = read(PRODUCT)
    found = values(record)
    assert record.kind == "product"
    assert found["name"] == "Walnut desk lamp"
    assert found["price"] == {"amount": 64.5, "currency": "USD"}
    assert found["old_price"] == {"amount": 89.0, "currency": "USD"}
    assert found["sku"] == "WL-204"
    assert found["availability"] == "OutOfStock"


def test_a_price_of_nothing_is_none() -> None:
    free = PRODUCT.replace("$ 64.50", "$ 0.00").replace("<del class=old-price>$ 89.00</del>", "")
    assert values(read(free)).get("price") != {"amount": 0.0, "currency": "USD"}


@pytest.mark.parametrize("html", ["", "<p>", "<title>x</title>", "<h1>Only a heading</h1>"])
def test_pages_with_next_to_nothing_give_no_price(html: str) -> None:
    assert "price" not in read(html).fields


def scores(html: str, field: str, domain: str = "shop") -> dict[str, float]:
    known = load_domain(domain)
    document = parse(Page(url="https://lumen.example/p/lamp", body=html))
    units = read_units(document, known)
    likely = by_words(Looker(known).look(document, units), known.fields[field])
    found: dict[str, float] = {}
    for unit, score in zip(units, likely.tolist(), strict=True):
        found[unit.text] = max(score, found.get(unit.text, 0.0))
    return found


def test_word_lists_alone_tell_the_price_from_the_former_one_and_from_others() -> None:
    found = scores(PRODUCT, "price")
    assert max(found, key=found.__getitem__) == "$ 64.50"
    assert found["$ 89.00"] < 0.2 > found["$ 20.00"]
    former = scores(PRODUCT, "old_price")
    assert max(former, key=former.__getitem__) == "$ 89.00"


@pytest.mark.parametrize(
    ("label", "code"), [("Art. no.: A-17", "A-17"), ("货号：ECS000032", "ECS000032"), ("Артикул: 55-21", "55-21")]
)
def test_labels_in_many_languages_stand_before_codes(label: str, code: str) -> None:
    found = scores(f"<h1>Thing</h1><p>{label}</p><p>Call 555-21-00</p>", "sku")
    assert max(found, key=found.__getitem__) in (code, label)
    assert found[code] > 0.5 > found["Call 555-21-00"]


def test_a_label_in_the_cell_before() -> None:
    found = scores(
        "<table><tr><th>Brand:</th><td>Lumen</td></tr><tr><th>Colour:</th><td>Brown</td></tr></table>", "brand"
    )
    assert found["Lumen"] > 0.5 > found["Brown"]


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ("$ 64.50", {"price", "price_first", "cents", "bare_amount"}),
        ("1.299,50 €", {"price", "price_first", "cents", "bare_amount"}),
        ("64.50", {"bare_amount", "number", "cents"}),
        ("4006381333931", {"gtin", "bare_amount", "number"}),
        ("In stock", {"phrase"}),
        ("20 % off", {"percent"}),
    ],
)
def test_looks(text: str, looks: set[str]) -> None:
    row = looks_of([text], SHOP)[0]
    asked = {"price", "price_first", "cents", "bare_amount", "number", "gtin", "phrase", "percent"}
    assert {name for name in asked if row[LOOKS.index(name)]} == looks


RECIPE = """<title>Rye bread - Ann bakes</title><h1>Rye bread</h1><p>I bake this on Sundays, when it rains outside.</p>
<h2>Ingredients</h2><ul><li>500 g rye flour</li><li>2 cups of water</li><li>1 tsp salt</li></ul>
<h2>Method</h2><ol><li>Mix everything in a bowl until the dough holds together.</li>
<li>Let it rise for twelve hours, then bake it for one.</li></ol><h2>Comments</h2><p>Lovely, thank you so much for this!</p>"""


def test_a_recipe_by_its_domain_file_alone() -> None:
    found = values(read(RECIPE, "recipe"))
    assert found["title"] == "Rye bread"
    assert found["ingredients"] == ["500 g rye flour", "2 cups of water", "1 tsp salt"]
    assert str(found["instructions"]).splitlines() == [
        "Mix everything in a bowl until the dough holds together.",
        "Let it rise for twelve hours, then bake it for one.",
    ]


def test_a_vacancy_by_its_domain_file_alone() -> None:
    page = "<title>Baker</title><h1>Baker</h1><p>Company: Rye &amp; Sons</p><p>Location: Leeds</p>"
    found = values(read(page, "jobs"))
    assert (found["title"], found["company"], found["location"]) == ("Baker", "Rye & Sons", "Leeds")


def test_a_domain_of_ones_own_needs_no_code() -> None:
    text = "name: bikes\nfields: {model: {means: heading, required: true}, gears: {match: {labels: [gears], look: number}}}"
    domain = parse_domain(text, "bikes.yaml")
    document = parse(Page(url="https://b.example/", body="<h1>Runner</h1><p>Gears: 21</p><p>Year: 1990</p>"))
    units = read_units(document, domain)
    likely = MeaningTagger(domain).score(document, units).of_field("gears")
    assert units[int(np.argmax(likely))].text in ("21", "Gears: 21")


@pytest.mark.parametrize(
    ("pressed", "said"),
    [
        ("<button>Add to cart</button>", "InStock"),
        ("<button disabled>Sold out</button>", "OutOfStock"),
        ("<input type=submit value='In den Warenkorb'>", "InStock"),
        ("<a href=/cart?add=1>Add to basket</a>", "InStock"),
        ("<p class=stock>Sold out</p><button>Add to cart</button>", "OutOfStock"),  # what is said counts more
        ("<button>Subscribe</button>", "InStock"),  # nothing is said: who shows a price has it
    ],
)
def test_what_people_press_tells_what_is_in_stock(pressed: str, said: str | None) -> None:
    html = PRODUCT.replace("<p class=stock>Sold out</p>", "").replace("<button>Add to cart</button>", pressed)
    assert values(read(html)).get("availability") == said


@pytest.mark.parametrize(
    ("heading", "beside", "brand"),
    [
        ("Lumeo walnut desk lamp", "<a href=/b/1>Lumeo</a>", "Lumeo"),  # the heading begins with it
        ("Walnut desk lamp", "<p>Product type:</p>", None),  # a label
    ],
)
def test_a_brand_is_what_the_heading_begins_with(heading: str, beside: str, brand: str | None) -> None:
    html = PRODUCT.replace("class=product-title>Walnut desk lamp", f"class=product-title>{heading}")
    found = values(read(html.replace("<p>SKU", f"<p class=brand>{beside}</p><p>SKU")))
    assert found.get("brand") == brand


LONG_RECIPE = """<html lang=en><title>Easy bread at home (the best!)</title><body><h1>Easy bread at home (the best!)</h1>
{story}<h2>Notes on ingredients</h2><ul><li>Flour: any kind will do</li><li>Salt: of the sea</li></ul>
<div class=recipe-card><h2 class=recipe-name>Bread</h2><h3>Ingredient list</h3>
<ul><li class=recipe-ingredient>500 g flour</li><li class=recipe-ingredient>10 g salt</li></ul>
<h3>How to make</h3><ol><li class=recipe-instruction>Mix all of it in a bowl.</li>
<li class=recipe-instruction>Let it rest for one night.</li><li class=recipe-instruction>Bake it for an hour.</li></ol>
</div></body></html>"""


def test_a_recipe_within_a_long_story() -> None:
    """The steps are little of the page, and notes on ingredients are no ingredients."""
    line = "<p>When I was {} we had bread every day, and nobody asked how it was made.</p>"
    story = "".join(map(line.format, range(40)))
    found = values(read(LONG_RECIPE.format(story=story), "recipe"))
    assert found["title"] == "Bread"
    assert found["ingredients"] == ["500 g flour", "10 g salt"]
    assert found["instructions"] == "Mix all of it in a bowl.\nLet it rest for one night.\nBake it for an hour."


OFFER = '"offers": {{"@type": "Offer", "price": "{}", "priceCurrency": "USD", "availability": "https://schema.org/{}"}}'


def product_stating(offer: str, more: str = "") -> str:
    """Return the page with a statement of its product, and without what it displays of stock and number."""
    stated = f'{{"@type": "Product", "name": "Walnut desk lamp", {offer}{more}}}'
    bare = PRODUCT.replace("<p class=stock>Sold out</p><p>SKU: WL-204</p>", "").replace(">Add to cart<", ">Go<")
    return bare.replace("<body>", f'<script type="application/ld+json">{stated}</script><body>')


@pytest.mark.parametrize("said", ["InStock", "OutOfStock", "PreOrder"])
def test_what_is_stated_of_stock_is_given(said: str) -> None:
    assert values(read(product_stating(OFFER.format("64.50", said))))["availability"] == said


def test_a_displayed_price_counts_more_than_a_stated_one() -> None:
    assert values(read(product_stating(OFFER.format("49.00", "InStock"))))["price"] == {
        "amount": 64.5,
        "currency": "USD",
    }


def test_what_is_only_hinted_at_is_given_last_and_unsure() -> None:
    more = ', "brand": {"@type": "Brand", "name": "Joinery"}, "productID": "204119"'
    record = read(product_stating(OFFER.format("64.50", "InStock"), more))
    assert (record.fields["brand"].value, record.fields["sku"].value) == ("Joinery", "204119")
    assert record.fields["sku"].confidence < 0.5
    assert record.fields["sku"].rule == "tagger/sku: not displayed, stated: jsonld:productID"
    assert values(read(PRODUCT))["sku"] == "WL-204"


def test_a_shop_that_states_its_own_name_as_the_brand_means_it() -> None:
    stated = product_stating(OFFER.format("64.50", "InStock"), ', "brand": {"@type": "Brand", "name": "Lanternworks"}')
    own = parse(Page(url="https://lanternworks.example/p/lamp", body=stated))
    brand = PageReader("shop").extract(own).fields["brand"]
    assert (brand.value, brand.rule) == ("Lanternworks", "tagger/brand: not displayed, stated: jsonld:brand.name")
    assert brand.confidence < 0.5


def test_a_page_without_a_price_says_nothing_of_stock_by_saying_nothing() -> None:
    bare = PRODUCT.replace("$ 64.50", "").replace("$ 89.00", "").replace("$ 20.00", "").replace("$ 35.00", "")
    bare = bare.replace("<p class=stock>Sold out</p>", "").replace(">Add to cart<", ">Go<")
    assert "availability" not in read(bare).fields


def test_what_a_label_calls_something_else_is_no_price() -> None:
    shown = "<tr><td>MSRP:</td><td>$ 64.50</td></tr><tr><td>Invoice:</td><td>$ 60.10</td></tr>"
    price = "<del class=old-price>$ 89.00</del> <span class=price>$ 64.50</span>"
    assert price in PRODUCT
    html = PRODUCT.replace(price, f"<table>{shown}</table>")
    document = parse(Page(url="https://lumen.example/p/lamp", body=html))
    units = read_units(document, SHOP)
    seen = Looker(SHOP).look(document, units)
    otherwise = {unit.text: seen.otherwise[n, seen.place("price")] for n, unit in enumerate(units)}
    assert otherwise["$ 60.10"] > 0.5 > otherwise["$ 64.50"]
    assert values(read(html))["price"] == {"amount": 64.5, "currency": "USD"}
