"""What alerts have to tell in, told by mail and to webhooks; what cannot be is tried again, later and later."""

import asyncio
import hashlib
import hmac
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sitewright.actions.catalogues import Library
from sitewright.actions.digest import digest_of, digest_row, letter_of_digest, span_of
from sitewright.actions.notice_lines import event_of, letter_of
from sitewright.actions.send_mail import send_mail
from sitewright.errors import DeliveryRefused, SitewrightError
from sitewright.fetch.poster import Poster
from sitewright.output.letter import Letter
from sitewright.output.rows import row_of
from sitewright.store.alerts import Alert, Notice
from sitewright.types import FetchSettings, MailSettings
from sitewright.values.as_json import json_of
from sitewright.values.words import short

_AT_ONCE = 8
"""Alerts that are told side by side: one who is slow keeps nobody else waiting."""
_MOST = 50
"""Notices of one mail, or webhooks of an alert before others have their turn."""
_PREFIX = "whsec_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Senders:
    """By what people are told."""

    mail: MailSettings = field(default_factory=MailSettings)
    fetch: FetchSettings = field(default_factory=FetchSettings)
    home: str = ""
    """Where the pages are."""


async def deliver(library: Library, senders: Senders) -> int:
    """Tell what waits and may be tried now; return how many notices were taken."""
    turns = asyncio.Semaphore(_AT_ONCE)
    async with Poster(senders.fetch) as poster:

        async def tell(alert: Alert) -> int:
            async with turns:
                return await _Telling(library, senders, poster, alert).tell()

        return sum(await asyncio.gather(*(tell(one) for one in await asyncio.to_thread(library.store.alerts.due))))


@dataclass(frozen=True, slots=True)
class _Telling:
    """An alert that is told, and what it takes."""

    library: Library
    senders: Senders
    poster: Poster
    alert: Alert

    async def tell(self) -> int:
        """Tell what it has to tell; what goes wrong is kept with it."""
        alerts, alert = self.library.store.alerts, self.alert
        waiting = await asyncio.to_thread(alerts.waiting, alert.number, _MOST)
        by_mail, done = alert.way == "mail", 0
        for group in [waiting] if by_mail else [[one] for one in waiting]:
            try:
                await (self._mail(group) if by_mail else self._post(group[0]))
            except SitewrightError as error:
                refused = group[0].number if isinstance(error, DeliveryRefused) and not by_mail else None
                trouble = short(f"{error.code}: {error}", 300)
                await asyncio.to_thread(alerts.failed, alert, trouble, refused=refused)
                return done
            await asyncio.to_thread(alerts.told, alert.number, [one.number for one in group])
            done += len(group)
        return done

    async def _mail(self, notices: Sequence[Notice]) -> None:
        letter = await asyncio.to_thread(self._letter, notices)
        await asyncio.to_thread(send_mail, self.senders.mail, self.alert.target, letter, notices[0].name)

    def _letter(self, notices: Sequence[Notice]) -> Letter:
        home, alert = self.senders.home, self.alert
        if alert.kind == "digest":  # where several wait, the last says what is new
            return letter_of_digest(home, digest_of(self.library, span_of(notices[-1].about), alert.account))
        return letter_of(home, alert, notices)

    async def _post(self, notice: Notice) -> None:
        body = json_of(event_of(self.alert, notice, await asyncio.to_thread(self._more, notice)))
        headers = signed(self.alert.secret, notice.name, datetime.now(UTC), body)
        await self.poster.post(self.alert.target, body, headers)

    def _more(self, notice: Notice) -> Mapping[str, Any]:
        """Return what a program wants to know and the notice does not hold: the whole record."""
        if self.alert.kind == "digest":
            return digest_row(digest_of(self.library, span_of(notice.about), self.alert.account))
        number = notice.about.get("record")
        found = self.library.store.records_by_number([number]) if isinstance(number, int) else []
        return {"record": row_of(found[0].record)} if found else {}


def signed(secret: str, name: str, at: datetime, body: bytes) -> dict[str, str]:
    """Return the headers of an event by which whoever gets it knows that it is ours, as Standard Webhooks has them.

    >>> sorted(signed("whsec_c2VjcmV0", "a1", datetime(2026, 11, 19, tzinfo=UTC), b"{}"))
    ['webhook-id', 'webhook-signature', 'webhook-timestamp']
    """
    moment = str(int(at.timestamp()))
    key = b64decode(secret.removeprefix(_PREFIX))
    digest = hmac.new(key, f"{name}.{moment}.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": name,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{b64encode(digest).decode()}",
    }
