"""Map files: text in, ExtractionMap out, and back without losing comments."""

import hashlib
import io
import os
import shutil
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from sitewright.checking import bare, yaml
from sitewright.errors import InputError, MapExists, MapInvalid, MapSyntaxError, OutputError
from sitewright.maps.check import problems, read_tree
from sitewright.maps.plain import from_plain, to_plain
from sitewright.types import ExtractionMap

HEADING = "#: "
"""How the lines of a heading begin, which the next one replaces; other comments are a person's and stay."""
FLOW_WIDTH = 150
"""A rule that fits into this many characters stands on one line."""


def parse_map(text: str, file: str = "map") -> ExtractionMap:
    """Read a map from the text of its file; `MapSyntaxError` or `MapInvalid` say what is wrong and where."""
    tree = read_tree(text, file)
    if found := problems(tree, file):
        raise MapInvalid(found)
    return from_plain(bare(tree))


def load_map(path: str | Path) -> ExtractionMap:
    """Read a map file."""
    return parse_map(read_text(Path(path)), str(path))


def dump_map(extraction_map: ExtractionMap, like: str = "", heading: str = "", *, sealed: bool = True) -> str:
    """Write a map as text: stable order, one rule a line, with the comments of the earlier text `like`.

    A heading is written above as a comment, in place of an earlier one, with a seal that breaks when a person edits.
    """
    plain = to_plain(extraction_map)
    tree = read_tree(like, "map") if like.strip() else None
    merged = _merge(tree, plain) if isinstance(tree, CommentedMap) else _styled(plain, depth=0)
    out = io.StringIO()
    yaml().dump(merged, out)
    text = out.getvalue()
    if not heading:
        return text
    lines = text.split("\n")
    body = "\n".join(line for line in lines if not line.startswith(HEADING))
    lines = [*heading.split("\n"), *([_seal(body)] if sealed else [])]
    return "\n".join([*(f"{HEADING}{line}" for line in lines), body])


def with_heading(text: str, heading: str) -> str:
    r"""Return the text of a map with another heading, or without one.

    >>> with_heading("#: Learned from 8 pages\nsitewright: 1\n", "no kicker in titles")
    '#: no kicker in titles\nsitewright: 1\n'
    """
    kept = [line for line in text.split("\n") if not line.startswith(HEADING)]
    return "\n".join([*(f"{HEADING}{' '.join(line.split())}" for line in heading.splitlines() if line.strip()), *kept])


def heading_of(text: str) -> list[str]:
    """Return the lines of a map's heading: why a person changed it, or what it was learned from."""
    return [line.removeprefix(HEADING) for line in text.split("\n") if line.startswith(HEADING)]


def save_map(
    extraction_map: ExtractionMap, path: str | Path, *, overwrite: bool = False, heading: str = "", sealed: bool = True
) -> None:
    """Write a map file in one step; over an existing one only when told to, and then its comments are kept."""
    target = Path(path)
    if target.exists() and not overwrite:
        raise MapExists(f"{target} exists; it is written over only with --force")
    like = read_text(target) if target.exists() else ""
    text = dump_map(extraction_map, like=like, heading=heading, sealed=sealed)
    write_atomically(target, text)


def earlier_text(path: Path) -> str:
    """Return the text of a map that is written over, for its comments; empty where there is none, or not YAML."""
    if not path.exists():
        return ""
    try:
        text = read_text(path)
        read_tree(text, str(path))
    except (InputError, MapSyntaxError):
        return ""
    return text


def is_untouched(text: str) -> bool:
    """Tell whether a map file is as it was learned: no rule edited, no comment added, no character changed by hand."""
    stated = heading_of(text)
    body = with_heading(text, "")
    return bool(stated) and stated[-1] == _seal(body)


def _seal(body: str) -> str:
    """Return the line that tells whether anything below was changed since."""
    return f"As it was learned: {hashlib.sha256(body.encode()).hexdigest()[:12]}"


def set_aside(path: Path) -> Path:
    """Move a file out of the way, under the first free name of `file.~1~`, `file.~2~`, …, and return that."""
    for number in count(1):
        aside = path.with_name(f"{path.name}.~{number}~")
        if not aside.exists():
            break
    try:
        os.link(path, aside)  # both names at once: there is no moment without the file
    except OSError:
        shutil.copy2(path, aside)
    return aside


def write_atomically(target: Path, text: str) -> None:
    """Write a text file so that a reader sees the old one or the new one, never a half."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(f".{target.name}.{os.getpid()}")
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        raise OutputError(f"cannot write {target}: {error.strerror or error}") from error


def read_text(path: Path) -> str:
    """Read a text file."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _styled(value: Any, depth: int) -> Any:
    """Wrap plain values so that rules and short lists stand on one line."""
    if isinstance(value, Mapping):
        mapping = CommentedMap((key, _styled(item, depth + 1)) for key, item in value.items())
        if depth and "rules" not in mapping and _fits(value):
            mapping.fa.set_flow_style()
        return mapping
    if isinstance(value, Sequence) and not isinstance(value, str):
        sequence = CommentedSeq(_styled(item, depth + 1) for item in value)
        if _fits(value) and not any(isinstance(item, Mapping) for item in value):
            sequence.fa.set_flow_style()
        return sequence
    return value


def _fits(value: object) -> bool:
    return len(str(value)) <= FLOW_WIDTH and not _nests(value)


def _nests(value: object) -> bool:
    """Tell whether this holds a mapping of rules, which reads badly on one line."""
    return isinstance(value, Mapping) and any(
        isinstance(item, Mapping) and key != "support" for key, item in value.items()
    )


def _merge(old: Any, new: Any, depth: int = 0) -> Any:
    """Return `new` in the shape of `old`, so that comments and style of what stayed are kept."""
    if isinstance(old, CommentedMap) and isinstance(new, Mapping):
        return _merge_mapping(old, new, depth)
    if isinstance(old, CommentedSeq) and isinstance(new, Sequence) and not isinstance(new, str):
        return _merge_sequence(old, list(new), depth)
    return old if old == new else _styled(new, depth)


def _merge_mapping(old: CommentedMap, new: Mapping[str, Any], depth: int) -> CommentedMap:
    for key in [key for key in old if key not in new]:
        del old[key]
    for position, (key, item) in enumerate(new.items()):
        if key in old:
            merged = _merge(old[key], item, depth + 1)
            if merged is not old[key]:
                old[key] = merged
        else:
            old.insert(position, key, _styled(item, depth + 1))
    if list(old) != list(new):
        for key in new:
            old.move_to_end(key)
    return old


def _merge_sequence(old: CommentedSeq, new: list[Any], depth: int) -> CommentedSeq:
    named: dict[str, list[Any]] = {}
    for item in old:
        named.setdefault(_name(item), []).append(item)
    before = [named[_name(item)].pop(0) if named.get(_name(item)) else None for item in new]
    del old[len(new) :]
    for position, (source, item) in enumerate(zip(before, new, strict=True)):
        merged = _merge(source, item, depth + 1)
        if position == len(old):
            old.append(merged)
        elif merged is not old[position]:
            old[position] = merged
    return old


def _name(item: object) -> str:
    """Return what tells a template or an index page from its neighbours; what has no name goes by its place."""
    return str(item.get("name") or item.get("url") or "") if isinstance(item, Mapping) else ""
