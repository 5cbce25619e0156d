"""Units in, where their links lead out, and what label or date stands just before them.

An entry of a list that leads to a folder of the page's own address is a section, one under `/author/` a person; a link
that the site's menu has, too, belongs to the site. None of that needs to know the language of the page.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.features.table import UnitTable
from sitewright.tag.features.wording import is_label
from sitewright.tag.units import Unit, UnitKind, UnitPlace
from sitewright.values.authors import begins_with_by
from sitewright.values.lists import has_list_label

LEADS = (
    "leads_up", "leads_home", "leads_away", "leads_deep", "leads_to_number", "leads_to_author", "leads_to_tag",
    "leads_to_section", "leads_same", "in_menu", "menu_text", "after_label", "after_list_label", "after_by",
    "near_date", "near_author",
)  # fmt: skip
_MENUS = frozenset({"nav", "header", "footer"})
_MENU_ROLES = frozenset({"navigation", "menu", "menubar", "banner", "contentinfo"})
_MENU_NAME = re.compile(
    r"(?:^|[\s_-])(?:nav|navi|navbar|navigation|menu|mainmenu|topbar|footer|sitemap)(?:$|[\s_-])", re.IGNORECASE
)
_AUTHOR = re.compile(
    r"(?:^|[/?&_.-])(?:authors?|autor(?:es|en|in)?|auteurs?|autori?|autore|writers?|people|persons?|profiles?|users?|"
    r"reporters?|journalists?|staff|contributors?|columnists?|bloggers?|byline|redakt\w*|by|team|avtor\w*|members?|"
    r"journaliste|redacao|redaccion)(?:$|[/=_.-])", re.IGNORECASE
)  # fmt: skip
_TAG = re.compile(
    r"(?:^|[/?&_.-])(?:tags?|topics?|temas?|thema|themen|tema|theme|themes|keywords?|labels?|sujets?|hashtags?|subjects?|"
    r"search|suche|recherche|buscar|etiquetas?|tagi|stichwort\w*|schlagwort\w*|mot-cle|mots-cles|dossiers?|key|"
    r"argomenti|onderwerp\w*|story|topicos?|assunto\w*)(?:$|[/=_.-])", re.IGNORECASE
)  # fmt: skip
_SECTION = re.compile(
    r"(?:^|[/?&_.-])(?:categor\w*|cat|kategor\w*|sections?|rubri\w*|ressorts?|channels?|seccion\w*|sezion\w*|departments?|"
    r"news|archives?|list|index|node|chuyen-muc|canal)(?:$|[/=_.-])", re.IGNORECASE
)  # fmt: skip
_NUMBER = re.compile(r"\d{3,}")
_NEAR = 12
_SHORT = 60


def leads_of(table: UnitTable, url: str) -> NDArray[np.float32]:
    """Return where the links of units lead and what stands before them: a row a unit."""
    links = [_link_of(unit) for unit in table.units]
    rows = np.zeros((len(table.units), len(LEADS)), dtype=np.float32)
    if not len(rows):
        return rows
    host, path = _address(url)
    menu = _menu(table)
    counts = Counter(link for link in links if link)
    in_menu = {link for link, inside in zip(links, menu, strict=True) if inside and link}
    menu_texts = {
        unit.text.casefold()
        for unit, inside in zip(table.units, menu, strict=True)
        if inside and len(unit.text) <= _SHORT
    }
    for number, (unit, link, inside) in enumerate(zip(table.units, links, menu, strict=True)):
        if link:
            rows[number, :8] = _lead(link, host, path)
            rows[number, 8] = min(counts[link], 6) / 6
            rows[number, 9] = link in in_menu and not inside
        if not inside and unit.place is not None and len(unit.text) <= _SHORT:
            rows[number, 10] = unit.text.casefold() in menu_texts
    rows[:, 11:14] = _labels_before(table.units)[table.runs]
    rows[:, 14:] = _nearness(table, rows[:, LEADS.index("leads_to_author")])
    return rows


def _link_of(unit: Unit) -> str:
    for element in reversed(unit.chain):
        if element.tag == "a":
            href = element.attrs.get("href")
            return href[:300].partition("#")[0] if isinstance(href, str) else ""
    return ""


@lru_cache(maxsize=16384)
def _address(url: str) -> tuple[str, str]:
    """Return host and path of an address; a relative one has no host."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return "", ""
    return parts.netloc.removeprefix("www."), f"{parts.path}?{parts.query}" if parts.query else parts.path


