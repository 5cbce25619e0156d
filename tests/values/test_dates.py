"""date.v1. Pages are fetched on 2024-06-15 12:00 UTC unless a test says otherwise."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.types import Value

Read = Callable[..., Value | None]


def iso(value: Value | None) -> str:
    if value is None:
        return ""
    assert isinstance(value.value, date)
    return value.value.isoformat()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-06", "2024-05-06"),
        ("2024-05-06T07:08:09Z", "2024-05-06T07:08:09+00:00"),
        ("2024-05-06T07:08:09+03:00", "2024-05-06T07:08:09+03:00"),
        ("2024-05-06T07:08:09+0300", "2024-05-06T07:08:09+03:00"),
        ("2024-05-06T07:08:09-05:00", "2024-05-06T07:08:09-05:00"),
        ("2024-05-06T07:08+05:30", "2024-05-06T07:08:00+05:30"),
        ("2024-05-06 07:08", "2024-05-06T07:08:00"),
        ("2024-05-06 07:08:09 UTC", "2024-05-06T07:08:09+00:00"),
        ("Mon, 06 May 2024 07:08:09 +0200", "2024-05-06T07:08:09+02:00"),
        ("Mon, 06 May 2024 07:08:09 GMT", "2024-05-06T07:08:09+00:00"),
        ("1714979289", "2024-05-06T07:08:09+00:00"),
        ("1714979289000", "2024-05-06T07:08:09+00:00"),
        ("20240506", "2024-05-06"),
        ("20240506T0708", "2024-05-06"),
    ],
)
def test_machine_formats(read_value: Read, text: str, expected: str) -> None:
    assert iso(read_value(f"<b id=v>{text}</b>", "date.v1")).startswith(expected)


LANGUAGES = [
    ("en", "May 6, 2024", "2024-05-06"),
    ("en", "6 May 2024", "2024-05-06"),
    ("en", "Monday, May 6th, 2024 at 7:08 p.m.", "2024-05-06T19:08:00"),
    ("en", "Sept. 3, 2023 12:05 AM", "2023-09-03T00:05:00"),
    ("en", "Published: 3 March 2023, 14:30", "2023-03-03T14:30:00"),
    ("en", "Jan 2, 2024 3pm", "2024-01-02T15:00:00"),
    ("en", "05/13/2024", "2024-05-13"),
    ("de", "6. Mai 2024, 07:08 Uhr", "2024-05-06T07:08:00"),
    ("de", "Montag, 3. März 2023", "2023-03-03"),
    ("de", "06.05.2024 07.08 Uhr", "2024-05-06T07:08:00"),
    ("de", "24. Dez. 2023", "2023-12-24"),
    ("fr", "6 mai 2024 à 07h08", "2024-05-06T07:08:00"),
    ("fr", "1er août 2023", "2023-08-01"),
    ("fr", "Publié le 14 février 2024", "2024-02-14"),
    ("fr", "06/05/2024 à 07:08", "2024-05-06T07:08:00"),
    ("es", "6 de mayo de 2024", "2024-05-06"),
    ("es", "15 de septiembre de 2023, 18:45", "2023-09-15T18:45:00"),
    ("es", "3 ene. 2024", "2024-01-03"),
    ("pt", "6 de maio de 2024 às 07h08", "2024-05-06T07:08:00"),
    ("pt", "12 de outubro de 2023", "2023-10-12"),
    ("it", "6 maggio 2024", "2024-05-06"),
    ("it", "15 luglio 2023 ore 09:30", "2023-07-15T09:30:00"),
    ("nl", "6 mei 2024 07:08", "2024-05-06T07:08:00"),
    ("nl", "21 maart 2024", "2024-03-21"),
    ("sv", "6 maj 2024 kl. 07:08", "2024-05-06T07:08:00"),
    ("no", "6. mai 2024", "2024-05-06"),
    ("da", "6. oktober 2023", "2023-10-06"),
    ("fi", "6. toukokuuta 2024", "2024-05-06"),
    ("fi", "1. joulukuuta 2023", "2023-12-01"),
    ("pl", "6 maja 2024", "2024-05-06"),
    ("pl", "11 listopada 2023, 10:15", "2023-11-11T10:15:00"),
    ("pl", "25 gru 11 13:07, PG", "2011-12-25T13:07:00"),
    ("ru", "Опубликовано 04 января 12 (14:00)", "2012-01-04T14:00:00"),
    ("en", "6 Jan ’12", "2012-01-06"),
    ("el", "Τρίτη 3 Γενάρη 2012", "2012-01-03"),
    ("el", "9 Φλεβάρη 2023", "2023-02-09"),
    ("cs", "6. května 2024", "2024-05-06"),
    ("cs", "1. července 2023", "2023-07-01"),
    ("cs", "1. června 2023", "2023-06-01"),
    ("sk", "6. mája 2024", "2024-05-06"),
    ("hu", "2024. május 6.", "2024-05-06"),
    ("hu", "2023. szeptember 15. 18:45", "2023-09-15T18:45:00"),
    ("ro", "6 mai 2024", "2024-05-06"),
    ("hr", "6. svibnja 2024.", "2024-05-06"),
    ("hr", "15. listopada 2023.", "2023-10-15"),
    ("tr", "6 Mayıs 2024 07:08", "2024-05-06T07:08:00"),
    ("tr", "29 Ekim 2023", "2023-10-29"),
    ("id", "6 Agustus 2023", "2023-08-06"),
    ("lt", "2024 m. gegužės 6 d.", "2024-05-06"),
    ("lv", "2024. gada 6. maijs", "2024-05-06"),
    ("et", "6. mai 2024", "2024-05-06"),
    ("ca", "6 de maig de 2024", "2024-05-06"),
    ("vi", "06/05/2024 07:08", "2024-05-06T07:08:00"),
    ("ru", "6 мая 2024, 07:08", "2024-05-06T07:08:00"),
    ("ru", "12 августа 2023 г. в 15:00", "2023-08-12T15:00:00"),
    ("ru", "06.05.2024", "2024-05-06"),
    ("ru", "6 мая 2024, 07:08 мск", "2024-05-06T07:08:00+03:00"),
    ("uk", "6 травня 2024", "2024-05-06"),
    ("uk", "24 лютого 2022, 05:00", "2022-02-24T05:00:00"),
    ("uk", "1 липня 2023", "2023-07-01"),
    ("be", "6 мая 2024", "2024-05-06"),
    ("bg", "6 юни 2024", "2024-06-06"),
    ("sr", "6. мај 2024.", "2024-05-06"),
    ("el", "6 Μαΐου 2024", "2024-05-06"),
    ("el", "15 Αυγούστου 2023, 18:45", "2023-08-15T18:45:00"),
    ("he", "6 במאי 2024", "2024-05-06"),
    ("ar", "6 مايو 2024", "2024-05-06"),
    ("ar", "٦ مايو ٢٠٢٤", "2024-05-06"),
    ("ar", "15 كانون الأول 2023", "2023-12-15"),
    ("hi", "6 मई 2024", "2024-05-06"),
    ("hi", "15 अगस्त 2023", "2023-08-15"),
    ("bn", "৬ মে ২০২৪", "2024-05-06"),
    ("th", "6 พฤษภาคม 2567", "2024-05-06"),
    ("th", "15 ส.ค. 2566", "2023-08-15"),
    ("zh", "2024年5月6日", "2024-05-06"),
    ("zh", "2024年05月06日 07:08", "2024-05-06T07:08:00"),
    ("zh", "2024-05-06 07:08:09", "2024-05-06T07:08:09"),
    ("zh", "2023年12月1日下午3时20分", "2023-12-01T15:20:00"),
    ("ja", "2024年5月6日 7時8分", "2024-05-06T07:08:00"),
    ("ja", "2024/05/06 07:08", "2024-05-06T07:08:00"),
    ("ja", "２０２４年５月６日", "2024-05-06"),
    ("ja", "2023年12月1日 午後3時20分", "2023-12-01T15:20:00"),
    ("ko", "2024년 5월 6일", "2024-05-06"),
    ("ko", "2024.05.06 07:08", "2024-05-06T07:08:00"),
    ("ko", "2023년 12월 1일 오후 3:20", "2023-12-01T15:20:00"),
    ("ka", "6 მაისი 2024", "2024-05-06"),
    ("hy", "6 մայիսի 2024", "2024-05-06"),
    ("kk", "6 мамыр 2024", "2024-05-06"),
]


@pytest.mark.parametrize(("language", "text", "expected"), LANGUAGES)
def test_dates_as_newspapers_write_them(read_value: Read, language: str, text: str, expected: str) -> None:
    assert iso(read_value(f"<b id=v>{text}</b>", "date.v1", language=language)) == expected


def test_the_table_has_the_languages_it_should() -> None:
    assert len({language for language, _, _ in LANGUAGES}) >= 25
    assert len(LANGUAGES) >= 60


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("6 May 2024", "2024-05-06"),
        ("6 мая 2024", "2024-05-06"),
        ("6. toukokuuta 2024", "2024-05-06"),
        ("2024年5月6日", "2024-05-06"),
        ("6 Μαΐου 2024", "2024-05-06"),
        ("04-ago-2021 5:11", "2021-08-04T05:11:00"),
    ],
)
def test_names_of_months_are_known_without_the_language(read_value: Read, text: str, expected: str) -> None:
    assert iso(read_value(f"<b id=v>{text}</b>", "date.v1")) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "3 hours ago", "2024-06-15T09:00:00+00:00"),
        ("en", "10 minutes ago", "2024-06-15T11:50:00+00:00"),
        ("de", "vor 2 Stunden", "2024-06-15T10:00:00+00:00"),
        ("fr", "il y a 5 heures", "2024-06-15T07:00:00+00:00"),
        ("es", "hace 3 horas", "2024-06-15T09:00:00+00:00"),
        ("ru", "2 часа назад", "2024-06-15T10:00:00+00:00"),
        ("zh", "3小时前", "2024-06-15T09:00:00+00:00"),
    ],
)
def test_relative_times_count_from_the_fetch(read_value: Read, language: str, text: str, expected: str) -> None:
    found = read_value(f"<b id=v>{text}</b>", "date.v1", language=language)
    assert iso(found) == expected
    assert found is not None
    assert found.confidence < 0.9


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en", "yesterday", "2024-06-14"),
        ("en", "2 days ago", "2024-06-13"),
        ("de", "gestern", "2024-06-14"),
        ("ru", "вчера", "2024-06-14"),
    ],
)
def test_relative_days_count_from_the_fetch(read_value: Read, language: str, text: str, day: str) -> None:
    assert iso(read_value(f"<b id=v>{text}</b>", "date.v1", language=language))[:10] == day


@pytest.mark.parametrize(
    "text",
    [
        "2024-06-17", "2025-01-01T00:00:00Z", "2024-06-15T13:00:00Z", "1 January 2025", "2024-06-16T23:00:00", "31.12.2024", "tomorrow",
        "in 3 hours", "1893456000", "Tue, 01 Jan 2030 00:00:00 GMT",
    ],
)  # fmt: skip
def test_no_date_lies_in_the_future(read_value: Read, text: str) -> None:
    assert read_value(f"<b id=v>{text}</b>", "date.v1", language="en") is None


@pytest.mark.parametrize(
    "text", ["2024-06-15T12:05:00Z", "2024-06-15", "2024-06-15T11:59:59Z", "2024-06-15T15:00:00+03:00"]
)
def test_a_clock_that_is_a_little_wrong_is_not_the_future(read_value: Read, text: str) -> None:
    assert read_value(f"<b id=v>{text}</b>", "date.v1") is not None


@pytest.mark.slow
@given(st.text(alphabet="0123456789-/.: TZJanMayуя年月日", max_size=24))
def test_whatever_is_written_no_date_lies_in_the_future(read_value: Read, text: str) -> None:
    found = read_value(f"<b id=v>{text}</b>", "date.v1", timezone="UTC")
    if found is not None:
        moment = found.value
        assert isinstance(moment, date)
        assert (moment.date() if isinstance(moment, datetime) else moment) <= date(2024, 6, 16)
        assert moment.year >= 1980


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("6 May 2024 07:08", "2024-05-06T07:08:00+03:00"),
        ("2024-05-06 07:08", "2024-05-06T07:08:00+03:00"),
        ("2024-05-06T07:08:00Z", "2024-05-06T07:08:00+00:00"),
        ("6 May 2024 07:08 GMT", "2024-05-06T07:08:00+00:00"),
        ("6 May 2024 07:08 EST", "2024-05-06T07:08:00-05:00"),
        ("6 May 2024 07:08 UTC+2", "2024-05-06T07:08:00+02:00"),
        ("6 May 2024", "2024-05-06"),
        ("2024-05-06 07:08 · Updated 2024-05-11 19:24", "2024-05-06T07:08:00+03:00"),
    ],
)
def test_the_zone_of_the_page_beats_that_of_the_map(read_value: Read, text: str, expected: str) -> None:
    assert iso(read_value(f"<b id=v>{text}</b>", "date.v1", timezone="Europe/Moscow", language="en")) == expected


def test_the_zone_of_the_map_knows_summer(read_value: Read) -> None:
    for text, offset in (("6 May 2024 07:08", "+01:00"), ("6 January 2024 07:08", "+00:00")):
        assert iso(read_value(f"<b id=v>{text}</b>", "date.v1", timezone="Europe/London")).endswith(offset)


@pytest.mark.parametrize(
    ("formats", "expected"),
    [((), "2012-11-05T21:04:00"), (("%m.%d.%Y",), "2012-11-05T21:04:00"), (("%d.%m.%Y",), "2012-05-11T21:04:00")],
)
def test_the_order_of_day_and_month_of_the_maps_formats_holds_in_longer_texts(
    read_value: Read, formats: tuple[str, ...], expected: str
) -> None:
    text = "Monday, 11.05.2012 / 9:04 PM / News"
    assert iso(read_value(f"<b id=v>{text}</b>", "date.v1", date_formats=formats, language="en")) == expected


def test_the_formats_of_the_map_come_first(read_value: Read) -> None:
    page = "<b id=v>03/04/2024 05:06</b>"
    found = read_value(page, "date.v1", date_formats=("%m/%d/%Y %H:%M",), language="fr")
    assert iso(found) == "2024-03-04T05:06:00"
    assert iso(read_value(page, "date.v1", language="fr")) == "2024-04-03T05:06:00"
    assert found is not None
    assert found.confidence == 0.882


@pytest.mark.parametrize(
    ("formats", "expected"),
    [(("%d-%m-%y",), "2024-05-06"), (("%Y", "%d-%m-%y"), "2024-05-06"), (("%y-%m-%d",), "2006-05-24")],
)
def test_a_format_without_a_clock_gives_a_day(read_value: Read, formats: tuple[str, ...], expected: str) -> None:
    assert iso(read_value("<b id=v>06-05-24</b>", "date.v1", date_formats=formats)) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected", "sure"),
    [
        ("en", "03/04/2024", "2024-03-04", False),
        ("en-US", "03/04/2024", "2024-03-04", False),
        ("en-GB", "03/04/2024", "2024-04-03", False),
        ("fr", "03/04/2024", "2024-04-03", False),
        ("de", "03.04.2024", "2024-04-03", True),
        ("en", "13/04/2024", "2024-04-13", True),
        ("fr", "04/13/2024", "2024-04-13", True),
        ("en", "04/04/2024", "2024-04-04", True),
        ("de", "03.04.24", "2024-04-03", True),
        ("fr", "10/06/2024", "2024-06-10", False),
        ("en", "06/10/2024", "2024-06-10", False),
        ("en", "10/06/2024", "2024-06-10", False),
    ],
)
def test_day_and_month_that_could_be_swapped(
    read_value: Read, language: str, text: str, expected: str, sure: bool
) -> None:
    found = read_value(f"<b id=v>{text}</b>", "date.v1", language=language)
    assert iso(found) == expected
    assert found is not None
    assert (found.confidence > 0.8) is sure


@pytest.mark.parametrize(
    ("language", "beside", "text", "expected"),
    [
        ("en", "Also: 25/12/2023", "03/04/2024", "2024-04-03"),
        ("en-GB", "Also: 12/25/2023", "03/04/2024", "2024-03-04"),
        ("en-GB", "Also: 25/12/2023, 12/25/2023", "03/04/2024", "2024-04-03"),
        ("en", "Also: 25/12/2023", "03.04.2024", "2024-03-04"),
        ("en", "Also: 25.12.2023", "03.04.2024", "2024-04-03"),
    ],
)
def test_other_dates_of_the_page_tell_the_order_of_day_and_month(
    read_value: Read, language: str, beside: str, text: str, expected: str
) -> None:
    assert iso(read_value(f"<p>{beside}</p><b id=v>{text}</b>", "date.v1", language=language)) == expected


@pytest.mark.parametrize(
    ("url", "stated", "expected"),
    [
        ("https://example.com/a", "2024-03-04T10:00:00Z", "2024-03-04"),
        ("https://example.com/2024/03/04/a", "", "2024-03-04"),
        ("https://example.com/a", "2024-04-03", "2024-04-03"),
        ("https://example.com/a", "2024-04-03, 2024-03-04", "2024-04-03"),
    ],
)
def test_what_is_stated_tells_the_order_of_day_and_month(
    read_value: Read, url: str, stated: str, expected: str
) -> None:
    html = f"<meta name=date content='{stated}'><b id=v>03/04/2024</b>"
    assert iso(read_value(html, "date.v1", language="es", url=url)) == expected


@pytest.mark.parametrize("text", ["[11:48/08.12.2023]", "22:48 / 08.12.2023", "8.12.2023 / 22:48"])
def test_a_minute_before_a_day_is_none_of_it(read_value: Read, text: str) -> None:
    assert iso(read_value(f"<b id=v>{text}</b>", "date.v1", language="ru")).startswith("2023-12-08T")


@pytest.mark.parametrize(
    ("url", "expected"),
    [("https://example.com/a", "2024-03-04"), ("https://example.de/a", "2024-04-03")],
)
def test_with_full_stops_only_americans_write_the_month_first(read_value: Read, url: str, expected: str) -> None:
    assert iso(read_value("<b id=v>03.04.2024</b>", "date.v1", language="en", url=url)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "Politics", "By Ann Lee", "12:30", "0:45", "1:02:03", "42", "99/99/2024", "31 February 2024", "2024-13-45", "2024", "1066-10-14",
        "0000-00-00", "0001-01-01T00:00:00", "Read more", "—", "x" * 400, "3", "+49 30 123456", "$ 12.50",
        "On 5 May 18 people were hurt", "10 May 20 comments",
    ],
)  # fmt: skip
def test_what_is_no_date_is_absent(read_value: Read, text: str) -> None:
    assert read_value(f"<b id=v>{text}</b>", "date.v1", language="en") is None


def test_a_time_element_states_its_date(read_value: Read) -> None:
    page = '<time id=v datetime="2024-05-06T07:08:09Z">two weeks ago</time>'
    assert iso(read_value(page, "date.v1")) == "2024-05-06T07:08:09+00:00"
    assert iso(read_value("<time id=v>6 May 2024</time>", "date.v1", language="en")) == "2024-05-06"


def test_the_first_item_with_a_date_counts(read_value: Read) -> None:
    page = "<b class=d>Politics</b><b class=d>6 May 2024</b><b class=d>7 May 2024</b>"
    assert iso(read_value(page, "date.v1", select=(".d",), language="en")) == "2024-05-06"
    many = read_value(page, "date.v1", select=(".d",), language="en", many=True)
    assert many is not None
    assert many.value == [date(2024, 5, 6), date(2024, 5, 7)]


def test_without_a_fetch_time_now_counts(read_value: Read) -> None:
    page = "<b id=v>2024-05-06</b>"
    assert read_value(page, "date.v1", now=datetime(2024, 1, 1, tzinfo=UTC)) is None
    assert read_value(page, "date.v1", now=None) is not None


@given(st.datetimes(datetime(1990, 1, 1), datetime(2024, 6, 1), timezones=st.sampled_from([None, UTC])))
def test_iso_dates_are_read_as_they_are(read_value: Read, moment: datetime) -> None:
    whole = moment.replace(microsecond=0)
    found = read_value(f"<b id=v>{whole.isoformat()}</b>", "date.v1")
    assert found is not None
    assert found.value == whole
    assert found.confidence == 0.9


MONTHS = "January February March April May June July August September October November December".split()


@given(
    st.dates(date(1990, 1, 1), date(2024, 6, 1)),
    st.sampled_from(["{m} {d}, {y}", "{d} {m} {y}", "{d}. {m} {y}", "on {m} {d} {y}"]),
)
def test_english_dates_round_trip(read_value: Read, day: date, shape: str) -> None:
    text = shape.format(d=day.day, m=MONTHS[day.month - 1], y=day.year)
    assert iso(read_value(f"<b id=v>{text}</b>", "date.v1", language="en")) == day.isoformat()


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("tr", "12 NİSAN 2024", "2024-04-12"),
        ("tr", "6 KASIM 2023 09:30", "2023-11-06T09:30:00"),
        ("fr", "12 juın 2023", "2023-06-12"),
        ("de", "5.3.2024 - 10.15", "2024-03-05T10:15:00"),
        ("de", "05.03.2024 - 10.15 Uhr", "2024-03-05T10:15:00"),
        ("it", "05.03.2024 / 10.15", "2024-03-05T10:15:00"),
        ("de", "01.02.2024 - 03.02.2024", "2024-02-01"),
        ("ko", "2024. 5. 6.", "2024-05-06"),
        ("zh", "2024-05-06 HKT 07:08", "2024-05-06T07:08:00+08:00"),
        ("en", "PublishedMay 6, 2024, 7:08 am", "2024-05-06T07:08:00"),
        ("en", "May 6, 20247:08 AM", "2024-05-06T07:08:00"),
        ("en", "07.08 EDT on Monday 6 May 2024", "2024-05-06T07:08:00-04:00"),
    ],
)
def test_a_time_beside_a_day_is_no_other_day(read_value: Read, language: str, text: str, expected: str) -> None:
    assert iso(read_value(f"<p id=v>{text}</p>", "date.v1", language=language)) == expected
