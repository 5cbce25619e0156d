"""list.v1: tags, categories and the like, without labels, hash signs or doubles."""

import re
from collections.abc import Sequence

from turbohtml import Element

from sitewright.parse import visible_lines
from sitewright.values.value import Context, Parsed, Taken, string_of

_LABEL = re.compile(
    r"^(?:tags?|tagged(?: (?:as|with))?|keywords?|topics?|related topics|categor(?:y|ies)|section|filed under|posted in|"
    r"schlagw(?:ö|oe)rter|stichw(?:ö|oe)rter|themen|mots[- ]cl[ée]s|sujets|th[èe]mes|etiquetas|temas|argomenti|onderwerpen|"
    r"теги?|метки|темы|рубрик[аи]|ключевые слова|标签|標籤|关键词|關鍵字|タグ|キーワード|태그)\s*[:：]\s*",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*[,;|،、，；•·]\s*|\s+[>›»/]\s+|\s+(?=#)")
_EDGES = " \t,;|•·›»/#＃"


def parse_list(items: Sequence[Taken], many: bool, _: Context) -> Parsed | None:
    """Read a list of short texts: each item one entry, a single enumeration split at its commas."""
    entries: dict[str, str] = {}
    for text in _texts(items, many):
        entry = text.strip(_EDGES) if entries else bare_entry(text)
        if entry:
            entries.setdefault(entry.casefold(), entry)
    return Parsed(list(entries.values())) if entries else None


def bare_entry(text: str) -> str:
    """Return an entry without the list's label and what parts it from its neighbours.

    >>> bare_entry("Tags: #bees, ")
    'bees'
    """
    return _LABEL.sub("", text).strip(_EDGES)


def has_list_label(text: str) -> bool:
    """Tell whether a text begins with the label of a list ("Tags:", "Рубрики:") or is one."""
    return _LABEL.match(f"{text[:40].rstrip(':： ')}:") is not None or _LABEL.match(text[:60]) is not None


def _texts(items: Sequence[Taken], many: bool) -> list[str]:
    """Return the entries as written. Those of a displayed or repeated list may hold commas of their own."""
    only = items[0] if len(items) == 1 else None
    if only is None or (many and isinstance(only, Element)):
        return [string_of(item) for item in items]
    lines = visible_lines([only]) if isinstance(only, Element) else [string_of(only)]
    return [part for line in lines for part in _BETWEEN.split(line)]
