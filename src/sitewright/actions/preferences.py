"""An account in, how it wants to see pages out: language, look, density, keys, pictures, clicks."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from sitewright.errors import InputError
from sitewright.store.database import Store

CHOICES: dict[str, tuple[str, ...]] = {"look": ("", "light", "dark"), "density": ("comfortable", "compact")}


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
    kept = replace(preferences_of(store, account), **chosen)
    store.people.prefer(account, asdict(kept))
    return kept
