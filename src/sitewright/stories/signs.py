"""Two accounts in, signs out that both tell the same story."""

from typing import NamedTuple

import numpy as np

from sitewright.stories.accounts import Account, Bag, Floats
from sitewright.stories.weights import gram_weights, word_weights

ALIKE = (
    "words", "grams", "lead", "head", "head grams", "share of fewer words", "share of more words",
    "share of fewer of heads",
    "share of more of heads", "head within, least", "head within, most", "numbers", "numbers of heads", "names",
    "rarest common", "second rarest common", "third rarest common", "rare words, least", "rare words, most",
    "letters", "share of fewer letters", "share of more letters", "share of fewer names",
    "quoted", "words in common", "weight in common",
)  # fmt: skip
"""Signs that speak for the same story the greater they are."""
COLUMNS = (
    *ALIKE, "fewer characters", "more characters", "in ideographs", "fewer words of heads",
    "names of one alone, least", "names of one alone, most",
)  # fmt: skip
UNKNOWN = -1.0
"""Where there is nothing to compare."""
_RARE = 8
"""The heaviest words of a text, which are mostly names."""


class Weighed(NamedTuple):
    """Buckets in ascending order, what each weighs, and the length of that as a vector."""

    ids: np.ndarray
    weights: Floats
    scaled: Floats
    length: float


class View(NamedTuple):
    """An account with all its weights, made once and compared with many."""

    words: Weighed
    grams: Weighed
    lead: Weighed
    head: Weighed
    head_grams: Weighed
    numbers: Weighed
    head_numbers: Weighed
    names: Weighed
    quoted: Weighed
    letters: Weighed
    rare: np.ndarray
    ideographs: bool
    characters: int


def view_of(account: Account) -> View:
    """Return an account as it is compared."""
    words, head = (_weighed(bag, word_weights(bag)) for bag in (account.words, account.head))
    grams, head_grams = (_weighed(bag, gram_weights(bag)) for bag in (account.grams, account.head_grams))
    heaviest = np.argsort(-words.weights, kind="stable")[:_RARE]
    return View(
        words=words,
        grams=grams,
        lead=_weighed(account.lead, word_weights(account.lead)),
        head=head,
        head_grams=head_grams,
        numbers=_weighed(account.numbers, np.ones(len(account.numbers.ids), np.float32)),
        head_numbers=_weighed(account.head_numbers, np.ones(len(account.head_numbers.ids), np.float32)),
        names=_weighed(account.names, word_weights(account.names)),
        quoted=_weighed(account.quoted, np.ones(len(account.quoted.ids), np.float32)),
        letters=_weighed(account.letters, word_weights(account.letters)),
        rare=np.sort(words.ids[heaviest]),
        ideographs=account.ideographs,
        characters=account.characters,
    )


def signs_of(one: View, other: View) -> list[float]:
    """Return the signs of a pair; which is first makes no difference."""
    places, _ = _common(one.words, other.words)
    rarest = [*np.sort(one.words.weights[places])[::-1][:3].tolist(), 0.0, 0.0, 0.0][:3]
    within = sorted((_within(one.head, other.words), _within(other.head, one.words)))
    rare = sorted((_rare(one, other), _rare(other, one)))
    characters = sorted((one.characters, other.characters))
    return [
        cosine(one.words, other.words),
        cosine(one.grams, other.grams),
        cosine(one.lead, other.lead),
        cosine(one.head, other.head),
        cosine(one.head_grams, other.head_grams),
        *_shares(one.words, other.words),
        *_shares(one.head, other.head),
        *within,
        _overlap(one.numbers, other.numbers),
        _overlap(one.head_numbers, other.head_numbers),
        _overlap(one.names, other.names),
        *rarest,
        *rare,
        cosine(one.letters, other.letters),
        *_shares(one.letters, other.letters),
        _shares(one.names, other.names)[0],
        _overlap(one.quoted, other.quoted),
        float(np.log1p(len(places))),
        float(np.log1p(one.words.weights[places].sum())),
        *np.log1p(characters).tolist(),
        float(one.ideographs and other.ideographs),
        float(min(len(one.head.ids), len(other.head.ids))),
        *sorted((_alone(one.names, other.names), _alone(other.names, one.names))),
    ]


def cosine(one: Weighed, other: Weighed) -> float:
    """Return how alike two weighed bags are, from 0 to 1; `UNKNOWN` where one is empty."""
    if not one.length or not other.length:
        return UNKNOWN
    mine, theirs = _common(one, other)
    return float(one.scaled[mine] @ other.scaled[theirs]) / (one.length * other.length)


def _weighed(bag: Bag, weights: Floats) -> Weighed:
    scaled = bag.counts * weights
    return Weighed(bag.ids, weights, scaled, float(np.sqrt(scaled @ scaled)))


def _common(one: Weighed, other: Weighed) -> tuple[np.ndarray, np.ndarray]:
    """Return where in each the buckets stand that both have."""
    if not len(one.ids) or not len(other.ids):
        nothing = np.zeros(0, dtype=np.intp)
        return nothing, nothing
    places = np.minimum(np.searchsorted(other.ids, one.ids), len(other.ids) - 1)
    mine = np.flatnonzero(other.ids[places] == one.ids)
    return mine, places[mine]


def _shares(one: Weighed, other: Weighed) -> tuple[float, float]:
    """Return how much of the lighter and of the heavier bag both have."""
    if not one.length or not other.length:
        return UNKNOWN, UNKNOWN
    common = float(one.weights[_common(one, other)[0]].sum())
    lighter, heavier = sorted((float(one.weights.sum()), float(other.weights.sum())))
    return common / lighter, common / heavier


def _alone(one: Weighed, other: Weighed) -> float:
    """Return how much of one bag weighs what the other has not."""
    return float(one.weights.sum() - one.weights[_common(one, other)[0]].sum())


def _within(part: Weighed, whole: Weighed) -> float:
    if not part.length:
        return 0.0
    return float(part.weights[_common(part, whole)[0]].sum() / part.weights.sum())


def _overlap(one: Weighed, other: Weighed) -> float:
    if not one.length or not other.length:
        return UNKNOWN
    common = float(one.weights[_common(one, other)[0]].sum())
    return common / (float(one.weights.sum() + other.weights.sum()) - common)


def _rare(one: View, other: View) -> float:
    """Return which share of the heaviest words of one the other has anywhere."""
    if not len(one.rare):
        return 0.0
    return float(np.isin(one.rare, other.words.ids, assume_unique=True).mean())
