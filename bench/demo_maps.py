"""How near learned maps of the demo's newspapers come to the maps that were written for them by hand.

    python -m bench.demo_maps [--only en de …] [--designs classic …] [--seeds 1 2] [--show N] [--workers 2]

Of each paper in each design a map is learned from half of its stories, as `sitewright map` does, and reads the other
half; so does the hand-written one, which reads what the generator meant. The share of values that are the same, where
either gives one, by field. `--show` prints so many values of each field that differ. Figures go to bench/results/.
"""

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from bench.attributes import RESULTS
from bench.markdown import Cell, markdown
from bench.sites import MAP_SECONDS
from sitewright.demo import CLASSIC, EPOCH, LANGUAGES, REBUILT, RENAMED, generate_site
from sitewright.errors import PageError, SitewrightError
from sitewright.fetch.archive import PagePlace
from sitewright.maps import parse_map
from sitewright.output.rows import row_of
from sitewright.parse import parse
from sitewright.processes.pool import BATCH_BYTES, Pool
from sitewright.reading.learn import Tagged, learn, tag
from sitewright.reading.mapped import MapReader
from sitewright.types import ExtractionMap, Limits, Page
from sitewright.values.as_json import json_of

STORIES = 48
DESIGNS = {design.name: design for design in (CLASSIC, RENAMED, REBUILT)}
FIELDS = ("title", "subtitle", "published", "modified", "text", "authors", "categories", "tags", "images")
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper of the demo, by what it is generated from."""

    seed: int
    language: str
    design: str

    @property
    def name(self) -> str:
        """What to call it."""
        return f"{self.language} {self.design} {self.seed}"


@dataclass(frozen=True, slots=True)
class Compared:
    """What both maps give on the pages that were held out; nothing where no map was learned."""

    pairs: Sequence[tuple[Values, Values]] = ()
    """The values of the learned map and of the one written by hand."""
    by_tagger: int = 0
    """How many pages were handed to the tagger, wholly or for some fields."""
    failed: str = ""


@dataclass(frozen=True, slots=True)
class PaperJob:
    """Learns the map of a paper, and reads what was held out with both maps."""

    def start(self) -> Callable[[Paper], Compared]:
        """Return the function that does one paper."""
        return compare

    def weigh(self, task: Paper) -> int:  # noqa: ARG002 -- what a job has to have
        """Return as much as fills a batch: each paper has its time for itself."""
        return BATCH_BYTES

    def fail(self, task: Paper, error: PageError) -> Compared:  # noqa: ARG002 -- what a job has to have
        """Return nothing, and why."""
        return Compared(failed=error.code)


def compare(paper: Paper) -> Compared:
    """Learn a map from half of a paper's stories, and read the others with it and with the one written by hand."""
    site = generate_site(paper.seed, language=paper.language, stories=STORIES, design=DESIGNS[paper.design])
    pages = [
        Page(
            url=urljoin(site.base_url, path),
            body=site.pages[path].html,
            headers={"Content-Type": site.pages[path].content_type},
            fetched_at=EPOCH,
        )
        for path in site.truth
    ]
    random.Random(paper.name).shuffle(pages)  # noqa: S311 -- no secret
    lessons, others = pages[: STORIES // 2], pages[STORIES // 2 :]
    try:
        tagged = [Tagged(PagePlace(page), tag(Limits(), page, "news")) for page in lessons]
        learned = learn(Limits(), tagged, "news").extraction_map
    except SitewrightError as error:
        return Compared(failed=error.code)
    ours, by_tagger = _values(learned, others)
    meant, _ = _values(parse_map(site.map_text), others)
    return Compared(list(zip(ours, meant, strict=True)), by_tagger)


def _values(extraction_map: ExtractionMap, pages: Sequence[Page]) -> tuple[list[Values], int]:
    """Return what a map gives on pages, as output has it, and how many pages the tagger had a say in."""
    reader = MapReader(extraction_map)
    records = [reader.extract(parse(page), EPOCH) for page in pages]
    return [json.loads(json_of(row_of(record))) for record in records], sum(bool(record.via) for record in records)


def differences(done: Mapping[Paper, Compared]) -> Iterator[tuple[str, Paper, object, object]]:
    """Yield the values that differ: field, paper, what the learned map gives, what the other one gives."""
    for paper, compared in done.items():
        for ours, meant in compared.pairs:
            for field in FIELDS:
                if not _is_same(ours.get(field), meant.get(field)):
                    yield field, paper, ours.get(field), meant.get(field)


def _is_same(one: object, other: object) -> bool:
    """Tell whether two values are the same; moments are, in whatever zone they are told."""
    return one == other or (_moment(one) is not None and _moment(one) == _moment(other))


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


def shares(done: Mapping[Paper, Compared]) -> dict[str, float | None]:
    """Return by field the share of values that are the same, of those that either map gives."""
    given = Counter(
        field
        for compared in done.values()
        for ours, meant in compared.pairs
        for field in FIELDS
        if field in ours or field in meant
    )
    wrong = Counter(field for field, *_ in differences(done))
    return {field: round(1 - wrong[field] / given[field], 4) if given[field] else None for field in FIELDS}


def main() -> int:
    """Compare, print the tables and keep the figures."""
    options = _options(sys.argv[1:])
    papers = [
        Paper(seed, language, design)
        for seed in options.seeds
        for language in options.only
        for design in options.designs
    ]
    done = dict(zip(papers, Pool(PaperJob(), options.workers, MAP_SECONDS).run(papers), strict=True))
    pages = sum(len(compared.pairs) for compared in done.values())
    total = shares(done)
    print(f"{len(papers)} papers, {pages} pages that were held out. Share of values that are the same.\n")
    print(markdown(["papers", *FIELDS, "tagger asked"], [*_lines(done), _line("**all**", done)]))
    for paper, compared in done.items():
        if compared.failed:
            print(f"no map of {paper.name}: {compared.failed}")
    _show(done, options.show)
    RESULTS.mkdir(exist_ok=True)
    figures = {"papers": len(papers), "pages": pages, "same": total}
    (RESULTS / "demo-maps.json").write_text(json.dumps(figures, indent=1))
    return 0


def _lines(done: Mapping[Paper, Compared]) -> Iterator[Sequence[Cell]]:
    for key in ("design", "language"):
        groups: dict[str, dict[Paper, Compared]] = defaultdict(dict)
        for paper, compared in done.items():
            groups[getattr(paper, key)][paper] = compared
        yield from (_line(name, group) for name, group in groups.items())


def _line(name: str, done: Mapping[Paper, Compared]) -> Sequence[Cell]:
    pages = sum(len(compared.pairs) for compared in done.values())
    asked = sum(compared.by_tagger for compared in done.values())
    return [name, *shares(done).values(), round(asked / pages, 3) if pages else None]


def _show(done: Mapping[Paper, Compared], most: int) -> None:
    shown: Counter[str] = Counter()
    for field, paper, ours, meant in differences(done):
        shown[field] += 1
        if shown[field] <= most:
            print(f"\n{field}, {paper.name}\n  learned: {ours!r:.300}\n  by hand: {meant!r:.300}")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.demo_maps", description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="+", default=list(LANGUAGES), choices=LANGUAGES, metavar="LANGUAGE")
    parser.add_argument("--designs", nargs="+", default=list(DESIGNS), choices=DESIGNS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print so many differences of each field")
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
