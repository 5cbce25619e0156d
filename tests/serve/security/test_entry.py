"""Who is let in: this machine, who has a session, who sends a token; nobody else."""

import pytest
from fastapi.testclient import TestClient
from tests.serve.conftest import Open, send

from sitewright.actions.accounts import make_token, put_account
from sitewright.errors import SettingsError
from sitewright.store.database import Store

PUBLIC = {"host": "192.0.2.1", "names": ("news.example",), "base_url": "http://news.example"}
PASSWORD = "three unlikely words"  # noqa: S105 -- of tests


def log_in(client: TestClient, who: str, password: str = PASSWORD) -> int:
    return int(send(client, "/login", who=who, password=password, to="/sites").status_code)


def test_other_machines_are_not_served_where_nobody_had_to_log_in(open_service: Open) -> None:
    with pytest.raises(SettingsError, match="nobody would have to log in"):
        open_service(**PUBLIC)


def test_without_a_session_nothing_is_shown(open_service: Open, store: Store, story: str) -> None:
    put_account(store, "ann", "admin", PASSWORD)
    client = open_service(**PUBLIC)
    every = ["/", f"/story/{story}", f"/frame/{story}", "/sites", "/search?q=a", "/nothing", "/api/v1/openapi.json"]
    for path in every:
        answer = client.get(path, headers={"accept": "text/html"})
        assert (answer.status_code, answer.headers.get("location", "")[:10]) in {(303, "/login?to="), (401, "")}
        assert client.get(path).status_code == 401
    assert client.post("/marks", data={"star": "1"}).status_code == 401
    assert client.get("/login").status_code == 200


def test_a_session_begins_and_ends(open_service: Open, store: Store) -> None:
    put_account(store, "ann", "reader", PASSWORD)
    client = open_service(**PUBLIC)
    assert log_in(client, "ann", "wrong") == 403
    assert log_in(client, "bo") == 403
    assert log_in(client, "ann") == 303
    cookie = next(c for c in client.cookies.jar if c.name == "sitewright_session")
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "Strict"
    assert client.get("/").status_code == 200
    assert send(client, "/logout").status_code == 303
    assert client.get("/").status_code == 401


def test_a_new_password_ends_all_sessions(open_service: Open, store: Store) -> None:
    put_account(store, "ann", "reader", PASSWORD)
    client = open_service(**PUBLIC)
    assert log_in(client, "ann") == 303
    put_account(store, "ann", "reader", PASSWORD + "!")
    assert client.get("/").status_code == 401


def test_guessing_takes_longer_each_time(open_service: Open, store: Store) -> None:
    put_account(store, "ann", "reader", PASSWORD)
    client = open_service(**PUBLIC)
    assert [log_in(client, "ann", "wrong") for _ in range(6)] == [403] * 5 + [429]
    assert log_in(client, "ann") == 429


def test_a_token_is_as_good_as_a_session(open_service: Open, store: Store) -> None:
    put_account(store, "ann", "reader", PASSWORD)
    client = open_service(token="a long secret", **PUBLIC)  # noqa: S106 -- of tests
    own = make_token(store, "ann", "a script")
    for token, status in (("a long secret", 200), (own, 200), ("a long secre", 401), ("", 401), ("é", 401)):
        assert client.get("/", headers={"authorization": f"Bearer {token}".encode()}).status_code == status


def test_after_logging_in_no_other_site_is_shown(open_service: Open, store: Store) -> None:
    put_account(store, "ann", "reader", PASSWORD)
    client = open_service(**PUBLIC)
    answer = send(client, "/login", who="ann", password=PASSWORD, to="//evil.example/")
    assert answer.headers["location"] == "/"
