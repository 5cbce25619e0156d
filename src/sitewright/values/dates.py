"""date.v1: ISO first, then the map's own formats, then any language; never in the future."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from turbohtml import Element

from sitewright.parse import Document, host_of, visible_lines
from sitewright.values.months import fold, month_pattern, month_stems
from sitewright.values.value import Context, Parsed, Taken, string_of

Moment = datetime | date

EXACT, KNOWN_FORMAT, READ, AMBIGUOUS, GUESSED = 1.0, 0.98, 0.95, 0.7, 0.6
"""How certain: ISO or RFC 2822; the map's format; words of a language; day and month could be swapped; dateparser."""

_EARLIEST = 1980
_CLOCK_SKEW = timedelta(minutes=10)
_FARTHEST_EAST = timedelta(hours=14)
"""A date without a zone may be this far ahead of UTC and still not be in the future."""
_TOO_LONG = 300

_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T\s]+(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?)?(?!\d)",
    re.IGNORECASE,
)
_RFC = re.compile(r"^[A-Za-z]{3},? \d{1,2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}")
_EPOCH = re.compile(r"^1[0-9]{9}(?:[0-9]{3})?$")
_YEAR_FIRST = re.compile(
    r"(?<!\d)(?<!\d[./-])(\d{4})(?:([./-]) ?(\d{1,2})\2 ?(\d{1,2})|\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2}))(?!\d)"
)
"""Not right behind a day and month, and with one separator: "5.3.2024 - 10.15" is a day and a time."""
NUMERIC_DATE = re.compile(r"(?<![\d:])(\d{1,2})\s*([./-])\s*(\d{1,2})\s*[./-]\s*(\d{4}|\d{2})(?![\d:])")
_ISO_DAY = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_PATH_DAY = re.compile(r"/(\d{4})[/-](\d\d)[/-](\d\d)(?!\d)")
_COMPACT = re.compile(
    r"(?<!\d)(20\d{2}|19[89]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:(\d{2})(\d{2})(?:\d{2})?)?(?!\d)"
)
_CLOCK = re.compile(
    r"(?<![\d:.,+-])(?P<before>上午|下午|午前|午後|오전|오후|晚上|凌晨)?\s*(?P<hour>[01]?\d|2[0-3])"
    r"(?:\s*[:：٫]\s*|(?<=\d)[.h](?=\d{2}(?!\d))|\s*(?:時|时|點|点|시)\s*|\s?h\s?(?![^\W\d]))"
    r"(?P<minute>[0-5]\d|\d(?=\s*[分분]))?(?![\d.]\d)(?:\s*[:分분]\s*(?P<second>[0-5]\d)?)?\s*(?P<half>[ap]\.?\s?m\b\.?|ص|م(?![^\W\d_]))?"
    r"|(?<!\d)(?P<hour_only>1[0-2]|0?[1-9])\s*(?P<half_only>[ap]\.?m\b\.?)",
    re.IGNORECASE,
)
_GLUED = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])|(?<=(?:19|20)\d\d)(?=\d{1,2}:\d\d)")
"""Where inline elements stand side by side without a space: "PublishedMay 6, 2024", "May 6, 20247:08 AM"."""
_DURATION = re.compile(r"[\d:.\s]*\d:\d\d:\d\d|\d+(?::\d)?")
_AFTERNOON = re.compile(r"p|下午|午後|오후|晚上|م", re.IGNORECASE)
_OFFSET = re.compile(r"(?:\b(?:UTC|GMT)\s*|(?<![-/]\d\d)(?<=\d)\s*|(?<=\s))([+-])(\d{1,2}):?(\d{2})?(?!\d|[-./]\d)")
"""Not of what a second date of the line is written with ("2025-05-11 19:24, updated 2025-05-12")."""
_ZONE_NAME = re.compile(r"\b([A-Z]{1,5}T?|Z|МСК|мск)\b")
_ZONES: dict[str, tzinfo] = {
    name: timezone(timedelta(minutes=round(hours * 60)))
    for name, hours in {
        "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2, "EET": 2, "EEST": 3,
        "MSK": 3, "МСК": 3, "мск": 3, "IST": 5.5, "PKT": 5, "WIB": 7, "WITA": 8, "WIT": 9, "ICT": 7, "HKT": 8, "SGT": 8, "JST": 9,
        "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6,
        "PST": -8, "PDT": -7, "AKST": -9, "HST": -10, "BRT": -3, "ART": -3,
    }.items()
}  # fmt: skip
_MONTHS, _DAYS = 12, 31
_COUNTRY = 2
"""The letters of a country's code."""
MONTH_FIRST_LANGUAGES = frozenset({"en", "en-us", "en-ph", "fil", "tl"})


