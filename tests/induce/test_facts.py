"""What holds for a whole site: its language, its time zone, the formats of its dates."""

from collections.abc import Callable, Sequence
from datetime import datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sitewright.induce import Sample
from sitewright.induce.facts import date_formats_of, language_of, timezone_of
from sitewright.parse import Document
from sitewright.types import Label, TaggedPage

Opined = Callable[..., tuple[Document, TaggedPage]]
Sampled = Callable[..., list[Sample]]
Site = Callable[..., list[Sample]]


@pytest.mark.parametrize(
    ("stated", "language"),
    [
        (["en", "en", "en"], "en"),
        (["de", "de", "en"], "de"),
        (["pt-BR", "pt-BR"], "pt-BR"),
        (["en", "de"], ""),
        (["fr", "", ""], ""),
        (["fr", "fr", ""], "fr"),
        (["", ""], ""),
        (["utf-8", "utf-8"], ""),
    ],
)
def test_the_language_is_what_most_pages_state(
    opined: Opined, sampled: Sampled, stated: list[str], language: str
) -> None:
    pages = [opined(f"<html lang='{code}'><p>x</p>" if code else "<p>x</p>") for code in stated]
    assert language_of(sampled(pages)) == language


def stated(moment: str, score: float = 0.9) -> Label:
    return Label(
        field="published", value=datetime.fromisoformat(moment), score=score, source="meta:article:published_time"
    )


def shown(moment: str, score: float = 0.9) -> Label:
    return Label(field="published", value=datetime.fromisoformat(moment), score=score, node=3)


@pytest.fixture
def site(opined: Opined, sampled: Sampled) -> Site:
    """Return a function of the labels of some pages that gives their samples."""

    def samples(*pages: Sequence[Label], host: str = "www.example.com", language: str = "en") -> list[Sample]:
        html = f"<html lang={language}><h1>x</h1><p>y</p>"
        return sampled([opined(html, url=f"https://{host}/{n}", labels=labels) for n, labels in enumerate(pages)])

    return samples


class TestTimezone:
    @pytest.mark.parametrize(
        ("moments", "zone"),
        [
            (["2024-01-10T07:00:00+01:00", "2024-07-10T07:00:00+02:00"], "Europe/Berlin"),
            (["2024-01-10T07:00:00-05:00", "2024-07-10T07:00:00-04:00"], "America/New_York"),
            (["2024-01-10T07:00:00+05:30"], "Asia/Kolkata"),
            (["2024-01-10T07:00:00+09:00", "2024-07-10T07:00:00+09:00"], "Asia/Tokyo"),
            (["2024-01-10T07:00:00+01:00", "2024-01-11T07:00:00-08:00"], ""),
            (
                [*(f"2024-01-0{day}T07:00:00+01:00" for day in range(1, 5)), "2024-01-11T07:00:00-08:00"],
                "Europe/Berlin",
            ),
            ([*(f"2024-01-0{day}T07:00:00+01:00" for day in range(1, 3)), "2024-01-11T07:00:00-08:00"], ""),
            (["2024-01-10T07:00:00+00:00"], ""),
            (["2024-01-10T07:00:00"], ""),
            ([], ""),
        ],
    )
    def test_fits_all_offsets_that_pages_state(self, site: Site, moments: list[str], zone: str) -> None:
        assert timezone_of(site(*[[stated(moment)] for moment in moments], [])) == zone

    @pytest.mark.parametrize(
        ("utc", "local", "zone"),
        [
            ("2024-01-10T07:08:00+00:00", "2024-01-10T08:08:00", "Europe/Berlin"),
            ("2024-01-10T23:08:00+00:00", "2024-01-11T04:38:00", "Asia/Kolkata"),
            ("2024-01-10T02:08:30+00:00", "2024-01-09T21:08:00", "America/New_York"),
            ("2024-01-10T07:08:00+00:00", "2024-01-10T07:08:00", "Europe/London"),
            ("2024-01-10T07:08:00+00:00", "2024-01-12T07:08:00", ""),
            ("2024-01-10T07:08:00+00:00", "2024-01-10T08:12:00", ""),
        ],
    )
    def test_or_the_clock_that_times_are_shown_by(self, site: Site, utc: str, local: str, zone: str) -> None:
        assert timezone_of(site([stated(utc), shown(local)], [])) == zone

    @pytest.mark.parametrize(
        ("host", "zone"),
        [("www.example.jp", "Asia/Tokyo"), ("example.de", "Europe/Berlin"), ("example.com", ""), ("example.us", "")],
    )
    def test_where_nothing_is_known_the_country_decides(self, site: Site, host: str, zone: str) -> None:
        assert timezone_of(site([], [], host=host)) == zone

    @pytest.mark.parametrize(
        ("host", "language", "zone"),
        [
            ("example.ch", "de", "Europe/Zurich"),
            ("example.at", "de", "Europe/Vienna"),
            ("example.com", "de-AT", "Europe/Vienna"),
            ("example.com", "en", "Europe/Berlin"),
        ],
    )
    def test_of_zones_that_fit_the_countrys_own_is_taken(self, site: Site, host: str, language: str, zone: str) -> None:
        pages = [[stated("2024-01-10T07:00:00+01:00")], [stated("2024-07-10T07:00:00+02:00")]]
        assert timezone_of(site(*pages, host=host, language=language)) == zone

    def test_a_country_whose_clocks_the_pages_do_not_show_is_not_believed(self, site: Site) -> None:
        pages = [[stated("2024-01-10T07:00:00-05:00")], [stated("2024-07-10T07:00:00-04:00")]]
        assert timezone_of(site(*pages, host="example.de")) == "America/New_York"

    def test_of_a_country_with_several_zones_the_pages_tell_which(self, site: Site) -> None:
        pages = [[stated("2024-01-10T07:00:00-08:00")], [stated("2024-07-10T07:00:00-07:00")]]
        assert timezone_of(site(*pages, host="example.us")) == "America/Los_Angeles"

    def test_a_language_is_no_country(self, site: Site) -> None:
        pages = [[stated("2024-07-10T07:00:00+03:00")], [stated("2024-07-11T07:00:00+03:00")]]
        assert timezone_of(site(*pages, language="et")) == "Europe/Athens"

    def test_unlikely_moments_tell_nothing(self, site: Site) -> None:
        assert timezone_of(site([stated("2024-01-10T07:00:00+01:00", score=0.1)], [])) == ""


