"""The words of a shop and a seed in, its products out, with what each costs at any moment."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import cycle, islice
from math import ceil
from random import Random
from typing import Literal

from sitewright.demo.shops.words import Department, Shelf, ShopWords

Stock = Literal["stock", "few", "sold_out"]
Pricing = Literal["plain", "reduced", "range", "on request"]
_STOCK: dict[Stock, str] = {"stock": "InStock", "few": "LimitedAvailability", "sold_out": "OutOfStock"}
_EACH_SHELF = 14
"""Products of a shelf at most, so that its list has a second page."""


@dataclass(frozen=True, slots=True)
class Review:
    """What somebody wrote about a product."""

    author: str
    text: str
    stars: int


@dataclass(frozen=True, slots=True)
class Offer:
    """What a product costs at a moment, in hundredths; None: it does not say."""

    cents: int | None
    old_cents: int | None = None
    to_cents: int | None = None
    """Where prices are a range, its upper end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Good:
    """A product."""

    number: int
    name: str
    brand: str
    sku: str
    gtin: str
    department: Department
    shelf: Shelf
    also: tuple[Department, Shelf] | None
    """A second place where it is listed, under another address."""
    stock: Stock
    pricing: Pricing
    cents: int
    steps: tuple[tuple[timedelta, int], ...]
    """What it costs later on, by how long after the start."""
    sentences: tuple[str, ...]
    colours: tuple[str, ...]
    """Variants, each with an address of its own; none: there is but one."""
    weight: int
    reviews: tuple[Review, ...]

    def offer(self, passed: timedelta) -> Offer:
        """Return what it costs so long after the start."""
        if self.pricing == "on request":
            return Offer(None)
        cents = next((cents for after, cents in reversed(self.steps) if after <= passed), self.cents)
        if self.pricing == "reduced":
            return Offer(cents, old_cents=self.cents * 5 // 4)
        return Offer(cents, to_cents=cents * 3 // 2 if self.pricing == "range" else None)

    @property
    def rating(self) -> float | None:
        """The mean of its stars."""
        return round(sum(review.stars for review in self.reviews) / len(self.reviews), 1) if self.reviews else None

    @property
    def slug(self) -> str:
        """Its name in addresses."""
        return f"{self.shelf.slug}-{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What a shop means to say of a product; a field that is None is not on its page."""

    path: str
    name: str
    price: dict[str, object] | None
    old_price: dict[str, object] | None
    availability: str
    brand: str
    sku: str
    gtin: str | None
    categories: tuple[str, ...]
    variants: tuple[str, ...] | None = None
    """What they are called."""
    reviews: tuple[Review, ...] | None = None


def truth_of(good: Good, words: ShopWords, path: str, passed: timedelta, lacks: Collection[str] = ()) -> Truth:
    """Return what its page says so long after the start; some designs lack some fields."""
    offer = good.offer(passed)
    return Truth(
        path=path,
        name=good.name,
        price=_money(offer.cents, words),
        old_price=_money(offer.old_cents, words),
        availability=_STOCK[good.stock],
        brand=good.brand,
        sku=good.sku,
        gtin=None if "gtin" in lacks else good.gtin,
        categories=(good.department.name, good.shelf.name),
        variants=None if "variants" in lacks else good.colours or None,
        reviews=None if "reviews" in lacks else good.reviews or None,
    )


def _money(cents: int | None, words: ShopWords) -> dict[str, object] | None:
    return None if cents is None else {"amount": cents / 100, "currency": words.currency}


def make_goods(words: ShopWords, seed: int, wanted: int | None = None, *, margin: int = 0) -> tuple[Good, ...]:
    """Return the products of a shop, as many as its shelves usually hold where no number is given.

    Of the same seed they are the same, dearer by the margin in percent.
    """
    dice = Random(seed)
    plans = list(_planned(words, 1))
    if wanted is not None:
        plans = list(islice(_planned(words, max(1, ceil(wanted / len(plans)))), wanted))
    return tuple(_made(words, number, plan, dice, margin) for number, plan in enumerate(plans, 1))


def _planned(words: ShopWords, times: int) -> Iterator[tuple[Department, Shelf, str, str, str]]:
    """Yield where products are, and what they are called; a shelf with a single noun has but one product.

    `times`: so many times more on each other shelf than usual.
    """
    brands, traits = cycle(words.brands), cycle(words.traits)
    for department in words.departments:
        for shelf in department.shelves:
            count = 1 if len(shelf.nouns) == 1 else _EACH_SHELF if len(shelf.nouns) > 2 else _EACH_SHELF // 2
            count *= times if count > 1 else 1
            for noun in islice(cycle(shelf.nouns), count) if shelf.nouns else ():
                yield department, shelf, noun, next(brands), next(traits)
            next(traits)


def _made(
    words: ShopWords, number: int, plan: tuple[Department, Shelf, str, str, str], dice: Random, margin: int
) -> Good:
    department, shelf, noun, brand, trait = plan
    gap = "" if words.language == "zh" else " "
    model = f"{dice.choice('ABCDEFGHKLMNPRSTVX')}{dice.randrange(10, 99)}0"
    cents = dice.randrange(4, 260) * 100 + dice.choice((0, 49, 50, 90, 95, 99))
    if dice.random() < 0.08:
        cents += 100_000
    pricing: Pricing = dice.choices(("plain", "reduced", "range", "on request"), (74, 18, 5, 3))[0]
    stock: Stock = dice.choices(("stock", "few", "sold_out"), (84, 8, 8))[0]
    sentences = tuple(
        line.format(noun=noun, brand=brand) for line in dice.sample(words.sentences, dice.randrange(2, 6))
    )
    raised = cents * (100 + margin) // 100
    return Good(
        number=number,
        name=gap.join((brand, trait, noun, model)),
        brand=brand,
        sku=f"{department.slug[:2].upper()}-{dice.randrange(1000, 9999)}-{number:03}",
        gtin=_gtin(4_000_000_00000 + 7919 * number + ord(words.language[0]) * 100_000),
        department=department,
        shelf=shelf,
        also=None,
        stock=stock,
        pricing=pricing,
        cents=raised,
        steps=tuple(_steps(raised, dice)),
        sentences=sentences,
        colours=tuple(words.colours[: dice.randrange(2, 4)]) if dice.random() < 0.15 else (),
        weight=dice.randrange(2, 90) * 50,
        reviews=tuple(_reviews(words, dice)),
    )


def _steps(cents: int, dice: Random) -> Iterator[tuple[timedelta, int]]:
    """Yield later prices: half of the products keep theirs."""
    after = timedelta()
    for _ in range(dice.choice((0, 0, 1, 3))):
        after += timedelta(hours=dice.randrange(6, 60))
        cents = max(100, cents * dice.choice((80, 90, 95, 105, 110, 120)) // 100)
        yield after, cents


def _reviews(words: ShopWords, dice: Random) -> Iterator[Review]:
    for text in dice.sample(words.reviews, dice.choice((0, 1, 2, 3))):
        yield Review(dice.choice(words.first_names), text, dice.randrange(3, 6))


def _gtin(number: int) -> str:
    """Return a number with its check digit behind it.

    >>> _gtin(400638133393)
    '4006381333931'
    """
    digits = f"{number:012}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return f"{digits}{-total % 10}"


def shelved_twice(goods: Sequence[Good], every: int) -> tuple[Good, ...]:
    """Have every so many products be listed on the shelf of another, too."""
    return tuple(
        replace(good, also=(other.department, other.shelf)) if good.number % every == 0 else good
        for good, other in zip(goods, (*goods[len(goods) // 2 :], *goods[: len(goods) // 2]), strict=True)
    )
