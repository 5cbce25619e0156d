"""Shops from an unknown front page to products, prices over time and categories: all of them, each once."""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest
from tests import needs
from tests.e2e.newsstand import PATIENCE, Newsroom, TownClock
from tests.program import Program, clean_environment

from sitewright.actions.add_sites import SiteOptions, add_site
from sitewright.actions.prices import compared, prices_of, tree_of
from sitewright.demo import SitePage
from sitewright.demo.loopback import LoopbackServer
from sitewright.demo.shops import DemoShop, ServedShop, ShopKind, Truth, serve_shops
from sitewright.parse.sites import site_name
from sitewright.store.database import open_store
from sitewright.store.entries import StoredRecord
from sitewright.watch.timing.periods import Timing

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="shops need 127.0.0.2")
START = datetime(2026, 3, 16, 6, tzinfo=UTC)
LATER = timedelta(days=8)
"""All prices have changed for the last time."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    kind: ShopKind
    language: str
    seed: int = 1
    margin: int = 0
    products: int | None = None


PLAIN, ECSHOP = Kind(kind="plain", language="en"), Kind(kind="ecshop", language="zh")
DEARER = Kind(kind="plain", language="en", margin=12, products=60)
GERMAN = Kind(kind="plain", language="de", products=60)
SCRIPTED = Kind(kind="scripted", language="en", products=30)
KINDS = [PLAIN, ECSHOP, *([DEARER, GERMAN] if needs.THOROUGH else [])]
SHOWN = [
    pytest.param(
        kind, marks=() if kind in (PLAIN, ECSHOP) else needs.thorough, id=f"{kind.kind}-{kind.language}-{kind.margin}"
    )
    for kind in (PLAIN, ECSHOP, DEARER, GERMAN)
]


@dataclass(frozen=True)
class Collected:
    """What became of a shop: at first sight, and when its prices had changed."""

    served: ServedShop
    site: str
    store: str
    first: list[StoredRecord]
    asked_first: Counter[str]
    truth_first: dict[str, Truth]
    last: list[StoredRecord]
    truth_last: dict[str, Truth]

    def paths(self, records: list[StoredRecord]) -> Counter[str]:
        return Counter(stored.record.urls[0].removeprefix(self.served.base_url) for stored in records)


def collect_shops(kinds: list[Kind], folder: Path, first: int = 2) -> Iterator[dict[Kind, Collected]]:
    clock = TownClock(START)
    makers = [
        partial(
            DemoShop,
            one.seed,
            kind=one.kind,
            language=one.language,
            margin=one.margin,
            products=one.products,
            start=START,
        )
        for one in kinds
    ]
    with serve_shops(makers, clock.now, first=first) as served:
        sites = [site_name(shop.base_url) for shop in served]
        newsroom = Newsroom(folder, clock, tuple(sites), Timing(minimum=240, maximum=3600, goal=240))
        with open_store(newsroom.store, clock=clock.now) as store:
            for shop in served:
                add_site(store, f"{shop.base_url}/", SiteOptions(domain="shop"))
        newsroom.collect_once()
        before = [
            (newsroom.records(site), shop.requests, shop.shop.truth(clock.now()))
            for site, shop in zip(sites, served, strict=True)
        ]
        for _ in range(2):  # a day's changes are seen on lists, others when the products are due
            clock.move(days=LATER.days)
            newsroom.collect_once()
        yield {
            kind: Collected(
                served=shop, site=site, store=newsroom.store, first=records, asked_first=asked, truth_first=truth,
                last=newsroom.records(site), truth_last=shop.shop.truth(clock.now()),
            )
            for kind, shop, site, (records, asked, truth) in zip(kinds, served, sites, before, strict=True)
        }  # fmt: skip


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Kind, Collected]]:
    yield from collect_shops(KINDS, tmp_path_factory.mktemp("shops"))


def value_of(stored: StoredRecord, field: str) -> object:
    value = stored.record.fields.get(field)
    return value.value if value is not None else None


@pytest.mark.parametrize("kind", SHOWN)
def test_every_product_is_collected_once(shops: dict[Kind, Collected], kind: Kind) -> None:
    shop = shops[kind]
    found = shop.paths(shop.first)
    assert set(found) == set(shop.truth_first)
    assert set(found.values()) == {1}
    assert shop.paths(shop.last) == found


@pytest.mark.parametrize("kind", SHOWN)
def test_names_and_prices_are_those_of_the_shop(shops: dict[Kind, Collected], kind: Kind) -> None:
    shop = shops[kind]
    for stored in shop.first:
        truth = shop.truth_first[stored.record.urls[0].removeprefix(shop.served.base_url)]
        assert (value_of(stored, "name"), value_of(stored, "price")) == (truth.name, truth.price)


@pytest.mark.parametrize("kind", SHOWN)
def test_prices_over_time_are_kept(shops: dict[Kind, Collected], kind: Kind) -> None:
    shop = shops[kind]
    with open_store(shop.store) as store:
        items = {item.now.url.removeprefix(shop.served.base_url): item for item in prices_of(store, [shop.site])}
        errors = store.offers.errors()[shop.site]
    assert items.keys() == shop.truth_last.keys()
    changed = 0
    for path, item in items.items():
        before, now = shop.truth_first[path].price, shop.truth_last[path].price
        seen = [point.price and point.price.amount for point in item.points]
        assert (seen[0], seen[-1]) == (before and before["amount"], now and now["amount"])
        assert len([*groupby(seen)]) == 1 + (before != now)
        changed += before != now
    assert changed > 10
    assert (errors.items, errors.without) == (len(items), 0)


@pytest.mark.parametrize("kind", SHOWN)
def test_categories_keep_their_hierarchy(shops: dict[Kind, Collected], kind: Kind) -> None:
    shop = shops[kind]
    with open_store(shop.store) as store:
        tree = tree_of(store, shop.site)
    shown = {
        department["category"]: {
            shelf["category"]: sorted(item["name"] for item in shelf["items"]) for shelf in department["categories"]
        }
        for department in tree["categories"]
    }
    meant: dict[str, dict[str, list[str]]] = {}  # empty shelves are none
    for good in shop.served.shop.goods:
        for department, shelf in filter(None, ((good.department, good.shelf), good.also)):
            meant.setdefault(department.name, {}).setdefault(shelf.name, []).append(good.name)
    assert shown == {name: {shelf: sorted(goods) for shelf, goods in below.items()} for name, below in meant.items()}


def test_neither_filters_nor_calendars_nor_logins_are_followed(shops: dict[Kind, Collected]) -> None:
    shop = shops[PLAIN]
    asked = Counter(path.partition("/")[2].partition("/")[0] for path in shop.asked_first.elements())
    assert asked["events"] <= 15  # some are followed to tell what they are; there are 1,320
    assert asked["login"] + asked["basket"] <= 6
    lists = sum(times for path, times in shop.asked_first.items() if path.count("/") == 3 and path.endswith("/"))
    assert lists <= 3 * 31  # pages of lists, some of them looked at to learn; there are 320 filters


def test_addresses_of_one_product_are_one_record(shops: dict[Kind, Collected]) -> None:
    shop = shops[PLAIN]
    twice = {shop.served.shop.path(good): good for good in shop.served.shop.goods if good.also is not None}
    several = {
        stored.record.urls[0].removeprefix(shop.served.base_url) for stored in shop.first if len(stored.record.urls) > 1
    }
    assert len(twice) > 10
    assert several == set(twice)


@needs.thorough
def test_the_same_products_are_compared_across_shops(shops: dict[Kind, Collected]) -> None:
    with open_store(shops[PLAIN].store) as store:
        found = compared(store, [shops[PLAIN].site, shops[DEARER].site])
    assert len(found) == len(shops[DEARER].truth_first)
    assert all({offer.now.site for offer in one.offers} == {shops[PLAIN].site, shops[DEARER].site} for one in found)
    spans = [one.span for one in found if one.span is not None]
    assert all(0.1 < span < 0.13 for span in spans)


@needs.browser
@needs.thorough
def test_a_shop_that_scripts_fill_is_collected_whole(tmp_path: Path) -> None:
    for shops in collect_shops([SCRIPTED], tmp_path):
        shop = shops[SCRIPTED]
        assert shop.paths(shop.first) == Counter(dict.fromkeys(shop.truth_first, 1))


@needs.thorough
def test_what_is_wanted_of_a_shop_can_be_bounded(tmp_path: Path) -> None:
    """A run with few pages goes on in the next one; categories that are not wanted are left out."""
    clock = TownClock(START)
    with serve_shops([partial(DemoShop, 1, start=START)], clock.now, first=40) as [served]:
        newsroom = Newsroom(tmp_path, clock, (site_name(served.base_url),))
        with open_store(newsroom.store, clock=clock.now) as store:
            name = add_site(store, f"{served.base_url}/", SiteOptions(domain="shop", within=("Watering", "Lighting")))
        newsroom.collect_once()
        found = {stored.record.urls[0].removeprefix(served.base_url) for stored in newsroom.records(name)}
    wanted = {
        served.shop.path(good)
        for good in served.shop.goods
        if "watering" in (good.shelf.slug, good.also and good.also[1].slug) or good.department.slug == "lighting"
    }
    sampled = found - wanted  # the map was learned from some of each shelf
    assert wanted <= found
    assert len(sampled) <= 24


def test_a_list_of_products_is_watched_without_walking_the_shop(tmp_path: Path, program: Program) -> None:
    clock = TownClock(START)
    with serve_shops([partial(DemoShop, 1, start=START)], clock.now, first=41) as [served]:
        goods = [good for good in served.shop.goods if good.number % 9 == 2]
        wanted = {served.shop.path(good) for good in goods}
        listed = "\n".join(f"{served.base_url}{path}  # watched" for path in wanted)
        (tmp_path / "products.txt").write_text(listed, "utf-8")
        arguments = ("collect", "--from", "products.txt", "--domain", "shop", "--once", "-q")
        environment = clean_environment({
            "SITEWRIGHT_FETCH_ALLOW_HOSTS": site_name(served.base_url), "SITEWRIGHT_FETCH_PAUSE_SECONDS": "0",
            "SITEWRIGHT_FETCH_BROWSER": "/nowhere/chromium", "SITEWRIGHT_LIMITS_PAGE_SECONDS": str(PATIENCE),
        })  # fmt: skip
        first = program.call(*arguments, folder=tmp_path, environment=environment)
        assert (first.returncode, first.stderr) == (0, b"")
        asked = {path for path in served.requests if path.endswith((".html", "/"))}
        assert asked == wanted
        before = served.requests
        assert program.call(*arguments, folder=tmp_path, environment=environment).returncode == 0
        assert all(served.requests[path] > before[path] for path in wanted)
    with open_store(f"sqlite:///{tmp_path}/sitewright.db") as store:
        items = {item.now.url.removeprefix(served.base_url): item.now.price for item in prices_of(store)}
    truth = served.shop.truth()
    assert items.keys() == wanted
    assert {path: price and price.amount for path, price in items.items()} == {
        path: truth[path].price and truth[path].price["amount"] for path in wanted
    }


@needs.thorough
def test_a_redesigned_shop_is_noticed_by_its_prices_and_repaired(tmp_path: Path) -> None:
    """Nothing but visits for prices tells it: no product is new."""
    clock, days = TownClock(START), 8
    make = partial(DemoShop, 1, start=START, products=60, redesigned=timedelta(days=days))
    with serve_shops([make], clock.now, first=42) as [served]:
        newsroom = Newsroom(tmp_path, clock, (site_name(served.base_url),), Timing(minimum=240, maximum=3600, goal=240))
        with open_store(newsroom.store, clock=clock.now) as store:
            name = add_site(store, f"{served.base_url}/", SiteOptions(domain="shop"))
        for _ in range(days // 2):
            newsroom.collect_once()
            clock.move(days=2)
        with open_store(newsroom.store) as store:
            assert (store.incidents(open_only=False), len(store.map_versions(name))) == ([], 1)
        newsroom.collect_once()
        with open_store(newsroom.store) as store:
            incidents, versions = store.incidents(open_only=False), store.map_versions(name)
        found = Counter(stored.record.urls[0].removeprefix(served.base_url) for stored in newsroom.records(name))
    assert any(incident.answer == "heal" and incident.since >= START + timedelta(days=days) for incident in incidents)
    assert [version.made_by for version in versions] == ["learned", "healed"]
    assert found == Counter(dict.fromkeys(served.shop.truth(), 1))


def test_a_shop_behind_a_login_is_told_and_tried_again_later(tmp_path: Path) -> None:
    clock = TownClock(START)
    with LoopbackServer(("127.0.0.43", 0)) as server:
        form = b"<h1>Members</h1><form method=post><input name=user><input type=password name=secret></form>"
        server.pages = Gate(SitePage("/", form, "text/html", "notice"))
        with server.running():
            newsroom = Newsroom(tmp_path, clock, ("127.0.0.43",))
            with open_store(newsroom.store, clock=clock.now) as store:
                name = add_site(store, f"{server.base_url}/", SiteOptions(domain="shop"))
            newsroom.collect_once()
            assert [failure.code for failure in newsroom.failures(name)] == ["login_wall"]
            with open_store(newsroom.store, clock=clock.now) as store:
                due = store.next_site_due([name])
            assert due is not None
            assert due > START


@dataclass(frozen=True)
class Gate:
    """Shows one page, whatever is asked for."""

    only: SitePage

    def page(self, path: str) -> SitePage | None:
        return self.only if path != "/robots.txt" else None
