"""The tables of sites in a settings file, right and wrong."""

from pathlib import Path

import pytest

from sitewright.cli.settings import load_settings, site_setting_names
from sitewright.errors import SettingsError
from sitewright.types import Cookie, SiteAccess

COOKIES = ".example.com\tTRUE\t/\tTRUE\t0\tsession\ts3cr3t\n.other.example\tTRUE\t/\tTRUE\t0\tid\t1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cookies.txt").write_text(COOKIES, "utf-8")
    return tmp_path


def sites_of(text: str, **variables: str) -> dict[str, SiteAccess]:
    Path("sitewright.toml").write_text(text, "utf-8")
    return dict(load_settings(variables).fetch.sites)


def test_what_a_site_may_have() -> None:
    text = """
    [fetch]
    seconds = 5
    [sites."Example.com"]
    cookies = "cookies.txt"
    headers = { Authorization = "Bearer ${KEY}", X-Plain = "one" }
    proxy = "http://${NAME}:${WORD}@proxy.example:3128"
    """
    assert sites_of(text, KEY="t0k3n", NAME="bee", WORD="sting") == {
        "example.com": SiteAccess(
            headers={"Authorization": "Bearer t0k3n", "X-Plain": "one"},
            cookies=(Cookie(name="session", value="s3cr3t", domain="example.com", secure=True),),
            proxy="http://bee:sting@proxy.example:3128",
        )
    }
    assert load_settings({"KEY": "", "NAME": "a", "WORD": "b"}).fetch.seconds == 5


def test_files_are_found_beside_the_settings(folder: Path) -> None:
    (folder / "etc").mkdir()
    (folder / "etc" / "mine.toml").write_text('[sites."example.com"]\ncookies = "../cookies.txt"\n', "utf-8")
    assert load_settings({"SITEWRIGHT_CONFIG": "etc/mine.toml"}).fetch.sites["example.com"].cookies


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('sites = "s3cr3t"', "expected tables like"),
        ('[sites]\n"example.com" = "s3cr3t"', 'sites."example.com": expected a table'),
        ('[sites."https://example.com/"]', "expected the host of a site"),
        ('[sites."example.com"]\ncookie = "s3cr3t"', "unknown setting cookie; known are cookies, headers, proxy"),
        ('[sites."example.com"]\nproxy = "socks5://s3cr3t@a:1"', "proxy: expected the address of a proxy like"),
        ('[sites."example.com"]\nproxy = "http://a:s3cr3t/"', "proxy: expected the address of a proxy like"),
        ('[sites."example.com"]\nheaders = "s3cr3t"', "headers: expected a table"),
        ('[sites."example.com"]\nheaders = { a = "s3cr3t\\nX: 1" }', "headers.a: expected a line"),
        ('[sites."example.com"]\nheaders = { "a b" = "s3cr3t" }', "a header's name"),
        ('[sites."example.com"]\nheaders = { Cookie = "s3cr3t" }', "Cookie cannot be set"),
        ('[sites."example.com"]\nheaders = { a = "${MISSING}" }', "no environment variable MISSING"),
        ('[sites."example.com"]\ncookies = "none.txt"', "cannot read none.txt: No such file"),
        ('[sites."example.org"]\ncookies = "cookies.txt"', "cookies.txt has no cookie for example.org"),
    ],
)
def test_what_is_wrong_is_told_without_what_is_secret(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as error:
        sites_of(text)
    assert "s3cr3t" not in str(error.value)


def test_every_setting_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
    for name in site_setting_names():
        assert f"| `{name}` |" in text
