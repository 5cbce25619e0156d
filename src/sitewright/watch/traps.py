"""Links of a site in, which of them look like an endless space of pages out: calendars, growing paths, filters.

Stories come by thousands under one pattern as well, so nothing is refused for being many. Three shapes are suspected,
and each pattern of the first two has a budget that fills up again by the day:

    calendars   the address ends with a date, or its parameters are one: a page for each day, forwards and backwards
    filters     one path with several parameters, of which every combination is a page (of one that has a parameter
                which is new on most of its pages, the pages are items, and there is no budget)
    growth      the path repeats itself: /a/b/a/b; these are refused at once
"""

import json
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from sitewright.watch.timing.rhythm import DAY

LONGEST_URL = 2_000
"""Beyond this, servers and browsers give up; no address of a story comes near."""
DEEPEST_PATH = 20
CALENDAR_BUDGET, CALENDAR_A_DAY = 40.0, 4.0
"""A month of days and some; afterwards, what a paper with an archive page a day needs."""
FILTER_BUDGET, FILTER_A_DAY = 100.0, 5.0
_ITEM_SHARE = 0.5
_MOST_PATTERNS = 5_000
_YEARS_AHEAD, _YEARS_BACK = 1, 40
_SECONDS_A_YEAR = 365.2425 * DAY
_DIGITS = re.compile(r"\d+")
_MONTH = r"(?:0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_CALENDAR_WORDS = r"calend\w*|kalend\w*|agenda|events?|archives?|archiv|veranstaltungen|evenements|eventos|eventi"
_ENDING_DATE = re.compile(
    rf"(?:/|(?:{_CALENDAR_WORDS})[_-])(?P<year>\d{{4}})[/_.-]{_MONTH}(?:[/_.-][0-3]?\d)?/?(?:index)?(?:\.\w{{2,5}})?/?$"
    rf"|/(?:{_CALENDAR_WORDS})[/_-](?P<lone_year>\d{{4}})(?:/w?\d{{1,2}})?/?$",
    re.IGNORECASE,
)
"""A year alone is as often the number of a story (`/news/2031`); only where the path says calendar it is a year."""
_DATE_NAMES = frozenset(
    "date day month year week datum jahr monat tag annee mois jour fecha dia mes ano anno mese giorno "
    "cal calendar tribe-bar-date start_date end_date ym ymd".split()
)
_SHORT_NAMES = frozenset("d end from m start to y".split())
"""Names that count other things too: their values must be a year and a month."""
_DATE_VALUE = re.compile(rf"(?P<year>(?:19|2[01])\d\d)?(?:[-/._]?{_MONTH})?(?:[-/._]?[0-3]?\d)?", re.IGNORECASE)
_YEAR_AND_MONTH = re.compile(rf"(?:19|2[01])\d\d[-/._]?{_MONTH}(?:[-/._]?[0-3]?\d)?", re.IGNORECASE)

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How many more pages of a pattern are followed, as of a time; of filters, which values were seen so far."""

    left: float
    at: float
    values: tuple[tuple[str, ...], ...] = ()
    pages: int = 0
    items: bool = False

    def refilled(self, now: float, a_day: float, most: float) -> "Budget":
        """Return the budget as of now."""
        gained = max(now - self.at, 0.0) / DAY * a_day
        return replace(self, left=min(self.left + gained, most), at=max(now, self.at))


class Traps:
    """The suspected patterns of a site and what is left of their budgets; bounded in size."""

    def __init__(self) -> None:
        self._budgets: OrderedDict[str, Budget] = OrderedDict()

    def refusal(self, url: str, now: float) -> str:
        """Return why a new link is not followed, empty if it is, and charge it to the budget of its pattern.

        Ask once for each link that is followed; `url` is as `clean_url` gives it.

        >>> traps = Traps()
        >>> traps.refusal("https://example.com/2024/05/06/why-bees-dance", 1.7e9)
        ''
        >>> traps.refusal("https://example.com/calendar/2031/05", 1.7e9)
        'calendar: a page of 2031, too far ahead'
        >>> traps.refusal("https://example.com/a/b/a/b/", 1.7e9)
        'growing path: /a/b comes twice in a row'
        """
        try:
            parts = urlsplit(url)
        except ValueError:
            return "not an address"
        pairs = _pairs(parts.query)
        if reason := too_long(url) or growth(parts.path):
            return reason
        year = calendar_year(parts.path, pairs)
        pattern = f"{parts.netloc}{_DIGITS.sub('0', parts.path)}?{'&'.join(name for name, _ in pairs)}"
        if year is not None:
            return _out_of_time(year, now) or self._charge_calendar(pattern, now)
        if len(pairs) > 1:
            return self._charge_filter(f"{parts.netloc}{parts.path}", pairs, now)
        return ""

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the budgets as rows of a table."""
        return [
            {"pattern": pattern, "left": budget.left, "at": budget.at, "pages": budget.pages, "items": budget.items}
            | {"values": json.dumps(budget.values)}
            for pattern, budget in self._budgets.items()
        ]

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, Any]]) -> "Traps":
        """Return what `to_rows` wrote."""
        traps = cls()
        for row in rows:
            values = tuple(tuple(own) for own in json.loads(row["values"]))
            traps._budgets[row["pattern"]] = Budget(
                left=row["left"], at=row["at"], values=values, pages=row["pages"], items=bool(row["items"])
            )
        return traps

    def _charge_calendar(self, pattern: str, now: float) -> str:
        budget = self._budget(pattern, now, CALENDAR_A_DAY, CALENDAR_BUDGET)
        if budget.left < 1:
            return f"calendar: {CALENDAR_BUDGET:.0f} pages like {pattern.rstrip('?')} are enough for now"
        self._keep(pattern, replace(budget, left=budget.left - 1))
        return ""

    def _charge_filter(self, path: str, pairs: Pairs, now: float) -> str:
        names = "&".join(dict.fromkeys(name for name, _ in pairs))
        pattern = f"filter {path}"
        budget = self._budget(pattern, now, FILTER_A_DAY, FILTER_BUDGET)
        if budget.items:
            return ""
        if budget.left < 1:
            return f"filters: {FILTER_BUDGET:.0f} combinations of {names} at {path} are enough for now"
        self._keep(pattern, _with_page(budget, pairs))
        return ""

    def _budget(self, pattern: str, now: float, a_day: float, most: float) -> Budget:
        known = self._budgets.get(pattern)
        return known.refilled(now, a_day, most) if known is not None else Budget(left=most, at=now)

    def _keep(self, pattern: str, budget: Budget) -> None:
        self._budgets[pattern] = budget
        self._budgets.move_to_end(pattern)
        if len(self._budgets) > _MOST_PATTERNS:
            self._budgets.popitem(last=False)


