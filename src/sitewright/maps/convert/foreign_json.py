"""The text of a foreign JSON file in, its checked entries out; what is wrong raises with entry and expectation."""

import json
from collections.abc import Mapping
from typing import Any

from sitewright.checking import kind_of
from sitewright.maps.convert.conversion import expected

ForeignEntry = Mapping[str, Any]


def load_object(text: str, wanted: str) -> ForeignEntry:
    """Read a JSON object."""
    try:
        loaded = json.loads(text)
    except json.JSONDecodeError as error:
        raise expected(f"line {error.lineno}", f"not JSON ({error.msg})", wanted) from error
    except RecursionError as error:
        raise expected("line 1", "nested too deeply", wanted) from error
    if not isinstance(loaded, Mapping):
        raise expected("line 1", f"found {kind_of(loaded)}", wanted)
    return loaded


def text_of(entry: ForeignEntry, key: str, place: str, default: str | None = None) -> str:
    """Return a text entry; one that is missing raises, unless there is a default."""
    value = entry.get(key, default)
    if not isinstance(value, str):
        raise expected(f"{place}.{key}", "missing" if value is None else f"found {kind_of(value)}", "text")
    return value


def entries_of(entry: ForeignEntry, key: str, place: str) -> list[ForeignEntry]:
    """Return a list of objects; a missing one is empty."""
    value = entry.get(key, [])
    if not isinstance(value, list):
        raise expected(f"{place}.{key}".lstrip("."), f"found {kind_of(value)}", "a list of objects")
    for number, item in enumerate(value):
        if not isinstance(item, Mapping):
            raise expected(f"{place}.{key}[{number}]".lstrip("."), f"found {kind_of(item)}", "an object")
    return value


def texts_of(entry: ForeignEntry, key: str, place: str) -> list[str]:
    """Return a list of texts; a single text is a list of one, a missing one is empty."""
    value = entry.get(key, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(item, str) for item in texts):
        raise expected(f"{place}.{key}".lstrip("."), f"found {kind_of(value)}", "a text or a list of texts")
    return texts


def dump_object(entry: ForeignEntry) -> str:
    """Write a JSON object as people read it."""
    return json.dumps(entry, indent=2, ensure_ascii=False) + "\n"
