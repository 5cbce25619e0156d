"""A host and what was set for sites in, out what is sent there: that of the nearest site it belongs to."""

from collections.abc import Mapping
from http.cookiejar import Cookie as JarCookie
from typing import Any, Protocol

from sitewright.parse.sites import is_of_site
from sitewright.types import Cookie, SiteAccess

Sites = Mapping[str, SiteAccess]
SITES = "SITEWRIGHT_SITES"
"""The entry of Scrapy's settings."""
_NOTHING = SiteAccess()
_SETS_COOKIES = "set-cookie"


class Jar(Protocol):
    """What takes cookies: the standard library's jar, or Scrapy's."""

    def set_cookie(self, cookie: JarCookie) -> None: ...


class Access:
    """What was set for sites; its text shows none of it, so that Scrapy can be handed it as a setting."""

    def __init__(self, sites: Sites) -> None:
        self._sites = dict(sites)

    def __repr__(self) -> str:
        return f"Access({', '.join(self._sites)})"

    def of(self, host: str) -> SiteAccess:
        """Return what is for a host; nothing where neither it nor a site that it belongs to was named.

        >>> access = Access({"example.com": SiteAccess(proxy="http://a/"), "news.example.com": SiteAccess()})
        >>> access.of("www.example.com").proxy, access.of("de.news.example.com").proxy, access.of("example.org").proxy
        ('http://a/', '', '')
        """
        own = [site for site in self._sites if is_of_site(host, site)]
        return self._sites[max(own, key=len)] if own else _NOTHING

    @property
    def has_headers(self) -> bool:
        """Whether any site is sent headers of its own."""
        return any(access.headers for access in self._sites.values())

    def is_set(self, host: str) -> bool:
        """Tell whether anything is sent to a host that others are not sent."""
        return self.of(host) != _NOTHING

    def without_cookies(self, host: str, headers: Mapping[str, str]) -> Mapping[str, str]:
        """Return the headers of an answer as they may be stored: a new session of ours is nobody's business."""
        if not self.is_set(host):
            return headers
        return {name: value for name, value in headers.items() if name.lower() != _SETS_COOKIES}


def cookies_for(site: str, cookies: tuple[Cookie, ...]) -> tuple[Cookie, ...]:
    """Return the cookies that hosts of a site may be sent; one for more than the site is for the site alone then.

    >>> mine = Cookie(name="a", value="1", domain="example.com")
    >>> [cookie.domain for cookie in cookies_for("news.example.com", (mine,))], cookies_for("example.org", (mine,))
    (['news.example.com'], ())
    """
    return tuple(
        cookie if is_of_site(cookie.domain, site) else _narrowed(cookie, site)
        for cookie in cookies
        if is_of_site(cookie.domain, site) or (not cookie.host_only and is_of_site(site, cookie.domain))
    )


def _narrowed(cookie: Cookie, site: str) -> Cookie:
    return Cookie(
        name=cookie.name,
        value=cookie.value,
        domain=site,
        path=cookie.path,
        secure=cookie.secure,
        http_only=cookie.http_only,
        expires=cookie.expires,
    )


def fill(jar: Jar, cookies: tuple[Cookie, ...]) -> None:
    """Put cookies into a jar, which knows when each is sent."""
    for cookie in cookies:
        jar.set_cookie(_of_jar(cookie))


def _of_jar(cookie: Cookie) -> JarCookie:
    domain = _domain(cookie)
    return JarCookie(
        version=0, name=cookie.name, value=cookie.value, port=None, port_specified=False, domain=domain,
        domain_specified=domain.startswith("."), domain_initial_dot=domain.startswith("."), path=cookie.path,
        path_specified=True, secure=cookie.secure, expires=None if cookie.expires is None else int(cookie.expires),
        discard=cookie.expires is None, comment=None, comment_url=None, rest={},
    )  # fmt: skip


def _domain(cookie: Cookie) -> str:
    """Return a domain as jars write it: with a dot where it stands for the hosts below, too."""
    is_name = not cookie.domain.rpartition(".")[2].isdigit() and ":" not in cookie.domain
    if "." not in cookie.domain and is_name:
        return f"{cookie.domain}.local"  # what the standard library calls a host without a dot
    return f".{cookie.domain}" if is_name and not cookie.host_only else cookie.domain


def storage_state(access: SiteAccess) -> Any:
    """Return cookies and storage as Playwright takes them; None where there are none."""
    if not access.cookies and not access.storage:
        return None
    return {
        "cookies": [_of_playwright(cookie) for cookie in access.cookies],
        "origins": [
            {"origin": origin, "localStorage": [{"name": name, "value": value} for name, value in items.items()]}
            for origin, items in access.storage.items()
        ],
    }


def _of_playwright(cookie: Cookie) -> dict[str, Any]:
    is_address = cookie.domain.rpartition(".")[2].isdigit() or "." not in cookie.domain or ":" in cookie.domain
    return {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain if cookie.host_only or is_address else f".{cookie.domain}",
        "path": cookie.path,
        "secure": cookie.secure,
        "httpOnly": cookie.http_only,
        "sameSite": "Lax",
        "expires": -1 if cookie.expires is None else cookie.expires,
    }
