"""Hosts and the zones in which their sites give times."""

from datetime import datetime, timedelta

import pytest

from sitewright.values import zone_of_host

WINTER, SUMMER = datetime(2024, 1, 15, 12), datetime(2024, 7, 15, 12)


@pytest.mark.parametrize(
    ("host", "winter", "summer"),
    [
        ("www.news.example.jp", 9, 9),
        ("example.de", 1, 2),
        ("EXAMPLE.KR", 9, 9),
        ("www.bbc.example.co.uk", 0, 1),
        ("example.in", 5.5, 5.5),
    ],
)
def test_countries_with_one_time_have_a_zone(host: str, winter: float, summer: float) -> None:
    zone = zone_of_host(host)
    assert zone is not None
    assert (zone.utcoffset(WINTER), zone.utcoffset(SUMMER)) == (timedelta(hours=winter), timedelta(hours=summer))


@pytest.mark.parametrize(
    "host", ["example.com", "example.us", "example.ru", "example.br", "example.io", "localhost", ""]
)
def test_others_have_none(host: str) -> None:
    assert zone_of_host(host) is None
