"""A shop of plain pages: departments, shelves with numbered pages, products with JSON-LD, and all that leads astray."""

import json
from collections.abc import Sequence
from html import escape

from sitewright.demo.shops.drawing import Asked, Drawn, Stocked, page_of, pages_of
from sitewright.demo.shops.goods import Good
from sitewright.demo.shops.words import Department, Shelf

_SCHEMA_STOCK = {"stock": "InStock", "few": "LimitedAvailability", "sold_out": "OutOfStock"}
_YEARS = range(1990, 2100)


def path_of(good: Good) -> str:
    """Return where a product wants to be known."""
    return f"/{good.department.slug}/{good.shelf.slug}/{good.slug}.html"


def draw(shop: Stocked, asked: Asked) -> Drawn | None:
    """Return the page at a path; None where there is none."""
    match [name for name in asked.path.split("/") if name]:
        case []:
            return Drawn(_front(shop, asked), "front")
        case ["about" | "shipping" | "contact" as name]:
            return Drawn(_notice(shop, name), "notice")
        case ["login" | "basket" | "account"]:
            return Drawn(_login(shop), "notice")
        case ["events", *names]:
            return _calendar(shop, names)
        case [first, *rest]:
            department = next((one for one in shop.words.departments if one.slug == first), None)
            return _below(shop, department, rest, asked) if department is not None else None
    return None


def _below(shop: Stocked, department: Department, names: Sequence[str], asked: Asked) -> Drawn | None:
    if not names:
        return Drawn(_department(shop, department))
    shelf = next((one for one in department.shelves if one.slug == names[0]), None)
    if shelf is None or len(names) == 1:
        return _shelf(shop, department, shelf, asked) if shelf is not None else None
    good = next((one for one in shop.on(shelf) if [f"{one.slug}.html"] == names[1:]), None)
    return Drawn(_product(shop, good, asked), "product") if good is not None else None


def _frame(shop: Stocked, title: str, main: str, head: str = "") -> str:
    words = shop.words
    menu = "".join(
        f'<li class="menu-item"><a href="/{one.slug}/">{escape(one.name)}</a><ul class="submenu">'
        + "".join(f'<li><a href="/{one.slug}/{shelf.slug}/">{escape(shelf.name)}</a></li>' for shelf in one.shelves)
        + "</ul></li>"
        for one in words.departments
    )
    foot = "".join(f'<li><a href="/{name}">{shop.label(name)}</a></li>' for name in ("about", "shipping", "contact"))
    return f"""<!DOCTYPE html>
<html lang="{words.language}"><head><meta charset="utf-8"><title>{escape(title)}</title>{head}
<link rel="stylesheet" href="/media/style.svg"></head><body>
<header class="site-header"><a class="logo" href="/">{escape(words.name)}</a><p class="tagline">{escape(words.tagline)}</p>
<div class="tools"><a href="/login?back=/">{shop.label("login")}</a> <a href="/basket">{shop.label("basket")} (0)</a></div>
<nav class="main-menu"><ul>{menu}<li class="menu-item"><a href="/events/2026/05/">{shop.label("news")}</a></li></ul></nav>
</header><main>{main}</main>
<footer class="site-footer"><ul class="links">{foot}</ul><p>© {escape(words.name)}</p></footer></body></html>
"""


def _front(shop: Stocked, asked: Asked) -> str:
    chosen = [good for good in shop.goods if good.number % 13 == 1][:8]
    tiles = "".join(
        f'<a class="tile" href="/{one.slug}/"><span>{escape(one.name)}</span></a>' for one in shop.words.departments
    )
    main = f'<div class="tiles">{tiles}</div><section class="featured"><h2>{shop.label("featured")}</h2>{_grid(shop, chosen, asked)}</section>'
    return _frame(shop, f"{shop.words.name}: {shop.words.tagline}", main)


def _trail(shop: Stocked, department: Department, shelf: Shelf | None = None, last: str = "") -> str:
    steps = [f'<a href="/">{shop.label("home")}</a>', f'<a href="/{department.slug}/">{escape(department.name)}</a>']
    if shelf is not None:
        steps.append(f'<a href="/{department.slug}/{shelf.slug}/">{escape(shelf.name)}</a>')
    if last:
        steps.append(f"<span>{escape(last)}</span>")
    return f'<nav class="breadcrumb">{" <i>›</i> ".join(steps)}</nav>'


