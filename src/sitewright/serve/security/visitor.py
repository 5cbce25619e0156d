"""A request in, who sends it out: what they are called, what they may, and the token that their forms carry."""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from sitewright.errors import NotAllowed
from sitewright.store.entries import ROLES, AccountRole


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Somebody who was let in."""

    name: str
    role: AccountRole
    form_token: str = ""
    """What forms have to send back; empty: they need not, since what they came in by no browser sends by itself."""
    session: str = ""
    """What their session is called in the store; empty: they have none."""

    def may(self, role: AccountRole) -> bool:
        """Tell whether they may do what needs a role."""
        return ROLES.index(self.role) >= ROLES.index(role)


def form_token(secret: bytes, cookie: str) -> str:
    """Return the token of the forms of whoever has a cookie."""
    return hmac.new(secret, cookie.encode(), hashlib.sha256).hexdigest()


def visitor_of(request: Request) -> Visitor:
    """Return who sent a request."""
    visitor: Visitor = request.state.visitor
    return visitor


def _needs(role: AccountRole) -> object:
    async def check(request: Request) -> Visitor:
        visitor = visitor_of(request)
        if not visitor.may(role):
            raise NotAllowed(f"this needs the role {role}; {visitor.name} has the role {visitor.role}")
        return visitor

    return Depends(check)


async def _visitor(request: Request) -> Visitor:
    return visitor_of(request)


Reader = Annotated[Visitor, Depends(_visitor)]
Editor = Annotated[Visitor, _needs("editor")]
Admin = Annotated[Visitor, _needs("admin")]
