"""Settings in (TOML file, environment), one frozen value out; read here and nowhere else."""

import math
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from sitewright.cli.site_settings import KNOWN, read_sites
from sitewright.errors import SettingsError
from sitewright.types import FetchSettings, Limits, MailSettings, ServeSettings, StoreSettings, WatchSettings
from sitewright.values.words import did_you_mean

DEFAULT_FILE = "sitewright.toml"
PREFIX = "SITEWRIGHT_"
_CONFIG = f"{PREFIX}CONFIG"
_HOST = re.compile(r"[\w.-]+(?::\d+)?|\[?[0-9A-Fa-f:.]+\]?(?::\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a person may set once for all runs."""

    jobs: int = 0
    """Processes to use; 0: one a core."""
    limits: Limits = field(default_factory=Limits)
    fetch: FetchSettings = field(default_factory=FetchSettings)
    watch: WatchSettings = field(default_factory=WatchSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    serve: ServeSettings = field(default_factory=ServeSettings)
    mail: MailSettings = field(default_factory=MailSettings)


_SITES = "sites"
"""The tables that are named by sites; they have no variables, but may name some."""
_SECTIONS: dict[str, Any] = {
    "limits": Limits,
    "fetch": FetchSettings,
    "watch": WatchSettings,
    "store": StoreSettings,
    "serve": ServeSettings,
    "mail": MailSettings,
}
_SECRET = "mail.password"  # noqa: S105 -- the name of a setting
"""Files are copied and shown to others: this one is stated by its variable alone."""
_ENCRYPTIONS = ("starttls", "tls", "none")


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Read `sitewright.toml` (or the file SITEWRIGHT_CONFIG names), then variables like SITEWRIGHT_LIMITS_DEPTH."""
    variables = os.environ if environment is None else environment
    named = variables.get(_CONFIG)
    table = _read(Path(named or DEFAULT_FILE), required=named is not None)
    _refuse_secret(table, named or DEFAULT_FILE)
    for name, value in _from_environment(variables):
        section, _, key = name.rpartition(".")
        inner = table.setdefault(section, {}) if section else table
        if isinstance(inner, dict):  # else the file is wrong, which is told below
            inner[key] = value
    own = read_sites(table.pop(_SITES, {}), named or DEFAULT_FILE, variables)
    settings = _settings(table, named or DEFAULT_FILE)
    return replace(settings, fetch=replace(settings.fetch, sites=own))


def setting_names() -> list[str]:
    """Return the names of all settings, as in the file (`limits.depth`)."""
    return ["jobs", *(f"{section}.{name}" for section, kind in _SECTIONS.items() for name in _names(kind))]


def site_setting_names() -> list[str]:
    """Return the names of the settings that each site may have."""
    return [f"{_SITES}.SITE.{name}" for name in KNOWN]


def _names(kind: Any) -> list[str]:
    return [entry.name for entry in fields(kind) if entry.name != _SITES]


def _read(path: Path, *, required: bool) -> dict[str, Any]:
    if not required and not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not TOML: {error}") from error


def _refuse_secret(table: Mapping[str, Any], source: str) -> None:
    section, _, key = _SECRET.partition(".")
    inner = table.get(section)
    if isinstance(inner, Mapping) and key in inner:
        variable = PREFIX + _SECRET.replace(".", "_").upper()
        raise SettingsError(f"{source}: {_SECRET} is not read from files; set the environment variable {variable}")


def _from_environment(variables: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    """Yield the settings that variables state; one that begins like them and is none is refused."""
    known = {PREFIX + name.replace(".", "_").upper(): name for name in setting_names()}
    for variable, text in variables.items():
        if variable in known:
            name = known[variable]
            yield name, _FROM_TEXT.get(name, _number)(text)
        elif variable.startswith(PREFIX) and variable != _CONFIG:
            raise SettingsError(
                f"the environment variable {variable} is no setting{did_you_mean(variable, known)} "
                "(docs/settings.md lists them)"
            )


def _number(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


_FROM_TEXT: dict[str, Callable[[str], object]] = {
    "fetch.allow_hosts": _words,
    "serve.names": _words,
    "serve.pictures": lambda text: {"true": True, "false": False}.get(text.lower(), text),
    **dict.fromkeys(
        (
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
            "mail.encryption",
        ),
        str,
    ),
}
"""How variables are read that are not numbers."""


def _settings(table: Mapping[str, Any], source: str) -> Settings:
    _refuse_unknown(table, {"jobs", *_SECTIONS}, "", source)
    for section, kind in _SECTIONS.items():
        _refuse_unknown(table.get(section, {}), set(_names(kind)), f"{section}.", source)
    jobs = table.get("jobs", 0)
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 0:
        raise SettingsError(f"jobs: expected a whole number from 0 up, found {jobs!r}")
    return Settings(jobs=jobs, **{name: kind(**_checked(table, name)) for name, kind in _SECTIONS.items()})


def _checked(table: Mapping[str, Any], section: str) -> dict[str, Any]:
    """Return the settings of a section, each checked in its own way."""
    named = {name: (f"{section}.{name}", value) for name, value in table.get(section, {}).items()}
    return {name: _CHECKS.get(path, _positive)(value, path) for name, (path, value) in named.items()}


def _refuse_unknown(table: object, known: set[str], prefix: str, source: str) -> None:
    if not isinstance(table, Mapping):
        raise SettingsError(f"{source}: {prefix.rstrip('.')}: expected a table, found {table!r}")
    unknown = sorted(set(table) - known)
    if unknown:
        name, known_names = f"{prefix}{unknown[0]}", [*setting_names(), *site_setting_names()]
        nearest = did_you_mean(name, known_names) or f"; known are {', '.join(known_names)}"
        raise SettingsError(f"{source}: unknown setting {name}{nearest}")


def _positive(value: object, name: str) -> Any:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < math.inf:
        raise SettingsError(f"{name}: expected a number above 0, found {value!r}")
    return value if name.endswith("seconds") else max(1, int(value))


def _confidence(value: object, name: str) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < math.inf:
        raise SettingsError(f"{name}: expected a confidence such as 0.9, found {value!r}")
    return float(value)


def _not_negative(value: object, name: str) -> Any:
    if value == 0 and not isinstance(value, bool):
        return 0.0
    try:
        return _positive(value, name)
    except SettingsError as error:
        raise SettingsError(f"{name}: expected a number from 0 up, found {value!r}") from error


def _hosts(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(host, str) and _HOST.fullmatch(host) for host in value):
        raise SettingsError(
            f'{name}: expected a list of hosts such as ["localhost", "127.0.0.1:8000"], found {value!r}'
        )
    return tuple(value)


def _header(value: object, name: str) -> str:
    if not isinstance(value, str) or not value.isascii() or not value.isprintable():
        raise SettingsError(f"{name}: expected a line of plain ASCII text, found {value!r}")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise SettingsError(f"{name}: expected a text, found {value!r}")
    return value


def _needed_text(value: object, name: str) -> str:
    if not _text(value, name).strip():
        raise SettingsError(f"{name}: must not be empty")
    return str(value)


def _port(value: object, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 65535:
        raise SettingsError(f"{name}: expected a port, 0 to 65535, found {value!r}")
    return value


def _encryption(value: object, name: str) -> str:
    if value not in _ENCRYPTIONS:
        raise SettingsError(f"{name}: expected {', '.join(_ENCRYPTIONS)}, found {value!r}")
    return str(value)


def _switch(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise SettingsError(f"{name}: expected true or false, found {value!r}")
    return value


_CHECKS: dict[str, Callable[[object, str], Any]] = {
    "fetch.allow_hosts": _hosts,
    "fetch.user_agent": _header,
    "fetch.pause_seconds": _not_negative,
    "fetch.cache": _text,
    "fetch.browser": _text,
    "watch.sure": _confidence,
    "store.url": _needed_text,
    "store.pages": _needed_text,
    "serve.host": _needed_text,
    "serve.port": _port,
    "serve.names": _hosts,
    "serve.token": _text,
    "serve.pictures": _switch,
    "serve.url": _text,
    "mail.host": _text,
    "mail.port": _port,
    "mail.user": _header,
    "mail.password": _text,
    "mail.sender": _header,
    "mail.encryption": _encryption,
}
"""How values are checked that are not numbers above 0."""
