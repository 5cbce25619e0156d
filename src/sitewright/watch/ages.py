"""How old a story may be, and when it was published, in; whether it is too old to be collected out."""

import re
from datetime import datetime, timedelta

from sitewright.domains import DEFAULT_DOMAIN, load_domain
from sitewright.errors import SettingsError, TooOld
from sitewright.store.states import SiteState
from sitewright.types import Failure, Record
from sitewright.values.moments import moment_of
from sitewright.values.words import moment

_AGE = re.compile(r"(\d{1,6})\s*([hdwmy]?)", re.IGNORECASE)
_DAYS = {"": 1.0, "h": 1 / 24, "d": 1.0, "w": 7.0, "m": 30.0, "y": 365.0}


def read_age(text: str) -> timedelta:
    """Read an age as a person writes it: hours, days, weeks, months (30 days) or years; a bare number is days.

    >>> read_age("30d"), read_age("12h"), read_age("2w") == read_age("14")
    (datetime.timedelta(days=30), datetime.timedelta(seconds=43200), True)
    """
    match = _AGE.fullmatch(text.strip())
    if match is None:
        raise SettingsError(f"{text!r} is no age; write it like 30d, 12h, 2w, 6m or 1y (0: any age)")
    return timedelta(days=int(match[1]) * _DAYS[match[2].lower()])


def oldest(state: SiteState, now: datetime) -> datetime | None:
    """Return when the oldest story was published that is collected; None: any."""
    return now - timedelta(seconds=state.max_age) if state.max_age else None


def too_old(record: Record, link: str, since: datetime | None) -> Failure | None:
    """Return why a record is not kept, where it is too old; one without a date never is."""
    names = (load_domain(name).published for name in (record.domain, DEFAULT_DOMAIN))
    value = next((record.fields[name].value for name in names if name in record.fields), None)
    published = moment_of(value)
    if since is None or published is None or published >= since:
        return None
    detail = f"published {moment(published)}, before {moment(since)}; collect with a longer --max-age to have it"
    return Failure(link, "collect", TooOld.code, detail)
