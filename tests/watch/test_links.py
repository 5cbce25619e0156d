import pytest

from sitewright.errors import SettingsError
from sitewright.watch import LinkRules, Traps, find_news, signature

NOW = 1_700_000_000.0
SITE = "https://example.com"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://example.com/news/a", ""),
        ("https://www.example.com/news/a", ""),
        ("https://sport.example.com/news/a", ""),
        ("https://photos.example/news/a", ""),
        ("https://myexample.com/news/a", "another site: myexample.com"),
        ("https://example.com.evil.example/news/", "another site: example.com.evil.example"),
        ("https://example.com/story/2024", ""),
        ("https://example.com/about", "none of the seeds: /news/, re:/story/\\d+"),
        ("https://example.com/news/video/a", "banned: /video/"),
        ("https://example.com/news/a.pdf", "banned: re:\\.(pdf|zip)$"),
        ("mailto:a@example.com", "not an address of the web"),
        ("ftp://example.com/news/", "not an address of the web"),
        ("http://[broken/news/", "not an address"),
    ],
)
def test_rules(url: str, reason: str) -> None:
    rules = LinkRules(
        "example.com",
        seed=("/news/", r"re:/story/\d+"),
        banned=("/video/", r"re:\.(pdf|zip)$"),
        also=("photos.example",),
    )
    assert rules.refusal(url) == reason


def test_a_substring_is_not_a_pattern() -> None:
    assert LinkRules("example.com", seed=(".html?",)).refusal("https://example.com/a.html") != ""


@pytest.mark.parametrize("part", ["re:(", "re:", ""])
def test_a_wrong_part_is_refused_at_once(part: str) -> None:
    with pytest.raises(SettingsError, match="watch: "):
        LinkRules("example.com", banned=(part,))


def test_an_expression_that_takes_for_ever_is_named() -> None:
    slow = r"re:(.+)(.+)(.+)(.+)(.+)\1\2\3\4\5[!?]"
    rules = LinkRules("example.com", banned=(slow,))
    urls = [f"https://example.com/{number}/" + "a-long-story-about-bees-and-hives-" * 8 for number in range(40)]
    news = find_news(urls, rules, Traps(), known=set(), before=set(), now=0.0)
    assert not news.follow
    assert rules.slow == {slow}
    assert {reason.partition(":")[0] for reason in news.refused.values()} == {"too slow to tell"}


def test_news_are_told_from_what_is_known() -> None:
    a, b, c = (f"{SITE}/{name}" for name in "abc")
    links = [a, b + "?utm_source=front", c, c + "?PHPSESSID=1", "https://other.example/"]
    known = {signature(a), signature(b)}
    news = find_news(links, LinkRules("example.com"), Traps(), known=known, before={signature(a)}, now=NOW)
    assert news.follow == {signature(c): c}
    assert news.late == 1
    assert news.refused == {"https://other.example/": "another site: other.example"}
    assert news.listed == {signature(a), signature(b), signature(c)}


def test_looking_again_brings_nothing_new() -> None:
    links, rules, traps = [f"{SITE}/{number}" for number in range(30)], LinkRules("example.com"), Traps()
    first = find_news(links, rules, traps, known=(), before=(), now=NOW)
    again = find_news(links, rules, traps, known=first.follow, before=first.listed, now=NOW + 60)
    assert (len(first.follow), len(again.follow), again.late) == (30, 0, 0)


def test_a_site_with_session_ids_has_its_stories_once() -> None:
    rules, traps, known = LinkRules("example.com"), Traps(), set[str]()
    for visit in range(20):
        token = f"{visit:032x}"
        links = [f"{SITE}/story-{n};jsessionid={token}?sid={token}" for n in range(10)]
        known |= set(find_news(links, rules, traps, known=known, before=(), now=NOW).follow)
    assert len(known) == 10
