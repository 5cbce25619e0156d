"""A page in, out what stands between the reader and what was asked for: a login, a consent dialog, a test for robots.

Asked only about pages that gave nothing: an article with a comment form is no login page.
"""

import re
from collections.abc import Iterable

from turbohtml import Element

from sitewright.errors import BotWall, ConsentWall, LoginWall, WallPage
from sitewright.parse import Document, visible_text
from sitewright.types import Page

_LITTLE_TEXT = 3_000
"""Characters that a wall shows at most; consent dialogs are the longest."""
_FEW_LINKS = 15
"""A consent dialog links to terms and partners, not to the sections of the site."""
_BOT_MARKUP = re.compile(
    r"cf-challenge|cf_chl_|/cdn-cgi/challenge-platform|px-captcha|datadome|_Incapsula_Resource|g-recaptcha|h-captcha"
    r"|captcha-delivery|awswaf|ddos-guard|qrator|akamai.{0,40}(?:denied|bot)",
    re.IGNORECASE,
)
_BOT_WORDS = re.compile(
    r"just a moment|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|not a robot|access denied"
    r"|enable javascript and cookies to continue|checking your browser|unusual traffic|pardon our interruption"
    r"|request unsuccessful"
    r"|вы не робот|подтвердите, что|сайт защищен|vérifier que vous|kein roboter|不是机器人|安全验证",
    re.IGNORECASE,
)
_CONSENT_WORDS = re.compile(
    r"cookies?\b|consent|gdpr|dsgvo|einwilligung|zustimmen|consentement|consentimiento|consenso|datenschutz"
    r"|confidentialité|privacidad|куки|файлы cookie|隐私|同意",
    re.IGNORECASE,
)
_CONSENT_BUTTON = re.compile(
    r"^\W*(?:i )?(?:accept|agree|allow|reject|akzeptieren|alle akzeptieren|zustimmen|ablehnen|accepter|tout accepter"
    r"|refuser|aceptar|rechazar|accetta|rifiuta|aceitar|принять|согласен|отклонить|同意|拒绝|accepteren|zgadzam|godkänn)",
    re.IGNORECASE,
)
_CONSENT_ADDRESS = re.compile(r"//consent\.|//cmp\.|/consent(?:/|\?|$)|/cmp/|/privacy-gate", re.IGNORECASE)
_LOGIN_ADDRESS = re.compile(r"/(?:log-?in|sign-?in|anmelden|connexion|auth(?:entication)?|sso)\b", re.IGNORECASE)
_BLOCKED = frozenset({401, 403, 429, 503})


def wall_of(page: Page, document: Document) -> WallPage | None:
    """Return what stands in the way of a page that gave nothing; None where it is simply something else."""
    body = document.tree.select_one("body")
    text = visible_text(body) if body is not None else ""
    if len(text) > _LITTLE_TEXT:
        return None
    if _BOT_WORDS.search(text) or _BOT_MARKUP.search(_markup(page)):
        return BotWall(
            f"{page.location} shows a test for robots, not the page; ask the site for leave, or fetch more slowly "
            "(fetch.pause_seconds)"
        )
    if _asks_for_consent(page, document, text):
        return ConsentWall(
            f"{page.location} asks for consent to cookies instead of showing the page; nothing is agreed to on your "
            "behalf: collect the site's feed, or pages saved from a browser"
        )
    if document.tree.select_one("input[type=password]") is not None or _LOGIN_ADDRESS.search(page.final_url):
        return LoginWall(
            f"{page.location} asks for a name and a password; what only members see is not collected: ban such "
            "addresses (--ban), or collect pages saved from a browser"
        )
    return None


def is_wall_status(status: int) -> bool:
    """Tell whether a server that answers so may show a wall.

    >>> is_wall_status(403), is_wall_status(404)
    (True, False)
    """
    return status in _BLOCKED


def _asks_for_consent(page: Page, document: Document, text: str) -> bool:
    if _CONSENT_ADDRESS.search(page.final_url):
        return True
    if len(document.tree.select("a[href]")) > _FEW_LINKS:  # a page of the site, with a banner on it
        return False
    buttons = document.tree.select("button, a, input[type=submit], [role=button]")
    return bool(_CONSENT_WORDS.search(text)) and any(map(_CONSENT_BUTTON.search, _labels(buttons)))


def _labels(buttons: Iterable[Element]) -> Iterable[str]:
    for button in buttons:
        yield button.text.strip() or button.attr("value") or ""


def _markup(page: Page) -> str:
    head = page.body[:200_000]
    return head if isinstance(head, str) else head.decode("latin-1")