def _department(shop: Stocked, department: Department) -> str:
    shelves = "".join(
        f'<li class="subcategory"><a href="/{department.slug}/{one.slug}/"><img src="/media/{one.slug}.svg" alt="">'
        f"<h3>{escape(one.name)}</h3></a></li>"
        for one in department.shelves
    )
    main = f'{_trail(shop, department)}<h1>{escape(department.name)}</h1><ul class="subcategories">{shelves}</ul>'
    return _frame(shop, f"{department.name} | {shop.words.name}", main)


def _shelf(shop: Stocked, department: Department, shelf: Shelf, asked: Asked) -> Drawn | None:
    goods = shop.on(shelf)
    brand = asked.query.get("brand")
    goods = [good for good in goods if brand in (None, good.brand)]
    if asked.query.get("sort") == "price":
        goods = sorted(goods, key=lambda good: good.cents)
    if asked.page > pages_of(goods):
        return None
    here = f"/{department.slug}/{shelf.slug}/"
    filters = "".join(
        f'<li><a href="{here}?brand={escape(name.replace(" ", "+").replace("&", "%26"))}">{escape(name)}</a></li>'
        for name in shop.words.brands
    )
    more = "".join(
        f'<li><a href="{here}?colour={n}&amp;size={m}">{n} × {m}</a></li>' for n in range(4) for m in range(4)
    )
    bar = (
        f'<div class="toolbar">{shop.label("sort")}: <a href="{here}?sort=price">{shop.label("sku")}</a> '
        f'<a href="{here}?sort=name">A-Z</a></div>'
    )
    aside = f'<aside class="filters"><h4>{shop.label("filter")}</h4><ul>{filters}{more}</ul></aside>'
    shown = (
        _grid(shop, page_of(goods, asked.page), asked, shelf)
        if goods
        else f'<p class="empty">{shop.label("empty")}</p>'
    )
    main = (
        f"{_trail(shop, department, shelf)}<h1>{escape(shelf.name)}</h1>{aside}{bar}{shown}"
        f"{_pager(shop, here, asked.page, pages_of(goods))}"
    )
    return Drawn(_frame(shop, f"{shelf.name} | {shop.words.name}", main))


def _pager(shop: Stocked, here: str, current: int, pages: int) -> str:
    if pages == 1:
        return ""
    numbers = "".join(
        f'<span class="current">{n}</span>' if n == current else f'<a href="{here}?page={n}">{n}</a>'
        for n in range(1, pages + 1)
    )
    following = (
        f'<a class="next" href="{here}?page={current + 1}">{shop.label("next")} »</a>' if current < pages else ""
    )
    return f'<div class="pagination">{numbers}{following}</div>'


def _grid(shop: Stocked, goods: Sequence[Good], asked: Asked, shelf: Shelf | None = None) -> str:
    return f'<div class="product-grid">{"".join(_card(shop, good, asked, shelf) for good in goods)}</div>'


def _card(shop: Stocked, good: Good, asked: Asked, shelf: Shelf | None) -> str:
    href = path_of(good)
    if good.also is not None and shelf == good.also[1]:
        href = f"/{good.also[0].slug}/{good.also[1].slug}/{good.slug}.html"
    return (
        f'<div class="product-card"><a class="picture" href="{href}"><img src="/media/{good.slug}.svg" '
        f'alt="{escape(good.name)}"></a><h3 class="card-title"><a href="{href}">{escape(good.name)}</a></h3>'
        f'<div class="card-price">{_price(shop, good, asked)}</div></div>'
    )


def _price(shop: Stocked, good: Good, asked: Asked) -> str:
    offer, shown = good.offer(asked.passed), shop.words.shown
    if offer.cents is None:
        return f'<span class="price-note">{shop.label("on_request")}</span>'
    if offer.to_cents is not None:
        return f'<span class="price">{shown(offer.cents)} – {shown(offer.to_cents)}</span>'
    old = f'<span class="old-price"><del>{shown(offer.old_cents)}</del></span> ' if offer.old_cents is not None else ""
    return f'{old}<span class="price">{shown(offer.cents)}</span>'


