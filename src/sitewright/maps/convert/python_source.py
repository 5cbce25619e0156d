"""Expressions in, Python source out as ruff formats it, at 88 columns or one item a line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH = 88
LONGEST = 120
"""Where linters commonly complain; a long selector cannot be broken."""


@dataclass(frozen=True, slots=True)
class Group:
    """A call, a list or a dict: what opens it, its parts (each with a `name=` or `key: ` before it), what closes it."""

    opening: str
    parts: tuple[tuple[str, "Expression"], ...]
    closing: str


Expression = str | Group


def call(name: str, arguments: Sequence[Expression], keywords: Mapping[str, Expression] | None = None) -> Group:
    """Return a call."""
    named = [(f"{key}=", value) for key, value in (keywords or {}).items()]
    return Group(f"{name}(", (*(("", value) for value in arguments), *named), ")")


def listing(items: Sequence[str]) -> Group:
    """Return a list of text literals."""
    return Group("[", tuple(("", quote(item)) for item in items), "]")


def mapping(items: Mapping[str, Expression]) -> Group:
    """Return a dict with text keys."""
    return Group("{", tuple((f"{quote(key)}: ", value) for key, value in items.items()), "}")


def render(expression: Expression, indent: int, before: str = "", after: str = "") -> str:
    """Return the source of an expression between what stands before and after it on its line."""
    flat = f"{' ' * indent}{before}{_flat(expression)}{after}"
    if isinstance(expression, str) or not expression.parts or len(flat) <= WIDTH:
        return flat
    inner = [render(value, indent + 4, label, ",") for label, value in expression.parts]
    head, tail = f"{' ' * indent}{before}{expression.opening}", f"{' ' * indent}{expression.closing}{after}"
    return "\n".join([head, *inner, tail])


def quote(text: str) -> str:
    r"""Return a text literal the way ruff prefers it, raw where that spares backslashes.

    >>> print(quote("a"), quote('a[b="c"]'), quote(r"\d+"), quote("it's"))
    "a" 'a[b="c"]' r"\d+" "it's"
    """
    mark = "'" if text.count('"') > text.count("'") else '"'
    if "\\" in text and text.isprintable() and mark not in text and not text.endswith("\\"):
        return f"r{mark}{text}{mark}"
    body = "".join(_escaped(character, mark) for character in text)
    return f"{mark}{body}{mark}"


def with_long_lines_allowed(source: str) -> str:
    """Say to linters that long lines are meant, where there are any."""
    long = any(len(line) > LONGEST for line in source.splitlines())
    return f"# ruff: noqa: E501\n{source}" if long else source


def _escaped(character: str, mark: str) -> str:
    if character in ("\\", mark):
        return f"\\{character}"
    return character if character.isprintable() else repr(character)[1:-1]


def _flat(expression: Expression) -> str:
    if isinstance(expression, str):
        return expression
    parts = ", ".join(label + _flat(value) for label, value in expression.parts)
    return f"{expression.opening}{parts}{expression.closing}"
