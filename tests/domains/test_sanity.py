"""What a field cannot be is left out of records, by what the domain's file says."""

from datetime import UTC, date, datetime, timedelta

import pytest

from sitewright.domains import load_domain, names_host, sane_fields
from sitewright.types import Value

NEWS = load_domain("news")
URL = "https://www.larepublica.pe/a"
MORNING, EVENING = datetime(2024, 5, 6, 8, tzinfo=UTC), datetime(2024, 5, 6, 20, tzinfo=UTC)


def sane(**fields: object) -> dict[str, object]:
    given = {name: Value(value, 0.9, "article/x#0") for name, value in fields.items()}
    return {name: value.value for name, value in sane_fields(given, NEWS, URL).items()}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"title": "Bees", "subtitle": "BEES"}, {"title": "Bees"}),
        ({"title": "Bees", "subtitle": "They are back"}, {"title": "Bees", "subtitle": "They are back"}),
        ({"title": "Bees", "text": "Bees\nThey hum.\nBees"}, {"title": "Bees", "text": "They hum.\nBees"}),
        ({"title": "Bees", "text": "Bees"}, {"title": "Bees", "text": "Bees"}),
        ({"text": "They hum.\nRead also: Honey is sweet\nThey fly."}, {"text": "They hum.\nThey fly."}),
        ({"text": "They hum.\nLire aussi : Le miel\n延伸閱讀：蜂蜜"}, {"text": "They hum."}),
        (
            {"text": "Read also, she said, what others wrote. " * 9},
            {"text": "Read also, she said, what others wrote. " * 9},
        ),
        ({"text": "Follow the bees to the hive."}, {"text": "Follow the bees to the hive."}),
        ({"text": "By Ann Lee\nBees.\nLast updated at 12:05 PM on 15th May 2024\n© The Lantern"}, {"text": "Bees."}),
        ({"text": "蜜蜂。\n【责任编辑：王婧】\n(曹文明 編輯)\n声明：本文仅代表作者本人观点。"}, {"text": "蜜蜂。"}),
        ({"text": "By the time it ended, all had left."}, {"text": "By the time it ended, all had left."}),
        ({"text": "Updated software was installed."}, {"text": "Updated software was installed."}),
        ({"text": "More on the roof, he said."}, {"text": "More on the roof, he said."}),
        ({"text": "Related stories"}, {"text": "Related stories"}),
        ({"categories": ["Home", "Sport", "La República"]}, {"categories": ["Sport"]}),
        ({"categories": ["Startseite"]}, {}),
        ({"tags": ["3 comments", "honey"]}, {"tags": ["honey"]}),
        ({"authors": ["@bees", "Ann Lee"]}, {"authors": ["Ann Lee"]}),
        ({"authors": ["Reuters", "Ann Lee"]}, {"authors": ["Ann Lee"]}),
        ({"authors": ["Reuters"]}, {"authors": ["Reuters"]}),
        ({"authors": ["Ann Lee", "LanternNews.ca"]}, {"authors": ["Ann Lee"]}),
        ({"published": EVENING, "modified": MORNING}, {"published": EVENING}),
        ({"published": MORNING, "modified": EVENING}, {"published": MORNING, "modified": EVENING}),
        ({"published": MORNING, "modified": MORNING}, {"published": MORNING, "modified": MORNING}),
        ({"published": EVENING, "modified": date(2024, 5, 6)}, {"published": EVENING, "modified": date(2024, 5, 6)}),
        ({"published": EVENING, "modified": date(2024, 5, 5)}, {"published": EVENING}),
        ({"modified": MORNING}, {"modified": MORNING}),
    ],
)
def test_what_cannot_be_is_left_out(given: dict[str, object], expected: dict[str, object]) -> None:
    assert sane(**given) == expected


def test_values_that_stay_are_the_same_objects() -> None:
    kept = Value(["Sport"], 0.7, "article/categories#1")
    assert sane_fields({"categories": kept}, NEWS, URL)["categories"] is kept


def test_an_update_is_told_to_the_minute() -> None:
    stated = MORNING.replace(second=40)
    assert "modified" in sane(published=stated, modified=MORNING)
    assert "modified" not in sane(published=stated, modified=MORNING - timedelta(minutes=1))


def test_what_a_judge_took_may_be_called_like_the_site() -> None:
    given = {name: Value(["La República"], 0.9, "tagger/x") for name in ("authors", "tags")}
    assert sane_fields(given, NEWS, URL, judged={"authors"}).keys() == {"authors"}


@pytest.mark.parametrize(
    ("name", "host", "expected"),
    [("The Lantern", "thelantern.example", True), ("BBC", "bbc.example", False), ("Bees", "", False)],
)
def test_a_site_is_known_by_its_host(name: str, host: str, expected: bool) -> None:
    assert names_host(name, host) is expected
