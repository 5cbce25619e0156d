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
UNLIKE = ("names of one alone, least", "names of one alone, most")
"""Signs that speak for different stories the greater they are."""
COLUMNS = ALIKE + UNLIKE
"""None tells of which kind the texts are: trees that know how long they are, or whether in ideographs, learn what pairs
of each corpus are like, and judge those of others worse (without ECB+ .71 of F1 on its pairs instead of .77)."""
UNKNOWN = -1.0
"""Where there is nothing to compare."""
_RARE = 8
"""The heaviest words of a text, which are mostly names."""


class Weighed(NamedTuple):
    """Buckets in ascending order, what each weighs, the length of that as a vector, and what all weigh."""

    ids: np.ndarray
    weights: Floats
    scaled: Floats
    length: float
    total: float


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
    )


def signs_of(one: View, other: View) -> list[float]:
    """Return the signs of a pair; which is first makes no difference."""
    words, heads, letters, names = (
        _Met.of(*both)
        for both in (
            (one.words, other.words),
            (one.head, other.head),
            (one.letters, other.letters),
            (one.names, other.names),
        )
    )
    rarest = [*np.sort(one.words.weights[words.mine])[::-1][:3].tolist(), 0.0, 0.0, 0.0][:3]
    within = sorted((_within(one.head, other.words), _within(other.head, one.words)))
    rare = sorted((_rare(one, other), _rare(other, one)))
    return [
        words.cosine,
        cosine(one.grams, other.grams),
        cosine(one.lead, other.lead),
        heads.cosine,
        cosine(one.head_grams, other.head_grams),
        *words.shares,
        *heads.shares,
        *within,
        _Met.of(one.numbers, other.numbers).overlap,
        _Met.of(one.head_numbers, other.head_numbers).overlap,
        names.overlap,
        *rarest,
        *rare,
        letters.cosine,
        *letters.shares,
        names.shares[0],
        _Met.of(one.quoted, other.quoted).overlap,
        float(np.log1p(len(words.mine))),
        float(np.log1p(words.common)),
        *names.alone,
    ]


def cosine(one: Weighed, other: Weighed) -> float:
    """Return how alike two weighed bags are, from 0 to 1; `UNKNOWN` where one is empty."""
    return _Met.of(one, other).cosine


class _Met(NamedTuple):
    """Two weighed bags, where in each the buckets stand that both have, and what all and the common ones weigh."""

    one: Weighed
    other: Weighed
    mine: np.ndarray
    theirs: np.ndarray
    common: float

    @classmethod
    def of(cls, one: Weighed, other: Weighed) -> "_Met":
        """Return two bags with what they have in common."""
        mine, theirs = _common(one, other)
        return cls(one, other, mine, theirs, float(one.weights[mine].sum()))

    @property
    def cosine(self) -> float:
        """How alike both are."""
        if not self.one.length or not self.other.length:
            return UNKNOWN
        product = float(self.one.scaled[self.mine] @ self.other.scaled[self.theirs])
        return product / (self.one.length * self.other.length)

    @property
    def shares(self) -> tuple[float, float]:
        """How much of the lighter and of the heavier bag both have."""
        if not self.one.length or not self.other.length:
            return UNKNOWN, UNKNOWN
        lighter, heavier = sorted((self.one.total, self.other.total))
        return self.common / lighter, self.common / heavier

    @property
    def overlap(self) -> float:
        """How much of what any of them has both have."""
        if not self.one.length or not self.other.length:
            return UNKNOWN
        return self.common / (self.one.total + self.other.total - self.common)

    @property
    def alone(self) -> list[float]:
        """How much weighs what the one has not, and what the other has not, the lesser first."""
        return sorted((self.one.total - self.common, self.other.total - self.common))


def _weighed(bag: Bag, weights: Floats) -> Weighed:
    scaled = bag.counts * weights
    return Weighed(bag.ids, weights, scaled, float(np.sqrt(scaled @ scaled)), float(weights.sum()))


def _common(one: Weighed, other: Weighed) -> tuple[np.ndarray, np.ndarray]:
    """Return where in each the buckets stand that both have."""
    if not len(one.ids) or not len(other.ids):
        return _NOWHERE, _NOWHERE
    places = np.minimum(np.searchsorted(other.ids, one.ids), len(other.ids) - 1)
    mine = np.flatnonzero(other.ids[places] == one.ids)
    return mine, places[mine]


_NOWHERE = np.zeros(0, dtype=np.intp)


def _within(part: Weighed, whole: Weighed) -> float:
    return _Met.of(part, whole).common / part.total if part.length else 0.0


def _rare(one: View, other: View) -> float:
    """Return which share of the heaviest words of one the other has anywhere."""
    if not len(one.rare):
        return 0.0
    return float(np.isin(one.rare, other.words.ids, assume_unique=True).mean())
