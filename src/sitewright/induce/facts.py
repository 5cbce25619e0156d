"""The samples of a site in, what holds for all of it out: its language, its time zone, the formats of its dates."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from sitewright.induce.sample import Sample
from sitewright.parse import host_of
from sitewright.values import zone_of_host
from sitewright.values.dates import MONTH_FIRST_LANGUAGES, NUMERIC_DATE, is_month_first
from sitewright.values.zones import zones_of_country

_LIKELY = 0.5
_NEARLY_ALL = 0.75
"""One moment in four may be of something else on its page: of an update, or of a story beside."""
_LONGEST, _LONGEST_AROUND = 40, 200
"""A longer text has more in it than a date; in a still longer one a date is not the story's."""
_MONTHS, _RUNS = 12, 3
"""There are so many months; a number with so many values runs."""
_WHOLE_OFFSET = timedelta(minutes=15)
_FARTHEST = timedelta(hours=14)
_WORLD = (
    "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Moscow", "America/New_York", "America/Chicago",
    "America/Denver", "America/Los_Angeles", "America/Sao_Paulo", "America/Argentina/Buenos_Aires", "America/Bogota",
    "America/Mexico_City", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai",
    "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland", "Africa/Lagos", "Africa/Johannesburg", "Asia/Tehran",
)  # fmt: skip
"""Zones that are tried where neither address nor language name a country, the most read first."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
"""What else pages call their language ("utf-8") is none."""
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(:\d{2})?(\s*[ap]\.?m\.?)?", re.IGNORECASE)


def language_of(samples: Sequence[Sample]) -> str:
    """Return the language that most pages state, or are written in; empty where that is not known."""
    counts = Counter(filter(_LANGUAGE.fullmatch, (sample.context.language for sample in samples)))
    [(language, count)] = counts.most_common(1) or [("", 0)]
    return language if count * 2 > len(samples) else ""


def timezone_of(samples: Sequence[Sample]) -> str:
    """Return the zone that fits nearly all moments whose offset is known, or that of the site's country.

    An offset is known where a page states one, or displays a time and states the same moment in UTC.
    """
    known = list(dict.fromkeys(offset for sample in samples for offset in _offsets(sample)))
    host = host_of(samples[0].document.url)
    own = zone_of_host(host)
    name = str(own) if own is not None else ""
    if not known:
        return name
    region = language_of(samples).partition("-")[2].lower()
    tried = [name, *zones_of_country(host.rpartition(".")[2]), *zones_of_country(region), *_WORLD]
    best = max(filter(None, dict.fromkeys(tried)), key=lambda zone: _fitting(zone, known))  # of the same: the first
    return best if _fitting(best, known) >= _NEARLY_ALL * len(known) else ""


def _fitting(zone: str, known: Sequence[tuple[datetime, timedelta]]) -> int:
    """Return how many moments a zone fits."""
    return sum(moment.astimezone(ZoneInfo(zone)).utcoffset() == offset for moment, offset in known)


def _offsets(sample: Sample) -> Iterator[tuple[datetime, timedelta]]:
    """Yield moments with the offset of the clocks that the site shows them by."""
    labels = [label for label in sample.labels(sample.domain.published) if label.score >= _LIKELY]
    moments = [(label, label.value) for label in labels if isinstance(label.value, datetime)]
    stated = [value for label, value in moments if label.source and value.tzinfo is not None]
    for value in stated:
        if offset := value.utcoffset():
            yield value, offset
    shown = [value for label, value in moments if label.node is not None and value.tzinfo is None]
    for local in shown:
        for value in stated[:1]:
            distance = local.replace(tzinfo=UTC) - value.astimezone(UTC)
            offset = round(distance / _WHOLE_OFFSET) * _WHOLE_OFFSET
            if abs(distance - offset) < timedelta(minutes=1) and abs(offset) <= _FARTHEST:
                yield value, offset


def date_formats_of(texts: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the formats of displayed dates where day and month stand in an order that the language does not expect.

    >>> date_formats_of(["05/14/2018", "05/11/2018"], "en-GB")
    ('%m/%d/%Y',)
    >>> date_formats_of(["14/05/2018", "05/11/2018"], "en-GB")
    ()
    >>> date_formats_of(["11.06.12", "11.07.12", "11.09.12"], "en")
    ('%m.%d.%y',)
    """
    found = [(text, date) for text in texts if len(text) <= _LONGEST_AROUND and (date := NUMERIC_DATE.search(text))]
    month_first = _month_first([date for _, date in found])
    if month_first is None or all(_is_expected(date[2], language, month_first) for _, date in found):
        return ()
    formats = [(text, _format(text, date, month_first=month_first)) for text, date in found if len(text) <= _LONGEST]
    whole = [wanted for text, wanted in formats if _reads(wanted, text)]
    bare = [_format(date[0], re.fullmatch(NUMERIC_DATE, date[0]) or date, month_first=month_first) for _, date in found]
    return tuple(dict.fromkeys(whole or bare))


def _is_expected(separator: str, language: str, month_first: bool) -> bool:
    """Tell whether an order is the only one that the language has: with full stops English has both."""
    of_two_habits = separator == "." and language.lower() in MONTH_FIRST_LANGUAGES
    return is_month_first(separator, language) == month_first and not of_two_habits


def _month_first(dates: Sequence[re.Match[str]]) -> bool | None:
    """Tell whether the month stands first in dates of a site's pages; None where nothing tells.

    A number above 12 is no month. Where one number stands still while the other runs, it is the month: pages are
    mostly fetched within weeks of each other.
    """
    firsts, seconds = {int(date[1]) for date in dates}, {int(date[3]) for date in dates}
    first_is_day, second_is_day = max(firsts, default=0) > _MONTHS, max(seconds, default=0) > _MONTHS
    if first_is_day or second_is_day:
        return second_is_day if first_is_day != second_is_day else None
    if min(len(firsts), len(seconds)) == 1 and max(len(firsts), len(seconds)) >= _RUNS:
        return len(firsts) == 1
    return None


def _reads(wanted: str, text: str) -> bool:
    try:
        datetime.strptime(text, wanted)
    except (ValueError, re.error):
        return False
    return True


def _format(text: str, date: re.Match[str], *, month_first: bool) -> str:
    """Write a displayed date as a `strptime` format."""
    first, second = ("%m", "%d") if month_first else ("%d", "%m")
    year = "%Y" if len(date[4]) == 4 else "%y"
    before, after = text[: date.start()].replace("%", "%%"), text[date.end() :].replace("%", "%%")
    return f"{_clocked(before)}{first}{date[2]}{second}{date[2]}{year}{_clocked(after)}"


def _clocked(text: str) -> str:
    def write(clock: re.Match[str]) -> str:
        seconds = ":%S" if clock[3] else ""
        return f"%I:%M{seconds} %p" if clock[4] else f"%H:%M{seconds}"

    return _CLOCK.sub(write, text)