def parse_date(item: Taken, context: Context) -> Parsed | None:
    """Read a moment: a `datetime` (aware where page or map name a zone), or a `date` where no time is given."""
    text = _source_text(item)
    if not text or len(text) > _TOO_LONG:
        return None
    if text[4:5] == "-" and len(text) > 10:  # most pages: ISO 8601 as the standard library reads it
        try:
            moment = _place(datetime.fromisoformat(text), context.timezone)
        except ValueError:
            moment = None
        if moment is not None and not _in_future(moment, context.now):
            return Parsed(moment, EXACT)
    for moment, certainty in _readings(text, context):
        placed = _place(moment, context.timezone)
        if placed is not None and not _in_future(placed, context.now):
            return Parsed(placed, certainty)
    return None


def _source_text(item: Taken) -> str:
    if isinstance(item, Element) and item.tag == "time" and (stated := item.attr("datetime")):
        return stated.strip()
    return string_of(item)


def _readings(text: str, context: Context) -> Iterator[tuple[Moment, float]]:
    """Yield what the text may mean, best reading first."""
    exact = _read_exact(text)
    if exact is not None:
        yield exact, EXACT
        return
    if (known := _read_formats(text, context.date_formats)) is not None:
        yield known, KNOWN_FORMAT
    digits = _GLUED.sub(" ", _plain_digits(text))
    found = False
    for moment, certainty in _read_words(digits, context):
        found = True
        yield moment, certainty
    if not found and (guessed := _guess(text, context.language, context.document.seen_at or context.now)) is not None:
        yield guessed, GUESSED


def _read_exact(text: str) -> Moment | None:
    if iso := _ISO.fullmatch(text):
        return _from_iso(iso)
    if _EPOCH.match(text):
        return datetime.fromtimestamp(int(text[:10]), UTC)
    if _RFC.match(text):
        try:
            return parsedate_to_datetime(text)
        except (ValueError, OverflowError):
            return None
    return None


def _from_iso(iso: re.Match[str]) -> Moment | None:
    year, month, day, hour, minute, second, zone = iso.groups()
    try:
        if hour is None:
            return date(int(year), int(month), int(day))
        moment = datetime(int(year), int(month), int(day), int(hour) % 24, int(minute), min(int(second or 0), 59))
    except ValueError:
        return None
    return moment.replace(tzinfo=_iso_zone(zone)) if zone else moment