@lru_cache(maxsize=16384)
def _lead(link: str, own_host: str, own_path: str) -> tuple[float, ...]:
    """Tell where a link leads: above the page itself, home, away, how deep, to what kind of page."""
    host, path = _address(link)
    away = bool(host) and host != own_host and not _are_kin(host, own_host)
    folder = path.rstrip("/").removesuffix("/index.html")
    up = not away and len(folder) > 1 and own_path.startswith(f"{folder}/")
    home = not away and folder == ""
    depth = min(folder.count("/"), 6) / 6
    kinds = (_AUTHOR, _TAG, _SECTION)
    return up, home, away, depth, _NUMBER.search(folder) is not None, *(kind.search(path) is not None for kind in kinds)


def _are_kin(host: str, other: str) -> bool:
    return host.endswith(f".{other}") or other.endswith(f".{host}")


def _menu(table: UnitTable) -> list[bool]:
    """Tell of each unit whether it stands in what is, or is named, a menu, a head or a foot of the page."""
    blocks = table.blocks
    inside: list[bool] = []
    for place, above in zip(blocks.places, blocks.above, strict=True):
        inside.append((above >= 0 and inside[above]) or _is_menu(place))
    inside.append(False)
    return [inside[block] for block in blocks.of_units]


def _is_menu(place: UnitPlace) -> bool:
    if place.tag in _MENUS:
        return place.tag != "header" or place.above is None or place.above.tag == "body"
    attrs = place.attrs
    if not attrs:
        return False
    role = attrs.get("role")
    if isinstance(role, str) and role in _MENU_ROLES:
        return True
    names = attrs.get("class"), attrs.get("id")
    return any(_MENU_NAME.search(" ".join(name) if isinstance(name, list) else name) for name in names if name)


def _labels_before(units: Sequence[Unit]) -> NDArray[np.float32]:
    """Tell of each run whether the one before it is a label, the label of a list, the beginning of a byline."""
    rows = np.zeros((len(units), 3), dtype=np.float32)
    before = ""
    for number, unit in enumerate(units):
        if unit.kind is not UnitKind.RUN:
            continue
        if before and len(before) <= _SHORT:
            rows[number] = is_label(before), has_list_label(before), begins_with_by(before)
        before = unit.text
    return rows


def _nearness(table: UnitTable, author: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how near the run of each unit is to one with a date, and to a link to an author."""
    dated = set(table.texts.dated)
    texts = table.texts.of_units
    short = table.lengths <= 2 * _SHORT
    displayed = table.blocks.of_units >= 0
    dates = np.array([int(text) in dated for text in texts]) & short & displayed
    columns = [_near(np.asarray(flags))[table.runs] for flags in (dates, (author > 0) & displayed)]
    return np.stack(columns, axis=1)


def _near(flags: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return 1 where a flag is set, less the farther the next one is, 0 where it is far.

    >>> _near(np.array([True] + [False] * 12)).tolist()[::6]
    [1.0, 0.5, 0.0]
    """
    order = np.arange(len(flags))
    last = np.maximum.accumulate(np.where(flags, order, -_NEAR * 2))
    following = np.minimum.accumulate(np.where(flags, order, len(flags) + _NEAR * 2)[::-1])[::-1]
    distance = np.minimum(order - last, following - order)
    return np.clip(1 - distance / _NEAR, 0, 1).astype(np.float32)
