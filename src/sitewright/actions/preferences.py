"""An account in, how it wants to see pages out: language, look, density, keys, pictures, clicks."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from sitewright.errors import InputError
from sitewright.store.database import Store

CHOICES: dict[str, tuple[str, ...]] = {"look": ("", "light", "dark"), "density": ("comfortable", "compact")}
KEYS = {
    "next": "j", "previous": "k", "next_unread": "n", "previous_unread": "p", "open": "o", "original": "v", "read": "m",
    "star": "f", "undo": "u", "search": "/", "edit": "e", "add": "+", "go": "g", "help": "?",
}  # fmt: skip
"""What single keys do, and by which; each may have another key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """How somebody wants to see pages."""

    language: str = ""
    """Empty: as the browser asks for."""
    look: str = ""
    """`light` or `dark`; empty: as the system has it."""
    density: str = "comfortable"
    keys: bool = True
    """Whether single keys do things."""
    own_keys: Mapping[str, str] = field(default_factory=dict)
    """By which keys instead of the usual ones: names of `KEYS`."""
    pictures: bool = True
    more: bool = False
    """Whether what follows is loaded at the end of a list."""
    clicks: bool = True
    """Whether what is shown, opened and viewed is kept, by pseudonym, to recommend by."""


def preferences_of(store: Store, account: str) -> Preferences:
    """Return what an account prefers; what cannot be understood is as usual."""
    usual, kept = Preferences(), store.people.preferences(account)
    known = {
        entry.name: kept[entry.name]
        for entry in fields(Preferences)
        if isinstance(kept.get(entry.name), type(getattr(usual, entry.name)))
    }
    return replace(usual, **known)


def prefer(store: Store, account: str, **chosen: Any) -> Preferences:
    """Keep what an account prefers from now on, and return all of it."""
    for name, value in chosen.items():
        if name in CHOICES and value not in CHOICES[name]:
            raise InputError(f"{name} cannot be {value!r}; it can be {', '.join(CHOICES[name])}")
    if "own_keys" in chosen:
        chosen["own_keys"] = _checked(chosen["own_keys"])
    kept = replace(preferences_of(store, account), **chosen)
    store.people.prefer(account, asdict(kept))
    return kept


def _checked(own: Mapping[str, str]) -> dict[str, str]:
    """Return the keys that are not the usual ones; refused where one is not a single sign, or does two things.

    >>> _checked({"next": "s", "previous": "k", "open": ""})
    {'next': 's'}
    """
    if unknown := sorted(own.keys() - KEYS.keys()):
        raise InputError(f"no key does {', '.join(unknown)}; keys do {', '.join(KEYS)}")
    changed = {name: key for name, key in own.items() if key and key != KEYS[name]}
    for name, key in changed.items():
        if len(key) != 1 or not key.isprintable() or key.isspace():
            raise InputError(f"{key!r} is not a single sign, so it cannot be the key for {name}")
    by_key: dict[str, str] = {}
    for name, key in (KEYS | changed).items():
        if key in by_key:
            raise InputError(f"the key {key} would do two things: {by_key[key]} and {name}")
        by_key[key] = name
    return changed