def _product(shop: Stocked, good: Good, asked: Asked) -> str:
    stars = ""
    if good.rating is not None:
        stars = f'<div class="rating"><b>{good.rating}</b> ({len(good.reviews)} {shop.label("reviews")})</div>'
    variants = "".join(
        f'<li><a href="{path_of(good)}?colour={n}">{escape(colour)}</a></li>'
        for n, colour in enumerate(good.colours, 1)
    )
    rows = [
        (shop.label("brand"), escape(good.brand)),
        (shop.label("gtin"), good.gtin),
        (shop.label("weight"), f"{good.weight} g"),
    ]
    table = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows)
    reviews = "".join(
        f'<li class="review"><b class="review-author">{escape(one.author)}</b> <span>{one.stars}/5</span><p>{escape(one.text)}</p></li>'
        for one in good.reviews
    )
    button = f'<button class="add-to-cart">{shop.label("cart")}</button>' if good.stock != "sold_out" else ""
    main = f"""{_trail(shop, good.department, good.shelf, good.name)}
<div class="product"><div class="gallery"><img class="product-image" src="/media/{good.slug}.svg" alt="{escape(good.name)}"></div>
<div class="product-info"><h1 class="product-title">{escape(good.name)}</h1>{stars}
<p class="sku">{shop.label("sku")}: <span>{good.sku}</span></p>
<div class="product-price">{_price(shop, good, asked)}</div>
<p class="availability">{shop.label(good.stock)}</p><ul class="variants">{variants}</ul>{button}</div>
<section class="product-description"><h2>{shop.label("description")}</h2><p>{escape(" ".join(good.sentences))}</p></section>
<section class="specs"><h2>{shop.label("specifications")}</h2><table>{table}</table></section>
<ul class="reviews">{reviews}</ul></div>
<section class="related"><h2>{shop.label("also")}</h2>{_grid(shop, shop.beside(good), asked)}</section>"""
    stated = json.dumps(_stated(shop, good, asked), ensure_ascii=False).replace("</", "<\\/")
    head = (
        f'<link rel="canonical" href="{shop.base_url}{path_of(good)}">'
        f'<script type="application/ld+json">{stated}</script>'
    )
    return _frame(shop, f"{good.name} | {shop.words.name}", main, head)


def _stated(shop: Stocked, good: Good, asked: Asked) -> dict[str, object]:
    offer = good.offer(asked.passed)
    stated: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": good.name,
        "sku": good.sku,
        "gtin13": good.gtin,
        "brand": {"@type": "Brand", "name": good.brand},
        "image": f"{shop.base_url}/media/{good.slug}.svg",
    }
    if offer.cents is not None:
        stated["offers"] = {
            "@type": "Offer",
            "price": f"{offer.cents / 100:.2f}",
            "priceCurrency": shop.words.currency,
            "availability": f"https://schema.org/{_SCHEMA_STOCK[good.stock]}",
        }
    return stated


def _notice(shop: Stocked, name: str) -> str:
    lines = "".join(
        f"<p>{escape(line.format(noun=shop.words.name, brand=shop.words.name))}</p>" for line in shop.words.sentences
    )
    return _frame(shop, shop.words.labels[name], f"<h1>{shop.label(name)}</h1>{lines}")


def _login(shop: Stocked) -> str:
    form = '<form method="post"><input name="email"><input type="password" name="password"><button>→</button></form>'
    return _frame(shop, shop.words.labels["login"], f"<h1>{shop.label('login')}</h1>{form}")


def _calendar(shop: Stocked, names: Sequence[str]) -> Drawn | None:
    """Draw a month of a calendar that never ends."""
    if len(names) != 2 or not all(name.isdecimal() for name in names):
        return None
    year, month = int(names[0]), int(names[1])
    if year not in _YEARS or month not in range(1, 13):
        return None
    after, before = (year + month // 12, month % 12 + 1), (year - (month == 1), (month - 2) % 12 + 1)
    days = "".join(f'<td><a href="/events/{year}/{month:02}/#{day}">{day}</a></td>' for day in range(1, 29))
    main = (
        f'<h1>{shop.label("news")} {month}/{year}</h1><table class="calendar"><tr>{days}</tr></table>'
        f'<a rel="prev" href="/events/{before[0]}/{before[1]:02}/">«</a> '
        f'<a rel="next" href="/events/{after[0]}/{after[1]:02}/">»</a>'
    )
    return Drawn(_frame(shop, f"{month}/{year}", main), "notice")
