"""What a form sends in, its entries out; one without the token of its visitor is refused."""

import hmac
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import Depends, Request

from sitewright.errors import NotAllowed
from sitewright.serve.security.visitor import visitor_of

TOKEN = "form_token"  # noqa: S105 -- the name of an entry
TOKEN_HEADER = "x-form-token"  # noqa: S105 -- the name of a header
_MOST_ENTRIES = 2_000


class Form:
    """The entries of a form; what was not sent is empty."""

    def __init__(self, entries: Mapping[str, list[str]]) -> None:
        self._entries = entries

    def get(self, key: str) -> str:
        """Return an entry."""
        return self._entries.get(key, [""])[0].strip()

    def all(self, key: str) -> list[str]:
        """Return all entries of a name."""
        return self._entries.get(key, [])

    def __contains__(self, key: str) -> bool:
        return key in self._entries


async def _read_form(request: Request) -> Form:
    body = await request.body()
    entries = parse_qs(
        body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MOST_ENTRIES, separator="&"
    )
    check_token(request, entries.get(TOKEN, [""])[0])
    return Form(entries)


def check_token(request: Request, sent: str = "") -> None:
    """Refuse what does not carry the token that its visitor's forms have."""
    wanted = visitor_of(request).form_token
    given = sent or request.headers.get(TOKEN_HEADER, "")
    if wanted and not hmac.compare_digest(wanted.encode(), given.encode()):
        raise NotAllowed("this form is too old, or not ours; go back, load the page again, and send it once more")


Sent = Annotated[Form, Depends(_read_form)]
