"""A span of time in, everybody who wants digests told what it brought: now, whatever their hour."""

import asyncio
from datetime import date

from sitewright.actions.catalogues import Library
from sitewright.actions.deliver import Senders, deliver
from sitewright.actions.digest import Span


def mail_digests(library: Library, senders: Senders, day: date, span: Span) -> int:
    """Tell everybody who wants digests of a span now, whatever their hour, each once a day; return how many had it."""
    about = {"day": f"{day:%Y-%m-%d}", "since": span.since.isoformat(), "until": span.until.isoformat()}
    wanted = [one for one in library.store.alerts.every() if one.kind == "digest"]
    kept = sum(library.store.alerts.keep(one, {about["day"]: about}) for one in wanted)
    return asyncio.run(deliver(library, senders)) if kept else 0
