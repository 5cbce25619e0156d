"""How much words weigh."""

from sitewright.stories.accounts import account_of
from sitewright.stories.weights import gram_weights, word_weights


def weight(word: str) -> float:
    return float(word_weights(account_of("", word).words)[0])


def test_rare_words_weigh_more_in_any_language() -> None:
    for common, rare in (("the", "volcano"), ("und", "vulkan"), ("что", "вулкан"), ("我们", "火山")):
        assert weight(common) <= weight(rare)
    assert weight("the") < 1
    assert weight("qzxwv") > 6


def test_runs_of_characters_have_weights() -> None:
    bag = account_of("", "the volcano").grams
    assert len(gram_weights(bag)) == len(bag.ids)
