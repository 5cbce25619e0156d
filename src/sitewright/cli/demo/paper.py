"""`sitewright demo`: a newspaper on loopback of which only the address is known; learned, read, and checked."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from sitewright.actions.learn_map import report_learned
from sitewright.cli.demo.learning import LearnedPaper, learn_paper
from sitewright.cli.demo.score import Score, score_of, story_of, values_of
from sitewright.cli.demo.scored import ABOUT, score_table, show_mistakes, total_line, words_of
from sitewright.cli.demo.steps import Steps
from sitewright.cli.show.next_steps import tell_next
from sitewright.demo import Site, generate_site, serve
from sitewright.maps.file import is_untouched, read_text, write_atomically
from sitewright.output.rows import row_of
from sitewright.reading.report import rule_text
from sitewright.types import ExtractionMap, Page, Record
from sitewright.values.as_json import json_of

MAP, OWN_MAP = "learned.map.yaml", "site.map.yaml"
REPORT, PAGES, RECORDS = "report.html", "pages.jsonl", "records.jsonl"
_SHOWN_RECORDS = 3
_NAME = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperOptions:
    """Which newspaper is made up, and where to."""

    seed: int
    language: str
    stories: int
    output: str
    keep: bool
    """Whether it is served until Ctrl-C."""
    port: int


def run(console: Console, options: PaperOptions) -> None:
    """Carry out the demo step by step."""
    made: list[Site] = []

    def make(base_url: str) -> Site:
        made.append(generate_site(options.seed, language=options.language, stories=options.stories, base_url=base_url))
        return made[-1]

    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)  # that it cannot be made is told before any work is done
    with serve(make, options.port) as base_url:
        site = made[-1]
        console.print(
            f"[bold]{site.name}[/bold] ({site.language}), made up just now, is served at {base_url}/\n"
            "Only this address is known of it, and nothing leaves this machine.\n",
            highlight=False,
        )
        learned = learn_paper(f"{base_url}/", Steps(console))
        _show_score(console, site, learned)
        _show_records(console, learned.records)
        _leave(folder, site, learned)
        _say_next(console, folder, site)
        if options.keep:
            _wait(console, base_url)


def _heading(console: Console, text: str) -> None:
    console.print(f"\n{text}", style="bold", highlight=False, markup=False)


def _show_score(console: Console, site: Site, learned: LearnedPaper) -> None:
    """Compare with what the generator meant, which a real site never tells."""
    score, extraction_map = _score(site, learned.records), learned.found.extraction_map
    _heading(console, f"The records against what the paper meant: {total_line(score)}")
    console.print(score_table(score, console.width, _first_rules(extraction_map)))
    console.print(Text(ABOUT, style="dim"))
    listed = len(_paths(site, learned.records))
    if listed < len(site.truth):
        console.print(f"{len(site.truth) - listed} of {len(site.truth)} stories were not found.", highlight=False)
    if score.mistakes:
        _heading(console, "Where that is not so, a page for each field")
        show_mistakes(console, score, extraction_map)


def _score(site: Site, records: Sequence[Record]) -> Score:
    paths = _paths(site, records)
    return score_of(story_of(path, record, site.truth[path]) for path, record in paths.items())


def _paths(site: Site, records: Sequence[Record]) -> Mapping[str, Record]:
    """Return the records of stories by their paths."""
    found = {record.urls[0].removeprefix(site.base_url): record for record in records}
    return {path: record for path, record in found.items() if path in site.truth}


def _first_rules(extraction_map: ExtractionMap) -> dict[str, str]:
    """Return of each field the rule that is tried first, in words."""
    names: dict[str, str] = {}
    for template in extraction_map.templates:
        for rule in template.rules:
            names.setdefault(rule.field, rule_text(extraction_map, f"{template.name}/{rule.field}#0"))
    return names


def _show_records(console: Console, records: Sequence[Record]) -> None:
    _heading(console, f"{len(records)} records, the first {min(_SHOWN_RECORDS, len(records))}")
    for record in records[:_SHOWN_RECORDS]:
        for number, line in enumerate(_record_lines(values_of(record))):
            console.print(Text(line, style="dim" if number else ""), no_wrap=True, overflow="ellipsis")


def _record_lines(values: Mapping[str, object]) -> Iterator[str]:
    """Yield headline and facts of a record."""
    yield words_of(values.get("title"))
    facts = [words_of(values[name]) for name in ("published", "authors", "categories", "tags") if values.get(name)]
    yield "  " + " · ".join(facts)
    yield "  " + " ".join(str(values.get("text", "")).split())


def _leave(folder: Path, site: Site, learned: LearnedPaper) -> None:
    """Write the maps, the report, and pages and records, the newest first."""
    for name, text in ((MAP, learned.found.text), (OWN_MAP, site.map_text)):
        _keep_edited(folder / name, text)
        write_atomically(folder / name, text)
    place = {path: number for number, path in enumerate(site.truth)}
    pairs = sorted(
        zip(learned.pages, learned.records, strict=True),
        key=lambda pair: place.get(pair[0].url.removeprefix(site.base_url), len(place)),
    )
    with (folder / PAGES).open("wb") as file:
        for page, _ in pairs:
            file.write(json_of({"url": page.url, "html": _text(page), "time": page.fetched_at}) + b"\n")
    with (folder / RECORDS).open("wb") as file:
        file.writelines(json_of(row_of(record)) + b"\n" for _, record in pairs)
    report_learned(learned.found, str(folder / REPORT), MAP)


def _keep_edited(path: Path, text: str) -> None:
    """Put a map of an earlier demo aside, if somebody has worked on it."""
    if path.exists() and (before := read_text(path)) != text and not is_untouched(before):
        path.replace(path.with_suffix(".yaml.before"))


def _text(page: Page) -> str:
    """Return the page's text, decoded as its header says."""
    charset = page.headers["Content-Type"].rpartition("charset=")[2]
    return page.body if isinstance(page.body, str) else page.body.decode(charset)


def _say_next(console: Console, folder: Path, site: Site) -> None:
    _heading(console, "The report, to open in a browser: rules, values, and where on the page they are")
    console.print(Text(f"  {folder / REPORT}"), soft_wrap=True)
    _heading(console, f"Beside it, in {folder}/")
    for name, about in (
        (MAP, "the map, to edit"),
        (OWN_MAP, "one that was written by hand, to compare"),
        (PAGES, "the pages, as they were fetched"),
        (RECORDS, "the records"),
    ):
        console.print(Text(f"  {name:<{_NAME}}{about}"), no_wrap=True, overflow="ellipsis")
    _heading(console, "Try next")
    commands = (
        f"map show {folder}/{MAP}",
        f"extract {folder}/{PAGES} --map {folder}/{MAP} -o {folder}/records.csv",
        "demo --collect",
        "demo --heal",
        f"demo --seed 2 --language {'ru' if site.language != 'ru' else 'zh'} --serve",
        "collect https://example.com/",
    )
    tell_next(console, commands)


def _wait(console: Console, base_url: str) -> None:
    console.print(f"\nOpen {base_url}/ in a browser; Ctrl-C ends it.", highlight=False)
    with suppress(KeyboardInterrupt):
        threading.Event().wait()
    console.print("ended")