def _iso_zone(zone: str) -> tzinfo:
    if zone.upper() in _ZONES:
        return UTC
    digits = zone[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    return timezone(-offset if zone[0] == "-" else offset) if offset < timedelta(hours=24) else UTC


def _read_formats(text: str, formats: tuple[str, ...]) -> Moment | None:
    for wanted in formats:
        try:
            moment = datetime.strptime(text, wanted)
        except ValueError:
            continue
        return moment if any(code in wanted for code in ("%H", "%I", "%c", "%X")) else moment.date()
    return None


def _plain_digits(text: str) -> str:
    """Write the digits of other scripts as 0-9, and full-width forms as plain ones."""
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKC", text)
    return "".join(str(unicodedata.digit(char)) if char.isdigit() and not char.isascii() else char for char in folded)


def _read_words(text: str, context: Context) -> Iterator[tuple[Moment, float]]:
    """Yield dates with month names or numbers anywhere in a text, with the time of day beside them."""
    for found in _days(text, context):
        clock = _clock(found.rest)
        if clock is None:
            yield found.day, found.certainty
        else:
            yield datetime.combine(found.day, clock, _zone(found.rest)), found.certainty


class _Day(NamedTuple):
    """A day read from a text, how certain it is, and what is left of the text."""

    day: date
    certainty: float
    rest: str


class _Near(NamedTuple):
    """The day and year that stand around a month's name, and what is left of the text."""

    day: str
    year: str
    rest: str


def _days(text: str, context: Context) -> Iterator[_Day]:
    if iso := _ISO.search(text):
        moment = _from_iso(iso)
        if moment is not None:
            day = moment.date() if isinstance(moment, datetime) else moment
            yield _Day(day, READ, text[: iso.start()] + " " + text[iso.end(3) :].lstrip("Tt"))
            return
    if found := _YEAR_FIRST.search(text):
        yield from _valid(found[1], found[3] or found[5], found[4] or found[6], READ, _without(text, found))
    yield from _named_month(text, context.language)
    if found := NUMERIC_DATE.search(text):
        month_first = _is_month_first(found[2], context)
        yield from _numeric(found, _without(text, found), month_first=month_first)
    if found := _COMPACT.search(text):
        rest = f"{found[4]}:{found[5]}" if found[4] else _without(text, found)
        yield from _valid(found[1], found[2], found[3], READ, rest)


def _named_month(text: str, language: str) -> Iterator[_Day]:
    code = language.partition("-")[0].lower()
    stems = month_stems(code)
    for found in month_pattern(code).finditer(text):
        month = stems[fold(found[1])]
        before, after = text[: found.start()], text[found.end() :]
        for near in _around(before, after):
            yield from _valid(near.year, str(month), near.day, READ, near.rest)


_DAY_BEFORE = re.compile(
    r"(?<![\d:.])(\d{1,2})(?:\.|st|nd|rd|th|er|º|ª|-?е|-го|ej)?,?[\s/-]*(?:de |d['’]|of |di |den )?$", re.IGNORECASE
)
_YEAR_AFTER = re.compile(r"^[\s,./-]*(?:de |del |г\.? )?(\d{4})(?!\d)")
_SHORT_YEAR_AFTER = re.compile(r"^[\s./-]*['’]?(\d{2})(?=\s*(?:$|[(),;|·•–-]|(?:[aàu@]\s+)?\d{1,2}[:.h]\d{2}))")
"""A year of two digits ("3 Jan 12, 13:48") ends the line, or a time or a mark follows; else it counts something."""
_DAY_YEAR_AFTER = re.compile(r"^\s*(\d{1,2})(?:st|nd|rd|th|\.|日)?\s*,?\s+(?:de |of )?(\d{4})(?!\d)")
_YEAR_BEFORE = re.compile(r"(?<!\d)(\d{4})[.,]?\s*(?:m\.\s*)?$")
_YEAR_DAY_BEFORE = re.compile(r"(?<!\d)(\d{4})\.?\s*(?:gada|m\.)?\s*(\d{1,2})\.?\s*$")
_DAY_AFTER = re.compile(r"^\s*(\d{1,2})(?![\d:])")


def _around(before: str, after: str) -> Iterator[_Near]:
    """Yield day, year and what is left of the text, for each order in which they stand around the month."""
    if (day := _DAY_BEFORE.search(before)) and (year := _YEAR_AFTER.match(after)):
        yield _Near(day[1], year[1], f"{before[: day.start()]} {after[year.end() :]}")
    elif day and (short := _SHORT_YEAR_AFTER.match(after)):
        yield _Near(day[1], f"20{short[1]}", f"{before[: day.start()]} {after[short.end() :]}")
    if both := _DAY_YEAR_AFTER.match(after):
        yield _Near(both[1], both[2], f"{before} {after[both.end() :]}")
    if both := _YEAR_DAY_BEFORE.search(before):
        yield _Near(both[2], both[1], f"{before[: both.start()]} {after}")
    if (year := _YEAR_BEFORE.search(before)) and (day := _DAY_AFTER.match(after)):
        yield _Near(day[1], year[1], f"{before[: year.start()]} {after[day.end() :]}")


def is_month_first(separator: str, language: str, formats: Sequence[str] = ()) -> bool:
    """Tell whether the month stands before the day in dates of numbers: as in the site's formats, or its language.

    >>> is_month_first("/", "en-US"), is_month_first(".", "en-US"), is_month_first(".", "en-US", ["%m.%d.%Y"])
    (True, False, True)
    """
    for wanted in formats:
        if f"%m{separator}%d" in wanted or f"%d{separator}%m" in wanted:
            return f"%m{separator}%d" in wanted
    return separator != "." and language.lower() in MONTH_FIRST_LANGUAGES


def _is_month_first(separator: str, context: Context) -> bool:
    """Tell whether the month stands before the day: the map's formats tell, or the page's own dates, or its language.

    With full stops only American sites write so: of ten sites in English with such dates (folds 1-4) the five whose host
    names no country and whose pages tell nothing do.
    """
    formats = context.date_formats
    if any(f"%m{separator}%d" in wanted or f"%d{separator}%m" in wanted for wanted in formats):
        return is_month_first(separator, context.language, formats)
    told = _orders_told(context.document)
    if told[separator] != 0:
        return told[separator] > 0
    has_country = len(host_of(context.document.url).rpartition(".")[2]) == _COUNTRY
    return context.language.lower() in MONTH_FIRST_LANGUAGES and not (separator == "." and has_country)


@lru_cache(maxsize=4)
def _orders_told(document: Document) -> Counter[str]:
    """Return by separator how many dates of a page can only be read month first, less those that cannot.

    Where day and month could be swapped, what the page states of its days tells.
    """
    root = document.tree.root
    told: Counter[str] = Counter()
    stated = _stated_days(document)
    for first, separator, second, year in set(
        NUMERIC_DATE.findall("\n".join(visible_lines([root])) if root is not None else "")
    ):
        one, other = int(first), int(second)
        if max(one, other) > _MONTHS:
            told[separator] += (one <= _MONTHS < other <= _DAYS) - (other <= _MONTHS < one <= _DAYS)
        else:
            told[separator] += ((int(year), one, other) in stated) - ((int(year), other, one) in stated)
    return told


def _stated_days(document: Document) -> frozenset[tuple[int, int, int]]:
    """Return year, month and day of all days that metadata and the address state beyond doubt."""
    stated = [value for values in document.metadata.meta.values() for value in values]
    stated += [script.text for script in document.tree.select('script[type*="ld+json" i]')]
    found = [days for text in stated for days in _ISO_DAY.findall(text)]
    return frozenset((int(y), int(m), int(d)) for y, m, d in (*found, *_PATH_DAY.findall(document.url)))


def _numeric(found: re.Match[str], rest: str, *, month_first: bool) -> Iterator[_Day]:
    """Yield both orders of day and month where both are possible, the usual one first."""
    first, separator, second, year = found.groups()
    full_year = year if len(year) == 4 else f"20{year}"
    orders = [(first, second), (second, first)] if month_first else [(second, first), (first, second)]
    ambiguous = int(first) <= 12 and int(second) <= 12 and first != second and separator != "."
    for month, day in orders:
        yield from _valid(full_year, month, day, AMBIGUOUS if ambiguous else READ, rest)


def _valid(year: str, month: str, day: str, certainty: float, rest: str) -> Iterator[_Day]:
    number = int(year)
    if 2400 < number < 2700:
        number -= 543  # the Buddhist era, as Thai papers count
    if number < _EARLIEST:
        return
    try:
        yield _Day(date(number, int(month), int(day)), certainty, rest)
    except ValueError:
        return


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"


def _clock(text: str) -> time | None:
    for found in _CLOCK.finditer(text):
        hour = int(found["hour"] or found["hour_only"])
        half = found["before"] or found["half"] or found["half_only"] or ""
        if half and hour <= 12:
            hour = hour % 12 + (12 if _AFTERNOON.match(half) else 0)
        return time(hour % 24, int(found["minute"] or 0), int(found["second"] or 0))
    return None


def _zone(text: str) -> tzinfo | None:
    if offset := _OFFSET.search(text):
        sign, hours, minutes = offset.groups()
        delta = timedelta(hours=int(hours), minutes=int(minutes or 0))
        if delta <= _FARTHEST_EAST:
            return timezone(-delta if sign == "-" else delta)
    return next((_ZONES[name] for name in _ZONE_NAME.findall(text) if name in _ZONES), None)


def _place(moment: Moment, zone: tzinfo | None) -> Moment | None:
    """Add the map's zone to a time that names none; refuse what no newspaper has printed."""
    if moment.year < _EARLIEST:
        return None
    if isinstance(moment, datetime) and moment.tzinfo is None and zone is not None:
        return moment.replace(tzinfo=zone)
    return moment


def _in_future(moment: Moment, now: datetime) -> bool:
    if not isinstance(moment, datetime):
        return moment > (now + _FARTHEST_EAST).date()
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC) > now + _FARTHEST_EAST
    return moment > now + _CLOCK_SKEW


