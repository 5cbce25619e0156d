from pathlib import Path

import pytest

from sitewright.cli.settings import Settings, load_settings, setting_names
from sitewright.errors import SettingsError
from sitewright.types import FetchSettings, Limits

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_defaults() -> None:
    assert load_settings({}) == Settings()


def test_a_file_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "sitewright.toml").write_text("jobs = 3\n[limits]\ndepth = 9\npage_seconds = 0.5\n", "utf-8")
    assert load_settings({}) == Settings(jobs=3, limits=Limits(depth=9, page_seconds=0.5))


def test_a_named_file_stands_in_for_it(tmp_path: Path) -> None:
    (tmp_path / "sitewright.toml").write_text("jobs = 3\n", "utf-8")
    (tmp_path / "other.toml").write_text("jobs = 4\n", "utf-8")
    assert load_settings({"SITEWRIGHT_CONFIG": "other.toml"}).jobs == 4


def test_the_environment_beats_the_file(tmp_path: Path) -> None:
    (tmp_path / "sitewright.toml").write_text("jobs = 3\n[limits]\ndepth = 9\npage_bytes = 7\n", "utf-8")
    found = load_settings({"SITEWRIGHT_LIMITS_DEPTH": "10", "SITEWRIGHT_JOBS": "5"})
    assert found == Settings(jobs=5, limits=Limits(depth=10, page_bytes=7))


def test_how_pages_are_fetched(tmp_path: Path) -> None:
    text = """
    [fetch]
    allow_hosts = ["localhost", "127.0.0.1:8000", "::1", "[::1]:8000"]
    user_agent = "BeeBot/1.0 (+https://example.com/bot)"
    seconds = 5
    pause_seconds = 0
    """
    (tmp_path / "sitewright.toml").write_text(text, "utf-8")
    assert load_settings({}).fetch == FetchSettings(
        allow_hosts=("localhost", "127.0.0.1:8000", "::1", "[::1]:8000"),
        user_agent="BeeBot/1.0 (+https://example.com/bot)",
        seconds=5,
        pause_seconds=0,
    )


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("localhost", ("localhost",)),
        ("localhost, 127.0.0.1:8000,", ("localhost", "127.0.0.1:8000")),
        ("", ()),
    ],
)
def test_hosts_in_a_variable_have_commas_between_them(text: str, hosts: tuple[str, ...]) -> None:
    assert load_settings({"SITEWRIGHT_FETCH_ALLOW_HOSTS": text}).fetch.allow_hosts == hosts


OF_A_CHOICE = ("serve.pictures", "mail.encryption")


@pytest.mark.parametrize("name", [name for name in setting_names() if name not in OF_A_CHOICE])
def test_every_setting_has_its_variable(name: str) -> None:
    found = load_settings({f"SITEWRIGHT_{name.replace('.', '_').upper()}": "77"})
    section, _, key = name.rpartition(".")
    names = (
        "fetch.user_agent",
        "fetch.cache",
        "fetch.browser",
        "store.url",
        "store.pages",
        "serve.host",
        "serve.token",
        "serve.url",
        "mail.host",
        "mail.user",
        "mail.password",
        "mail.sender",
    )
    lists = dict.fromkeys(("fetch.allow_hosts", "serve.names"), ("77",))
    expected = (lists | dict.fromkeys(names, "77")).get(name, 77)
    assert getattr(getattr(found, section) if section else found, key) == expected


def test_a_switch_is_on_or_off() -> None:
    assert [load_settings({"SITEWRIGHT_SERVE_PICTURES": text}).serve.pictures for text in ("true", "False")] == [
        True,
        False,
    ]
    with pytest.raises(SettingsError, match="true or false"):
        load_settings({"SITEWRIGHT_SERVE_PICTURES": "77"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("jobs = ", "is not TOML"),
        ("worker = 3", "unknown setting worker"),
        ("[limits]\ndeep = 3", "unknown setting limits.deep"),
        ("limits = 3", "expected a table"),
        ("jobs = 'x'", "jobs: expected a whole number"),
        ("jobs = -1", "jobs: expected a whole number"),
        ("jobs = 1.5", "jobs: expected a whole number"),
        ("jobs = true", "jobs: expected a whole number"),
        ("[limits]\ndepth = 0", "limits.depth: expected a number above 0"),
        ("[limits]\ndepth = 'x'", "limits.depth: expected a number above 0"),
        ("[limits]\ndepth = true", "limits.depth: expected a number above 0"),
        ("[limits]\npage_seconds = nan", "limits.page_seconds: expected a number above 0"),
        ("[limits]\ndepth = inf", "limits.depth"),
        ("[fetch]\nhosts = []", "unknown setting fetch.hosts"),
        ("fetch = 3", "expected a table"),
        ("[fetch]\nallow_hosts = 'localhost'", "fetch.allow_hosts: expected a list of hosts"),
        ("[fetch]\nallow_hosts = [7]", "fetch.allow_hosts: expected a list of hosts"),
        ("[fetch]\nallow_hosts = ['http://localhost/']", "fetch.allow_hosts: expected a list of hosts"),
        ("[fetch]\nuser_agent = 'Bienen-Sammler für alle'", "fetch.user_agent: expected a line of plain ASCII"),
        ('[fetch]\nuser_agent = "a\\r\\nX-Y: z"', "fetch.user_agent: expected a line of plain ASCII"),
        ("[fetch]\nuser_agent = 3", "fetch.user_agent"),
        ("[fetch]\nseconds = 0", "fetch.seconds: expected a number above 0"),
        ("[fetch]\npause_seconds = -1", "fetch.pause_seconds"),
        ("[fetch]\npause_seconds = false", "fetch.pause_seconds"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "sitewright.toml").write_text(text, "utf-8")
    with pytest.raises(SettingsError, match=words):
        load_settings({})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SITEWRIGHT_JOBS", "many"),
        ("SITEWRIGHT_LIMITS_DEPTH", "-3"),
        ("SITEWRIGHT_LIMITS_PAGE_SECONDS", ""),
        ("SITEWRIGHT_FETCH_SECONDS", "soon"),
        ("SITEWRIGHT_FETCH_ALLOW_HOSTS", "http://localhost/"),
        ("SITEWRIGHT_CONFIG", "no.toml"),
    ],
)
def test_a_wrong_variable_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError):
        load_settings({name: value})


def test_every_setting_is_documented() -> None:
    if DOCS.exists():
        text = DOCS.read_text("utf-8")
        assert [name for name in setting_names() if f"`{name}`" not in text and name not in text] == []
    assert setting_names()[0] == "jobs"


def test_the_password_of_mail_stands_in_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sitewright.toml").write_text('[mail]\nhost = "mail.example"\npassword = "s3cret"\n')
    with pytest.raises(SettingsError, match="SITEWRIGHT_MAIL_PASSWORD") as refused:
        load_settings({})
    assert "s3cret" not in str(refused.value)
    Path("sitewright.toml").write_text('[mail]\nhost = "mail.example"\nencryption = "rot13"\n')
    with pytest.raises(SettingsError, match=r"mail\.encryption: expected starttls, tls, none"):
        load_settings({})
