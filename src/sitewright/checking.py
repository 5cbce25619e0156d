"""A YAML file and its JSON Schema in, all that is wrong with it out: file, line, entry, what was expected."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedBase
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from sitewright.errors import Problem

Path = tuple[str | int, ...]
Found = tuple[Path, str]
"""Something wrong: the way to the entry, and what was expected there."""

MAX_ENTRIES = 100_000
MAX_BYTES = 4_000_000
"""A map of 60 lines has 4 kB; a file a thousand times that is something else."""
_NESTED = re.compile(r"(?:[\[{]\s*+){20}")
"""More opening brackets in a row than any file of ours has; the YAML reader takes minutes over thousands of them."""


MOST_EXPANDED = 100_000
"""Of regular expressions: 30 MB; honest ones are hundreds of characters long."""
TOO_MUCH = "it repeats too much"
_LONGEST_NUMBER = 12
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|\{(?P<least>\d*+)(?:,\d*+)?\}|.", re.DOTALL)


class NotYaml(Exception):
    """A text is not YAML, or more of it than can be meant; says where and why. Who knows what file it is tells on."""


def yaml() -> YAML:
    """Return a YAML reader and writer that keeps comments and writes the house style."""
    round_trip = YAML(typ="rt")
    round_trip.width = 4096
    round_trip.preserve_quotes = True
    round_trip.indent(mapping=2, sequence=4, offset=2)
    return round_trip


def read_tree(text: str, file: str, what: str) -> Any:
    """Parse YAML, keeping comments and line numbers; `what` names the kind of file. `NotYaml` says why it cannot be."""
    if len(text) > MAX_BYTES:
        raise NotYaml(f"{file}:1: a {what} file has at most {MAX_BYTES:,} characters, this one {len(text):,}")
    if nested := _NESTED.search(text):
        line = text.count("\n", 0, nested.start()) + 1
        raise NotYaml(f"{file}:{line}: brackets are nested too deep for a {what}")
    try:
        tree = yaml().load(text)
        _refuse_endless(tree, file, what)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise NotYaml(f"{file}:{line}: not YAML: {error.problem or error.context}") from error
    except (YAMLError, ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:  # odd tags
        raise NotYaml(f"{file}:1: not YAML: {error}") from error
    return tree


def _refuse_endless(tree: Any, file: str, what: str) -> None:
    """Refuse aliases that stand for millions of entries or for what they are part of; each node is looked at once."""
    sizes: dict[int, int] = {}

    def size(node: Any) -> int:
        if isinstance(node, str) or not isinstance(node, (Mapping, Sequence)):
            return 1
        if id(node) not in sizes:
            sizes[id(node)] = 0  # until all it holds is counted
            children = node.values() if isinstance(node, Mapping) else node
            sizes[id(node)] = 1 + sum(map(size, children))
        if not sizes[id(node)]:
            raise NotYaml(f"{file}:{_begin(node)}: an alias stands for what it is part of")
        return sizes[id(node)]

    if size(tree) > MAX_ENTRIES:
        raise NotYaml(f"{file}:1: a {what} file has at most {MAX_ENTRIES:,} entries, aliases counted in full")


def _begin(node: Any) -> int:
    return node.lc.line + 1 if isinstance(node, CommentedBase) else 1


def bare(tree: Any) -> Any:
    """Return plain dicts, lists and scalars, without what YAML remembers about style; dates as text."""
    if isinstance(tree, Mapping):
        return {str(key): bare(item) for key, item in tree.items()}
    if isinstance(tree, Sequence) and not isinstance(tree, str):
        return [bare(item) for item in tree]
    if isinstance(tree, date):
        return tree.isoformat()
    if isinstance(tree, float):
        return int(tree) if tree.is_integer() else float(tree)
    return next((kind(tree) for kind in (str, bool, int) if isinstance(tree, kind)), tree)


def located(tree: Any, file: str, found: Iterable[Found], what: str) -> list[Problem]:
    """Return problems with the lines of their entries, in the order of the lines."""
    problems = [
        Problem(file, line_of(tree, path), _dotted(path), message, what) for path, message in dict.fromkeys(found)
    ]
    return sorted(problems, key=lambda problem: (problem.line, problem.path))


def line_of(tree: Any, path: Path) -> int:
    """Return the line (from 1) on which the entry at `path` begins."""
    line = 1
    for key in path:
        place = getattr(tree, "lc", None)
        marks = place.data if isinstance(tree, CommentedBase) and place is not None else None
        if marks and key in marks:
            line = marks[key][0] + 1
        try:
            tree = tree[key]
        except (KeyError, IndexError, TypeError):
            break
    return line


def schema_problems(tree: Any, schema: Mapping[str, Any]) -> list[Found]:
    """Return where a plain tree does not follow a schema."""
    return [problem for error in _Validator(schema).iter_errors(tree) for problem in _explain(error)]


def _whole_pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    """Match all of a text: a `$` of JSON Schema is its end, one of Python also stands before a last line break."""
    if isinstance(instance, str) and not re.fullmatch(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


_Validator = extend(Draft202012Validator, {"pattern": _whole_pattern})  # type: ignore[no-untyped-call]


def _explain(error: ValidationError) -> Iterator[Found]:
    path: Path = tuple(error.absolute_path)
    match error.validator:
        case "additionalProperties" if isinstance(error.instance, Mapping):
            known = sorted(error.schema.get("properties", {}))  # type: ignore[union-attr]
            for key in error.instance:
                if key not in known:
                    yield (*path, key), f"unknown entry {key!r}; expected one of {', '.join(known)}"
        case "required" if isinstance(error.instance, Mapping):
            missing = [name for name in error.validator_value if name not in error.instance]  # type: ignore[union-attr]
            yield path, f"missing {', '.join(missing)}"
        case "anyOf":
            yield path, str(error.schema["$comment"])  # type: ignore[index]
        case "type":
            yield path, f"expected {error.validator_value}, found {kind_of(error.instance)}"
        case "const" | "enum":
            allowed = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
            yield path, f"expected {' or '.join(map(str, allowed))}, found {error.instance!r}"
        case "pattern" if "propertyNames" in error.absolute_schema_path:
            yield (*path, str(error.instance)), f"{error.instance!r} is not a field's name: letters, digits, _ and -"
        case "pattern":
            wanted = error.schema.get("description") or error.validator_value  # type: ignore[union-attr]
            yield path, f"{error.instance!r} is not of the form {wanted}"
        case _:
            yield path, error.message


def kind_of(value: object) -> str:
    """Name the kind of a plain value, as it stands in YAML or JSON.

    >>> kind_of([]), kind_of({}), kind_of("x"), kind_of(None), kind_of(1.5), kind_of(True)
    ('a list', 'an object', 'text', 'nothing', 'a number', 'true/false')
    """
    return _KINDS.get(type(value), type(value).__name__)


_KINDS: Mapping[type, str] = {
    bool: "true/false",
    str: "text",
    int: "a number",
    float: "a number",
    type(None): "nothing",
    list: "a list",
    dict: "an object",
}


def expanded_size(pattern: str) -> int:
    r"""Return how long a regular expression is once what it repeats a fixed number of times is written out.

    Who compiles it writes it out, and five characters may stand for a billion.

    >>> expanded_size(r"/\d{4}/bees"), expanded_size("(ab{3}){1000}"), expanded_size("a+")
    (10, 4000, 2)
    """
    sizes, last = [0], 0
    for token in _TOKEN.finditer(pattern):
        if token["least"] is not None:
            times = int(token["least"][:_LONGEST_NUMBER] or 0)
            grown = last * max(times - 1, 0)
            sizes[-1], last = sizes[-1] + grown, last + grown
        elif token[0] == "(":
            sizes.append(0)
        elif token[0] == ")" and len(sizes) > 1:
            last = sizes.pop()
            sizes[-1] += last
        else:
            sizes[-1], last = sizes[-1] + 1, 1
    return sum(sizes)


def pattern_problem(path: Path, pattern: str) -> Iterator[Found]:
    """Yield what is wrong with a regular expression, if anything is."""
    if message := pattern_error(pattern):
        yield path, f"{pattern!r} is not a regular expression: {message}"


def pattern_error(pattern: str) -> str:
    """Return what Python has against a regular expression; empty where it takes it.

    >>> pattern_error("(a"), pattern_error("a{99999999999}"), pattern_error("a+")
    ('missing ), unterminated subpattern at position 0', 'it repeats too much', '')
    """
    if expanded_size(pattern) > MOST_EXPANDED:
        return TOO_MUCH
    try:
        re.compile(pattern)
    except (re.error, OverflowError) as error:
        return str(error)
    except RecursionError:
        return "nested too deep"
    return ""


def _dotted(path: Path) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{_on_one_line(key)}" for key in path).removeprefix(".")


def _on_one_line(key: str) -> str:
    return key if key.isprintable() else repr(key)[1:-1]
