import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.watch import Traps
from sitewright.watch.timing.rhythm import DAY
from sitewright.watch.traps import _MOST_PATTERNS, CALENDAR_BUDGET, FILTER_BUDGET, calendar_year

NOW = 1_700_000_000.0
"""In November 2023."""
SITE = "https://example.com"


def followed(urls: list[str], now: float = NOW, traps: Traps | None = None) -> tuple[int, str]:
    """Return how many are followed, and the last reason."""
    asked = traps or Traps()
    reasons = [asked.refusal(url, now) for url in urls]
    return reasons.count(""), next((reason for reason in reversed(reasons) if reason), "")


@pytest.mark.parametrize(
    "pattern",
    [
        "/2023/11/14/why-bees-dance-{}",
        "/news/2023/11/14/{}001",
        "/news/{}",
        "/why-bees-will-dance-in-{}",
        "/article.php?id={}",
        "/index.php?option=com_content&view=article&id={}&Itemid=9",
        "/story?year=2023&id={}",
        "/{}/bees.html?ref=front&page=1",
        "/news/a-{}/?print=1",
    ],
)
def test_stories_are_followed_however_many_there_are(pattern: str) -> None:
    assert followed([SITE + pattern.format(number) for number in range(1000, 3000)]) == (2000, "")


@pytest.mark.parametrize(
    "pattern",
    [
        "/calendar/{year}/{month:02}/{day:02}",
        "/events/{year}-{month:02}-{day:02}/",
        "/{year}/{month}/{day}",
        "/archive/{year}/{month:02}/{day:02}/index.html",
        "/agenda?year={year}&month={month}&day={day}",
        "/agenda?date={year}-{month:02}-{day:02}",
        "/events/?tribe-bar-date={year}-{month:02}-{day:02}&view=day",
        "/?m={year}{month:02}{day:02}",
        "/kalender-{year}-{month:02}-{day:02}",
    ],
)
def test_endless_calendars_end(pattern: str) -> None:
    days = [
        SITE + pattern.format(year=year, month=month, day=day)
        for year in range(2010, 2024)
        for month in range(1, 13)
        for day in range(1, 29)
    ]
    count, reason = followed(days)
    assert count == CALENDAR_BUDGET
    assert reason.startswith("calendar: 40 pages like example.com/")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("/calendar/2024/05", ""),
        ("/calendar/2030/05", "calendar: a page of 2030, too far ahead"),
        ("/events/2030/", "calendar: a page of 2030, too far ahead"),
        ("/events?month=5&year=2030", "calendar: a page of 2030, too far ahead"),
        ("/archive/1923/05/06", "calendar: a page of 1923, too far back"),
        ("/news/2030", ""),
        ("/plan-2035", ""),
        ("/2030/05/06/why-bees-dance", ""),
        ("/news?start=20", ""),
        ("/news?page=2030", ""),
        ("/a/b/a/b", "growing path: /a/b comes twice in a row"),
        ("/x/a/b/c/A/b/c/y", "growing path: /a/b/c comes twice in a row"),
        ("/a/x/a/y/a", "growing path: /a comes 3 times"),
        ("/2001/01/01/01/01", ""),
        ("/news/news/bees", ""),
        ("/" + "/".join(f"f{n}" for n in range(30)), "path of 29 folders"),
        ("/a?q=" + "x" * 3000, "address of 3024 characters"),
    ],
)
def test_reasons(url: str, reason: str) -> None:
    assert Traps().refusal(SITE + url, NOW) == reason


def test_filters_are_bounded() -> None:
    urls = [
        f"{SITE}/shoes?colour={colour}&size={size}&brand={brand}"
        for colour in range(12)
        for size in range(12)
        for brand in range(12)
    ]
    count, reason = followed(urls)
    assert count == FILTER_BUDGET
    assert reason == "filters: 100 combinations of colour&size&brand at example.com/shoes are enough for now"


def test_filters_in_changing_numbers_share_a_budget() -> None:
    names = ("colour", "size", "brand", "sort")
    urls = [
        f"{SITE}/shoes?" + "&".join(f"{name}={(n >> place) % 5}" for place, name in enumerate(names[: 2 + n % 3]))
        for n in range(900)
    ]
    assert followed(urls)[0] == FILTER_BUDGET


def test_one_budget_spent_leaves_the_others_alone() -> None:
    traps = Traps()
    followed([f"{SITE}/calendar/2023/{month}/{day}" for month in range(1, 13) for day in range(1, 29)], traps=traps)
    assert traps.refusal(f"{SITE}/calendar/2023/1/1", NOW) != ""
    assert traps.refusal(f"{SITE}/events/2023/1/1", NOW) == ""
    assert traps.refusal("https://other.example/calendar/2023/1/1", NOW) == ""


def test_an_archive_page_a_day_is_followed_for_years() -> None:
    traps = Traps()
    for day in range(1000):
        now = NOW + day * DAY
        assert traps.refusal(f"{SITE}/archive/2023/{day % 12 + 1}/{day % 28 + 1}", now) == ""


@given(st.lists(st.tuples(st.integers(2000, 2023), st.integers(1, 12), st.floats(0, DAY)), max_size=100))
def test_no_pattern_gets_more_than_its_budget(pages: list[tuple[int, int, float]]) -> None:
    traps, now, count = Traps(), NOW, 0
    for year, month, seconds in pages:
        now += seconds
        count += traps.refusal(f"{SITE}/calendar/{year}/{month}", now) == ""
    assert count <= CALENDAR_BUDGET + (now - NOW) / DAY * 4 + 1


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 30)), max_size=150))
def test_rows_give_back_what_they_hold(pages: list[tuple[int, int]]) -> None:
    traps = Traps()
    for a, b in pages:
        traps.refusal(f"{SITE}/shop?a={a}&b={b}", NOW)
        traps.refusal(f"{SITE}/calendar/2023/{a + 1}/{b + 1}", NOW)
    rows = json.loads(json.dumps(traps.to_rows()))
    again = Traps.from_rows(rows)
    assert json.loads(json.dumps(again.to_rows())) == rows
    url = f"{SITE}/shop?a=9&b=99"
    assert again.refusal(url, NOW) == traps.refusal(url, NOW)


def test_memory_is_bounded() -> None:
    traps = Traps()
    for number in range(_MOST_PATTERNS + 500):
        traps.refusal(f"{SITE}/p{number:x}q/x?a=1&b=2", NOW)
    assert len(traps.to_rows()) == _MOST_PATTERNS


@given(st.text(max_size=80))
def test_any_address_has_an_answer(tail: str) -> None:
    assert isinstance(Traps().refusal(f"https://example.com/{tail}", NOW), str)
    assert calendar_year(f"/{tail}", ()) is None or tail
