"""The name of a file on the command line in, its text out, and back; what would be lost is refused."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from sitewright.errors import InputError, MapExists, OutputError
from sitewright.maps.file import read_text, write_atomically
from sitewright.output.stream import standard_output

_STANDARD_INPUT = "standard input"


def text_of(file: str) -> str:
    """Return the text of a file, or of standard input for `-`."""
    if file != "-":
        return read_text(Path(file))
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{_STANDARD_INPUT} is not UTF-8 text: {error.reason} at byte {error.start}") from error


def shown_name(file: str) -> str:
    """Return what a file is called in messages."""
    return _STANDARD_INPUT if file == "-" else file


def put_out(text: str) -> None:
    """Write a text to standard output."""
    output = standard_output()
    output.write(text.encode("utf-8"))
    output.flush()


def deliver(text: str, output: str, *, force: bool) -> None:
    """Write a text to a file, or to standard output for `-`; over a file that is there only with force."""
    if output == "-":
        put_out(text)
        return
    path = Path(output)
    if path.exists() and not force:
        raise MapExists(f"{output} exists; it is written over only with --force")
    write_atomically(path, text)


def refuse_overwriting(sources: Sequence[str], targets: Mapping[str, str | None]) -> None:
    """Refuse an output that is an input, one of the pages of a folder, or another output; targets are by option."""
    inputs = [source for source in sources if source != "-" and Path(source).exists()]
    folders = [source for source in inputs if Path(source).is_dir()]
    taken: dict[Path, str] = {}
    for option, target in targets.items():
        if target in (None, "-"):
            continue
        path = Path(str(target))
        if any(path.exists() and path.samefile(source) for source in inputs):
            raise OutputError(f"{target} is an input of this run and would be lost; name another file with {option}")
        folder = next((source for source in folders if Path(source).resolve() in path.resolve().parents), "")
        if folder and option == "--report":
            raise OutputError(f"{target} would be one of the pages in {folder}; name another file with {option}")
        if path.resolve() in taken:
            raise OutputError(f"{target} is the output of this run; name another file with {option}")
        taken[path.resolve()] = option
