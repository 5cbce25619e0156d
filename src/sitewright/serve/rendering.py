"""A template and its values in, a page out, in the language and look that the visitor chose."""

from datetime import UTC, date, datetime
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from sitewright.actions.preferences import KEYS, Preferences, preferences_of
from sitewright.serve.pictures import signed_address
from sitewright.serve.security.visitor import visitor_of
from sitewright.serve.service import service_of
from sitewright.serve.shown_value import shown_value
from sitewright.serve.words import LANGUAGES, Words, accepted, words_of

_RIGHT_TO_LEFT = frozenset("ar arc ckb dv fa he ku ps sd syr ug ur yi".split())
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def render(request: Request, template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """Return a page."""
    service, visitor = service_of(request), visitor_of(request)
    chosen, words = chosen_by(request), words_for(request)
    moments = _Moments(words)
    common = {
        "t": words,
        "visitor": visitor,
        "chosen": chosen,
        "key": KEYS | dict(chosen.own_keys),
        "here": request.url.path,
        "address": request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        "languages": LANGUAGES,
        "moment": moments.say,
        "when_due": moments.due,
        "number": lambda count: f"{count:,}".replace(",", "\u202f"),
        "shows_pictures": service.options.serve.pictures and chosen.pictures,
        "picture": signed_address(request),
        "kept": service.markups.kept,
    }
    body = environment().get_template(template).render(common | values)
    return HTMLResponse(body, status, {"vary": "Cookie, Accept-Language"})


def words_for(request: Request) -> Words:
    """Return the words of the visitor's language."""
    return words_of(chosen_by(request).language or accepted(request.headers.get("accept-language", "")))


def chosen_by(request: Request) -> Preferences:
    """Return what the visitor prefers."""
    found = getattr(request.state, "preferences", None)
    if found is None:
        found = request.state.preferences = preferences_of(service_of(request).store, visitor_of(request).name)
    return found


@cache
def environment() -> Environment:
    """Return what all templates share; every text is escaped, and a value that is missing is an error."""
    made = Environment(
        loader=PackageLoader("sitewright.serve"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "web": web_address, "host": _host, "direction": direction, "percent": _percent, "iso": _iso,
        "value": shown_value,
    }  # fmt: skip
    made.globals["icon"] = cache(made.get_template("icons.html").module.icon)  # type: ignore[attr-defined]
    return made


def web_address(url: object) -> str:
    """Return an address that a link may have: of the web, or none.

    >>> web_address("https://a.example/b"), web_address("javascript:alert(1)")
    ('https://a.example/b', '')
    """
    text = str(url or "").strip()
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    return text if parts.scheme in {"http", "https"} and parts.netloc else ""


def direction(language: str) -> str:
    """Return in which direction a language is written; what is not known the browser finds out.

    >>> direction("ar"), direction("fr-CA"), direction("")
    ('rtl', 'ltr', 'auto')
    """
    if not language:
        return "auto"
    return "rtl" if language.partition("-")[0].lower() in _RIGHT_TO_LEFT else "ltr"


def _host(url: object) -> str:
    return web_address(url) and (urlsplit(str(url)).hostname or "")


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _iso(moment: datetime | date | None) -> str:
    return moment.isoformat() if moment is not None else ""


class _Moments:
    """Says when something was, as people say it."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def say(self, moment: datetime | None, now: datetime | None = None) -> str:
        """Say how long ago something was, or will be; from a week on its day."""
        if moment is None:
            return "–"
        seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
        if abs(seconds) < _MINUTE:
            return self._words("moment.now")
        count, unit = next(
            (int(abs(seconds) // size), name)
            for size, name in ((_DAY, "days"), (_HOUR, "hours"), (_MINUTE, "minutes"))
            if abs(seconds) >= size
        )
        if unit == "days" and count > 6:
            return f"{moment:%Y-%m-%d}"
        way = "ago" if seconds > 0 else "ahead"
        return self._words(f"moment.{unit}_{way}", count=count)

    def due(self, moment: datetime | None) -> str:
        """Say when something is to be done; what should have been done is due."""
        if moment is None or moment > datetime.now(UTC):
            return self.say(moment)
        return self._words("moment.due", when=self.say(moment))
