"""Other names of this machine and other sites' pages are refused, on loopback, too."""

import pytest
from fastapi.testclient import TestClient
from tests.serve.conftest import token_of


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:8701", "localhost:8700.evil.example", ""])
def test_a_foreign_host_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8700", "localhost:8700", "LOCALHOST:8700", "[::1]:8700"])
def test_this_machine_has_several_names(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://127.0.0.1:8700", "sec-fetch-site": "cross-site"},
    ],
)
def test_a_form_of_another_site_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    form = {"form_token": token_of(client), "star": "1", "to": "/"}
    assert client.post("/marks", data=form, headers=headers).status_code == 403
    assert client.post("/marks", data=form, headers={"origin": "http://127.0.0.1:8700"}).status_code == 303


def test_a_form_without_its_token_is_refused(client: TestClient) -> None:
    client.get("/")
    assert client.post("/marks", data={"star": "1", "to": "/"}).status_code == 403
    assert client.post("/marks", data={"star": "1", "form_token": "0" * 64}).status_code == 403
