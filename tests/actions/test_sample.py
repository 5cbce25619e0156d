"""Samples: the same for a seed, as large as wanted, and each record as likely as any other."""

from collections import Counter
from datetime import UTC, datetime

from sitewright.actions.sample import sampled
from sitewright.store.entries import StoredRecord
from sitewright.types import Record

NOW = datetime(2026, 5, 6, tzinfo=UTC)
RECORDS = [
    StoredRecord(
        number=number,
        id=f"{number:016x}",
        record=Record(site="example.com", urls=(f"https://example.com/{number}",), fields={}),
        shown_at=NOW,
        stored_at=NOW,
        location=None,
    )
    for number in range(40)
]


def test_a_seed_says_which() -> None:
    assert sampled(RECORDS, 5, 1) == sampled(RECORDS[::-1], 5, 1)
    assert sampled(RECORDS, 5, 1) != sampled(RECORDS, 5, 2)
    assert sampled(RECORDS, 5, 1) < sampled(RECORDS, 6, 1)
    assert sampled(RECORDS, 99, 1) == frozenset(range(40))


def test_all_are_equally_likely() -> None:
    """Chi-square over 2,000 seeds: 39 degrees of freedom, beyond 90 once in 200,000 times; these are always the same."""
    drawn = Counter(number for seed in range(2000) for number in sampled(RECORDS, 4, seed))
    expected = 2000 * 4 / 40
    assert sum((drawn[number] - expected) ** 2 / expected for number in range(40)) < 90
