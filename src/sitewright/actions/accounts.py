"""A store in, who may log in to its pages out: accounts with passwords, and log-ins of browsers and programs.

Passwords are kept as scrypt leaves them, what browsers and programs send as its digest: who reads the store can use
neither.
"""

import hashlib
import hmac
import re
import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence

from sitewright.actions.reader_events import forget_reader
from sitewright.errors import InputError
from sitewright.store.database import Store
from sitewright.store.entries import ROLES, Account, AccountRole, Login

SESSION_SECONDS = 14 * 86_400.0
"""A browser is logged in for two weeks."""
PROGRAM_SECONDS = 3650 * 86_400.0
_N, _R, _P = 2**15, 8, 1
"""What scrypt costs: 32 MB and 0.1 s a try, as OWASP asks for."""
_MEMORY = 64 * 1024 * 1024
_SHORTEST = 10
"""Characters of a password; NIST asks for eight at least, and for no rules beside."""
_NAME = re.compile(r"[\w.@+-]{1,64}")
_NOBODY = "scrypt$AAAAAAAAAAAAAAAAAAAAAA==$AAAA"
"""What a password of nobody is compared with, so that the answer takes as long."""


def has_accounts(store: Store) -> bool:
    """Tell whether anybody has an account."""
    return bool(store.people.accounts())


def list_accounts(store: Store) -> list[Account]:
    """Return all accounts, by name."""
    return store.people.accounts()


def put_account(store: Store, name: str, role: str, password: str) -> None:
    """Make an account, or give one another role and password, which logs it out everywhere."""
    known = _role(role)
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot be the name of an account: up to 64 letters, digits and . _ @ + - without blanks"
        )
    if len(password) < _SHORTEST:
        raise InputError(
            f"a password needs {_SHORTEST} characters or more; three words that nobody would guess are good"
        )
    people = store.people
    people.put_account(name, known, hashed(password))
    people.forget_logins(name)


def remove_account(store: Store, name: str) -> None:
    """Remove an account with its log-ins, marks, saved searches and clicks; never the last that may do everything."""
    known = store.people.account(name)
    if known is None:
        raise InputError(
            f"there is no account {name}; there are {', '.join(_names(store.people.accounts())) or 'none'}"
        )
    others = [one for one in store.people.accounts() if one.name != name]
    if known.role == ROLES[-1] and others and not any(one.role == ROLES[-1] for one in others):
        raise InputError(f"{name} is the last account with the role {ROLES[-1]}; give another one that role first")
    store.people.forget_account(name)
    forget_reader(store, name)


def log_in(store: Store, name: str, password: str) -> str | None:
    """Return what a browser sends from now on; None where name or password is wrong."""
    known = store.people.account(name)
    if not _is_right(password, known.secret if known is not None else _NOBODY) or known is None:
        return None
    return _begin(store, known.name, SESSION_SECONDS)


def make_token(store: Store, name: str, label: str) -> str:
    """Return what a program of an account sends; it is shown this once."""
    if store.people.account(name) is None:
        raise InputError(f"there is no account {name}; a program has the rights of one")
    return _begin(store, name, PROGRAM_SECONDS, label or "a program")


def find_session(store: Store, sent: str) -> Login | None:
    """Return who is logged in by what a browser or a program sends; None where nobody is."""
    return store.people.login(_digest(sent)) if sent else None


def log_out(store: Store, login: Login | None, account: str = "") -> None:
    """End a log-in; or, where none is given, all of an account."""
    if login is not None:
        store.people.forget_logins(login.account, [login.id])
    elif account:
        store.people.forget_logins(account)


def hashed(password: str) -> str:
    """Return a password as it is kept."""
    salt = secrets.token_bytes(16)
    return f"scrypt${b64encode(salt).decode()}${b64encode(_scrypt(password, salt)).decode()}"


def _is_right(password: str, kept: str) -> bool:
    _, salt, key = kept.split("$")
    return hmac.compare_digest(_scrypt(password, b64decode(salt)), b64decode(key))


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=_N, r=_R, p=_P, maxmem=_MEMORY)


def _begin(store: Store, account: str, seconds: float, label: str = "") -> str:
    sent = secrets.token_urlsafe(32)
    store.people.add_login(_digest(sent), account, seconds, label)
    return sent


def _digest(sent: str) -> str:
    return hashlib.sha256(sent.encode()).hexdigest()


def _role(text: str) -> AccountRole:
    for role in ROLES:
        if role == text:
            return role
    raise InputError(f"there is no role {text}; there are {', '.join(ROLES)}")


def _names(accounts: Sequence[Account]) -> list[str]:
    return [account.name for account in accounts]
