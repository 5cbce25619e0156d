"""Made-up records in, how long it takes to find what is told twice, and how much of it is found: `python -m bench.story_scale`.

Words are as frequent as in real news (Zipf: the n-th word is said 1/n as often as the first) and weigh accordingly; a fifth of
the records are near copies of an earlier one: another title, a twelfth of the words exchanged, one sentence left out.
"""  # noqa: E501

import argparse
import resource
import time
from collections.abc import Iterator, Sequence
from itertools import islice, product
from random import Random

import numpy as np

from sitewright.stories import StoryIndex, Told, account_of, group, judge, keys_of, view_of
from sitewright.stories.accounts import BUCKETS, Bag, early_words
from sitewright.stories.index import Keys
from sitewright.stories.weights import word_weights
from sitewright.vectors import hash_word

TITLE, SENTENCE, SENTENCES, COPIED, EXCHANGED, LATEST = 8, 16, 6, 0.2, 1 / 12, 20_000
LETTERS, WORDS = "aeioubcdfghjklmnprst", 400_000
"""So many words of five letters, of which each is one in 7 that there are."""


def main() -> None:
    """Tell time, memory and recall for each size, and how long one more record takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("records", type=int, nargs="*", default=[500_000, 1_000_000])
    parser.add_argument("--placed", type=int, default=200, help="records that are placed one by one at the end")
    arguments = parser.parse_args()
    for size in arguments.records:
        tell(size, arguments.placed)


def tell(size: int, placed: int) -> None:
    """Group so many records, and place some more."""
    made = Made(size)
    clock, cpu = time.monotonic(), time.process_time()
    stories = group(made.records(), made.again)
    taken, busy = time.monotonic() - clock, time.process_time() - cpu
    group_of = {number: place for place, own in enumerate(stories.groups) for number in own}
    found = sum(group_of.get(copy, -1) == group_of.get(first, -2) for copy, first in made.copies.items())
    right = sum(len(own) - len({made.origin(number) for number in own}) for own in stories.groups)
    linked = sum(len(own) - 1 for own in stories.groups)
    print(
        f"{size:,} records: {taken:.0f} s ({busy:.0f} s of CPU), {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10:,} MB; "  # noqa: E501
        f"{stories.judged:,} pairs judged; recall {found / max(len(made.copies), 1):.4f}, precision {right / max(linked, 1):.4f}",  # noqa: E501
        flush=True,
    )
    if placed:
        tell_placing(made, size, placed)


def tell_placing(made: "Made", size: int, placed: int) -> None:
    """Tell how long a record takes that comes when all others are there."""
    index = StoryIndex()
    for number, told in enumerate(made.records()):
        index.add(number, keys_in(told))
    times, busy = [], []
    for number in range(placed):
        told = made.again(size - 1 - number * 7)
        others = [view_of(account_of(*made.again(other)[:2])) for other in index.candidates(keys_in(told))]
        clock, cpu = time.monotonic(), time.thread_time()
        view, keys = view_of(account_of(told.title, told.text)), keys_in(told)
        index.candidates(keys)
        judge([(view, other) for other in others])
        index.add(size + number, keys)
        times.append(time.monotonic() - clock)
        busy.append(time.thread_time() - cpu)
    print(f"placing among {size:,}: {told_times(times)}; of CPU: {told_times(busy)}", flush=True)


def keys_in(told: Told) -> Keys:
    """Return the keys by which a record is found."""
    return keys_of(early_words(told.title, told.text))


def told_times(times: Sequence[float]) -> str:
    """Say how long something takes as a rule, and at most nearly always."""
    ordered = sorted(times)
    return f"median {ordered[len(times) // 2] * 1000:.1f} ms, 95 % {ordered[int(len(times) * 0.95)] * 1000:.1f} ms"


class Made:
    """Records that are the same whenever they are asked for."""

    def __init__(self, size: int) -> None:
        random = Random(1)  # noqa: S311
        self._size = size
        self._words = frequent_words()
        self._weights = np.cumsum(1 / np.arange(1, len(self._words) + 1))
        self.copies = {
            number: random.randrange(max(number - LATEST, 0), number)
            for number in range(1, size)
            if random.random() < COPIED
        }

    def origin(self, number: int) -> int:
        """Return what a record is, in the end, a copy of."""
        while number in self.copies:
            number = self.copies[number]
        return number

    def records(self) -> Iterator[Told]:
        """Yield all."""
        return map(self.again, range(self._size))

    def again(self, number: int) -> Told:
        """Return one."""
        chance = np.random.default_rng(self.origin(number))
        said = self._said(chance, TITLE + SENTENCE * SENTENCES)
        title, text = said[:TITLE], said[TITLE:]
        if number in self.copies:
            chance = np.random.default_rng([number, 1])
            title = [*chance.permutation(title)[: TITLE // 2].tolist(), *self._said(chance, TITLE // 2)]
            places = chance.permutation(len(text))[: int(len(text) * EXCHANGED)].tolist()
            for place, word in zip(places, self._said(chance, len(places)), strict=True):
                text[place] = word
            gone = int(chance.integers(SENTENCES)) * SENTENCE
            text = text[:gone] + text[gone + SENTENCE :]
        sentences = (" ".join(text[start : start + SENTENCE]) for start in range(0, len(text), SENTENCE))
        return Told(" ".join(title), ". ".join(sentences))

    def _said(self, chance: np.random.Generator, count: int) -> list[str]:
        """Return words, each as often as it is said."""
        places = np.searchsorted(self._weights, chance.random(count) * self._weights[-1])
        return [self._words[place] for place in places.tolist()]


def frequent_words() -> list[str]:
    """Return made-up words, those first that weigh as little as the most frequent words of news do."""
    words = ["".join(letters) for letters in islice(product(LETTERS, repeat=5), 0, None, 7)][:WORDS]
    ids = np.array([hash_word(word, BUCKETS) for word in words], dtype=np.uint32)
    weights = word_weights(Bag(ids, np.ones(len(ids), dtype=np.float32)))
    return [words[place] for place in np.argsort(weights, kind="stable")]


if __name__ == "__main__":
    main()
