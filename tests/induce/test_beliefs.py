"""How right a value is believed to be, by opinions on lines, days and entries of lists."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.domains import load_domain
from sitewright.induce.beliefs import Beliefs, beliefs_of, days_of, entry_key, without_kicker
from sitewright.types import Label, Photo

EAST = timezone(timedelta(hours=9))

EXACT = load_domain("news").fields["title"].exact


def beliefs(kind: str, scores: dict[object, float]) -> Beliefs:
    return beliefs_of(kind, [Label(field="x", value=value, score=score) for value, score in scores.items()])


@pytest.mark.parametrize("kind", ["line", "date", "names", "list", "something else"])
@pytest.mark.parametrize("value", ["Bees", date(2024, 5, 6), ["Bees"], [], "", None, 7])
def test_where_there_is_no_opinion_nothing_is_right(kind: str, value: object) -> None:
    nothing = beliefs(kind, {})
    assert nothing.best == 0
    assert nothing.rightness(value) == 0


class TestLines:
    TITLE = "Old ferry returns to the harbour"

    @pytest.mark.parametrize("same", [TITLE, TITLE.upper(), f"  {TITLE}!", "Old ferry – returns, to the “harbour”"])
    def test_a_line_that_says_the_same_is_as_right(self, same: str) -> None:
        assert beliefs("line", {self.TITLE: 0.9}).rightness(same) == 0.9

    def test_the_likeliest_opinion_on_a_line_counts(self) -> None:
        labels = [Label(field="title", value=text, score=score) for text, score in [("A b", 0.3), ("a B", 0.8)]]
        found = beliefs_of("line", labels)
        assert (found.best, found.rightness("a b")) == (0.8, 0.8)

    def test_nearly_the_same_is_less_right_the_more_differs(self) -> None:
        found = beliefs("line", {self.TITLE: 0.9, "Menu": 0.1})
        steps = [
            self.TITLE,
            f"{self.TITLE} today",
            f"{self.TITLE} today, in the rain",
            "Young cat leaves the harbour",
            "Quite another thing",
        ]
        right = [found.rightness(step) for step in steps]
        assert right == sorted(right, reverse=True)
        assert right[1] > right[2] > right[3] == right[4] == 0

    def test_one_word_is_right_or_wrong(self) -> None:
        assert beliefs("line", {"Bees": 0.9}).rightness("Bees again") < 0.9
        assert beliefs("line", {"Bees again": 0.9}).rightness("Bees") == 0

    def test_scripts_without_blanks_are_compared_sign_by_sign(self) -> None:
        found = beliefs("line", {"老渡轮时隔九年重返港口": 0.9})
        assert found.rightness("老渡轮时隔九年重返港口") == 0.9
        assert 0 < found.rightness("老渡轮时隔九年重返港口了") < 0.9


class TestDays:
    @pytest.mark.parametrize(
        ("believed", "value", "right"),
        [
            (date(2024, 5, 6), date(2024, 5, 6), 0.9),
            (date(2024, 5, 6), datetime(2024, 5, 6, 23, 59), 0.9),
            (datetime(2024, 5, 6, 7, 8), date(2024, 5, 6), 0.9 * 0.95),
            (date(2024, 5, 6), date(2024, 5, 7), 0),
            (date(2024, 5, 6), datetime(2024, 5, 7, 3, 0, tzinfo=EAST), 0.9),
            (date(2024, 5, 7), datetime(2024, 5, 7, 3, 0, tzinfo=EAST), 0.9),
            (datetime(2024, 5, 6, 18, 0, tzinfo=UTC), datetime(2024, 5, 7, 3, 0, tzinfo=EAST), 0.9),
            (datetime(2024, 5, 6, 7, 8), datetime(2024, 5, 6, 7, 8, 30), 0.9),
            (datetime(2024, 5, 6, 7, 8), datetime(2024, 5, 6, 9, 8), 0.54),
            (datetime(2024, 5, 7, 3, 0, tzinfo=EAST), datetime(2024, 5, 6, 18, 0, tzinfo=UTC), 0.9),
            (date(2024, 5, 6), "2024-05-06", 0),
            ("6 May", "6 May", 0),
        ],
    )
    def test_the_day_counts_in_its_own_zone_or_in_utc(self, believed: object, value: object, right: float) -> None:
        assert beliefs("date", {believed: 0.9}).rightness(value) == right

    def test_a_moment_may_be_on_two_days(self) -> None:
        assert days_of(datetime(2024, 5, 7, 3, 0, tzinfo=EAST)) == {date(2024, 5, 7), date(2024, 5, 6)}
        assert days_of(datetime(2024, 5, 7, 3, 0)) == {date(2024, 5, 7)}
        assert days_of("yesterday") == set()


class TestLists:
    TAGS = beliefs("list", {"bees": 0.9, "honey": 0.8, "Menu": 0.02})

    def test_a_list_is_as_right_as_its_entries_and_as_what_it_lacks(self) -> None:
        lists = [["bees", "honey"], ["bees", "honey", "x"], ["bees"], ["honey"], ["Menu"], ["x", "y"], []]
        right = [self.TAGS.rightness(entries) for entries in lists]
        assert right == sorted(right, reverse=True)
        assert right[0] > right[1] > right[4] > right[5] == right[6] == 0

    @pytest.mark.parametrize("same", [["Honey", "BEES"], ["#bees", "honey "], ["bees", "honey", "honey!"]])
    def test_order_case_and_signs_do_not_count(self, same: list[str]) -> None:
        assert self.TAGS.rightness(same) == self.TAGS.rightness(["bees", "honey"])

    def test_one_value_is_a_list_of_one(self) -> None:
        assert self.TAGS.rightness("bees") == self.TAGS.rightness(["bees"]) > 0

    def test_of_a_byline_and_the_names_in_it_one_is_awaited(self) -> None:
        found = beliefs("names", {"Ann Lee and Bo Ek": 0.4, "Ann Lee": 0.9, "Bo Ek": 0.9})
        assert found.rightness(["Ann Lee", "Bo Ek"]) == pytest.approx(
            beliefs("names", {"a": 0.9, "b": 0.9}).rightness(["a", "b"])
        )
        assert found.rightness(["Ann Lee", "Bo Ek"]) > found.rightness(["Ann Lee and Bo Ek"])

    def test_an_entry_of_many_unlikely_ones_is_right_enough_to_be_found(self) -> None:
        assert beliefs("list", {str(n): 0.05 for n in range(30)}).rightness(["7"]) > 0


TEXTS = st.text(st.sampled_from("ab c蜂,"), max_size=8)
MOMENTS = st.one_of(st.dates(), st.datetimes(), st.datetimes(timezones=st.just(EAST), min_value=datetime(1971, 1, 1)))
VALUES = st.one_of(TEXTS, MOMENTS, st.lists(TEXTS, max_size=4), st.none())


@given(
    st.sampled_from(["line", "date", "names", "list"]),
    st.lists(st.tuples(st.one_of(TEXTS, MOMENTS), st.floats(0, 1)), max_size=5),
    VALUES,
)
def test_how_right_a_value_is_lies_between_nothing_and_certainty(
    kind: str, opinions: list[tuple[object, float]], value: object
) -> None:
    found = beliefs_of(kind, [Label(field="x", value=believed, score=score) for believed, score in opinions])
    assert 0 <= found.best <= 1
    assert 0 <= found.rightness(value) <= 1


@given(
    st.sampled_from(["line", "date"]),
    st.lists(st.tuples(st.one_of(TEXTS, MOMENTS), st.floats(0, 1)), max_size=5),
    VALUES,
)
def test_no_line_and_no_day_is_righter_than_the_best(
    kind: str, opinions: list[tuple[object, float]], value: object
) -> None:
    found = beliefs_of(kind, [Label(field="x", value=believed, score=score) for believed, score in opinions])
    assert found.rightness(value) <= found.best


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ann Lee", "ann  lee", True),
        ("#bees", "Bees", True),
        ("蜂蜜", "蜂 蜜", True),
        ("bees", "bee", False),
        ("", "?", True),
    ],
)
def test_entries_are_compared_by_their_words(one: str, other: str, same: bool) -> None:
    assert (entry_key(one) == entry_key(other)) is same


class TestKickers:
    """`heading` are the nodes of main headings: here node 5."""

    WHOLE, BARE = "Harbour: Old ferry returns", "Old ferry returns"

    def title(self, whole: float, bare: float, source: str = "meta:og:title", text: str = BARE) -> Beliefs:
        labels = [
            Label(field="title", value=self.WHOLE, score=whole, node=5),
            Label(field="title", value=text, score=bare, source=source),
        ]
        return beliefs_of("line", without_kicker(labels, frozenset({5}), EXACT))

    @pytest.mark.parametrize("source", ["meta:og:title", "jsonld:headline"])
    def test_a_stated_title_that_the_heading_ends_with_is_likelier(self, source: str) -> None:
        found = self.title(0.9, 0.5, source)
        assert found.rightness(self.BARE) == 0.9 > found.rightness(self.WHOLE) > 0

    @pytest.mark.parametrize(
        ("bare", "source", "text"),
        [
            (0.1, "meta:og:title", BARE),
            (0.5, "meta:twitter:title", BARE),
            (0.5, "part of title", BARE),
            (0.5, "meta:og:title", "returns"),
            (0.5, "meta:og:title", "Harbour: Old ferry"),
            (0.5, "meta:og:title", "Something else entirely"),
        ],
    )
    def test_else_the_heading_stays_what_it_was(self, bare: float, source: str, text: str) -> None:
        assert self.title(0.9, bare, source, text).rightness(self.WHOLE) == 0.9

    def test_what_is_no_main_heading_has_no_kicker(self) -> None:
        labels = [
            Label(field="title", value=self.WHOLE, score=0.9, node=6),
            Label(field="title", value=self.BARE, score=0.5, source="meta:og:title"),
        ]
        assert without_kicker(labels, frozenset({5}), EXACT) == labels

    def test_no_labels_no_kicker(self) -> None:
        assert without_kicker([], frozenset(), EXACT) == []


def test_pictures_are_as_right_as_those_that_are_believed_in() -> None:
    beliefs = beliefs_of(
        "images",
        [
            Label(field="images", value="https://example.com/harbour-77.jpg", score=0.9, node=1),
            Label(field="images", value="https://example.com/advert-88.jpg", score=0.1, node=2),
        ],
    )
    own, advert = (Photo(url=f"https://example.com/w/{name}_900x600.webp") for name in ("harbour-77", "advert-88"))
    assert beliefs.rightness([own]) == pytest.approx(2 * 0.9 / 1.9)
    assert beliefs.rightness([own]) > beliefs.rightness([own, advert]) > beliefs.rightness([advert])
    assert beliefs.rightness([]) == 0.0
