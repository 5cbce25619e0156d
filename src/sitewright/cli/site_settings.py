"""The `sites` tables of a settings file in, what is sent to each site out; no error says what a value is."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sitewright.errors import SettingsError
from sitewright.fetch.cookie_files import LogIn, read_log_in
from sitewright.fetch.guard import read_names
from sitewright.fetch.site_access import cookies_for
from sitewright.fetch.site_proxy import read_proxy
from sitewright.parse.sites import is_of_site
from sitewright.parse.urls import host_of
from sitewright.types import SiteAccess

KNOWN = ("cookies", "headers", "proxy")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*|[0-9a-f:]+")
_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NOT_OURS = frozenset(("host", "connection", "content-length", "transfer-encoding", "accept-encoding", "cookie"))
"""Headers that belong to the exchange itself; cookies have a file of their own."""


def read_sites(table: object, file: str, variables: Mapping[str, str]) -> dict[str, SiteAccess]:
    """Return what is set for sites by their hosts; paths are relative to the settings file, `${NAME}` a variable."""
    if not isinstance(table, Mapping):
        raise SettingsError(f'{file}: sites: expected tables like [sites."example.com"]')
    reader = _Reader(Path(file).parent, variables)
    found: dict[str, SiteAccess] = {}
    for name, entries in table.items():
        (host,) = read_names([str(name)])
        place = f'{file}: sites."{name}"'
        if not _HOST.fullmatch(host):
            raise SettingsError(f'{place}: expected the host of a site, as in [sites."example.com"]')
        if not isinstance(entries, Mapping):
            raise SettingsError(f"{place}: expected a table")
        unknown = sorted(set(entries) - set(KNOWN))
        if unknown:
            raise SettingsError(f"{place}: unknown setting {unknown[0]}; known are {', '.join(KNOWN)}")
        found[host] = reader.access(host, entries, place)
    return found


class _Reader:
    """Reads the tables of one settings file."""

    def __init__(self, folder: Path, variables: Mapping[str, str]) -> None:
        self._folder = folder
        self._variables = variables

    def access(self, host: str, entries: Mapping[str, Any], place: str) -> SiteAccess:
        log_in = self._log_in(host, entries["cookies"], f"{place}.cookies") if "cookies" in entries else LogIn()
        return SiteAccess(
            headers=self._headers(entries.get("headers", {}), f"{place}.headers"),
            cookies=log_in.cookies,
            storage=log_in.storage,
            proxy=self._proxy(entries["proxy"], f"{place}.proxy") if "proxy" in entries else "",
        )

    def _log_in(self, host: str, value: object, place: str) -> LogIn:
        path = self._folder / Path(self._text(value, place)).expanduser()
        try:
            read = read_log_in(path.read_text("utf-8"), str(path))
        except OSError as error:
            raise SettingsError(f"{place}: cannot read {path}: {error.strerror or error}") from error
        except UnicodeDecodeError:
            raise SettingsError(f"{place}: {path} is not UTF-8 text") from None
        cookies = cookies_for(host, read.cookies)
        storage = {origin: items for origin, items in read.storage.items() if is_of_site(host_of(origin), host)}
        if not cookies and not storage:
            raise SettingsError(f"{place}: {path} has no cookie for {host}; export it while logged in there")
        return LogIn(cookies, storage)

    def _headers(self, value: object, place: str) -> dict[str, str]:
        if not isinstance(value, Mapping):
            raise SettingsError(f'{place}: expected a table like {{"Authorization" = "Bearer ${{TOKEN}}"}}')
        return {self._name(name, place): self._line(text, f"{place}.{name}") for name, text in value.items()}

    def _name(self, name: str, place: str) -> str:
        if not _TOKEN.fullmatch(name):
            raise SettingsError(f"{place}: a header's name has letters, digits and dashes only")
        if name.lower() in _NOT_OURS:
            raise SettingsError(f"{place}: {name} cannot be set; cookies are read from a file, see cookies")
        return name

    def _line(self, value: object, place: str) -> str:
        text = self._text(value, place)
        if not text.isascii() or not text.isprintable():
            raise SettingsError(f"{place}: expected a line of plain ASCII text")
        return text

    def _proxy(self, value: object, place: str) -> str:
        text = self._line(value, place)
        try:
            read_proxy(text)
        except SettingsError as error:
            raise SettingsError(f"{place}: {error}") from None
        return text

    def _text(self, value: object, place: str) -> str:
        """Return a text with the variables that it names."""
        if not isinstance(value, str) or not value.strip():
            raise SettingsError(f"{place}: expected a text")

        def variable(match: re.Match[str]) -> str:
            if match[1] not in self._variables:
                raise SettingsError(f"{place}: there is no environment variable {match[1]}")
            return self._variables[match[1]]

        return _VARIABLE.sub(variable, value)
