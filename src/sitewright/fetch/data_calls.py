"""The JSON answers that a page's scripts fetched in, those that hold its main content out."""

import html
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sitewright.fetch.fingerprint import Level, main_texts
from sitewright.parse import Document, fold_words

LEAST_SHARE = 0.5
"""A call that holds less of the main content than this is not where the page comes from."""
_TAG = re.compile(r"<[^>]*>")
_MOST_KEYS, _MOST_DEPTH = 8, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class DataCall:
    """A request that a page made, answered with JSON."""

    url: str
    method: str
    body: bytes
    """The answer, as JSON."""
    sent: str = ""
    """What a POST carried."""
    share: float = 0.0
    """How much of the main content of the page is in it, 0..1; see `data_calls`."""

    @property
    def size(self) -> int:
        """Bytes of the answer."""
        return len(self.body)

    @property
    def shape(self) -> str:
        """What the answer is made of, for people."""
        return shape_of(read_json(self.body))


def data_calls(calls: Iterable[DataCall], rendered: Document, level: Level) -> list[DataCall]:
    """Return the calls that hold most of a page's main content, the best first; each says how much."""
    texts = [" ".join(fold_words(text)) for text in main_texts(rendered, level)]
    judged = [replace(call, share=_share(texts, read_json(call.body))) for call in calls]
    return sorted((call for call in judged if call.share >= LEAST_SHARE), key=lambda call: (-call.share, call.size))


def read_json(body: bytes) -> object:
    """Return the value that an answer is, None where it is not JSON."""
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value


def shape_of(value: object, depth: int = 0) -> str:
    """Describe a value: its keys, how long its lists are.

    >>> shape_of({"total": 2, "items": [{"title": "Bees", "new": True}, {"title": "Honey", "new": None}]})
    '{total: number, items: 2 × {title: text, new: yes/no}}'
    """
    if isinstance(value, dict):
        return _shape_of_object(value, depth)
    if isinstance(value, list):
        return f"{len(value)} × {shape_of(value[0], depth + 1)}" if value else "empty list"
    if isinstance(value, bool):
        return "yes/no"
    if isinstance(value, int | float):
        return "number"
    return "text" if isinstance(value, str) else "nothing"


def _shape_of_object(value: dict[str, object], depth: int) -> str:
    if depth >= _MOST_DEPTH:
        return "{…}"
    entries = [f"{key}: {shape_of(inner, depth + 1)}" for key, inner in list(value.items())[:_MOST_KEYS]]
    return f"{{{', '.join([*entries, '…'] if len(value) > _MOST_KEYS else entries)}}}"


def _share(texts: list[str], answer: object) -> float:
    """Return the share of the texts, by length, that stand in the strings of an answer."""
    held = " | ".join(" ".join(fold_words(_plain(text))) for text in _strings(answer))
    total = sum(map(len, texts))
    return sum(len(text) for text in texts if text in held) / total if total else 0.0


def _plain(text: str) -> str:
    return html.unescape(_TAG.sub(" ", text)) if "<" in text or "&" in text else text


def _strings(value: object) -> Iterator[str]:
    """Yield all strings in a value, without recursion: answers may be nested deeply."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            yield found
        elif isinstance(found, dict):
            waiting.extend(reversed(found.values()))
        elif isinstance(found, list):
            waiting.extend(reversed(found))
