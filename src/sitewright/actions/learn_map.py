"""Pages of a site in, its map out: learned, put beside what was there before, written, and reported on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from sitewright.actions.telling import nobody
from sitewright.domains import DEFAULT_DOMAIN
from sitewright.errors import InputError, MapExists
from sitewright.fetch import Place
from sitewright.induce import Example, Learned, example_of
from sitewright.maps import dump_map, load_map, parse_map
from sitewright.maps.file import earlier_text, is_untouched, read_text, save_map, set_aside, write_atomically
from sitewright.output.report import ReportHead, RunSummary, page_count, write_report
from sitewright.processes.pool import Pool
from sitewright.processes.tag import TagJob
from sitewright.reading.learn import Tagged, heading_of, learn_from
from sitewright.reading.refine import refine
from sitewright.reading.report import report_of_learning, rules_of
from sitewright.reading.samples import read_samples
from sitewright.types import ExtractionMap, Failure, Limits, Record

MOST_PAGES = 40
"""More pages make a map slower to learn and hardly better (docs/evaluation.md)."""

WhereThere = Literal["keep", "merge", "replace"]
"""What becomes of a map that is there: it is kept (aside, if it is as it was learned), refined, or written over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions:
    """How a map is learned."""

    domain: str = DEFAULT_DOMAIN
    examples: Mapping[str, Example] = field(default_factory=dict)
    earlier: ExtractionMap | None = None
    """The map to refine, which says the domain; None: a new one is learned."""
    keep_edited: bool = True
    """When refining: leave alone what a person edited."""
    jobs: int = 0
    """Processes to use; 0: one a core."""
    limits: Limits = field(default_factory=Limits)

    @property
    def known_domain(self) -> str:
        """The kind of site: what the map to refine says, or what is asked for."""
        return self.earlier.domain if self.earlier is not None else self.domain


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedMap:
    """A map, and what it was learned from."""

    extraction_map: ExtractionMap
    heading: str
    """What a person should know about it, as it stands above the map."""
    records: Sequence[Record]
    """What it reads of the sampled pages."""
    failures: Sequence[Failure]
    """The pages that were left out."""
    learned: Learned

    @property
    def warnings(self) -> Sequence[str]:
        """What a person should look at."""
        return self.learned.warnings

    @property
    def text(self) -> str:
        """The map as a file has it."""
        return dump_map(self.extraction_map, heading=self.heading)


def examples_of(texts: Sequence[str]) -> Mapping[str, Example]:
    """Return the examples that a person states as `FIELD=VALUE`."""
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not value.strip() or not name.strip().replace("-", "_").isidentifier():
            raise InputError(f"{text!r} is not FIELD=VALUE")
    return example_of(texts)


def learn_map(places: Iterable[Place], options: LearnOptions, note: Callable[[Tagged], None] = nobody) -> LearnedMap:
    """Learn a map from pages, and let `note` know of each that is tagged; pages that cannot be read are left out."""
    job = TagJob(limits=options.limits, domain=options.known_domain)
    pool = Pool(job, options.jobs, options.limits.page_seconds)
    tagged = []
    for page in pool.run(places):
        tagged.append(page)
        note(page)
    return learn_tagged(tagged, options)


def learn_tagged(
    tagged: Sequence[Tagged], options: LearnOptions, complete: Callable[[ExtractionMap], ExtractionMap] | None = None
) -> LearnedMap:
    """Learn a map from tagged pages; `complete` adds what else is known of their site to one that is new."""
    learned = learn_from(tagged, options.limits, options.known_domain, options.examples)
    extraction_map = learned.extraction_map
    if options.earlier is not None:
        extraction_map = refine(options.earlier, learned, keep_edited=options.keep_edited)
    elif complete is not None:
        extraction_map = complete(extraction_map)
    records = read_samples(extraction_map, learned.samples)
    return LearnedMap(
        extraction_map=extraction_map,
        heading=heading_of(learned, extraction_map, records),
        records=records,
        failures=[page.failure for page in tagged if page.failure is not None],
        learned=learned,
    )


def refuse_edited(path: Path, where_there: WhereThere) -> None:
    """Refuse to write over a person's work, before any work is done."""
    if where_there == "merge" and not path.exists():
        raise InputError(f"--merge refines a map that is there; {path} is not (name it with -o)")
    if where_there == "keep" and path.exists() and not is_untouched(read_text(path)):
        raise MapExists(
            f"{path} is there and has a person's work in it; it is refined with --merge, written over only with --force"
        )


def save_learned(found: LearnedMap, path: Path, where_there: WhereThere) -> Path | None:
    """Write a map to a file; return where the one is kept that made way for it, if one did."""
    learned, heading = found.extraction_map, found.heading
    parse_map(dump_map(learned), str(path))  # what would not load again is not written
    if where_there == "replace":
        write_atomically(path, dump_map(learned, like=earlier_text(path), heading=heading))
        return None
    if where_there == "keep" and path.exists():
        if dump_map(replace(load_map(path), learned_at=learned.learned_at)) == dump_map(learned):
            raise MapExists(f"{path} is there, and the same; it is written over only with --force")
        kept = set_aside(path)
        write_atomically(path, found.text)
        return kept
    # Where a person's work is in it, no seal says that it is as learned.
    sealed = not path.exists() or is_untouched(read_text(path))
    save_map(learned, path, overwrite=where_there == "merge", heading=heading, sealed=sealed)
    return None


def report_learned(found: LearnedMap, target: str, name: str) -> None:
    """Write a page that shows what each rule gives on each sampled page; `name` is what it calls the map."""
    summary = RunSummary(list(found.extraction_map.fields))
    for record in found.records:
        summary.count(page_count(record))
    for failure in found.failures:
        summary.count(failure)
    pages = report_of_learning(found.learned, found.extraction_map, found.records)
    rules = rules_of(found.extraction_map, [sample.document for sample in found.learned.samples])
    head = ReportHead(
        read_by=f"the map {name}, learned from these pages.",
        site=found.extraction_map.site,
        made_at=found.extraction_map.learned_at,
        warnings=found.warnings,
    )
    write_report(target, summary, pages, head, rules)
