"""Files of cookies as browsers, curl and Playwright write them; what is wrong is told without what is secret."""

import json

import pytest

from sitewright.errors import SettingsError
from sitewright.fetch.cookie_files import read_log_in
from sitewright.types import Cookie

NETSCAPE = """# Netscape HTTP Cookie File
# a comment

.example.com\tTRUE\t/\tTRUE\t4000000000\tsession\ts3cr3t
#HttpOnly_www.example.com\tFALSE\t/news\tFALSE\t0\ttheme\t
"""
STATE = {
    "cookies": [
        {"name": "session", "value": "s3cr3t", "domain": ".example.com", "path": "/", "expires": -1, "httpOnly": True,
         "secure": True, "sameSite": "Lax"},
    ],
    "origins": [{"origin": "https://example.com", "localStorage": [{"name": "token", "value": "t0k3n"}]}],
}  # fmt: skip
EXTENSION = [{"name": "a", "value": "1", "domain": "example.com", "hostOnly": True, "expirationDate": 4e9}]


def test_cookies_txt() -> None:
    assert read_log_in(NETSCAPE.replace("\n", "\r\n"), "cookies.txt").cookies == (
        Cookie(name="session", value="s3cr3t", domain="example.com", secure=True, expires=4e9),
        Cookie(name="theme", value="", domain="www.example.com", host_only=True, path="/news", http_only=True),
    )


def test_storage_state() -> None:
    read = read_log_in(json.dumps(STATE), "state.json")
    assert read.cookies == (Cookie(name="session", value="s3cr3t", domain="example.com", secure=True, http_only=True),)
    assert read.storage == {"https://example.com": {"token": "t0k3n"}}
    assert "s3cr3t" not in repr(read)
    assert "t0k3n" not in repr(read)


def test_what_extensions_export() -> None:
    (cookie,) = read_log_in(json.dumps(EXTENSION), "cookies.json").cookies
    assert cookie == Cookie(name="a", value="1", domain="example.com", host_only=True, expires=4e9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("example.com s3cr3t\n# fine\n\ta\n", "cookies: no cookie in line 1, 3;"),
        (".example.com\tTRUE\t/\tTRUE\tsoon\tsession\ts3cr3t", "no cookie in line 1"),
        ('{"cookies": [\n"s3cr3t"', "cookies:2: is not JSON"),
        ('{"cookies": [{"name": "a", "value": "s3cr3t"}]}', "no name, value and domain"),
        ('["s3cr3t"]', "no name, value and domain"),
        ('[{"name": "a", "value": "s3cr3t\\r\\nX: 1", "domain": "example.com"}]', "no name, value"),
    ],
)
def test_bad_files_are_told_without_what_is_in_them(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as error:
        read_log_in(text, "cookies")
    assert "s3cr3t" not in str(error.value)
    assert error.value.__cause__ is None
