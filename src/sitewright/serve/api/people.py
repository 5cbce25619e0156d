"""`/api/v1/searches`, `/hidden`, `/preferences`, `/accounts`, `/changes`: what people keep, and who may do what."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from sitewright.actions.accounts import list_accounts, make_token, put_account, remove_account
from sitewright.actions.preferences import Preferences, prefer, preferences_of
from sitewright.actions.reader_events import forget_reader
from sitewright.actions.wanted import wanted_of
from sitewright.errors import InputError, NotThere
from sitewright.serve.api.alerts import SearchedFor
from sitewright.serve.api.answers import PREFIX, answer, listed
from sitewright.serve.api.asked import Number
from sitewright.serve.security.visitor import Admin, Reader
from sitewright.serve.service import Serving
from sitewright.store.entries import AccountRole

router = APIRouter(prefix=PREFIX, tags=["people"])
_Who = Annotated[str, Path(max_length=64)]


class NewSearch(BaseModel):
    """A view that is kept."""

    label: str = Field(min_length=1, max_length=80)
    query: SearchedFor


class Hidden(BaseModel):
    """A site or a topic that is not shown."""

    kind: Literal["site", "topic"]
    what: str = Field(min_length=1, max_length=300)


class Preferred(BaseModel):
    """How somebody wants to see pages; what is left out stays as it is."""

    language: Literal["", "en", "ru", "fr", "zh"] | None = None
    look: Literal["", "light", "dark"] | None = None
    density: Literal["comfortable", "compact"] | None = None
    keys: bool | None = None
    own_keys: dict[str, str] | None = None
    pictures: bool | None = None
    more: bool | None = None
    clicks: bool | None = None


class NewAccount(BaseModel):
    """What an account may do, and its password; it is logged out everywhere with it."""

    role: AccountRole
    password: str = Field(min_length=10, max_length=1_000)


class NewToken(BaseModel):
    """What a program is called that has the rights of an account."""

    label: str = Field(min_length=1, max_length=80)


@router.get("/searches")
def searches(request: Request, service: Serving, visitor: Reader) -> Response:
    """List the views that you keep."""
    found = service.store.people.saved_searches(visitor.name)
    return listed(
        request,
        [{"number": one.number, "label": one.label, "query": one.query, "made_at": one.made_at} for one in found],
    )


@router.post("/searches")
def keep(request: Request, service: Serving, visitor: Reader, new: NewSearch) -> Response:
    """Keep a view."""
    wanted = wanted_of(new.query.model_dump())
    if wanted.is_plain:
        raise InputError("a saved search needs something that is looked for")
    number = service.store.people.save_search(visitor.name, new.label, wanted.address("")[1:])
    return answer(request, {"number": number, "label": new.label, "query": wanted.address("")[1:]})


@router.delete("/searches/{number}", status_code=204)
def forget(number: Number, service: Serving, visitor: Reader) -> Response:
    """Keep a view no longer."""
    if not service.store.people.forget_search(visitor.name, number):
        raise NotThere(f"there is no saved search {number}")
    return Response(None, 204)


@router.get("/hidden")
def hidden(request: Request, service: Serving, visitor: Reader) -> Response:
    """List the sites and topics that you do not want to see."""
    return listed(request, [{"kind": kind, "what": what} for kind, what in service.store.people.hidden(visitor.name)])


@router.post("/hidden", status_code=204)
def hide(service: Serving, visitor: Reader, what: Hidden) -> Response:
    """Show nothing more of a site or topic to you."""
    service.store.people.hide(visitor.name, what.kind, what.what)
    return Response(None, 204)


@router.delete("/hidden", status_code=204)
def show(
    service: Serving, visitor: Reader, kind: Literal["site", "topic"], what: Annotated[str, Query(max_length=300)]
) -> Response:  # fmt: skip
    """Show it again."""
    service.store.people.show(visitor.name, kind, what)
    return Response(None, 204)


@router.get("/preferences")
def preferences(request: Request, service: Serving, visitor: Reader) -> Response:
    """Return how you want to see pages."""
    return answer(request, _plain(preferences_of(service.store, visitor.name)))


@router.patch("/preferences")
def change(request: Request, service: Serving, visitor: Reader, wanted: Preferred) -> Response:
    """Change it."""
    return answer(request, _plain(prefer(service.store, visitor.name, **wanted.model_dump(exclude_none=True))))


@router.delete("/events", status_code=204)
def forget_clicks(service: Serving, visitor: Reader) -> Response:
    """Remove what is known of what you read."""
    forget_reader(service.store, visitor.name)
    return Response(None, 204)


@router.get("/accounts")
def accounts(request: Request, service: Serving, visitor: Admin) -> Response:
    """List who may log in."""
    del visitor
    rows = [{"account": one.name, "role": one.role, "made_at": one.made_at} for one in list_accounts(service.store)]
    return listed(request, rows)


@router.put("/accounts/{name}", status_code=204)
def put(name: _Who, service: Serving, visitor: Admin, new: NewAccount) -> Response:
    """Make an account, or give one another role and password."""
    put_account(service.store, name, new.role, new.password)
    service.note(visitor, "account", name, role=new.role)
    return Response(None, 204)


@router.delete("/accounts/{name}", status_code=204)
def remove(name: _Who, service: Serving, visitor: Admin) -> Response:
    """Remove an account with all that is its own."""
    remove_account(service.store, name)
    service.note(visitor, "account removed", name)
    return Response(None, 204)


@router.post("/accounts/{name}/tokens")
def token(request: Request, name: _Who, service: Serving, visitor: Admin, new: NewToken) -> Response:
    """Make a token for a program; it is shown this once."""
    made = make_token(service.store, name, new.label)
    service.note(visitor, "token", name, label=new.label)
    return answer(request, {"account": name, "label": new.label, "token": made})


@router.get("/changes")
def changes(
    request: Request,
    service: Serving,
    visitor: Admin,
    before: Annotated[int | None, Query(ge=0, lt=2**53, description="Earlier than the change of this number.")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Response:
    """List who changed what, the latest first; `next` goes on as `before`."""
    del visitor
    found = service.store.people.changes(limit=limit, before=before)
    rows = [
        {
            "number": one.number,
            "at": one.at,
            "account": one.account,
            "what": one.what,
            "about": one.about,
            "detail": one.detail,
        }
        for one in found
    ]
    return answer(request, {"items": rows, "next": found[-1].number if len(found) == limit else None})


def _plain(found: Preferences) -> dict[str, Any]:
    return {name: getattr(found, name) for name in Preferred.model_fields}
