"""price.v1: an amount and its ISO currency."""

import re

from price_parser import Price

from sitewright.values.value import Context, Item, Parsed, string_of

_CURRENCIES = {
    "€": "EUR", "£": "GBP", "₽": "RUB", "руб": "RUB", "руб.": "RUB", "р.": "RUB", "zł": "PLN", "Kč": "CZK", "₹": "INR",
    "Rs": "INR", "Rs.": "INR", "₩": "KRW", "원": "KRW", "₺": "TRY", "TL": "TRY", "R$": "BRL", "Fr.": "CHF", "US$": "USD",
    "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "NT$": "TWD", "S$": "SGD",
    "₴": "UAH", "грн": "UAH", "₸": "KZT", "Br": "BYN", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "Ft": "HUF",
    "lei": "RON", "лв": "BGN", "元": "CNY", "円": "JPY", "￥": "CNY", "﷼": "IRR", "Rp": "IDR", "RM": "MYR",
}  # fmt: skip
_CODE = re.compile(
    r"\b(?:eur|usd|gbp|rub|pln|czk|inr|krw|try|brl|chf|cad|aud|nzd|hkd|twd|sgd|uah|kzt|byn|jpy|cny|sek|nok|dkk)\b",
    re.IGNORECASE,
)
_BY_LANGUAGE = {
    ("¥", "ja"): "JPY", ("¥", "zh"): "CNY", ("kr", "sv"): "SEK", ("kr", "no"): "NOK", ("kr", "nb"): "NOK", ("kr", "da"): "DKK",
    ("kr.", "da"): "DKK", ("$", "es"): "USD",
}  # fmt: skip


def parse_price(item: Item, context: Context) -> Parsed | None:
    """Read a price: {"amount": 1234.5, "currency": "EUR"}; a currency that is not stated is left out."""
    text = string_of(item)
    price = Price.fromstring(text) if text else None
    if price is None or price.amount is None:
        return None
    value: dict[str, object] = {"amount": float(price.amount)}
    currency = _currency(price.currency or _shown_currency(text), context.language)
    if currency:
        value["currency"] = currency
    return Parsed(value, 1.0 if currency else 0.9)


def _shown_currency(text: str) -> str:
    """Find a currency that the library does not know by its sign or in lower case."""
    if code := _CODE.search(text):
        return code[0].upper()
    return next((sign for sign in _CURRENCIES if sign in text), "")


def _currency(shown: str, language: str) -> str:
    if len(shown) == 3 and shown.isascii() and shown.isalpha():
        return shown.upper()
    by_language = _BY_LANGUAGE.get((shown, language.partition("-")[0].lower()))
    return by_language or _CURRENCIES.get(shown) or {"$": "USD", "¥": "JPY"}.get(shown, shown)
