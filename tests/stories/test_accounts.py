"""What is compared of a title and a text."""

from hypothesis import given
from hypothesis import strategies as st

from sitewright.stories.accounts import BUCKETS, account_of


def test_title_and_text_are_kept_apart() -> None:
    account = account_of("A fire", "It broke out at night, and 12 people were hurt in it. More tomorrow.")
    assert len(account.head.ids) == 2
    assert set(account.head.ids) < set(account.lead.ids) < set(account.words.ids)
    assert len(account.numbers.ids) == 1


def test_without_a_title_the_first_sentence_heads() -> None:
    account = account_of("", "东京奥运会将于七月开幕。观众不能入场。")
    assert len(account.head.ids)


@given(st.text(max_size=200), st.text(max_size=400))
def test_any_text_has_an_account(title: str, text: str) -> None:
    account = account_of(title, text)
    for bag in (account.words, account.grams, account.early, account.names):
        assert (bag.ids < BUCKETS).all()
        assert (bag.counts >= 1).all()
        assert list(bag.ids) == sorted(set(bag.ids))
