"""Steps: what an element shares with those beside it."""

from turbohtml import parse

from sitewright.repeats.steps import Steps


def test_a_name_that_all_entries_share_is_the_step() -> None:
    page = parse("".join(f'<div class="card cat-{name}"><a>{name}</a></div>' for name in ("tea", "milk", "oil")))
    steps = Steps()
    assert {steps.step(card) for card in page.select("div")} == {"div.card"}
    assert steps.near(page.select("a")[0]) == ("body", "div.card", "a")


def test_what_is_alone_goes_by_its_cheapest_name() -> None:
    page = parse('<main id="shop"><p>one</p></main>')
    assert Steps().step(page.select_one("main")) == "main#shop"


def test_ways_lead_down() -> None:
    page = parse('<ul><li class="item"><a href="/a"><b>A</b></a></li></ul>')
    assert [way for way, _ in Steps().down(page.select_one("ul"))] == [
        ("li.item",),
        ("li.item", "a"),
        ("li.item", "a", "b"),
    ]
