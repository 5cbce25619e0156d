"""Reviews and variants as pages state them: JSON-LD, and the state that scripts and attributes hold."""

import json
from datetime import UTC, datetime
from typing import Any

from sitewright import Page
from sitewright.domains import load_domain
from sitewright.parse import parse
from sitewright.repeats import FoundObjects, Known, stated_objects
from sitewright.values import page_context

SHOP = load_domain("shop")
SPADE = Known("Spade", {"amount": 9.5, "currency": "EUR"})
PRODUCT = {"@context": "https://schema.org", "@type": "Product", "name": "Spade"}


def stated(field: str, body: str) -> FoundObjects | None:
    document = parse(Page(url="https://shop.example/p", body=f"<body><h1>Spade</h1>{body}</body>"))
    context = page_context(document, datetime(2026, 3, 16, tzinfo=UTC))
    return stated_objects(document, SHOP.fields[field], SHOP.types, context, SPADE)


def jsonld(**more: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(PRODUCT | more)}</script>'


def test_reviews_of_jsonld_are_read_and_stars_are_of_five() -> None:
    review = {"@type": "Review", "author": {"name": "Ann"}, "datePublished": "2026-02-01", "reviewBody": "It digs.",
              "reviewRating": {"ratingValue": "8", "bestRating": "10"}}  # fmt: skip
    found = stated("reviews", jsonld(review=[review, {"author": "Bo", "name": "without a text"}]))
    assert found is not None
    assert [{**one, "time": str(one["time"])[:10]} for one in found.objects] == [
        {"author": "Ann", "time": "2026-02-01", "stars": 4.0, "text": "It digs."}
    ]


def test_variants_of_jsonld_are_read() -> None:
    variants = [
        {"@type": "Product", "name": f"Spade, {size}", "size": size, "sku": f"S-{size}",
         "offers": {"price": price, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}}
        for size, price in (("small", "12.00"), ("large", "15.50"))
    ]  # fmt: skip
    found = stated("variants", jsonld(**{"@type": "ProductGroup", "hasVariant": variants}))
    assert found is not None
    assert found.objects == [
        {"name": f"Spade, {size}", "options": [size], "sku": f"S-{size}", "price": {"amount": price, "currency": "EUR"},
         "availability": "InStock"}
        for size, price in (("small", 12.0), ("large", 15.5))
    ]  # fmt: skip


def test_one_offer_is_no_variant() -> None:
    assert stated("variants", jsonld(offers={"price": "12", "sku": "S", "name": "Spade"})) is None


def test_the_state_of_scripts_is_read_where_it_is_of_this_product() -> None:
    def product(title: str, *sizes: str) -> dict[str, Any]:
        rows = [{"title": size, "sku": f"{title}-{size}", "price": "9.50", "option1": size} for size in sizes]
        return {"title": title, "variants": rows}

    state = json.dumps({"products": [product("Hose", "3 m", "5 m"), product("Spade", "small", "large")]})
    found = stated("variants", f"<script>window.STATE = {state};</script>")
    assert found is not None
    assert [one["sku"] for one in found.objects] == ["Spade-small", "Spade-large"]


def test_prices_in_hundredths_are_told_by_what_the_product_costs() -> None:
    rows = [{"title": size, "sku": size, "price": price} for size, price in (("small", 950), ("large", 1250))]
    found = stated("variants", f"<script>var shop = {json.dumps({'variants': rows})};</script>")
    assert found is not None
    assert [one["price"] for one in found.objects] == [{"amount": a, "currency": "EUR"} for a in (9.5, 12.5)]


def test_variations_of_an_attribute_are_read() -> None:
    rows = [{"attributes": {"attribute_size": size}, "sku": size, "display_price": 12} for size in ("small", "large")]
    text = json.dumps(rows).replace('"', "&quot;")
    found = stated("variants", f'<form data-product_variations="{text}"></form>')
    assert found is not None
    assert [(one["sku"], one["options"]) for one in found.objects] == [("small", ["small"]), ("large", ["large"])]
