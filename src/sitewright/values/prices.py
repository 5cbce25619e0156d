"""price.v1: an amount and its ISO currency."""

import re

from price_parser import Price

from sitewright.values.value import Context, Parsed, Taken, string_of

_CURRENCIES = {
    "€": "EUR", "£": "GBP", "₽": "RUB", "руб": "RUB", "руб.": "RUB", "р.": "RUB", "zł": "PLN", "Kč": "CZK", "₹": "INR",
    "Rs": "INR", "Rs.": "INR", "₩": "KRW", "원": "KRW", "₺": "TRY", "TL": "TRY", "R$": "BRL", "Fr.": "CHF", "US$": "USD",
    "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "NT$": "TWD", "S$": "SGD",
    "₴": "UAH", "грн": "UAH", "₸": "KZT", "Br": "BYN", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "Ft": "HUF",
    "lei": "RON", "лв": "BGN", "元": "CNY", "円": "JPY", "￥": "CNY", "﷼": "IRR", "Rp": "IDR", "RM": "MYR",
    "KSh": "KES", "TSh": "TZS", "USh": "UGX", "₦": "NGN", "₵": "GHS", "GH₵": "GHS", "₡": "CRC", "₲": "PYG", "৳": "BDT",
    "₾": "GEL", "₼": "AZN", "S/": "PEN", "FCFA": "XOF", "сум": "UZS", "тг": "KZT", "ден": "MKD", "дин": "RSD", "د.إ": "AED",
    "ر.س": "SAR", "ج.م": "EGP", "د.ك": "KWD",
}  # fmt: skip
_BY_LANGUAGE = {
    ("¥", "ja"): "JPY", ("¥", "zh"): "CNY", ("kr", "sv"): "SEK", ("kr", "no"): "NOK", ("kr", "nb"): "NOK", ("kr", "da"): "DKK",
    ("kr.", "da"): "DKK", ("$", "es"): "USD",
}  # fmt: skip
_CODES = (
    "eur usd gbp rub pln czk inr krw try brl chf cad aud nzd hkd twd sgd uah kzt byn jpy cny sek nok dkk kes ngn ghs ugx tzs "
    "etb xof xaf qar kwd omr bhd jod lbp dzd tnd pkr lkr bdt npr mmk khr rsd mkd uzs kgs azn mdl crc gtq hnl pyg uyu dop jmd ttd"
).split()
"""Codes that are no words beside numbers (`AMD 5600`, `cup 3`)."""
_SIGNS = "|".join(
    sorted(map(re.escape, [*_CURRENCIES, *_CODES, *(sign for sign, _ in _BY_LANGUAGE)]), key=len, reverse=True)
)
_BESIDE_NUMBER = re.compile(rf"\d\s?({_SIGNS})(?![^\W\d_])|(?<![^\W\d_])({_SIGNS})\s?\d", re.IGNORECASE)
CURRENCY = rf"(?:(?<![^\W\d_])(?:{_SIGNS}|Rs\.?|[A-Z]{{2,3}}\s?\$|\$|¥|лв|dhs?|AED|SAR|EGP|MAD|ZAR|MXN|ARS|COP|CLP|PEN|HUF|RON|BGN|HRK|ISK|đ|vnd|usd|руб\w*))"
"""A sign or code of a currency, as prices show it."""
AMOUNT = r"\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
PRICE = re.compile(
    rf"(?:{CURRENCY})\.?\s?(?:{AMOUNT})(?![\d%])|(?<![\d.,])(?:{AMOUNT})\s?,?-?\s?(?:{CURRENCY})(?!\w)", re.IGNORECASE
)
"""An amount with its currency."""
_FURTHER = re.compile(r"\s+\d")
RANGE = re.compile(r"\d\s*[-–—~]\s*\D{0,4}\d")
"""From one amount to another."""
_CODE = re.compile(r"[A-Za-z]{3}")
_STATED = (
    "jsonld:priceCurrency", "jsonld:offers.priceCurrency", "microdata:priceCurrency", "meta:product:price:currency",
    "meta:og:price:currency",
)  # fmt: skip
_OFFERS = ("Offer", "AggregateOffer", "Product", "ProductGroup", "IndividualProduct")
_LONGEST = 200
"""A longer text is no price; the library's expressions take quadratic time over it."""


def parse_price(item: Taken, context: Context) -> Parsed | None:
    """Read a price: {"amount": 1234.5, "currency": "EUR"}; a currency that is not stated is left out."""
    text = string_of(item)
    text = _amount_alone(text) if 0 < len(text) <= _LONGEST else ""
    price = Price.fromstring(text) if text else None
    if price is None or price.amount is None:
        return None
    value: dict[str, object] = {"amount": float(price.amount)}
    sign = price.currency or ""
    if not sign or sign.isalpha():  # letters are a currency only right beside the number: not in "Brand new 12"
        sign = _shown_currency(text)
    currency = _currency(sign, context.language) or _stated_currency(context)
    if currency:
        value["currency"] = currency
    return Parsed(value, 1.0 if currency else 0.9)


def _amount_alone(text: str) -> str:
    """Return the amount with its currency where another number stands behind it, which would be taken for its digits.

    >>> _amount_alone("$ 29.95 1 review"), _amount_alone("Rs. 1,23,456"), _amount_alone("1 234 kr")
    ('$ 29.95', 'Rs. 1,23,456', '1 234 kr')
    """
    found = PRICE.search(text)
    return found[0] if found is not None and _FURTHER.match(text, found.end()) else text


def _stated_currency(context: Context) -> str:
    """Return the currency that the page states, where it states one alone."""
    metadata = context.document.metadata
    found = [str(fact.value) for fact in metadata.facts(_STATED, _OFFERS)]
    codes = {code.strip().upper() for code in found if _CODE.fullmatch(code.strip())}
    return codes.pop() if len(codes) == 1 else ""


def _shown_currency(text: str) -> str:
    """Find a currency that the library does not know, right beside the number."""
    found = _BESIDE_NUMBER.search(text)
    return (found[1] or found[2]) if found else ""


def _currency(shown: str, language: str) -> str:
    if len(shown) == 3 and shown.isascii() and shown.isalpha() and shown not in _CURRENCIES:
        return shown.upper()
    by_language = _BY_LANGUAGE.get((shown, language.partition("-")[0].lower()))
    return by_language or _CURRENCIES.get(shown) or {"$": "USD", "¥": "JPY"}.get(shown, shown)
