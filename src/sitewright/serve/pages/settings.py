"""`/settings`: how somebody likes the pages; who may log in; who changed what."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from sitewright.actions.accounts import list_accounts, put_account, remove_account
from sitewright.actions.preferences import CHOICES, KEYS, prefer
from sitewright.actions.reader_events import forget_reader
from sitewright.serve.forms import Sent
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Admin, Reader
from sitewright.serve.service import Serving
from sitewright.serve.words import LANGUAGES
from sitewright.store.entries import ROLES

router = APIRouter()


@router.get("/settings")
def settings(request: Request, service: Serving, visitor: Reader) -> HTMLResponse:
    """Show them."""
    people, is_admin = service.store.people, visitor.may("admin")
    return render(
        request,
        "settings.html",
        choices=CHOICES,
        usual_keys=KEYS,
        roles=ROLES,
        saved=people.saved_searches(visitor.name),
        hidden=people.hidden(visitor.name),
        accounts=list_accounts(service.store) if is_admin else [],
        changes=people.changes(limit=50) if is_admin else [],
    )


@router.post("/settings")
def choose(service: Serving, visitor: Reader, form: Sent) -> RedirectResponse:
    """Keep what somebody prefers."""
    language = form.get("language")
    prefer(
        service.store,
        visitor.name,
        language=language if language in LANGUAGES else "",
        look=form.get("look"),
        density=form.get("density"),
        **{switch: switch in form for switch in ("keys", "pictures", "more", "clicks")},
    )
    return RedirectResponse("/settings", 303)


@router.post("/settings/keys")
def choose_keys(service: Serving, visitor: Reader, form: Sent) -> RedirectResponse:
    """Keep by which keys somebody does what; an empty field has the usual one."""
    prefer(service.store, visitor.name, own_keys={name: form.get(name).strip() for name in KEYS})
    return RedirectResponse("/settings#keys-of", 303)


@router.post("/settings/shown")
def show(service: Serving, visitor: Reader, form: Sent) -> RedirectResponse:
    """Show a site or a topic again."""
    kind, _, what = form.get("what").partition(" ")
    service.store.people.show(visitor.name, "site" if kind == "site" else "topic", what)
    return RedirectResponse("/settings#hidden", 303)


@router.post("/settings/forgotten")
def forget(service: Serving, visitor: Reader, form: Sent) -> RedirectResponse:
    """Remove what is known of what somebody read."""
    del form
    forget_reader(service.store, visitor.name)
    return RedirectResponse("/settings", 303)


@router.post("/settings/accounts")
def account(service: Serving, visitor: Admin, form: Sent) -> RedirectResponse:
    """Make an account, or remove one."""
    who = form.get("who")
    if "remove" in form:
        remove_account(service.store, who)
    else:
        put_account(service.store, who, form.get("role"), form.get("password"))
    service.note(visitor, "account removed" if "remove" in form else "account", who)
    return RedirectResponse("/settings#accounts", 303)
