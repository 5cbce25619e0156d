import socket
import threading
import time
from http.client import HTTPConnection, HTTPResponse
from socketserver import TCPServer
from urllib.parse import urlsplit

import pytest

from sitewright.demo import Site, generate_site, serve


def ask(base_url: str, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(urlsplit(base_url).netloc, timeout=600)
    try:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


@pytest.fixture(scope="module")
def site() -> Site:
    return generate_site(3, language="ru", stories=10)


def test_serves_every_page_with_its_type(site: Site) -> None:
    with serve(site) as base_url:
        for path, page in site.pages.items():
            response, body = ask(base_url, path)
            assert (response.status, response.headers["Content-Type"]) == (200, page.content_type)
            assert body == page.html


def test_ignores_tracking_parameters(site: Site) -> None:
    with serve(site) as base_url:
        response, body = ask(base_url, "/about/?utm_source=mail#top")
        assert (response.status, body) == (200, site.pages["/about/"].html)


def test_answers_not_modified(site: Site) -> None:
    with serve(site) as base_url:
        first, _ = ask(base_url, "/")
        second, body = ask(base_url, "/", **{"If-None-Match": first.headers["ETag"]})
        assert (second.status, body) == (304, b"")
        third, body = ask(base_url, "/", **{"If-None-Match": '"another"'})
        assert (third.status, body) == (200, site.pages["/"].html)


def test_head_has_no_body(site: Site) -> None:
    with serve(site) as base_url:
        response, body = ask(base_url, "/", "HEAD")
        assert (response.status, body) == (200, b"")
        assert int(response.headers["Content-Length"]) == len(site.pages["/"].html)


def test_a_connection_is_kept(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    accept = TCPServer.get_request
    accepted: list[socket.socket] = []

    def accept_and_note(server: TCPServer) -> tuple[socket.socket, object]:
        connection, address = accept(server)
        accepted.append(connection)
        return connection, address

    monkeypatch.setattr(TCPServer, "get_request", accept_and_note)
    with serve(site) as base_url:
        connection = HTTPConnection(urlsplit(base_url).netloc, timeout=600)
        try:
            connection.connect()
            used = connection.sock
            for path in ("/", "/nowhere", "/about/", "/feed.xml") * 25:
                connection.request("GET", path)
                connection.getresponse().read()
                assert connection.sock is used
            (other_end,) = accepted
            assert other_end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY), "head and body leave at once"
        finally:
            connection.close()


def test_missing_page_is_a_page(site: Site) -> None:
    with serve(site) as base_url:
        response, body = ask(base_url, "/nowhere")
        assert response.status == 404
        assert response.headers["Content-Type"] == "text/html; charset=windows-1251"
        assert body == site.pages["/404.html"].html


def test_site_made_for_the_port_links_to_it() -> None:
    with serve(lambda base_url: generate_site(1, stories=10, base_url=base_url)) as base_url:
        _, front = ask(base_url, "/")
        assert f'rel="canonical" href="{base_url}/"'.encode() in front


def test_leaves_no_thread_and_no_output(site: Site, capfd: pytest.CaptureFixture[str]) -> None:
    before = set(threading.enumerate())
    with serve(site) as base_url:
        ask(base_url, "/")
        ask(base_url, "/nowhere")
    deadline = time.monotonic() + 60
    while set(threading.enumerate()) - before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert set(threading.enumerate()) <= before
    assert capfd.readouterr() == ("", "")
    with pytest.raises(ConnectionRefusedError):
        ask(base_url, "/")
