"""Selectors of one dialect in, of another out: CSS to XPath, and jQuery's own pseudo classes to XPath."""

import re
from collections.abc import Iterator

from turbohtml import SelectorSyntaxError
from turbohtml.convert import ExpressionError, css_to_xpath

from sitewright.errors import SelectorError
from sitewright.parse.selectors import is_xpath

SELF = "self::*"
"""The node itself, as a rule within another rule selects it."""

_OPEN, _CLOSE = "([", ")]"
_COMBINATORS = {">": "/", "+": "/following-sibling::*[1]/self::", "~": "/following-sibling::"}
_NOT_EQUAL = re.compile(r"\[([\w-]+)!=([^\]]+)\]")
_JQUERY = re.compile(r":(contains|eq|first|last|gt|lt|even|odd|parent)(?![\w-])(\()?")
_NOT_CONTAINS = re.compile(r":not\(\s*:contains\((.*)\)\s*\)", re.DOTALL)
_ATTRIBUTE_END = re.compile(r"(?P<path>[^|]*[^/|])/@(?P<name>[A-Za-z_:][\w:.-]*)")
_FIRST_ONLY = re.compile(r"\((?P<path>.*)\)\[1\]", re.DOTALL)
_POSITIONS = {"first": "1", "last": "last()", "even": "position() mod 2 = 1", "odd": "position() mod 2 = 0"}


def as_xpath(selector: str, prefix: str = "//") -> str:
    """Return a CSS or XPath selector as XPath; `SelectorError` where XPath cannot express it.

    >>> as_xpath("div > p"), as_xpath("//h1"), as_xpath("a, b", ".//")
    ('//div/p', '//h1', './/a | .//b')
    """
    if is_xpath(selector):
        return selector.removeprefix("xpath:")
    if ":scope" in selector:
        raise SelectorError(f"{selector!r}: :scope has no meaning in a path from the top")
    try:
        return css_to_xpath(selector, prefix=prefix)
    except (SelectorSyntaxError, ExpressionError) as error:
        raise SelectorError(f"{selector!r} cannot be written as XPath: {error}") from error


def split_list(selector: str) -> list[str]:
    """Split a selector list at its commas.

    >>> split_list('a, b:is(c, d), e[x="f, g"]')
    ['a', 'b:is(c, d)', 'e[x="f, g"]']
    """
    return _split(selector, ",")


def split_union(xpath: str) -> list[str]:
    """Split an XPath at the bars of its union.

    >>> split_union("//a | //b[c | d]")
    ['//a', '//b[c | d]']
    """
    return _split(xpath, "|")


