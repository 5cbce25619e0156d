"""`/login`, `/logout`: a name and a password in, a session out."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from sitewright.actions.accounts import SESSION_SECONDS, find_session, log_in, log_out
from sitewright.serve.forms import Sent
from sitewright.serve.rendering import render
from sitewright.serve.security.entry import SESSION, cookie
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving

router = APIRouter()


@router.get("/login")
def ask(request: Request, to: str = "/") -> HTMLResponse:
    """Ask who it is."""
    return render(request, "login.html", to=own_place(to), wrong="", who="")


@router.post("/login")
def answer(request: Request, service: Serving, form: Sent) -> Response:
    """Let in who knows the password; who guesses waits longer each time."""
    who, address = form.get("who"), request.client.host if request.client is not None else ""
    tried = (f"name {who}", f"from {address}")
    to = own_place(form.get("to"))
    if (wait := service.tries.wait_seconds(*tried)) > 0:
        told = {"to": to, "wrong": "login.wait", "who": who, "seconds": int(wait) + 1}
        return render(request, "login.html", 429, **told)
    session = log_in(service.store, who, form.get("password"))
    if session is None:
        service.tries.failed(*tried)
        return render(request, "login.html", 403, to=to, wrong="login.wrong", who=who)
    service.tries.succeeded(*tried)
    answered = RedirectResponse(to, 303)
    secure = "; Secure" if request.url.scheme == "https" else ""
    answered.headers.append("set-cookie", cookie(SESSION, session, int(SESSION_SECONDS)) + secure)
    return answered


@router.post("/logout")
def leave(request: Request, service: Serving, visitor: Reader, form: Sent) -> RedirectResponse:  # noqa: ARG001 -- the form's token is checked
    """End the session of this browser."""
    login = find_session(service.store, request.cookies.get(SESSION, ""))
    log_out(service.store, login)
    answered = RedirectResponse("/login", 303)
    answered.headers.append("set-cookie", cookie(SESSION, "", 0))
    return answered


def own_place(to: str) -> str:
    r"""Return where to go after it: a place of ours, never of another site.

    >>> own_place("/sites?x=1"), own_place("//evil.example"), own_place("https://evil.example/"), own_place("/\\evil")
    ('/sites?x=1', '/', '/', '/')
    """
    return to if to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable() else "/"
