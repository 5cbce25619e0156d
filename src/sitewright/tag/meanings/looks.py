"""Texts in, what each looks like out: a price, a number, a code, a phrase that the domain knows."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import Domain
from sitewright.domains.sanity import meaning_of
from sitewright.values.codes import is_gtin
from sitewright.values.prices import AMOUNT, PRICE, RANGE

LOOKS = (
    "price", "price_share", "price_first", "prices", "bare_amount", "amount_size", "cents", "percent", "number", "code",
    "code_first", "gtin", "phrase", "phrase_share", "length", "words", "letters", "digits", "ends_sentence", "range",
)  # fmt: skip
_COLUMN = {name: number for number, name in enumerate(LOOKS)}
_BARE = re.compile(rf"\W{{0,3}}(?:{AMOUNT})\W{{0,3}}")
_CENTS = re.compile(r"\d[.,]\d\d(?!\d)")
_CODE = re.compile(r"(?=[\w./-]*\d)[A-Za-z0-9][\w./-]{2,30}")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_LONGEST = 160
_DIGITS = re.compile(r"\d")


def looks_of(texts: Sequence[str], domain: Domain) -> NDArray[np.float32]:
    """Return what distinct texts look like: a row a text."""
    table = np.zeros((len(texts), len(LOOKS)), dtype=np.float32)
    phrases = [spec for spec in domain.fields.values() if spec.match.phrases]
    for number, text in enumerate(texts):
        row = table[number]
        row[_COLUMN["length"]] = np.log1p(len(text)) / 5
        row[_COLUMN["words"]] = np.log1p(len(text.split())) / 4
        row[_COLUMN["letters"]] = sum(map(str.isalpha, text[:_LONGEST])) / max(len(text[:_LONGEST]), 1)
        row[_COLUMN["ends_sentence"]] = text.endswith((".", "!", "?", "。", "！"))
        if len(text) > _LONGEST:
            continue
        if _DIGITS.search(text):
            _look_at_numbers(row, text)
        for spec in phrases:
            if len(text) <= _LONGEST / 2 and meaning_of(text, spec) is not None:
                row[_COLUMN["phrase"]] = 1.0
                row[_COLUMN["phrase_share"]] = 1 / (1 + len(text) / 12)
    return table


def _look_at_numbers(row: NDArray[np.float32], text: str) -> None:
    row[_COLUMN["digits"]] = sum(map(str.isdigit, text)) / len(text)
    row[_COLUMN["cents"]] = _CENTS.search(text) is not None
    row[_COLUMN["percent"]] = "%" in text
    row[_COLUMN["range"]] = RANGE.search(text) is not None
    row[_COLUMN["bare_amount"]] = _BARE.fullmatch(text) is not None
    row[_COLUMN["number"]] = _NUMBER.fullmatch(text.strip(" ()[]")) is not None
    prices = list(PRICE.finditer(text))
    if prices:
        row[_COLUMN["price"]] = 1.0
        row[_COLUMN["prices"]] = min(len(prices), 4) / 4
        row[_COLUMN["price_share"]] = sum(len(found[0]) for found in prices) / len(text)
        row[_COLUMN["price_first"]] = prices[0].start() <= 1
    if found := re.search(AMOUNT, text):
        row[_COLUMN["amount_size"]] = min(len(re.sub(r"\D", "", found[0])), 10) / 10
    if code := _CODE.search(text):
        row[_COLUMN["code"]] = len(code[0]) / len(text)
        row[_COLUMN["code_first"]] = code.start() == 0
    digits = re.sub(r"[ -]", "", text)
    row[_COLUMN["gtin"]] = digits[-14:].isdigit() and any(
        is_gtin(digits[-n:]) for n in (13, 12, 8, 14) if len(digits) >= n
    )
