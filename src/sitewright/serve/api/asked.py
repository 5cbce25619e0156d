"""The parameters that lists of the API have in common."""

from typing import Annotated

from fastapi import Path, Query

from sitewright.actions.wanted import Wanted
from sitewright.serve.api.answers import MOST

After = Annotated[str, Query(max_length=60, description="`next` of the answer before; empty: from the beginning.")]
Limit = Annotated[int, Query(ge=1, le=MOST, description="So many rows at most.")]
Number = Annotated[int, Path(ge=0, lt=2**53)]
Name = Annotated[str, Query(max_length=300)]


def wanted_by(  # noqa: PLR0913, PLR0917 -- FastAPI reads the parameters of an address from those of a function
    q: Name = "",
    site: Name = "",
    topic: Name = "",
    lang: Name = "",
    since: Annotated[str, Query(max_length=10, description="A day: 2026-11-18.")] = "",
    until: Annotated[str, Query(max_length=10)] = "",
    order: Annotated[str, Query(pattern="^(best)?$")] = "",
) -> Wanted:
    """Return which records are wanted."""
    return Wanted(words=q, site=site, topic=topic, language=lang, since=since, until=until, order=order)