def too_long(url: str) -> str:
    """Return why an address is too long or deep to be a story's; empty if it is not."""
    if len(url) > LONGEST_URL:
        return f"address of {len(url)} characters"
    depth = url.partition("?")[0].count("/") - 3
    return f"path of {depth} folders" if depth > DEEPEST_PATH else ""


def growth(path: str) -> str:
    """Return why a path looks as if it grew by itself; empty if it does not.

    >>> growth("/news/sport/news/sport/"), growth("/2001/01/01/01"), growth("/bees/bees/")
    ('growing path: /news/sport comes twice in a row', '', '')
    >>> growth("/shop/a/shop/b/shop/c")
    'growing path: /shop comes 3 times'
    """
    names = [name for name in path.lower().split("/") if name]
    for length in range(2, len(names) // 2 + 1):
        for start in range(len(names) - 2 * length + 1):
            block = names[start : start + length]
            if block == names[start + length : start + 2 * length] and not all(name.isdigit() for name in block):
                return f"growing path: /{'/'.join(block)} comes twice in a row"
    for name in dict.fromkeys(names):
        if not name.isdigit() and (times := names.count(name)) > 2:
            return f"growing path: /{name} comes {times} times"
    return ""


def calendar_year(path: str, pairs: Pairs) -> int | None:
    """Return the year of an address that names a date and nothing else, 0 where it names none; None for all others.

    >>> calendar_year("/events/2031/05/", ()), calendar_year("/2024/05/06/why-bees-dance", ())
    (2031, None)
    >>> calendar_year("/agenda", (("month", "5"), ("year", "2031"))), calendar_year("/news", (("id", "2031"),))
    (2031, None)
    """
    if found := _ENDING_DATE.search(path):
        return int(found["year"] or found["lone_year"])
    dates = [value for name, value in pairs if _is_date(name.lower(), value)]
    others = [value for name, value in pairs if not _is_date(name.lower(), value)]
    if not dates or any(_DIGITS.search(value) for value in others):
        return None
    years = [int(found["year"]) for value in dates if (found := _DATE_VALUE.fullmatch(value)) and found["year"]]
    return max(years, default=0)


def _is_date(name: str, value: str) -> bool:
    if name in _SHORT_NAMES:
        return _YEAR_AND_MONTH.fullmatch(value) is not None
    return name in _DATE_NAMES and _DATE_VALUE.fullmatch(value) is not None


def _out_of_time(year: int, now: float) -> str:
    current = int(1970 + now / _SECONDS_A_YEAR)
    if year > current + _YEARS_AHEAD:
        return f"calendar: a page of {year}, too far ahead"
    return f"calendar: a page of {year}, too far back" if 0 < year < current - _YEARS_BACK else ""


def _with_page(budget: Budget, pairs: Pairs) -> Budget:
    """Return the budget with one page more; when it is spent, decide whether the pages are items."""
    old = {own[0]: own[1:] for own in budget.values}
    for name, value in pairs:
        old[name] = tuple(dict.fromkeys((*old.get(name, ()), value[:40])))
    pages, left = budget.pages + 1, budget.left - 1
    if left >= 1:
        return replace(budget, left=left, pages=pages, values=tuple((name, *own) for name, own in old.items()))
    distinct = max((len(own) for own in old.values()), default=0)
    return replace(budget, left=left, pages=0, values=(), items=distinct > _ITEM_SHARE * pages)


def _pairs(query: str) -> Pairs:
    found = (pair.partition("=") for pair in query.split("&") if pair)
    return tuple((unquote_plus(name), unquote_plus(value)) for name, _, value in found)