@lru_cache(maxsize=4096)
def _guess(text: str, language: str, now: datetime) -> Moment | None:
    """Ask dateparser: slow, but it knows "vor 3 Stunden" and its like in 200 languages."""
    import dateparser  # noqa: PLC0415 -- a third of a second to import, and most sites never need it

    if len(text) > _LONGEST_GUESS or not any(char.isalnum() for char in text) or _DURATION.fullmatch(text):
        return None
    code = language.partition("-")[0].lower()
    languages = [code] if code in _GUESSED_LANGUAGES else list(_GUESSED_LANGUAGES)
    settings = {
        "RELATIVE_BASE": now.astimezone(UTC).replace(tzinfo=None),
        "PREFER_DATES_FROM": "past",
        "REQUIRE_PARTS": ["day"],
    }
    try:
        found = dateparser.parse(text, languages=languages, settings=settings)
    except (ValueError, RecursionError, OverflowError):  # an unknown language code, or absurd numbers
        return None
    return _as_utc(found, text) if found is not None else None


_LONGEST_GUESS = 60
_GUESSED_LANGUAGES = (
    "en de fr es pt it ru uk be bg pl cs sk sl hr sr ro hu nl sv da nb fi et lv lt el tr az ka hy he ar fa ur hi bn mr ta te th vi "
    "id ms tl zh ja ko ca eu gl is kk sq sw mk".split()
)
"""What dateparser is asked to try: all of its 200 would take a second for every string that is no date."""


def _as_utc(found: datetime, text: str) -> Moment:
    """Relative times count from `now`, which is UTC; without any clock in them, only the day is known."""
    relative = re.search(r"\d", text) is None or _CLOCK.search(text) is None
    if relative and (found.hour, found.minute, found.second) == (0, 0, 0):
        return found.date()
    return found.replace(tzinfo=UTC, microsecond=0) if relative else found


def load_zone(name: str) -> tzinfo | None:
    """Return the time zone of a map, if it names one."""
    return ZoneInfo(name) if name else None
