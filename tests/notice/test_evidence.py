"""Sequential tests: how many pages it takes, what is learned of them, and lengths."""

import pytest

from sitewright.notice.evidence import LIMIT, Gap, Share, UsualLength


def hits_until_alarm(test: Share | Gap) -> int:
    for hits in range(1, 1000):
        test.hit()
        if test.is_alarm:
            return hits
    return 0


@pytest.mark.parametrize(("pages", "hits"), [(20.0, 5), (40.0, 4), (1000.0, 4)])
def test_what_never_happened_is_an_alarm_after_some_pages(pages: float, hits: int) -> None:
    assert hits_until_alarm(Share(pages=pages)) == hits


def test_what_is_just_not_there_takes_nineteen() -> None:
    assert hits_until_alarm(Gap(pages=200.0)) == 19


def test_what_happens_often_is_normal() -> None:
    assert hits_until_alarm(Share(pages=100.0, hits=50.0)) == 0


def test_pages_of_a_kind_on_which_it_is_known_to_happen_say_less() -> None:
    share = Share(pages=200.0)
    for _ in range(4):
        share.hit(0.2)
    assert not share.is_alarm


def test_what_is_suspicious_is_learned_only_when_it_was_nothing() -> None:
    share = Share(pages=200.0)
    for _ in range(3):
        share.hit()
    assert share.hits == 0
    while not share.miss():
        pass
    assert share.hits == 3
    gap = Gap(pages=200.0)
    for _ in range(10):
        gap.hit()
    assert (gap.hits, gap.worst) == (0, 0)
    while not gap.miss():
        pass
    assert gap.hits == 10
    assert 0.1 < gap.worst < 0.3


def test_evidence_is_dropped_with_what_was_suspicious() -> None:
    share, gap = Share(pages=200.0), Gap(pages=200.0)
    for test in (share, gap):
        test.hit()
        test.clear()
    assert (share.pending, share.most, share.some, share.hits) == (0, 0, 0, 0)
    assert (gap.pending, gap.score, gap.hits) == (0, 0, 0)


def test_old_pages_count_for_less() -> None:
    share = Share(pages=100.0, hits=10.0)
    share.fade(0.5)
    assert (share.pages, share.hits) == (50.0, 5.0)


@pytest.mark.parametrize("part", [0.0, 1.0, -1.0])
def test_no_part_and_all_of_the_pages_cannot_be_tested(part: float) -> None:
    with pytest.raises(ValueError, match="no part"):
        Share(part=part)


def test_a_limit_is_reached_by_evidence_only() -> None:
    gap = Gap(pages=200.0, score=LIMIT - 1)
    assert not gap.is_alarm
    gap.miss()
    assert gap.score < LIMIT - 1


# Lengths


def usual(*lengths: float) -> UsualLength:
    known = UsualLength()
    for length in lengths * 10:
        known.add(length)
    return known


def test_lengths_that_differ_by_a_third_are_alike() -> None:
    assert usual(6.0).deviation == 0.3
    assert abs(usual(6.0).distance(6.29)) < 1


def test_one_length_that_is_far_off_does_not_change_what_is_usual() -> None:
    known = usual(6.0, 6.5)
    before = known.mean
    known.add(20.0)
    assert known.mean - before < 0.1


def test_nothing_is_far_from_what_is_not_known() -> None:
    assert UsualLength().distance(9.0) == 0.0
