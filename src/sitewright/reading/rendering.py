"""A page as served and as rendered in, whether pages like it need a browser out."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitewright.fetch.data_calls import DataCall, data_calls
from sitewright.fetch.fingerprint import Decision, Level, needs_rendering
from sitewright.parse import parse
from sitewright.types import Limits, Page


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedCall:
    """A call of a page's scripts that brings its content: where, how much of it, and what the answer looks like."""

    url: str
    method: str
    sent: str
    share: float
    shape: str


def compare(
    limits: Limits, static: Page, rendered: Page, calls: Sequence[DataCall], level: Level
) -> tuple[Decision, list[OfferedCall]]:
    """Tell whether pages like this need a browser, and which calls bring its content."""
    shown = parse(rendered, limits)
    offered = [
        OfferedCall(url=call.url, method=call.method, sent=call.sent, share=call.share, shape=call.shape)
        for call in data_calls(calls, shown, level)
    ]
    return needs_rendering(parse(static, limits), shown, level), offered
