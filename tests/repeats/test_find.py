"""Lists of pages: which parts repeat, and which list the page is about."""

import time

import pytest

from sitewright import Page
from sitewright.parse import Document, parse
from sitewright.repeats import find_lists, main_list


def page(body: str) -> Document:
    return parse(Page(url="https://shop.example/c", body=f"<body>{body}</body>"))


def card(number: int, tag: str = "li", extra: str = "") -> str:
    return (
        f'<{tag} class="product cat-{number}"><a href="/p/{number}"><img src="/i/{number}.jpg"><h3>Thing number {number}</h3></a>'
        f'<span class="price">$ {number}.50</span>{extra}</{tag}>'
    )


MENU = "<nav><ul>" + "".join(f'<li><a href="/c/{n}">Category {n}</a></li>' for n in range(30)) + "</ul></nav>"
RELATED = '<div class="recently-viewed"><ul>' + "".join(map(card, range(50, 60))) + "</ul></div>"


def shown(document: Document) -> list[str]:
    found = main_list(document)
    return [item.select_one("h3").text for item in found.items] if found else []


def names(*numbers: int) -> list[str]:
    return [f"Thing number {number}" for number in numbers]


def test_an_unordered_list_beside_menus_and_other_lists() -> None:
    document = page(f"{MENU}<main><ul class=products>{''.join(map(card, range(8)))}</ul></main>{RELATED}")
    assert shown(document) == names(*range(8))


def test_a_grid_of_divs_in_rows_is_a_list_of_cards() -> None:
    rows = "".join(f"<div class=row>{''.join(card(n, 'div') for n in range(at, at + 3))}</div>" for at in (0, 3, 6))
    assert shown(page(f"{MENU}<main>{rows}</main>")) == names(*range(9))


def test_a_table_is_a_list_of_rows() -> None:
    rows = "".join(
        f"<tr><td><img src=/{n}.jpg></td><td><h3><a href=/p/{n}>Thing number {n}</a></h3></td><td>{n}.50 €</td></tr>"
        for n in range(5)
    )
    assert shown(page(f"{MENU}<table>{rows}</table>")) == names(*range(5))


def test_the_whole_card_is_the_entry_though_its_parts_repeat_as_well() -> None:
    found = main_list(page("".join(f"<div class=cell><div class=box>{card(n, 'div')}</div></div>" for n in range(6))))
    assert found is not None
    assert [item.attr("class") for item in found.items] == [["cell"]] * 6 or found.items[0].attr("class") == "cell"


def test_advertisements_between_the_entries_are_left_out() -> None:
    entries = [card(n) for n in range(6)]
    entries.insert(
        3,
        '<li class="product"><table><tr><td><form><input></form></td><td><p>Buy</p><p>this</p></td></tr></table></li>',
    )
    assert shown(page(f"<ul>{''.join(entries)}</ul>")) == names(*range(6))


def test_lists_are_apart() -> None:
    document = page(f"<main><ul class=products>{''.join(map(card, range(8)))}</ul></main>{RELATED}{MENU}")
    lists = find_lists(document)
    items = [item for one in lists for item in one.items]
    assert len(items) == len(set(items))
    assert [len(one.items) for one in lists] == [8, 10, 30]


def test_selectors_find_the_entries_again() -> None:
    document = page(f"{MENU}<main><ul class=products>{''.join(map(card, range(8)))}</ul></main>")
    found = main_list(document)
    assert found is not None
    assert found.selectors[-1] == "main > ul.products > li.product"
    assert document.tree.select(found.selectors[-1]) == found.items


@pytest.mark.parametrize("body", ["", "<p>one</p>", "<h1>Thing</h1><p>It is good.</p>"])
def test_a_page_without_a_list_has_none(body: str) -> None:
    assert main_list(page(body)) is None


def test_time_grows_with_the_page_and_not_faster() -> None:
    def spent(count: int) -> float:
        document = page(f"<ul>{''.join(map(card, range(count)))}</ul>")
        _ = document.elements
        start = time.process_time()
        main_list(document)
        return time.process_time() - start

    spent(20)
    assert spent(800) < 60 * max(spent(100), 0.005)


def test_paragraphs_with_links_are_no_entries() -> None:
    text = "Spades have been made in our town for as long as anybody remembers, and of the best steel, "
    prose = "".join(f'<p class=about>{text * 3}<a href="/about/{n}">says the mayor</a>.</p>' for n in range(4))
    assert shown(page(f"<main><ul class=products>{''.join(map(card, range(3)))}</ul>{prose}</main>")) == names(0, 1, 2)


def test_a_card_may_link_its_shelves_and_its_maker() -> None:
    shelves = "".join(f'<a href="/c/{n}">Shelf {n}</a>' for n in range(5))
    cards = "".join(card(n, extra=f"<p>{shelves}</p>") for n in range(6))
    found = main_list(page(f"{MENU}<ul class=products>{cards}</ul>"))
    plain = main_list(page(f"{MENU}<ul class=products>{''.join(map(card, range(6)))}</ul>"))
    assert found is not None
    assert plain is not None
    assert found.score >= plain.score
