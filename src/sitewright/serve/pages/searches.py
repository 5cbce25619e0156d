"""`/searches`: views that a reader keeps."""

from urllib.parse import parse_qsl

from fastapi import APIRouter
from fastapi.responses import RedirectResponse

from sitewright.actions.wanted import wanted_of
from sitewright.errors import InputError
from sitewright.serve.forms import Sent
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving

router = APIRouter()


@router.post("/searches")
def save(service: Serving, visitor: Reader, form: Sent) -> RedirectResponse:
    """Keep a view under a name, or keep it no longer."""
    if number := form.get("forget"):
        service.store.people.forget_search(visitor.name, int(number) if number.isdecimal() else 0)
        return RedirectResponse("/settings#saved", 303)
    wanted = wanted_of(dict(parse_qsl(form.get("query"))))
    label = form.get("label")[:80]
    if wanted.is_plain or not label:
        raise InputError("a saved search needs a name, and something that is looked for")
    address = wanted.address("/search")
    service.store.people.save_search(visitor.name, label, address.partition("?")[2])
    return RedirectResponse(address, 303)
