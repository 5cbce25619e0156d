"""`sitewright demo`: a generated newspaper served on loopback, its map, and the records read with it."""

import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import click
from click.core import ParameterSource
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from sitewright.cli.show.next_steps import tell_next
from sitewright.demo import LANGUAGES, Site, generate_site, serve
from sitewright.errors import InputError, OutputError
from sitewright.extract import Extractor
from sitewright.maps import parse_map
from sitewright.maps.file import write_atomically
from sitewright.output.rows import row_of
from sitewright.parse import parse
from sitewright.types import ExtractionMap, Page, Record
from sitewright.values.as_json import json_of

STORY_KINDS = frozenset({"article", "gallery", "video", "live"})
SHOWN = 12
_LIVE = frozenset(("--collect", "--heal"))
_OF_ONE_PAPER = frozenset(("--language", "--stories", "--serve", "--port"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one call."""

    seed: int
    language: str
    stories: int
    output: str
    keep: bool
    port: int


@click.command(short_help="See it work on a newspaper that is made up and served here.")
@click.option("--seed", default=1, show_default=True, help="Another seed, another newspaper.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Its language.")
@click.option(
    "--stories", type=click.IntRange(10, 5000), default=40, show_default=True, help="How many stories it has."
)
@click.option(
    "-o", "--output", default="demo-output", show_default=True, metavar="DIR", help="Folder for what is made."
)
@click.option(
    "--collect",
    is_flag=True,
    help="Instead: three papers that live on a fast clock, learned on first sight and watched by the collector.",
)
@click.option(
    "--heal",
    is_flag=True,
    help="Instead: one paper on a fast clock that is redesigned twice, and a collector that repairs its map.",
)
@click.option(
    "--hours",
    type=click.FloatRange(0.1),
    help="With --collect or --heal: how long, in the papers' time; default: 2, with --heal 6.",
)
@click.option("--serve", "keep", is_flag=True, help="Keep serving the newspaper, to look at it in a browser.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port of 127.0.0.1 to serve on; default: a free one."
)
@click.pass_context
def demo(context: click.Context, /, **options: Any) -> None:
    """Make up a newspaper, serve it on 127.0.0.1, read its stories over HTTP with its map, and show what was found.

    Nothing leaves this machine. The map, the pages and the records are left in DIR to play with.
    """
    _check_given(context)
    console = Console(width=None if sys.stdout.isatty() else 120)
    collect, heal, hours = options.pop("collect"), options.pop("heal"), options.pop("hours")
    folder, seed = Path(options["output"]), options["seed"]
    try:
        if collect:
            from sitewright.cli.demo import collect as demo_collect  # noqa: PLC0415 -- only who asks pays for it

            demo_collect.run(console, folder, seed, hours or demo_collect.HOURS)
        elif heal:
            from sitewright.cli.demo import heal as demo_heal  # noqa: PLC0415 -- only who asks pays for it

            demo_heal.run(console, folder, demo_heal.Plan(seed=seed, hours=hours or demo_heal.HOURS))
        else:
            run(console, Options(**options))
    except OSError as error:
        raise OutputError(f"the demo cannot run: {error.strerror or error}") from error


def _check_given(context: click.Context) -> None:
    """Refuse options that do not go together, or that would do nothing."""
    given = {
        option.opts[-1]
        for option in context.command.params
        if context.get_parameter_source(str(option.name)) is not ParameterSource.DEFAULT
    }
    chosen = sorted(given & _LIVE)
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} do not go together; give one of them")
    if not chosen and "--hours" in given:
        raise InputError(f"--hours goes with {' or '.join(sorted(_LIVE))}")
    if chosen and given & _OF_ONE_PAPER:
        raise InputError(f"{min(given & _OF_ONE_PAPER)} does not go with {chosen[0]}")


def run(console: Console, options: Options) -> None:
    """Carry out the demo step by step."""
    made: list[Site] = []

    def make(base_url: str) -> Site:
        made.append(generate_site(options.seed, language=options.language, stories=options.stories, base_url=base_url))
        return made[-1]

    with serve(make, options.port) as base_url:
        site = made[-1]
        extraction_map = parse_map(site.map_text, f"{site.host}.map.yaml")
        console.print(f"[bold]{site.name}[/bold] ({site.language}), made up just now, is served at {base_url}")
        pages = _fetch(site, base_url, console)
        records = _read(extraction_map, pages)
        console.print(_table(records, console.width))
        console.print(_fill_rates(records, extraction_map))
        console.print(_comparison(site, records, base_url))
        _leave(Path(options.output), site, pages, records)
        _say_next(console, options.output, site)
        if options.keep:
            _wait(console, base_url)


def _fetch(site: Site, base_url: str, console: Console) -> list[Page]:
    """Fetch the stories the way any client would."""
    paths = [path for path, page in site.pages.items() if page.kind in STORY_KINDS]
    pages = []
    with Progress(console=console, transient=True) as progress:
        for path in progress.track(paths, description="fetching"):
            with urllib.request.urlopen(urljoin(base_url, path), timeout=10) as response:  # noqa: S310 -- our own server
                headers = dict(response.headers.items())
                pages.append(
                    Page(
                        url=response.url,
                        body=response.read(),
                        headers=headers,
                        fetched_at=datetime.now(UTC),
                        via="http",
                    )
                )
    return pages


def _read(extraction_map: ExtractionMap, pages: list[Page]) -> list[Record]:
    extractor = Extractor(extraction_map)
    return [extractor.extract(parse(page)) for page in pages]


def _table(records: list[Record], width: int) -> Table:
    table = Table(title=f"{len(records)} stories, the first {min(SHOWN, len(records))}", title_justify="left")
    others = {"published": 16, "authors": 16, "words": 5, "photos": 6}
    borders = 3 * len(others) + 4
    table.add_column(
        "title", overflow="ellipsis", no_wrap=True, max_width=max(20, width - sum(others.values()) - borders)
    )
    for column, wide in others.items():
        table.add_column(column, overflow="ellipsis", no_wrap=True, width=wide)
    for record in records[:SHOWN]:
        table.add_row(*_cells(record))
    return table


def _cells(record: Record) -> Iterator[str]:
    yield str(_value(record, "title") or "")
    published = _value(record, "published")
    yield f"{published:%Y-%m-%d %H:%M}" if isinstance(published, datetime) else str(published or "")
    yield ", ".join(_value(record, "authors") or [])
    yield f"{len(str(_value(record, 'text') or '').split()):,}"
    yield str(len(_value(record, "images") or []))


def _value(record: Record, field: str) -> Any:
    value = record.fields.get(field)
    return value.value if value is not None else None


def _fill_rates(records: list[Record], extraction_map: ExtractionMap) -> str:
    filled = Counter(field for record in records for field in record.fields)
    return "found on pages: " + ", ".join(
        f"{field} {filled[field] / len(records):.0%}" for field in extraction_map.fields
    )


def _comparison(site: Site, records: list[Record], base_url: str) -> str:
    """Compare with what the generator meant, which a real site never tells."""
    right = wrong = 0
    for record in records:
        truth = site.truth["/" + record.urls[0].removeprefix(base_url).lstrip("/")]
        for field in ("title", "subtitle", "text", "authors", "categories", "tags"):
            meant = getattr(truth, field)
            expected = list(meant) if isinstance(meant, tuple) else meant
            if (_value(record, field) or None) == (expected or None):
                right += 1
            else:
                wrong += 1
    return f"against what was meant: {right} of {right + wrong} values right"


def _leave(folder: Path, site: Site, pages: list[Page], records: list[Record]) -> None:
    """Write the map, the pages and the records."""
    folder.mkdir(parents=True, exist_ok=True)
    _keep_edited(folder / "site.map.yaml", site.map_text)
    write_atomically(folder / "site.map.yaml", site.map_text)
    with (folder / "pages.jsonl").open("wb") as file:
        for page in pages:
            file.write(json_of({"url": page.url, "html": _text(page), "time": page.fetched_at}) + b"\n")
    with (folder / "records.jsonl").open("wb") as file:
        file.writelines(json_of(row_of(record)) + b"\n" for record in records)


def _keep_edited(path: Path, text: str) -> None:
    """Put a map of an earlier demo aside, since somebody may have worked on it."""
    if path.exists() and path.read_text("utf-8") != text:
        path.replace(path.with_suffix(".yaml.before"))


def _text(page: Page) -> str:
    """Return the page's text, decoded as its header says."""
    charset = page.headers["Content-Type"].rpartition("charset=")[2]
    return page.body if isinstance(page.body, str) else page.body.decode(charset)


def _say_next(console: Console, output: str, site: Site) -> None:
    console.print(f"\n[bold]{output}/[/bold] now holds pages.jsonl, site.map.yaml and records.jsonl. Try next:")
    commands = (
        f"extract {output}/pages.jsonl --map {output}/site.map.yaml -o {output}/records.csv",
        f"map show {output}/site.map.yaml",
        f"map convert {output}/site.map.yaml --to scrapy",
        "demo --collect",
        "demo --heal",
        f"demo --seed 2 --language {'ru' if site.language != 'ru' else 'zh'} --serve",
    )
    tell_next(console, commands)


def _wait(console: Console, base_url: str) -> None:
    console.print(f"\nOpen {base_url} in a browser; Ctrl-C ends it.")
    with suppress(KeyboardInterrupt):
        threading.Event().wait()
    console.print("ended")
