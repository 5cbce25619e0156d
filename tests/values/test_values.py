"""line.v1, text.v1, list.v1, price.v1, url.v1."""

from collections.abc import Callable

import pytest

from sitewright.types import Value

Read = Callable[..., Value | None]


def plain(value: Value | None) -> object:
    return None if value is None else value.value


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1 id=v> One\n <i>two</i> </h1>", "One two"),
        ("<h1 id=v>One<br>two</h1>", "One two"),
        ("<h1 id=v> </h1>", None),
        ("<h1 id=v><script>x</script></h1>", None),
        ("<h1>not asked for</h1>", None),
    ],
)
def test_line(read_value: Read, html: str, expected: str | None) -> None:
    assert plain(read_value(html, "line.v1")) == expected


def test_text_is_one_line_a_paragraph(read_value: Read) -> None:
    page = "<div id=v><p>One.</p><ul><li>Two</ul><p>Three<br>four</div>"
    assert plain(read_value(page, "text.v1")) == "One.\nTwo\nThree\nfour"
    assert plain(read_value("<p>a</p><p>b</p>", "text.v1", select=("p",), many=True)) == "a\nb"
    assert plain(read_value("<p>a</p><p>b</p>", "text.v1", select=("p",))) == "a"
    assert plain(read_value('<p id=v title="one\n\n two ">x</p>', "text.v1", take="@title")) == "one\ntwo"
    assert plain(read_value("<p id=v> </p>", "text.v1")) is None


@pytest.mark.parametrize(
    ("html", "many", "expected"),
    [
        ("<p id=v>One, two; three</p>", False, ["One", "two", "three"]),
        ("<p id=v>Tags: one, two</p>", False, ["one", "two"]),
        ("<p id=v>Теги: один, два</p>", False, ["один", "два"]),
        ("<p id=v>标签：一、二，三</p>", False, ["一", "二", "三"]),
        ("<p id=v>#one #two</p>", False, ["one", "two"]),
        ("<p id=v>Home › World › Europe</p>", False, ["Home", "World", "Europe"]),
        ("<p id=v>Home / World</p>", False, ["Home", "World"]),
        ("<p id=v>AC/DC</p>", False, ["AC/DC"]),
        ("<ul id=v><li>One<li>Two</ul>", False, ["One", "Two"]),
        ("<p id=v>One, one, ONE, two</p>", False, ["One", "two"]),
        ("<p id=v>, ; |</p>", False, None),
        ("<p id=v></p>", False, None),
        ("<b id=v>Washington, D.C.</b>", True, ["Washington, D.C."]),
    ],
)
def test_list(read_value: Read, html: str, many: bool, expected: list[str] | None) -> None:
    assert plain(read_value(html, "list.v1", many=many)) == expected


def test_entries_of_a_repeated_list_keep_their_commas(read_value: Read) -> None:
    page = "<a>#Washington, D.C.</a><a>Economy</a><a>economy</a><a></a>"
    assert plain(read_value(page, "list.v1", select=("a",), many=True)) == ["Washington, D.C.", "Economy"]


@pytest.mark.parametrize(
    ("text", "language", "amount", "currency"),
    [
        ("€ 12.50", "", 12.5, "EUR"),
        ("12,50 €", "de", 12.5, "EUR"),
        ("1.234,56 €", "de", 1234.56, "EUR"),
        ("1 234,56 €", "fr", 1234.56, "EUR"),
        ("$1,234.56", "en", 1234.56, "USD"),
        ("US$ 20", "en", 20.0, "USD"),
        ("C$ 20.00", "en", 20.0, "CAD"),
        ("A$20.00", "en", 20.0, "AUD"),
        ("HK$ 88", "en", 88.0, "HKD"),
        ("£9.99", "en", 9.99, "GBP"),
        ("1 990 ₽", "ru", 1990.0, "RUB"),
        ("1 990 руб.", "ru", 1990.0, "RUB"),
        ("2 500 грн", "uk", 2500.0, "UAH"),
        ("KSh30,000", "en", 30000.0, "KES"),
        ("1 200 тг", "ru", 1200.0, "KZT"),
        ("99,90 zł", "pl", 99.9, "PLN"),
        ("1 299 Kč", "cs", 1299.0, "CZK"),
        ("12 990 Ft", "hu", 12990.0, "HUF"),
        ("₹1,499", "en", 1499.0, "INR"),
        ("¥1,980", "ja", 1980.0, "JPY"),
        ("1,980円", "ja", 1980.0, "JPY"),
        ("¥99.00", "zh", 99.0, "CNY"),
        ("99元", "zh", 99.0, "CNY"),
        ("₩15,000", "ko", 15000.0, "KRW"),
        ("15,000원", "ko", 15000.0, "KRW"),
        ("R$ 1.299,90", "pt", 1299.9, "BRL"),
        ("249 kr", "sv", 249.0, "SEK"),
        ("249 kr", "da", 249.0, "DKK"),
        ("249 kr", "nb-NO", 249.0, "NOK"),
        ("EUR 5", "", 5.0, "EUR"),
        ("5.00 usd", "", 5.0, "USD"),
        ("₺1.299,00", "tr", 1299.0, "TRY"),
        ("Price: $5", "en", 5.0, "USD"),
    ],
)
def test_price(read_value: Read, text: str, language: str, amount: float, currency: str) -> None:
    found = read_value(f"<b id=v>{text}</b>", "price.v1", language=language)
    assert plain(found) == {"amount": amount, "currency": currency}


def test_a_price_without_a_currency_is_less_certain(read_value: Read) -> None:
    bare, full = read_value("<b id=v>12.50</b>", "price.v1"), read_value("<b id=v>€12.50</b>", "price.v1")
    assert bare is not None
    assert full is not None
    assert bare.value == {"amount": 12.5}
    assert bare.confidence < full.confidence


@pytest.mark.parametrize("text", ["", "Sold out", "€", "—"])
def test_what_is_no_price_is_absent(read_value: Read, text: str) -> None:
    assert read_value(f"<b id=v>{text}</b>", "price.v1") is None


@pytest.mark.parametrize(
    ("html", "take", "expected"),
    [
        ('<a id=v href="/b?utm_source=x&id=1#top">x</a>', "text", "https://example.com/b?id=1"),
        ('<a id=v href="c.html">x</a>', "@href", "https://example.com/news/c.html"),
        ('<img id=v src="//cdn.example.net/a.jpg">', "text", "https://cdn.example.net/a.jpg"),
        ('<div id=v><a href="/b">x</a></div>', "text", "https://example.com/b"),
        ("<b id=v>https://example.com/b</b>", "text", "https://example.com/b"),
        ('<base href="https://other.example/x/"><a id=v href="b">x</a>', "@href", "https://other.example/x/b"),
        ('<a id=v href="javascript:void(0)">x</a>', "@href", None),
        ('<a id=v href="mailto:a@example.com">x</a>', "@href", None),
        ('<a id=v href="">x</a>', "@href", None),
        ("<b id=v></b>", "text", None),
    ],
)
def test_url(read_value: Read, html: str, take: str, expected: str | None) -> None:
    assert plain(read_value(html, "url.v1", take=take)) == expected


@pytest.mark.parametrize("text", ["Brand new 12", "12.99 TLC", "Free try, 12 times", "12 Brooms"])
def test_no_currency_is_made_up(read_value: Read, text: str) -> None:
    assert "currency" not in read_value(f"<p id=v>{text}</p>", "price.v1").value


def test_a_long_text_is_no_price(read_value: Read) -> None:
    assert read_value(f"<p id=v>{'1 ' * 50_000}</p>", "price.v1") is None
