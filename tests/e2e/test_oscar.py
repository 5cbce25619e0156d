"""A shop that runs django-oscar: collected whole from its address, of which nothing else is known."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests import needs
from tests.e2e.newsstand import PATIENCE
from tests.program import Program, clean_environment

from sitewright.actions.prices import tree_of
from sitewright.parse.sites import site_name
from sitewright.store.database import open_store

pytestmark = needs.oscar
HOST = "127.0.0.44"
SHOWN_REVIEWS = 3
"""Oscar shows so many on the page of a product; the others are on a page of their own."""


@dataclass(frozen=True)
class Shop:
    """The shop as it is served, what it sells, and what was collected of it."""

    base_url: str
    sold: dict[str, dict[str, Any]]
    records: dict[str, dict[str, Any]]
    tree: dict[str, Any]


@contextmanager
def served(folder: Path) -> Iterator[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.e2e.oscar_shop", HOST, str(folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        try:
            yield json.loads(process.stdout.readline() if process.stdout else "")
        finally:
            process.kill()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, program: Program) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("oscar")
    with served(folder) as told:
        base_url = told["base_url"]
        environment = clean_environment({
            "SITEWRIGHT_FETCH_ALLOW_HOSTS": site_name(base_url), "SITEWRIGHT_FETCH_PAUSE_SECONDS": "0",
            "SITEWRIGHT_FETCH_BROWSER": "/nowhere/chromium", "SITEWRIGHT_LIMITS_PAGE_SECONDS": str(PATIENCE),
        })  # fmt: skip
        arguments = ("collect", base_url, "--domain", "shop", "--once", "-q")
        done = program.call(*arguments, folder=folder, environment=environment)
        assert (done.returncode, done.stderr) == (0, b"")
    with open_store(f"sqlite:///{folder}/sitewright.db") as store:
        site = site_name(base_url)
        records = {
            stored.record.urls[0].removeprefix(base_url): {
                name: value.value for name, value in stored.record.fields.items()
            }
            for stored in store.records()
        }
        yield Shop(base_url, told["sold"], records, tree_of(store, site))


def test_every_product_is_collected_once_and_nothing_else(shop: Shop) -> None:
    assert shop.records.keys() == shop.sold.keys()


@pytest.mark.parametrize("field", ["name", "availability", "categories"])
def test_fields_are_those_of_the_shop(shop: Shop, field: str) -> None:
    assert {path: record.get(field) for path, record in shop.records.items()} == {
        path: one[field] for path, one in shop.sold.items()
    }


def test_prices_are_those_of_the_shop(shop: Shop) -> None:
    assert {path: record.get("price") for path, record in shop.records.items()} == {
        path: {"amount": one["price"], "currency": "EUR"} for path, one in shop.sold.items()
    }


def test_reviews_are_collected(shop: Shop) -> None:
    found = {
        path: [{name: review.get(name) for name in ("author", "stars", "text")} for review in record["reviews"]]
        for path, record in shop.records.items()
        if "reviews" in record
    }
    assert found == {path: one["reviews"][:SHOWN_REVIEWS] for path, one in shop.sold.items() if one["reviews"]}


def test_variants_are_collected(shop: Shop) -> None:
    found = {
        path: sorted(variant["name"] for variant in record["variants"])
        for path, record in shop.records.items()
        if "variants" in record
    }
    assert found == {path: sorted(one["variants"]) for path, one in shop.sold.items() if one["variants"]}


def test_categories_keep_their_hierarchy(shop: Shop) -> None:
    shelves = {
        (branch["category"], below["category"]): sorted(item["name"] for item in below["items"])
        for branch in shop.tree["categories"]
        for below in branch.get("categories", ())
    }
    meant: dict[tuple[str, ...], list[str]] = {}
    for one in shop.sold.values():
        meant.setdefault(tuple(one["categories"]), []).append(one["name"])
    assert shelves == {shelf: sorted(names) for shelf, names in meant.items()}
