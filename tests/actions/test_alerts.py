"""What people want to be told of is told once, by real mail and real webhooks, whatever stands in the way meanwhile."""

import base64
import datetime as moments
import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.mail_server import Mailbox, open_mailbox

from sitewright.actions import look_out
from sitewright.actions.alerts import MOST_ALERTS, WantedAlert, make_alert, shown_alert
from sitewright.actions.catalogues import Library, open_catalogue
from sitewright.actions.deliver import Senders
from sitewright.actions.digest import last_day
from sitewright.actions.look_out import back_since, cheaper_since
from sitewright.actions.mail_digests import mail_digests
from sitewright.actions.messenger import Messenger
from sitewright.actions.same_stories import place_cards
from sitewright.errors import AddressRefused, BadUrl, InputError
from sitewright.store.alerts import Alert
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected, Incident
from sitewright.store.offers import Money, PricePoint
from sitewright.types import FetchSettings, MailSettings, Page, Record, Value

pytestmark = pytest.mark.slow

START = datetime(2026, 11, 19, 6, tzinfo=UTC)
HOME = "https://news.example"


class Hook(ThreadingHTTPServer):
    """A receiver of webhooks: what it was sent, and what it answers first (then 204)."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Hears)
        self.answers: list[int] = []
        self.heard: list[tuple[dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class _Hears(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("location", "http://127.0.0.1/")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def hook() -> Iterator[Hook]:
    with Hook() as server:
        running = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        running.start()
        yield server
        server.shutdown()
        running.join()


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with open_mailbox() as box:
        yield box


@dataclass
class Desk:
    """A store with its catalogue, the time, and who looks and tells."""

    address: str
    senders: Senders = field(default_factory=Senders)
    now: datetime = START
    store: Store = field(init=False)
    library: Library = field(init=False)
    messenger: Messenger = field(init=False)

    def open(self) -> None:
        self.store = open_store(self.address, clock=lambda: self.now)
        self.library = Library(self.store, open_catalogue(self.store, self.address), Path())
        self.messenger = Messenger(self.library, self.senders)

    def close(self) -> None:
        self.library.catalogue.close()
        self.store.close()

    def later(self, **span: float) -> None:
        self.now += timedelta(**span)

    def alert(self, **wanted: Any) -> Alert:
        fetch = self.senders.fetch
        return make_alert(self.store, "ann", WantedAlert(**wanted), fetch)

    def record(self, heading: str, site: str = "a.example", domain: str = "news", **fields: Any) -> None:
        url = f"https://{site}/{heading.replace(' ', '-').lower()[:40]}"
        names = {"news": "title", "shop": "name"}
        values = {names[domain]: heading, **fields}
        made = Record(
            site=site, urls=(url,), domain=domain, fields={k: Value(v, 0.9, "x/y#0") for k, v in values.items()}
        )
        self.store.add_site(site, url=f"https://{site}/", domain=domain)
        self.store.commit_pages([Collected(record=made, page=Page(url=url, body=b"", fetched_at=self.now))])

    def turn(self) -> int:
        self.library.catalogue.catch_up()
        while place_cards(self.library.catalogue, self.now):
            pass
        return self.messenger.turn()


@pytest.fixture
def desk(tmp_path: Path, mailbox: Mailbox, hook: Hook, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    mail = MailSettings(host="127.0.0.1", port=mailbox.port, sender="Desk <desk@news.example>", encryption="none")
    fetch = FetchSettings(allow_hosts=(f"127.0.0.1:{hook.server_port}",))
    made = Desk(f"sqlite:///{tmp_path}/a.db", Senders(mail=mail, fetch=fetch, home=HOME))

    class Clock(moments.datetime):
        @classmethod
        def now(cls, tz: moments.tzinfo | None = None) -> datetime:  # noqa: ARG003 -- as it is called
            return made.now

    monkeypatch.setattr("sitewright.actions.messenger.datetime", Clock)
    made.open()
    yield made
    made.close()


def trouble(desk: Desk, alert: Alert) -> tuple[str, int, int]:
    shown = shown_alert(desk.store, desk.store.alerts.find(alert.number) or alert)
    return shown.alert.trouble, shown.counts.waiting, shown.counts.refused


def test_a_mail_tells_once_what_is_new_in_a_search(desk: Desk, mailbox: Mailbox) -> None:
    desk.record("Bridge of before")
    desk.alert(kind="search", way="mail", target="ann@example.com", query={"q": "bridge"})
    desk.record("Bridge <script>alert(1)</script>\nopens", text="The old bridge opens.")
    desk.record("Harbour closes")
    assert (desk.turn(), desk.turn()) == (1, 0)
    (mail,) = mailbox.mails
    assert (mail["to"], mail["from"]) == ("ann@example.com", "Desk <desk@news.example>")
    assert mail["subject"] == "Bridge <script>alert(1)</script> opens"
    plain, html = (mail.get_body([kind]).get_content() for kind in ("plain", "html"))  # type: ignore[union-attr]
    assert "* Bridge <script>alert(1)</script> opens" in plain
    assert f"{HOME}/story/a.example/" in plain
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    desk.record("Bridge <script>alert(1)</script>\nopens", text="It was changed.")
    assert desk.turn() == 0


def test_several_sites_with_one_story_are_told_once(desk: Desk, mailbox: Mailbox) -> None:
    text = "A long report about the old iron bridge over the river Aller, which opens again after eleven years. " * 5
    desk.alert(kind="search", way="mail", target="ann@example.com", query={})
    for site in ("a.example", "b.example"):
        desk.record("Old iron bridge over the Aller opens again after eleven years", site, text=text)
    assert desk.turn() == 1


def test_webhooks_are_signed_and_sent_again_under_the_same_name(desk: Desk, hook: Hook) -> None:
    alert = desk.alert(kind="search", way="webhook", target=hook.url)
    desk.record("Bridge opens", text="The whole text.")
    hook.answers = [503, 302]
    assert desk.turn() == 0
    assert trouble(desk, alert) == ("not_delivered: it answered with 503", 1, 0)
    assert desk.turn() == 0  # not yet
    assert len(hook.heard) == 1
    desk.later(minutes=1)
    assert desk.turn() == 0
    assert trouble(desk, alert)[0] == "delivery_refused: it answered with 302"
    desk.later(minutes=1, seconds=59)
    assert desk.turn() == 0
    assert len(hook.heard) == 2
    desk.close()
    desk.open()  # another process
    desk.later(seconds=1)
    assert (desk.turn(), trouble(desk, alert)) == (1, ("", 0, 0))
    assert len({headers["webhook-id"] for headers, _ in hook.heard}) == 1
    headers, body = hook.heard[-1]
    told = json.loads(body)
    assert (told["id"], told["type"]) == (headers["webhook-id"], "record.new")
    assert told["data"]["record"]["text"] == "The whole text."
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.new(base64.b64decode(alert.secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"


def test_what_is_refused_again_and_again_stands_in_nobodys_way(desk: Desk, hook: Hook) -> None:
    alert = desk.alert(kind="search", way="webhook", target=hook.url)
    desk.record("Bridge opens")
    desk.record("Harbour closes")
    hook.answers = [400] * 5
    for _ in range(5):
        assert desk.turn() == 0
        desk.later(hours=6)
    assert trouble(desk, alert)[1:] == (1, 1)
    assert desk.turn() == 1
    desk.store.alerts.try_now(alert.number)
    assert (desk.turn(), trouble(desk, alert)[1:]) == (1, (0, 0))


def test_webhooks_reach_no_private_network(desk: Desk) -> None:
    for target, error in (
        ("http://127.0.0.1:9/", AddressRefused),
        ("ftp://a.example/", BadUrl),
        ("http://me:p@a.example/", BadUrl),
    ):
        with pytest.raises(error):
            desk.alert(kind="search", way="webhook", target=target)
    alert = desk.alert(kind="search", way="webhook", target="http://localhost:9/")  # found out when it is looked up
    desk.record("Bridge opens")
    assert desk.turn() == 0
    assert trouble(desk, alert)[0].startswith("address_refused: localhost is ")


def test_mail_waits_for_a_server_that_takes_it(desk: Desk, mailbox: Mailbox) -> None:
    alert = desk.alert(kind="search", way="mail", target="ann@example.com")
    desk.record("Bridge opens")
    mailbox.refuses = "550 no such user"
    assert desk.turn() == 0
    assert trouble(desk, alert) == ("delivery_refused: the mail server answered with 550: no such user", 1, 0)
    desk.later(minutes=2)
    desk.messenger = Messenger(desk.library, replace(desk.senders, mail=MailSettings()))
    assert desk.turn() == 0
    assert trouble(desk, alert)[0].startswith("settings_error: no mail can be sent")
    mailbox.refuses = ""
    desk.messenger = Messenger(desk.library, desk.senders)
    desk.record("Harbour closes")
    desk.later(minutes=3)
    assert desk.turn() == 2
    assert mailbox.mails[0]["subject"].endswith("2 notices")


def test_prices_below_a_value_and_what_is_back_in_stock(desk: Desk, mailbox: Mailbox) -> None:
    def sold(amount: float, stock: str) -> None:
        desk.later(hours=1)
        price = {"amount": amount, "currency": "EUR"}
        desk.record("Spade", "shop.example", "shop", price=price, availability=stock)

    sold(30.0, "OutOfStock")
    (point,) = desk.store.offers.history()
    item = {"site": point.site, "id": point.id}
    for way in ({"kind": "cheaper", "amount": 25.0}, {"kind": "available"}):
        desk.alert(**way, **item, way="mail", target="ann@example.com")
    for amount, stock, count in (
        (28, "OutOfStock", 0),
        (24.5, "OutOfStock", 1),
        (20, "OutOfStock", 0),
        (20, "InStock", 1),
        (26, "InStock", 0),
        (24, "LimitedAvailability", 1),
    ):
        sold(amount, stock)
        assert desk.turn() == count, (amount, stock)
    assert [mail["subject"] for mail in mailbox.mails] == [
        "Spade: 24.50 EUR",
        "Spade can be had again",
        "Spade: 24.00 EUR",
    ]
    with pytest.raises(InputError, match="a number above 0"):
        desk.alert(kind="cheaper", **item, way="feed")


def test_an_incident_is_told_even_if_it_is_over_by_then(desk: Desk, mailbox: Mailbox) -> None:
    desk.store.add_site("a.example")
    lost = Incident(site="a.example", kind="lost", field="title", since=START, opened_at=START, pages=3)
    desk.store.put_incident(replace(lost, opened_at=START - timedelta(days=1)))
    desk.alert(kind="incident", way="mail", target="ann@example.com", site="a.example")
    put = desk.store.put_incident(lost)
    desk.store.close_incident(put.number or 0)
    assert (desk.turn(), desk.turn()) == (1, 0)
    assert mailbox.mails[0]["subject"].startswith("a.example: incident")
    assert f"{HOME}/incident/{put.number}" in mailbox.mails[0].get_body(["plain"]).get_content()  # type: ignore[union-attr]


def test_a_digest_comes_once_a_day_at_its_hour(desk: Desk, mailbox: Mailbox, hook: Hook) -> None:
    hour = (START + timedelta(hours=2)).astimezone().hour
    desk.alert(kind="digest", way="mail", target="ann@example.com", hour=hour)
    desk.alert(kind="digest", way="webhook", target=hook.url, hour=hour)
    desk.record("Bridge <b>opens</b>")
    desk.later(hours=1)
    assert desk.turn() == 0
    desk.later(hours=1)
    assert (desk.turn(), desk.turn()) == (2, 0)
    assert "1 new" in mailbox.mails[0]["subject"]
    html = mailbox.mails[0].get_body(["html"]).get_content()  # type: ignore[union-attr]
    assert "Bridge &lt;b&gt;opens&lt;/b&gt;" in html
    told = json.loads(hook.heard[0][1])
    assert (told["type"], told["data"]["count"]) == ("digest.ready", 1)
    day = desk.now.astimezone().date()
    assert mail_digests(desk.library, desk.senders, day, last_day(desk.now)) == 0  # each has it already
    desk.later(days=1, hours=21)  # nobody was there for too long
    assert desk.turn() == 0
    assert mail_digests(desk.library, desk.senders, desk.now.astimezone().date(), last_day(desk.now)) == 2


@pytest.mark.parametrize(
    ("amounts", "since"),
    [([30, 20], 1), ([20], 0), ([20, 19], 0), ([20, None, 18], 0), ([20, 30, 20], 2), ([20, 30], None), ([None], None)],
)
def test_since_when_a_price_is_below(amounts: list[float | None], since: int | None) -> None:
    points = [point(hour, amount) for hour, amount in enumerate(amounts)]
    found = cheaper_since(points, {"amount": 25, "currency": "EUR"})
    assert found == (points[since] if since is not None else None)
    assert cheaper_since(points, {"amount": 25, "currency": "USD"}) is None


@pytest.mark.parametrize(
    ("stocks", "since"),
    [
        (["OutOfStock", "InStock"], 1),
        (["InStock"], None),
        (["PreOrder", "LimitedAvailability", "InStock"], 1),
        (["InStock", "OutOfStock"], None),
        (["OutOfStock", "", "InStock", "", "OutOfStock", "InStock"], 5),
    ],
)
def test_since_when_an_item_can_be_had_again(stocks: list[str], since: int | None) -> None:
    points = [point(hour, 9, stock) for hour, stock in enumerate(stocks)]
    assert back_since(points) == (points[since] if since is not None else None)


def point(hour: int, amount: float | None, stock: str = "") -> PricePoint:
    at = START + timedelta(hours=hour)
    price = Money(amount, "EUR") if amount is not None else None
    return PricePoint(site="a", id="1", url="u", name="n", since=at, until=at, price=price, stock=stock, domain="shop")


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"kind": "search", "way": "mail", "target": "a@b\nBcc: c@d"}, "not an address"),
        ({"kind": "search", "way": "mail", "target": "nobody"}, "not an address"),
        ({"kind": "gossip", "way": "mail"}, "there is no gossip here"),
        ({"kind": "search", "way": "pigeon"}, "there is no pigeon here"),
        ({"kind": "available", "way": "feed", "site": "a.example", "id": "x"}, "nothing of the id x"),
        ({"kind": "incident", "way": "feed", "site": "x.example"}, "there is no site x.example"),
        ({"kind": "digest", "way": "feed", "hour": 24}, "at what hour"),
    ],
)
def test_what_makes_no_sense_is_told(desk: Desk, wanted: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        desk.alert(**wanted)


def test_nobody_has_alerts_without_end(desk: Desk) -> None:
    for _ in range(MOST_ALERTS):
        desk.alert(kind="search", way="feed")
    with pytest.raises(InputError, match="remove one first"):
        desk.alert(kind="search", way="feed")


def test_one_process_tells_at_a_time(desk: Desk) -> None:
    desk.alert(kind="search", way="mail", target="ann@example.com")
    desk.record("Bridge opens")
    assert desk.store.alerts.take_turn("another", seconds=60)
    assert desk.turn() == 0
    desk.later(seconds=61)  # it died
    assert desk.turn() == 1


def test_a_new_record_waits_until_it_is_known_what_tells_the_same(desk: Desk) -> None:
    desk.alert(kind="search", way="mail", target="ann@example.com")
    desk.record("Bridge opens")
    desk.library.catalogue.catch_up()
    assert desk.messenger.turn() == 0
    desk.later(seconds=61)  # but not for ever
    assert desk.messenger.turn() == 1


def test_more_records_than_are_looked_at_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_out, "_AT_ONCE", 3)
    alert = desk.alert(kind="search", way="feed")
    for number in range(8):
        desk.record("Bridge Harbour Garden Council Weather Football Museum Railway".split()[number] + " news")
    desk.turn()
    assert len(desk.store.alerts.newest(alert.number, 50)) == 8


@pytest.mark.parametrize("trusted", [True, False])
def test_passwords_travel_to_known_servers_only(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool
) -> None:
    certificate = self_signed(tmp_path / "server.pem")
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with open_mailbox(certificate) as box:
        mail = MailSettings(host="localhost", port=box.port, user="desk@news.example", password="s3cret")  # noqa: S106
        desk.messenger = Messenger(desk.library, Senders(mail=mail, home=HOME))
        alert = desk.alert(kind="search", way="mail", target="ann@example.com")
        desk.record("Bridge opens")
        assert desk.turn() == trusted
        assert box.users == (["desk@news.example s3cret"] if trusted else [])
        assert ("certificate" in trouble(desk, alert)[0].lower()) != trusted
    far = replace(mail, host="mail.example", encryption="none")
    desk.messenger = Messenger(desk.library, Senders(mail=far, home=HOME))
    desk.record("Harbour closes")
    desk.later(hours=1)
    desk.turn()
    assert trouble(desk, alert)[0].startswith("settings_error: mail.encryption")


def self_signed(file: Path) -> Path:
    """Write a certificate of localhost, and its key."""
    from cryptography import x509  # noqa: PLC0415 -- Scrapy brings it
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(7).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    encoding = serialization.Encoding.PEM
    secret = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(made.public_bytes(encoding) + secret)
    return file