def literal(text: str) -> str:
    """Return a text as an XPath literal.

    >>> literal("a"), literal("it's")
    ("'a'", '"it\\'s"')
    """
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat(" + ', "\'", '.join(f"'{part}'" for part in text.split("'")) + ")"


def split_attribute(xpath: str) -> tuple[str, str]:
    """Split a path that ends in an attribute into path and `@name`; the name is empty where it does not.

    >>> split_attribute("//time/@datetime"), split_attribute("//h1")
    (('//time', '@datetime'), ('//h1', ''))
    """
    found = _ATTRIBUTE_END.fullmatch(xpath)
    return (found["path"], f"@{found['name']}") if found and _balanced(found["path"]) else (xpath, "")


def split_first(xpath: str) -> tuple[str, bool]:
    """Split `(path)[1]` into the path and whether only its first match was meant.

    >>> split_first("(//a)[1]"), split_first("//a[1]"), split_first("(//a)[2] | (//b)[1]")
    (('//a', True), ('//a[1]', False), ('(//a)[2] | (//b)[1]', False))
    """
    found = _FIRST_ONLY.fullmatch(xpath)
    return (found["path"], True) if found and _balanced(found["path"]) else (xpath, False)


def from_jquery(selector: str) -> list[str]:
    """Translate a jQuery selector list, each alternative to CSS or XPath; what cannot be translated stays as it is.

    >>> from_jquery("tr:contains('Price') td, p.a")
    [".//tr[contains(., 'Price')]//td", 'p.a']
    >>> from_jquery("li:eq(1) a"), from_jquery("_parent_"), from_jquery("a:visible")
    (['(.//li)[2]//a'], ['self::*'], ['a:visible'])
    """
    return [_from_jquery(part) for part in split_list(selector)]


def _from_jquery(part: str) -> str:
    if part == "_parent_":
        return SELF
    part = _NOT_EQUAL.sub(r":not([\1=\2])", part)
    part = re.sub(r":header(?![\w-])", ":is(h1, h2, h3, h4, h5, h6)", part)
    if part.startswith(">"):
        part = f":scope {part}"
    try:
        return _with_pseudos(part)
    except SelectorError:
        return part


def _with_pseudos(part: str) -> str:
    """Translate step by step: the CSS before each pseudo class, then the pseudo class as a predicate."""
    path, start = ".", 0
    for begin, end, name, argument in _pseudos(part):
        path = _predicate(_step(path, part[start:begin]), name, argument)
        start = end
    if start == 0 and not part.startswith(("+", "~")):
        return part
    return _step(path, part[start:])


def _pseudos(part: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield begin, end, name and argument of jQuery's pseudo classes outside brackets."""
    for place, character in _outside(part):
        if character != ":":
            continue
        if found := _JQUERY.match(part, place):
            end = _closing(part, found.end() - 1) + 1 if found[2] else found.end()
            yield place, end, found[1], part[found.end() : end - 1] if found[2] else ""
        elif part.startswith(":not(", place):
            end = _closing(part, place + 4) + 1
            if inner := _NOT_CONTAINS.fullmatch(part[place:end]):
                yield place, end, "lacks", inner[1]


def _step(path: str, css: str) -> str:
    """Append the CSS between two pseudo classes to an XPath."""
    if not css:
        return ".//*" if path == "." else path
    if css[-1].isspace() or css.rstrip()[-1] in _COMBINATORS:
        css += "*"
    bare = css.lstrip()
    if bare[0] in _COMBINATORS:
        return path + as_xpath(bare[1:].strip(), _COMBINATORS[bare[0]])
    if path == "." or css[0].isspace():
        return path + as_xpath(bare, "//")
    return path + as_xpath(f"*{css}", "/self::")


def _predicate(path: str, name: str, argument: str) -> str:
    wanted = literal(_unquote(argument))
    match name:
        case "contains":
            return f"{path}[contains(., {wanted})]"
        case "lacks":
            return f"{path}[not(contains(., {wanted}))]"
        case "parent":
            return f"{path}[node()]"
        case "eq" | "gt" | "lt":
            return f"({path})[{_position(name, argument)}]"
        case _:
            return f"({path})[{_POSITIONS[name]}]"


def _position(name: str, argument: str) -> str:
    """Turn jQuery's index from 0 (from the end where negative) into an XPath predicate."""
    try:
        index = int(argument)
    except ValueError as error:
        raise SelectorError(f":{name}({argument}) has no number") from error
    if name == "eq":
        return str(index + 1) if index >= 0 else f"last() - {-index - 1}"
    if index < 0:
        raise SelectorError(f":{name}({argument}) counts from the end")
    return f"position() {'>' if name == 'gt' else '<'} {index + 1}"


def _unquote(argument: str) -> str:
    bare = argument.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "'\"":
        bare = bare[1:-1]
    return re.sub(r"\\(.)", r"\1", bare)


def _split(text: str, mark: str) -> list[str]:
    cuts = [place for place, character in _outside(text) if character == mark]
    bounds = zip([0, *(cut + 1 for cut in cuts)], [*cuts, len(text)], strict=True)
    return [part for start, end in bounds if (part := text[start:end].strip())]


def _scan(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield place, character and depth of all that stands outside quotes; a bracket has the depth outside it."""
    depth, quote, escaped = 0, "", False
    for place, character in enumerate(text):
        if escaped or character == "\\":
            escaped = not escaped
        elif quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        else:
            depth -= character in _CLOSE
            yield place, character, depth
            depth += character in _OPEN


def _outside(text: str) -> Iterator[tuple[int, str]]:
    """Yield place and character of all that stands outside brackets and quotes."""
    return ((place, character) for place, character, depth in _scan(text) if depth == 0)


def _closing(text: str, opening: int) -> int:
    """Return where a bracket opened outside all others is closed."""
    for place, character in _outside(text):
        if place > opening and character in _CLOSE:
            return place
    raise SelectorError(f"{text!r}: a bracket is not closed")


def _balanced(text: str) -> bool:
    """Tell whether every bracket is closed within the text, and none before it is opened."""
    scanned = list(_scan(text))
    opened = sum(character in _OPEN for _, character, _ in scanned)
    closed = sum(character in _CLOSE for _, character, _ in scanned)
    return opened == closed and all(depth >= 0 for _, _, depth in scanned)
