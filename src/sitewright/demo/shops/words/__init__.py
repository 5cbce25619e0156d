"""A language code in, the words a shop in that language is written with out."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "de", "fr", "zh")


@dataclass(frozen=True, slots=True)
class Shelf:
    """A category without others below it, and what its products are."""

    slug: str
    name: str
    nouns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Department:
    """A category of the first level."""

    slug: str
    name: str
    shelves: tuple[Shelf, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopWords:
    """All that is particular to one language and its shop."""

    language: str
    name: str
    tagline: str
    currency: str
    money: str
    decimal: str
    thousands: str
    brands: tuple[str, ...]
    traits: tuple[str, ...]
    colours: tuple[str, ...]
    first_names: tuple[str, ...]
    sentences: tuple[str, ...]
    reviews: tuple[str, ...]
    labels: Mapping[str, str]
    departments: tuple[Department, ...]

    def shown(self, cents: int) -> str:
        """Return an amount as the shop writes it.

        >>> load_shop_words("de").shown(123450), load_shop_words("en").shown(999)
        ('1.234,50 €', '$9.99')
        """
        whole = f"{cents // 100:,}".replace(",", self.thousands)
        return self.money.format(amount=f"{whole}{self.decimal}{cents % 100:02}")


@cache
def load_shop_words(language: str) -> ShopWords:
    """Read the words of one of `LANGUAGES`."""
    if language not in LANGUAGES:
        raise ValueError(f"no shop in {language!r}; expected one of {', '.join(LANGUAGES)}")
    table = tomllib.loads(files(__name__).joinpath(f"{language}.toml").read_text("utf-8"))
    departments = tuple(
        Department(slug, own["name"], tuple(Shelf(name, shown, tuple(nouns)) for name, shown, nouns in own["shelves"]))
        for slug, own in table.pop("categories").items()
    )
    plain: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return ShopWords(language=language, departments=departments, **plain)
