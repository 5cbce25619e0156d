"""The samples of a site in, what holds for all of it out: its language, its time zone, the formats of its dates."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from sitewright.induce.sample import Sample
from sitewright.parse import host_of
from sitewright.values import zone_of_host
from sitewright.values.dates import MONTH_FIRST_LANGUAGES, NUMERIC_DATE
from sitewright.values.zones import zones_of_country

_LIKELY = 0.5
_LONGEST = 40
"""A longer text has more in it than a date."""
_WHOLE_OFFSET = timedelta(minutes=15)
_FARTHEST = timedelta(hours=14)
_WORLD = (
    "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Moscow", "America/New_York", "America/Chicago",
    "America/Denver", "America/Los_Angeles", "America/Sao_Paulo", "America/Argentina/Buenos_Aires", "America/Bogota",
    "America/Mexico_City", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai",
    "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland", "Africa/Lagos", "Africa/Johannesburg", "Asia/Tehran",
)  # fmt: skip
"""Zones that are tried where neither address nor language name a country, the most read first."""
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(:\d{2})?(\s*[ap]\.?m\.?)?", re.IGNORECASE)


def language_of(samples: Sequence[Sample]) -> str:
    """Return the language that most pages state; empty where hardly any does."""
    counts = Counter(filter(None, (sample.document.metadata.language for sample in samples)))
    [(language, count)] = counts.most_common(1) or [("", 0)]
    return language if count * 2 > len(samples) else ""


def timezone_of(samples: Sequence[Sample]) -> str:
    """Return the zone that fits all moments whose offset is known, or that of the site's country.

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
    return next((zone for zone in dict.fromkeys(tried) if zone and _fits(zone, known)), "")


def _fits(zone: str, known: Sequence[tuple[datetime, timedelta]]) -> bool:
    return all(moment.astimezone(ZoneInfo(zone)).utcoffset() == offset for moment, offset in known)


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
    """
    found = [(text, date) for text in texts if len(text) <= _LONGEST and (date := NUMERIC_DATE.search(text))]
    second_is_day = any(int(date[3]) > 12 for _, date in found)
    first_is_day = any(int(date[1]) > 12 for _, date in found)
    if second_is_day == first_is_day:
        return ()
    expected = language.lower() in MONTH_FIRST_LANGUAGES
    if second_is_day == all(expected and date[2] != "." for _, date in found):
        return ()
    formats = [(text, _format(text, date, month_first=second_is_day)) for text, date in found]
    return tuple(dict.fromkeys(wanted for text, wanted in formats if _reads(wanted, text)))


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
