"""What the drift benchmark counts, on made-up pages and records."""

from random import Random

import pytest
from bench.drift import ALONE, ANEW, FIXED, HEALED, TAGGER, VOTE, Group, Verdict
from bench.samples import has_shared

from bench import drift
from sitewright.tag import PageReader

pytestmark = pytest.mark.slow

needs_scorer = pytest.mark.skipif(not has_shared(), reason="the scorer lies beside the corpora")
WORDS = "the keepers of an old harbour count swarms along its quay before rain drives them under tiles again".split()
TOPICS = ("bees", "quay", "rain", "boats", "tides", "bread")


def sentence(chance: Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words)).capitalize() + "."


def row(number: int) -> dict[str, object]:
    chance = Random(number)
    title = sentence(chance, 8)
    story = [sentence(chance, 30) for _ in range(8)]
    topics = chance.sample(TOPICS, 3)
    links = "".join(f'<a class="topic" rel="tag" href="/t/{name}">{name}</a>' for name in topics)
    html = (
        f'<!doctype html><html lang="en"><head><title>{title} | The Lantern</title></head><body class="page">'
        '<header class="masthead"><a class="logo" href="/">The Lantern</a></header><article class="story">'
        f'<h1 class="headline">{title}</h1><div class="byline">By <span class="author">Ann Lee</span>, '
        f'<time class="date" datetime="2024-05-{number + 1:02}">{number + 1} May 2024</time></div>'
        f'<div class="story-body">{"".join(f"<p>{line}</p>" for line in story)}</div>'
        f'<div class="topics">{links}</div></article><footer class="end">Printed by the harbour press.</footer></body></html>'
    )
    labels = {"title": title, "published": f"2024-05-{number + 1:02}", "text": "\n".join(story), "tags": topics}
    return {"site": "example.com", "url": f"https://example.com/{number}", "html": html, "labels": labels}


@needs_scorer
def test_a_made_up_site_is_healed_wholly() -> None:
    outcome = drift.drift(Group("a", [row(n) for n in range(9)]), ["strong"], PageReader())
    healed = [verdict for verdict in outcome.verdicts if verdict.contender == HEALED]
    assert {verdict.field for verdict in healed} >= {"title", "published", "text", "tags"}
    assert [verdict for verdict in healed if verdict.was_right and not verdict.is_right] == []
    assert {verdict.contender for verdict in outcome.verdicts} >= {FIXED, HEALED, ALONE, ANEW, VOTE, TAGGER}
    assert [healing.strength for healing in outcome.healings] == ["strong"]


@needs_scorer
def test_real_redesigns_are_scored_by_the_labels() -> None:
    rows = [row(n) for n in range(8)]
    renamed = [{**r, "html": str(r["html"]).replace('class="', 'class="new-')} for r in rows[:5]]
    outcome = drift.drift_really(Group("a", renamed, rows[3:]), PageReader())
    means = drift._means(outcome.verdicts, lambda verdict: verdict.share)
    assert means[HEALED, "all"] >= means[ANEW, "all"] - 0.01
    assert drift._ratios(outcome.verdicts)[ANEW] == 1.0


@needs_scorer
@pytest.mark.parametrize(
    ("after", "share", "is_right"),
    [({"tags": ["rain", "bees"]}, 1.0, True), ({"tags": ["bees"]}, 0.0, False), ({}, 0.0, False)],
)
def test_a_list_is_right_only_if_it_is_whole(after: dict[str, object], share: float, is_right: bool) -> None:
    labelled = {"labels": {"tags": ["bees", "rain"]}}
    [verdict] = drift._verdicts(HEALED, "strong", labelled, {"tags": ["bees", "rain"]}, after, {"tags"})
    assert verdict == Verdict(HEALED, "strong", "tags", share, True, is_right, accepted=True)


@needs_scorer
def test_a_value_without_a_label_is_neither_right_nor_wrong() -> None:
    [verdict] = drift._verdicts(HEALED, "strong", {"labels": {}}, {"title": "Bees"}, {"title": "Bees"}, ())
    assert (verdict.share, verdict.was_right, verdict.is_right) == (1.0, None, None)


def test_a_wrong_acceptance_is_one_of_a_rule_that_was_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    def verdict(*, is_right: bool, accepted: bool) -> list[Verdict]:
        share = float(is_right)
        return [Verdict(name, "weak", "tags", share, True, is_right, accepted) for name in (HEALED, ALONE)]

    verdicts = [*verdict(is_right=False, accepted=True), *verdict(is_right=False, accepted=False)]
    figures = drift._acceptance([*verdicts, *verdict(is_right=True, accepted=True)])
    assert figures["map"] == {"right": 3, "wrong": 1, "given": 3, "other": 1}
    assert "1 of 3" in capsys.readouterr().out


def test_fold_0_is_not_shown() -> None:
    with pytest.raises(SystemExit):
        drift._options(["--folds", "0", "--show", "3"])
