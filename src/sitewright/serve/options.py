"""How the pages are served."""

from dataclasses import dataclass, field
from ipaddress import ip_address

from sitewright.types import FetchSettings, Limits, MailSettings, ServeSettings, StoreSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """Where the pages are served, from which store, and how pages of sites are fetched."""

    serve: ServeSettings = field(default_factory=ServeSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    fetch: FetchSettings = field(default_factory=FetchSettings)
    limits: Limits = field(default_factory=Limits)
    mail: MailSettings = field(default_factory=MailSettings)
    jobs: int = 0
    """Processes to learn sites with; 0: one a core."""

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.serve.host)

    @property
    def home(self) -> str:
        """Where people find the pages."""
        return self.serve.url.rstrip("/") or f"http://{written(self.serve.host)}:{self.serve.port}"

    @property
    def called(self) -> frozenset[str]:
        """All that the header `Host` may say."""
        hosts = ["127.0.0.1", "localhost", "::1"] if self.is_local else []
        own = {f"{written(host)}:{self.serve.port}" for host in (self.serve.host, *hosts)}
        return frozenset(name.lower() for name in own.union(self.serve.names))


def written(host: str) -> str:
    """Return a host as addresses of pages have it.

    >>> written("::1"), written("localhost")
    ('[::1]', 'localhost')
    """
    return f"[{host}]" if ":" in host else host


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine, seen from itself.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("news.example")
    (True, True, False, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
