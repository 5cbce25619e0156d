"""A stored page in, what is made of it out: where an error of a page becomes a Failure."""

from collections.abc import Callable
from typing import TypeVar

from sitewright.errors import PageError, SitewrightError
from sitewright.fetch import Place
from sitewright.parse import Document, parse
from sitewright.types import Failure, Limits

Outcome = TypeVar("Outcome")


def work_on(
    place: Place,
    limits: Limits,
    work: Callable[[Document], Outcome],
    failed: Callable[[Failure], Outcome],
    working: str = "extract",
) -> Outcome:
    """Load and parse a page and work on it; whatever goes wrong is a failure of this page, at the stage `working`."""
    url, stage = place.name, "fetch"
    try:
        page = place.load()
        url, stage = page.url or url, "parse"
        document = parse(page, limits)
        stage = working
        return work(document)
    except Exception as error:  # noqa: BLE001 -- the worker's last resort: this page fails, the run goes on
        return failed(failure_from(error, url, stage))


def failure_from(error: Exception, url: str, stage: str) -> Failure:
    """Return the failure of a page from whatever went wrong with it; what nobody foresaw is told with its kind."""
    if isinstance(error, SitewrightError):
        return Failure(url, stage, error.code, str(error))
    return Failure(url, stage, "internal_error", f"{type(error).__name__}: {error}")


def told(failure: Failure) -> str:
    """Return which page failed and why, on one line.

    >>> told(Failure("https://a.example/", "fetch", "error_page", "the server answered 404"))
    'https://a.example/: the server answered 404'
    """
    return failure.detail if failure.url in failure.detail else f"{failure.url}: {failure.detail}"


def failure_of(place: Place, error: PageError, working: str = "extract") -> Failure:
    """Return the failure of a page that killed its worker or ran out of time."""
    return Failure(_url_of(place), working, error.code, str(error))


def _url_of(place: Place) -> str:
    """Return the URL of a page that could not be worked on; reading the line again is safe, parsing it was not."""
    try:
        return place.load().url or place.name
    except SitewrightError:
        return place.name