class TestDateFormats:
    @pytest.mark.parametrize(
        ("texts", "language", "formats"),
        [
            (["05/14/2018", "05/11/2018"], "en-GB", ("%m/%d/%Y",)),
            (["14/05/2018", "05/11/2018"], "en-GB", ()),
            (["14/05/2018", "05/11/2018"], "en-US", ("%d/%m/%Y",)),
            (["05/14/2018", "05/11/2018"], "en-US", ()),
            (["05/14/2018"], "de", ("%m/%d/%Y",)),
            (["14.05.2018"], "de", ()),
            (["14.05.2018"], "en", ("%d.%m.%Y",)),
            (["05/06/2018", "07/08/2018"], "en-GB", ()),
            (["14/05/2018", "05/14/2018"], "en-GB", ()),
            (["05-14-18"], "fr", ("%m-%d-%y",)),
            (["05/14/2018 07:08", "05/11/2018 09:10"], "en-GB", ("%m/%d/%Y %H:%M",)),
            (["05/14/2018 7:08 pm"], "en-GB", ("%m/%d/%Y %I:%M %p",)),
            (["05/14/2018, 17:08:09"], "en-GB", ("%m/%d/%Y, %H:%M:%S",)),
            (["Posted 05/14/2018", "Posted 05/11/2018"], "en-GB", ("Posted %m/%d/%Y",)),
            (["05/14/2018", "05/11/2018 07:08"], "en-GB", ("%m/%d/%Y", "%m/%d/%Y %H:%M")),
            (["100 % of 05/14/2018"], "en-GB", ("100 %% of %m/%d/%Y",)),
            (["14 May 2018", "yesterday", ""], "en-GB", ()),
            ([], "en-GB", ()),
            (["05/14/2018 " + "and a long story about it " * 3], "en-GB", ("%m/%d/%Y",)),
            (["05/14/2018 " + "and a long story about it " * 30], "en-GB", ()),
            (["11.06.12", "11.07.12", "11.09.12"], "en", ("%m.%d.%y",)),
            (["06.11.12", "07.11.12", "09.11.12"], "en", ("%d.%m.%y",)),
            (["06/11/12", "07/11/12", "09/11/12"], "en", ("%d/%m/%y",)),
            (["11.06.12", "11.07.12"], "en", ()),
            (["11.06.12", "12.07.12", "11.09.12"], "en", ()),
            (["11.06.12", "11.06.12", "11.06.12"], "en", ()),
        ],
    )
    def test_are_stated_where_the_language_would_expect_another_order(
        self, texts: list[str], language: str, formats: tuple[str, ...]
    ) -> None:
        assert date_formats_of(texts, language) == formats

    @given(
        st.lists(st.dates(min_value=datetime(2001, 1, 1).date(), max_value=datetime(2030, 1, 1).date()), max_size=6),
        st.sampled_from(["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%m-%d-%Y %H:%M", "%d/%m/%y", "Am %d.%m.%Y"]),
        st.sampled_from(["en", "en-GB", "de", ""]),
    )
    def test_every_format_reads_what_it_was_made_of(self, days: list[datetime], wanted: str, language: str) -> None:
        assume(any(day.day > 12 for day in days))  # else the order can only be guessed
        texts = [day.strftime(wanted) for day in days]
        found = date_formats_of(texts, language)
        assert len(found) <= 1
        for text, day in zip(texts, days, strict=True):
            for written in found:
                read = datetime.strptime(text, written).date()
                assert read == day
