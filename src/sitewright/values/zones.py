"""A host in, the time zone of its country out, where the country has only one; and what else a page says of its site."""

from datetime import datetime, tzinfo
from functools import lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from sitewright.parse import Document, host_of
from sitewright.parse.language import language_of_page
from sitewright.values.value import Context

_WORLDWIDE = frozenset({"ai", "cc", "co", "fm", "gg", "io", "la", "ly", "me", "sh", "to", "tv", "ws"})
"""Codes of countries that sites elsewhere like for their letters."""
_SEASONS = (datetime(2024, 1, 15), datetime(2024, 7, 15))


def page_context(document: Document, now: datetime) -> Context:
    """Return what is known of a page whose site is not: when it was seen, its language, its country's zone."""
    return Context(
        document=document,
        now=document.fetched_at or now,
        timezone=zone_of_host(host_of(document.url)),
        language=language_of_page(document),
    )


def zone_of_host(host: str) -> tzinfo | None:
    """Return the zone in which a site most likely gives times.

    >>> zone_of_host("www.asahi.example.jp"), zone_of_host("www.example.com")
    (zoneinfo.ZoneInfo(key='Asia/Tokyo'), None)
    """
    country = host.rpartition(".")[2].lower()
    if country in _WORLDWIDE:
        return None
    return _only_zone(country)


def zones_of_country(code: str) -> list[str]:
    """Return the names of a country's zones, by its two letters.

    >>> zones_of_country("jp"), zones_of_country("xx")
    (['Asia/Tokyo'], [])
    """
    return _zones().get("gb" if code == "uk" else code.lower(), [])


@lru_cache(maxsize=256)
def _only_zone(country: str) -> tzinfo | None:
    """Return the zone of a country in which all clocks show the same time."""
    names = zones_of_country(country)
    return ZoneInfo(names[0]) if len({_times(name) for name in names}) == 1 else None


@lru_cache(maxsize=1)
def _zones() -> dict[str, list[str]]:
    """Return the names of zones by country."""
    zones: dict[str, list[str]] = {}
    table = files("tzdata").joinpath("zoneinfo/zone.tab").read_text("utf-8")
    for line in table.splitlines():
        if not line.startswith("#"):
            country, _, name, *_ = line.split("\t")
            zones.setdefault(country.lower(), []).append(name)
    return zones


def _times(name: str) -> tuple[object, ...]:
    return tuple(ZoneInfo(name).utcoffset(season) for season in _SEASONS)
