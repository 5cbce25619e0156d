"""Every page is there for who may see it, in every language, and says what is not there."""

import re

import pytest
from fastapi.testclient import TestClient
from tests.serve.conftest import send

from sitewright.serve.words import LANGUAGES, catalogue
from sitewright.store.database import Store

pytestmark = pytest.mark.slow

PAGES = [
    "/", "/?show=unread", "/?show=starred", "/photos", "/search", "/search?q=the", "/sites", "/sites/new", "/sites/bring",
    "/site/notes.example", "/site/notes.example/learning", "/incidents", "/incidents?show=closed", "/queue",
    "/records", "/records?q=note", "/products", "/settings", "/login",
]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_there(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.text.count("<h1") == 1
    assert answer.text.count("<main") == 1
    assert len(answer.content) < 150_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_all_words(client: TestClient, language: str) -> None:
    words = catalogue(language)
    assert words.keys() == catalogue("en").keys()
    for key, text in catalogue("en").items():
        own, other = (sorted(set(re.findall(r"\{\w+\}", str(one)))) for one in (text, words[key]))
        assert own == other, key
    answer = client.get("/", headers={"accept-language": language})
    assert f'<html lang="{language}"' in answer.text


@pytest.mark.parametrize(
    "path", ["/site/a.example", "/incident/7", "/nothing", "/feed.txt", "/live/learning/a.example"]
)
def test_what_is_not_there_is_told(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "not_there" in answer.text


def test_a_site_is_paused_resumed_and_removed(client: TestClient, store: Store) -> None:
    place = "/site/notes.example"
    for act in ("pause", "resume", "look"):
        assert send(client, place, do=act).status_code == 303
        site = store.site("notes.example")
        assert site is not None
        assert (site.paused_at is not None) == (act == "pause")
    assert send(client, "/sites", site="notes.example", do="pause").status_code == 303
    assert "paused" in client.get("/sites").text
    assert send(client, place, do="remove", sure="notes").status_code == 400
    assert send(client, place, do="remove", sure="notes.example").status_code == 303
    assert store.site("notes.example") is None
    assert "/story/notes.example" not in client.get("/").text
    told = client.get("/settings").text
    assert told.count("<td>remove</td>") == 1


def test_a_paused_site_is_not_leased(client: TestClient, store: Store) -> None:
    store.make_due("notes.example")
    store.pause_site("notes.example")
    assert "notes.example" not in [site.name for site in store.lease_sites("me", seconds=9)]
    store.resume_site("notes.example")
    assert "notes.example" in [site.name for site in store.lease_sites("me", seconds=9)]


def test_which_links_are_followed(client: TestClient, store: Store) -> None:
    send(client, "/site/notes.example", do="follow", seed="/news/", banned="/ads/ re:x$")
    site = store.site("notes.example")
    assert site is not None
    assert (site.state.seed, site.state.banned) == (("/news/",), ("/ads/", "re:x$"))
    assert send(client, "/site/notes.example", do="follow", banned="re:(").status_code == 400


def test_searches_are_saved_and_forgotten(client: TestClient) -> None:
    answer = send(client, "/searches", query="q=bees&site=notes.example", label="Bees <b>")
    assert answer.headers["location"] == "/search?q=bees&site=notes.example"
    text = client.get("/").text
    assert "Bees &lt;b&gt;" in text
    assert "q=bees" in client.get("/feeds.opml").text
    send(client, "/searches", forget="1")
    assert "Bees &lt;b&gt;" not in client.get("/").text


@pytest.mark.parametrize(("kind", "begin"), [("atom", "<?xml"), ("rss", "<?xml"), ("json", "{")])
def test_a_view_is_a_feed(client: TestClient, kind: str, begin: str) -> None:
    answer = client.get(f"/feed.{kind}?site=notes.example")
    assert answer.status_code == 200
    assert answer.text.startswith(begin)
    assert "Note 1" in answer.text
    assert "Note 2" in answer.text


def test_preferences_are_kept(client: TestClient) -> None:
    send(client, "/settings", language="ru", look="dark", density="compact")
    text = client.get("/").text
    assert '<html lang="ru" dir="ltr" data-look="dark" data-density="compact">' in text
    assert 'data-keys="off"' in text
    assert "<img" not in text
    assert send(client, "/settings", look="pink").status_code == 400


def test_keys_are_chosen(client: TestClient) -> None:
    send(client, "/settings/keys", next="s", star="")
    text = client.get("/").text
    assert "&#34;next&#34;: &#34;s&#34;" in text
    assert "&#34;star&#34;: &#34;f&#34;" in text
    assert "<kbd>s</kbd>" in text, "the list of keys says so"
    assert send(client, "/settings/keys", next="k").status_code == 400, "that key is taken"
    assert send(client, "/settings/keys", next="k", previous="j").status_code == 303, "unless they change places"
    assert send(client, "/settings/keys").status_code == 303
    assert "&#34;next&#34;: &#34;j&#34;" in client.get("/").text


def test_records_as_lines(client: TestClient) -> None:
    lines = client.get("/records.jsonl?site=notes.example").text.splitlines()
    assert len(lines) == 2


def test_pictures_need_our_signature(client: TestClient) -> None:
    assert client.get("/picture?of=http://127.0.0.1:1/&by=").status_code == 403
    found = re.search(r'src="(/picture\?of=[^"]+)"', client.get("/").text)
    assert found
    place = found[1].replace("&amp;", "&")
    assert client.get(place.replace("of=http", "of=https")).status_code == 403
    answer = client.get(place)
    assert answer.status_code == 404  # there is no such host
    assert answer.headers["content-type"].startswith("text/plain")
    assert "sandbox" in answer.headers["content-security-policy"]


def test_a_wrong_address_is_told_and_nothing_is_added(client: TestClient, store: Store) -> None:
    before = len(store.sites())
    for address in ("", "javascript:alert(1)", "http://", "file:///etc/passwd"):
        assert send(client, "/sites/new", address=address).status_code == 400
    assert send(client, "/sites/new", address="news.example", domain="/etc/passwd").status_code == 400
    assert len(store.sites()) == before


def test_readers_change_no_sites(client: TestClient, store: Store) -> None:
    from sitewright.actions.accounts import make_token, put_account  # noqa: PLC0415

    put_account(store, "ann", "reader", "three unlikely words")
    token = {"authorization": f"Bearer {make_token(store, 'ann', '')}"}
    for path, entries in (("/sites", {"site": "notes.example"}), ("/sites/new", {"address": "a.example"})):
        assert client.post(path, data=entries, headers=token).status_code == 403
    for path in ("/site/notes.example", "/incident/1", "/settings/accounts"):
        assert client.post(path, data={"do": "pause"}, headers=token).status_code == 403
    text = client.get("/sites", headers=token).text
    assert 'href="/sites/new"' not in text
    assert client.get("/sites/new", headers=token).status_code == 403


def test_what_somebody_has_is_looked_over_before_it_is_added(client: TestClient, store: Store) -> None:
    seen = send(client, "/sites/bring", do="look", text="one.example\nnotes.example\nnonsense", file="mine.txt").text
    assert "Add 1 site" in seen
    assert "mine.txt:3" in seen
    assert store.site("one.example") is None
    assert send(client, "/sites/bring", do="add", text="one.example", file="mine.txt").status_code == 303
    assert store.site("one.example") is not None
    assert send(client, "/sites/bring", do="look", text=" ").status_code == 400


def test_sources_have_weights_and_failures_their_rows(client: TestClient, store: Store) -> None:
    name = next(site.name for site in store.sites() if store.index_pages(site.name))
    url = store.index_pages(name)[0].url
    assert send(client, f"/site/{name}", do="weigh", url=url, weight="7").status_code == 303
    assert store.index_pages(name)[0].weight == 7
    for wrong in ({"url": url, "weight": "0"}, {"url": "https://a.example/", "weight": "2"}):
        assert send(client, f"/site/{name}", do="weigh", **wrong).status_code == 400
    code = store.failures(name)[0].failure.code
    shown = client.get(f"/site/{name}?code={code}").text
    assert shown.count(f"<code>{code}</code>") == sum(one.failure.code == code for one in store.failures(name))
    assert client.get(f"/site/{name}?code=robots_forbid").text.count("<code>") == 0
