"""The template of a site's lists, learned from its list pages."""

from dataclasses import replace
from datetime import UTC, datetime

from sitewright import Page
from sitewright.domains import load_domain
from sitewright.extract import Extractor
from sitewright.induce.learn import learn_map
from sitewright.induce.lists import learn_lists, list_pages
from sitewright.induce.sample import Sample
from sitewright.parse import parse
from sitewright.types import ExtractionMap, Label, TaggedPage, TextLine
from sitewright.values import page_context

SHOP = load_domain("shop")
NOW = datetime(2024, 1, 1, tzinfo=UTC)


def sample(url: str, body: str, kind: str) -> Sample:
    document = parse(Page(url=url, body=f"<body><nav><a href=/>Shop</a></nav>{body}</body>"))
    return Sample(document, TaggedPage(url=url, kind=kind, kind_score=0.9), SHOP, page_context(document, NOW))


def card(name: str, price: str, old: str = "") -> str:
    was = f"<del>{old}</del>" if old else ""
    return f'<li class="product"><a href="/p/{name}"><img src="/i/{name}.png"><h3>{name}</h3></a><p class=price>{was}<b>{price}</b></p></li>'


def shelf(url: str, *names: str) -> Sample:
    cards = "".join(card(name, f"€ {n},00", "€ 99,00" if n % 2 else "") for n, name in enumerate(names, 3))
    return sample(
        url, f'<main><h1>Shelf</h1><ul class="products">{cards}</ul><div class="pager">1 2</div></main>', "list"
    )


LISTS = [
    shelf("https://s.example/c/1", "Tea", "Oil", "Rye"),
    shelf("https://s.example/c/2", "Salt", "Milk", "Bread", "Jam"),
]
RELATED = "".join(card(name, "€ 1,00") for name in ("One", "Two"))
ITEMS = [
    sample(
        f"https://s.example/p/{n}",
        f'<h1>Tea {n}</h1><form class=cart></form><ul class="products">{RELATED}</ul>',
        "product",
    )
    for n in range(2)
]


def test_a_template_reads_the_entries_of_other_lists() -> None:
    template = learn_lists(list_pages(LISTS, SHOP), ITEMS, SHOP)
    assert template is not None
    extractor = Extractor(ExtractionMap(site="s.example", domain="shop", templates=(template,)))
    other = shelf("https://s.example/c/3", "Nuts").document
    [item] = extractor.extract(other, NOW).fields["items"].value  # a list of one
    assert item["name"] == "Nuts"
    assert item["price"] == {"amount": 3.0, "currency": "EUR"}
    assert item["url"] == "https://s.example/p/Nuts"


def test_what_only_lists_have_tells_them_from_pages_of_items() -> None:
    template = learn_lists(list_pages(LISTS, SHOP), ITEMS, SHOP)
    assert template is not None
    extractor = Extractor(ExtractionMap(site="s.example", domain="shop", templates=(template,)))
    assert [extractor.extract(one.document, NOW).template for one in (*LISTS, *ITEMS)] == ["list", "list", "", ""]


def test_without_lists_there_is_no_template() -> None:
    assert list_pages(ITEMS, SHOP) == []
    assert learn_lists([], ITEMS, SHOP) is None


def test_domains_without_entries_have_no_lists() -> None:
    assert list_pages(LISTS, load_domain("news")) == []


def grid(url: str, *names: str) -> Sample:
    cells = "".join(
        f'<div class="cell"><a href="/p/{name}"><img src="/i/{name}.png"></a><p class="label">{name}</p><em>{n} €</em></div>'
        for n, name in enumerate(names, 3)
    )
    return sample(url, f'<section class="goods"><h1>Shelf</h1>{cells}</section>', "list")


def test_lists_of_two_designs_are_one_template() -> None:
    grids = [grid("https://s.example/g/1", "Ale", "Pie", "Ham"), grid("https://s.example/g/2", "Bun", "Fig", "Leek")]
    pages = list_pages([*LISTS, *grids, *ITEMS], SHOP)
    template = learn_lists(pages, ITEMS, SHOP)
    assert template is not None
    extractor = Extractor(ExtractionMap(site="s.example", domain="shop", templates=(template,)))
    read = [extractor.extract(one.document, NOW).fields["items"].value for one in (*LISTS, *grids)]
    assert [[item["name"] for item in items] for items in read] == [
        ["Tea", "Oil", "Rye"],
        ["Salt", "Milk", "Bread", "Jam"],
        ["Ale", "Pie", "Ham"],
        ["Bun", "Fig", "Leek"],
    ]
    assert extractor.extract(ITEMS[0].document, NOW).template == ""


def test_a_list_of_one_is_a_list_where_others_show_how_lists_look() -> None:
    one = shelf("https://s.example/c/9", "Nuts")
    pages = list_pages([*LISTS, one, *ITEMS], SHOP)
    assert {page.sample.document.url for page in pages} == {page.document.url for page in (*LISTS, one)}


def test_a_list_that_only_pages_of_items_show_is_none() -> None:
    doubtful = [
        Sample(item.document, TaggedPage(url=item.document.url, kind="product", kind_score=0.6), SHOP, item.context)
        for item in ITEMS
    ]
    assert list_pages([*doubtful, *ITEMS, *ITEMS], SHOP) == []


def test_pages_that_look_like_lists_are_items_where_the_others_are_none() -> None:
    """Rich lists below products, and two pages that show nothing."""
    cards = "".join(card(name, "€ 1,00", "€ 2,00") for name in ("One", "Two", "Three", "Four"))
    body = '<main class=detail><h1 class=name>Tea {}</h1><ul class="products">{}</ul></main>'
    pages = []
    for n in range(5):
        own = sample(f"https://s.example/p/{n}", body.format(n, cards), "list")
        node = own.document.number_of(own.document.tree.select("h1")[0])
        name = Label(field="name", value=f"Tea {n}", score=0.9, node=node)
        pages.append((own.document, replace(own.tagged, labels=(name,), lines=(TextLine(f"Tea {n}", node, 0.0),))))
    for n in range(2):
        own = sample(f"https://s.example/about/{n}", f"<p>About us, part {n}", "product")
        pages.append((own.document, replace(own.tagged, lines=(TextLine(f"About us, part {n}", 1, 0.0),))))
    learned = learn_map(pages, "shop", NOW).extraction_map
    assert [template.name for template in learned.templates] == ["product"]
    assert learned.rules[0].field == "name"
