"""A link in, the form under which it is fetched and remembered out: nothing that only tells visits or clicks apart."""

import hashlib
import re
from urllib.parse import unquote_plus

from sitewright.parse.urls import normalise_url

_SESSION_NAMES = re.compile(
    r"(php|asp|j|cf|wt|ci|tapestry|os|zen|xoops)?_?(sess(ion)?(_?id|_?key|_?token)?|s_?id)|phpsessid|cfid|cftoken"
    r"|aspsessionid\w*|zenid|oscsid|osc_?id|viewstate",
    re.IGNORECASE,
)
"""Names that sessions go by. Short ones name stories too (`sid=1042`), so the value has to look like a session's."""
_CERTAIN_NAMES = frozenset(
    "phpsessid jsessionid aspsessionid sessionid session_id sessid cftoken oscsid zenid __session".split()
)
_CLICK_NAMES = frozenset(
    "_ga _gl _hsenc _hsmi _openstat cmpid dclid ef_id epik fbclid gbraid gclid gclsrc igsh igshid irclickid "
    "li_fat_id mc_cid mc_eid mkt_tok msclkid ncid rb_clickid rdt_cid s_cid sc_cid sccid srsltid ttclid twclid "
    "vero_id wbraid wickedid yclid ysclid zanpid".split()
)
"""What advertising and newsletters add to tell clicks apart, beyond what `normalise_url` drops."""
_TOKEN = re.compile(r"(?=.*\d)[0-9a-z_,-]{16,}|[0-9a-f]{12,}", re.IGNORECASE)
"""What a session's value looks like: long, with digits. No story's number has 16 digits."""
_PATH_SESSION = re.compile(
    r";(?:jsessionid|phpsessid|sid|sessionid)=[^/?#;]*|/\([AFSX]\([^)]{16,}\)\)(?=[/;]|$)", re.IGNORECASE
)
"""`;jsessionid=…` of Java servers and `/(S(…))/` of ASP.NET."""


def clean_url(url: str) -> str:
    """Return a link without session ids, click ids and what `normalise_url` drops; it still leads to its page.

    >>> clean_url("http://example.com/a;jsessionid=4F2A?PHPSESSID=0a1b&id=7&yclid=1")
    'http://example.com/a?id=7'
    >>> clean_url("http://example.com/a?sid=1042"), clean_url("http://example.com/a?sid=0123456789abcdef0123456789abcdef")
    ('http://example.com/a?sid=1042', 'http://example.com/a')
    """
    address, _, query = normalise_url(url).partition("#")[0].partition("?")
    scheme, mark, place = address.partition("://")
    host, slash, path = place.partition("/")
    page = f"{scheme}{mark}{host}{_PATH_SESSION.sub('', slash + path)}"
    kept = "&".join(pair for pair in query.split("&") if pair and not _is_of_visit(pair))
    return f"{page}?{kept}" if kept else page


def _is_of_visit(pair: str) -> bool:
    name, _, value = pair.partition("=")
    name = unquote_plus(name).lower()
    if name in _CERTAIN_NAMES or name in _CLICK_NAMES:
        return True
    return bool(_SESSION_NAMES.fullmatch(name) and _TOKEN.fullmatch(unquote_plus(value)))


def signature(url: str) -> str:
    """Return the short name under which a link is remembered: one for all spellings of an address.

    Scheme, `www.` and a slash at the end make no other page.

    >>> signature("http://www.example.com/a/?utm_source=x") == signature("https://example.com/a")
    True
    """
    return signature_of_clean(clean_url(url))


def signature_of_clean(url: str) -> str:
    """Return the signature of what `clean_url` gave."""
    address = url.split("://", 1)[-1].removeprefix("www.")
    path, mark, query = address.partition("?")
    known = f"{path.rstrip('/')}{mark}{query}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(known, digest_size=8).hexdigest()
