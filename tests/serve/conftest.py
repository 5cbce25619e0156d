"""A service over the store of the command line's tests: a newspaper with its pages, and a small site."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.cli.conftest import filled, folder, newspaper, store

from sitewright.serve.app import make_app
from sitewright.serve.options import ServeOptions
from sitewright.store.database import Store
from sitewright.types import ServeSettings, StoreSettings

__all__ = ["filled", "folder", "newspaper", "store"]
HERE = "http://127.0.0.1:8700"
Open = Callable[..., TestClient]


@pytest.fixture
def options(folder: Path) -> ServeOptions:
    """Return how the store is served to this machine alone."""
    return ServeOptions(
        store=StoreSettings(url=f"sqlite:///{folder}/sitewright.db", pages=f"{folder}/sitewright-pages")
    )


@pytest.fixture
def open_service(options: ServeOptions, store: Store) -> Iterator[Open]:
    """Open a service with settings of its own; its catalogue is up to date."""
    opened: list[TestClient] = []

    def open_it(base_url: str = HERE, **settings: Any) -> TestClient:
        app = make_app(replace(options, serve=replace(ServeSettings(), **settings)), store)
        app.state.service.catalogue.catch_up()
        client = TestClient(app, base_url=base_url, follow_redirects=False)
        client.__enter__()
        opened.append(client)
        return client

    yield open_it
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def client(open_service: Open) -> TestClient:
    """Return a browser at this machine, where nobody has to log in."""
    return open_service()


def token_of(client: TestClient, path: str = "/") -> str:
    """Return what the forms of a browser carry."""
    text = client.get(path).text
    return text.partition('data-token="')[2].partition('"')[0]


def send(client: TestClient, path: str, **entries: str) -> Any:
    """Send a form as a page of ours would."""
    return client.post(path, data={"form_token": token_of(client, "/login"), **entries})


@pytest.fixture
def story(store: Store, newspaper: Any) -> str:
    """Return the path of a story of the newspaper."""
    found = store.find_record(newspaper.name, newspaper.stored[0])
    assert found is not None
    return f"{newspaper.name}/{found.id}"
