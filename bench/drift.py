"""How well maps are healed after a redesign: ours beside a fixed map, learning anew, tagging, and adaptive selectors.

    python -m bench.drift [--folds 1] [--only made real] [--groups N] [--strength medium strong rebuilt] [--show N]

"made": a map is learned from the first pages of a site and reads more of them, whose values are then remembered. All
pages change by a made-up redesign (bench.mutate); the map is healed from the remembered pages, and what it reads on the
site's *other* pages is compared with what was read there before. "real": the same site at two times in the corpora; no
article is in both, so that healing has only the old rules and the tagger's view; it is scored beside a map that was
learned from the new pages. Tables are printed, figures go to bench/results/ as JSON. Fold 0 is for the final score:
`--show` prints what went wrong, and refuses it.
"""

import argparse
import json
import sys
import tempfile
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from bench.adaptive import Adaptive, has_scrapling
from bench.attributes import RIGHT_TEXT, VALUES, keep
from bench.labelled import Row, load_eval, spread
from bench.markdown import markdown
from bench.mutate import STRENGTHS, redesign
from bench.reading import Record, page_url
from bench.rebuild import rebuild
from bench.samples import has_shared
from bench.sites import MAP_SECONDS, VALIDATION, site_rows
from bench.survival import shares
from bench.vote import vote_map
from sitewright.errors import PageError, SitewrightError
from sitewright.extract import Extractor
from sitewright.heal.known import KnownPage
from sitewright.heal.repair import heal
from sitewright.heal.repaired import RepairedMap
from sitewright.induce import learn_map
from sitewright.output.rows import row_of
from sitewright.parse import Document, parse
from sitewright.processes.pool import BATCH_BYTES, Pool
from sitewright.reading.mapped import MapReader
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Page
from sitewright.types import Record as Read
from sitewright.values.as_json import json_of

LEAST_GROUP = 6
MOST_KNOWN = 10
YEARS = {
    "cleanportaleval": 2007, "l3s_gn1": 2008, "waddle_daniel": 2011, "dragnet": 2012, "misinformation_crawler": 2019,
    "scrapping_webs": 2020, "seniorresearch": 2021, "fundus_evaluation": 2023, "fundus": 2024,
}  # fmt: skip
"""About when the corpora without a year were collected, by the dates of their articles: the order is what counts."""
FIXED, HEALED, ALONE = "fixed map", "healed", "healed, by itself"
ANEW, VOTE, TAGGER, ADAPTIVE = "learned anew", "vote anew", "tagger", "Scrapling"
CONTENDERS = (FIXED, HEALED, ALONE, ANEW, VOTE, TAGGER, ADAPTIVE)
ALL = "all"
REBUILT = "rebuilt"
"""Harder than all strengths: nothing but the words is as it was."""
BROKEN = 0.9
"""A map that gets less than this of what one learned anew gets is broken."""
SAME_TEXT = 0.95
"""From this F1 on a text counts as the same one."""
Figures = dict[str, Any]
Reader = Callable[[Page, Document], Read]


class Group(NamedTuple):
    """Pages of one site; of a real redesign also those of its old design."""

    name: str
    rows: Sequence[Row]
    old: Sequence[Row] = ()


class Verdict(NamedTuple):
    """What became of one value that was given before."""

    contender: str
    strength: str
    field: str
    share: float
    """How much of it is given after."""
    was_right: bool | None
    """By the labels; None where the page is not labelled with the field."""
    is_right: bool | None
    accepted: bool = False
    """Whether the rule that gives it was accepted by itself."""


class Healing(NamedTuple):
    """How a heal went."""

    strength: str
    seconds: float
    acceptable: bool
    changed: int
    sure: int
    lost: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that was seen of a group."""

    name: str
    verdicts: Sequence[Verdict] = ()
    healings: Sequence[Healing] = ()
    failed: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class DriftJob:
    """Does groups."""

    strengths: Sequence[str]
    real: bool = False

    def start(self) -> Callable[[Group], Outcome]:
        """Load the tagger and return the function that does one group."""
        reader = PageReader()
        if self.real:
            return lambda group: drift_really(group, reader)
        return lambda group: drift(group, self.strengths, reader)

    def weigh(self, task: Group) -> int:  # noqa: ARG002 -- what a job has to have
        """Return as much as fills a batch: each group has its time for itself."""
        return BATCH_BYTES

    def fail(self, task: Group, error: PageError) -> Outcome:
        """Return the outcome of a group that it crashed on."""
        return Outcome(task.name, failed=[("bench", error.code)])


@dataclass(slots=True)
class _Site:
    """A site during its redesign, and who reads it."""

    reader: PageReader
    old: ExtractionMap
    now: datetime
    failed: list[tuple[str, str]] = field(default_factory=list)

    def reading(self, extraction_map: ExtractionMap) -> Reader:
        extractor = Extractor(extraction_map)
        return lambda _, document: extractor.extract(document, self.now)

    def with_tagger(self, extraction_map: ExtractionMap) -> Reader:
        """Read as `sitewright extract --map` does: what a map does not know is handed to the tagger."""
        reader = MapReader(extraction_map)
        return lambda _, document: reader.extract(document, self.now)

    def learned(self, contender: str, learn: Callable[[], ExtractionMap]) -> Reader:
        """Return a reader with a map, one that reads nothing where there is none."""
        try:
            return self.reading(learn())
        except SitewrightError as error:
            self.failed.append((contender, error.code))
            return lambda _, document: Read(site="", urls=(document.url,), fields={})


def drift(group: Group, strengths: Sequence[str], reader: PageReader) -> Outcome:
    """Learn the map of a site, redesign it, heal the map, and compare what is read before and after."""
    now = datetime.now(UTC)
    pages = _pages(group.rows)
    documents = [parse(page) for page in pages]
    try:
        lessons = [(document, reader.read(document, now).tagged) for document in documents[: len(pages) // 2]]
        site = _Site(reader, learn_map(lessons, now=now).extraction_map, now)
    except SitewrightError as error:
        return Outcome(group.name, failed=[("before", error.code)])
    extractor = Extractor(site.old)
    before = [_plain(extractor.extract(document, now)) for document in documents]
    outcomes = []
    for strength in strengths:
        seed = zlib.crc32(group.name.encode())
        changed = [Page(url=page.url, body=redesigned(str(page.body), strength, seed)) for page in pages]
        try:
            outcomes.append(_healed(group, site, strength, before, changed))
        except SitewrightError as error:
            site.failed.append((HEALED, error.code))
    return Outcome(
        group.name,
        [verdict for outcome in outcomes for verdict in outcome.verdicts],
        [healing for outcome in outcomes for healing in outcome.healings],
        site.failed,
        [note for outcome in outcomes for note in outcome.notes],
    )


def redesigned(html: str, strength: str, seed: int) -> str:
    """Return a page after a redesign: of one of the strengths of `bench.mutate`, or built anew by `bench.rebuild`."""
    known = next((own for own in STRENGTHS if own == strength), None)
    return redesign(html, known, seed) if known is not None else rebuild(html, seed)


def _healed(group: Group, site: _Site, strength: str, before: Sequence[Record], changed: Sequence[Page]) -> Outcome:
    """Heal a map by what the first pages are known to hold, and read the last ones."""
    new = [parse(page) for page in changed]
    other = max(2, len(new) // 3)
    known = min(len(new) - other, MOST_KNOWN)
    memory = [KnownPage(new[n], _values(site.old, before[n])) for n in range(known)]
    started = time.process_time()
    repaired = heal(site.old, memory, site.reader, site.now)
    seconds = time.process_time() - started
    readers = _readers(site, repaired, new[:known], _pages(group.rows)[:known])
    verdicts: list[Verdict] = []
    notes: list[str] = []
    for number in range(len(new) - other, len(new)):
        for contender, read in readers.items():
            after = _plain(read(changed[number], new[number]))
            found = list(
                _verdicts(contender, strength, group.rows[number], before[number], after, repaired.sure_fields)
            )
            verdicts += found
            if contender == HEALED:
                notes += _notes(f"{group.name} {new[number].url}", before[number], after, found, repaired)
    return Outcome(group.name, verdicts, [_healing(strength, repaired, seconds)], notes=notes)


def _values(extraction_map: ExtractionMap, record: Record) -> dict[str, object]:
    """Return the stored values of a record."""
    return {name: record[name] for name in extraction_map.fields if name in record}


def _healing(strength: str, repaired: RepairedMap, seconds: float) -> Healing:
    changed, sure = repaired.changed, repaired.sure_fields
    acceptable = bool(changed) and changed == sure
    return Healing(strength, seconds, acceptable, len(changed), len(sure), len(repaired.lost))


def _readers(site: _Site, repaired: RepairedMap, known: Sequence[Document], pages: Sequence[Page]) -> dict[str, Reader]:
    tagged = [(document, site.reader.read(document, site.now).tagged) for document in known]
    readers = {
        FIXED: site.reading(site.old),
        HEALED: site.reading(repaired.whole),
        ALONE: site.with_tagger(repaired.sure),
        ANEW: site.learned(ANEW, lambda: learn_map(tagged, now=site.now).extraction_map),
        VOTE: site.learned(VOTE, lambda: vote_map(tagged)),
        TAGGER: lambda _, document: site.reader.extract(document, site.now),
    }
    if pages and has_scrapling():
        with tempfile.TemporaryDirectory() as folder:
            adaptive = Adaptive(site.old, pages, Path(folder, "elements.db"))
        readers[ADAPTIVE] = lambda page, document: adaptive.extract(page, document, site.now)
    return readers


def _plain(record: Read) -> Record:
    """Return a record as it is stored."""
    plain: Record = json.loads(json_of(row_of(record)))
    return plain


def _pages(rows: Sequence[Row]) -> list[Page]:
    return [Page(url=page_url(row, number), body=row["html"]) for number, row in enumerate(rows)]


def _verdicts(
    contender: str, strength: str, row: Row, before: Record, after: Record, sure: Iterable[str]
) -> Iterator[Verdict]:
    was, now = (_right(row, record) for record in (before, after))
    for name, share in shares(before, after):
        if name in VALUES:
            same = share >= SAME_TEXT if name == "text" else share == 1.0
            still = None if name not in was else now.get(name, False) or (was[name] and same)
            accepted = name in sure and after.get("via") != "tagger"  # a page handed on whole is the tagger's
            yield Verdict(contender, strength, name, share, was.get(name), still, accepted)


def _right(row: Row, record: Record) -> dict[str, bool]:
    """Return whether a record is right in the fields that a page is labelled with."""
    score = load_eval("score")
    found = score.score_page(row["labels"], record)
    return {name: f1 >= (RIGHT_TEXT if name in score.TEXT else 1.0) for name, (_, _, f1) in found.items()}


def _notes(page: str, before: Record, after: Record, found: Iterable[Verdict], repaired: RepairedMap) -> Iterator[str]:
    """Yield what went wrong, for --show."""
    proposed = {one.field: one for one in repaired.fields}
    for verdict in found:
        if not _is_same(verdict):
            one, name = proposed[verdict.field], verdict.field
            rules = [f"{r.select or r.take} {r.match}" for r in repaired.whole.rules if r.field == name]
            yield (
                f"{verdict.strength} {page} {name} {verdict.share:.2f} was right {verdict.was_right} confidence "
                f"{one.confidence} (old {one.before}, tagger {one.tagger}, {one.judged} judged) "
                f"changed {one.changed} sure {verdict.accepted}\n    before {str(before.get(name))[:160]!r}\n"
                f"    after  {str(after.get(name))[:160]!r}\n    rules  {rules}"
            )


def real_groups(folds: Sequence[int]) -> Iterator[Group]:
    """Yield the sites that are in the corpora at two times, the newer pages with the older ones."""
    times: dict[str, dict[float, list[Row]]] = defaultdict(dict)
    for name, rows in site_rows(folds).items():
        source, _, rest = name.partition(":")
        site, _, year = rest.partition(":")
        times[site][float(year or YEARS.get(source, 2015))] = rows
    for site, found in sorted(times.items()):
        for before, after in pairwise(sorted(found)):
            if len(found[after]) >= 4:
                yield Group(f"{site} {before:.0f} {after:.0f}", found[after], found[before])


def drift_really(group: Group, reader: PageReader) -> Outcome:
    """Learn a map from the old pages of a site, heal it by some of the new ones, and read the others."""
    now = datetime.now(UTC)
    try:
        lessons = [(d, reader.read(d, now).tagged) for d in map(parse, _pages(group.old))]
        site = _Site(reader, learn_map(lessons, now=now).extraction_map, now)
        new = [parse(page) for page in _pages(group.rows)]
        half = len(new) // 2
        started = time.process_time()
        repaired = heal(site.old, [KnownPage(document) for document in new[:half]], reader, now)
        seconds = time.process_time() - started
    except SitewrightError as error:
        return Outcome(group.name, failed=[(HEALED, error.code)])
    readers = _readers(site, repaired, new[:half], ())
    verdicts: list[Verdict] = []
    for row, page, document in zip(group.rows[half:], _pages(group.rows)[half:], new[half:], strict=True):
        for contender, read in readers.items():
            record = _plain(read(page, document))
            for name, right in _right(row, record).items():
                if name in VALUES:
                    f1 = load_eval("score").score_page(row["labels"], record)[name][2]
                    verdicts.append(Verdict(contender, "real", name, f1, None, right, name in repaired.sure_fields))
    return Outcome(group.name, verdicts, [_healing("real", repaired, seconds)], site.failed)


def made(options: argparse.Namespace) -> Figures:
    """Print what survives made-up redesigns."""
    groups = {name: rows for name, rows in site_rows(options.folds).items() if len(rows) >= LEAST_GROUP}
    tasks = [Group(name, [_small(row) for row in groups[name]]) for name in spread(list(groups), options.groups)]
    outcomes = list(Pool(DriftJob(options.strength), options.workers, MAP_SECONDS).run(tasks))
    verdicts = [verdict for outcome in outcomes for verdict in outcome.verdicts]
    print(f"\n### Healed after made-up redesigns\n\n{len(tasks)} groups, folds {options.folds}.")
    figures: Figures = {"groups": len(tasks)}
    for strength in options.strength:
        own = [verdict for verdict in verdicts if verdict.strength == strength]
        figures[strength] = _table(own, strength)
        figures[strength]["heals"] = _heals([h for o in outcomes for h in o.healings if h.strength == strength])
        figures[strength]["acceptance"] = _acceptance(own)
    failed = Counter(f"{name} {code}" for outcome in outcomes for name, code in outcome.failed)
    print(f"\nFailed: {', '.join(f'{name} {count}' for name, count in sorted(failed.items())) or 'none'}.")
    for note in [note for outcome in outcomes for note in outcome.notes][: options.show]:
        print(note)
    return {**figures, "failed": dict(failed)}


def _table(verdicts: Sequence[Verdict], strength: str) -> Figures:
    """Print by field the share of right values that are right after, and of all values that are the same after."""
    right = [verdict for verdict in verdicts if verdict.was_right]
    return {
        "right": _shares(
            f"{strength}: right before, right after", right, lambda verdict: float(bool(verdict.is_right))
        ),
        "same": _shares(
            f"{strength}: given before, the same after (text: F1)", verdicts, lambda verdict: verdict.share
        ),
    }


def _shares(title: str, verdicts: Sequence[Verdict], worth: Callable[[Verdict], float]) -> Figures:
    """Print a table of means, by field and contender."""
    cells = _means(verdicts, worth)
    names = [name for name in CONTENDERS if (name, ALL) in cells]
    counts = Counter(name for v in verdicts if v.contender == FIXED for name in (v.field, ALL))
    fields = [name for name in (*VALUES, ALL) if counts[name]]
    print(f"\n**{title}**\n")
    print(markdown(["field", *names, "values"], ([f, *(cells[name, f] for name in names), counts[f]] for f in fields)))
    return {name: {f: round(cells[name, f], 4) for f in fields} for name in names} | {"values": dict(counts)}


def _means(verdicts: Iterable[Verdict], worth: Callable[[Verdict], float]) -> dict[tuple[str, str], float]:
    """Return the means by contender and field, and over all values."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for verdict in verdicts:
        for name in (verdict.field, ALL):
            found[verdict.contender, name].append(worth(verdict))
    return {key: sum(values) / len(values) for key, values in found.items()}


def _heals(healings: Sequence[Healing]) -> Figures:
    seconds = sorted(healing.seconds for healing in healings)
    changed, sure = (sum(getattr(healing, name) for healing in healings) for name in ("changed", "sure"))
    figures = {
        "heals": len(healings),
        "median_seconds": round(seconds[len(seconds) // 2], 2) if seconds else None,
        "most_seconds": round(seconds[-1], 2) if seconds else None,
        "accepted_whole": sum(healing.acceptable for healing in healings),
        "fields_changed": changed,
        "fields_sure": sure,
        "fields_lost": sum(healing.lost for healing in healings),
    }
    print("\n" + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items()) + ".")
    return figures


def _acceptance(verdicts: Sequence[Verdict]) -> Figures:
    """Print how many values that were right before are wrong after a rule was accepted by itself.

    By the map alone, and as records hold them: there the tagger fills in what a map does not find.
    """
    figures: Figures = {}
    for name, contender in (("map", HEALED), ("record", ALONE)):
        given = [verdict for verdict in verdicts if verdict.contender == contender]
        right = [verdict for verdict in given if verdict.was_right]
        wrong = [verdict for verdict in right if verdict.accepted and not verdict.is_right]
        other = [verdict for verdict in given if verdict.accepted and not _is_same(verdict)]
        share, fields = len(wrong) / max(1, len(right)), dict(Counter(verdict.field for verdict in wrong))
        print(f"\nWrongly accepted, by the {name}: {len(wrong)} of {len(right)} right values ({share:.2%})", end="")
        print(f" {fields or ''}; {len(other)} of {len(given)} values given are others ({len(other) / len(given):.2%}).")
        figures[name] = {"right": len(right), "wrong": len(wrong), "given": len(given), "other": len(other)}
    return figures


def _is_same(verdict: Verdict) -> bool:
    return verdict.share >= (SAME_TEXT if verdict.field == "text" else 1.0)


def real(options: argparse.Namespace) -> Figures:
    """Print how healed maps do after real redesigns, beside maps learned from the new pages."""
    tasks = [
        Group(group.name, [_small(row) for row in group.rows], [_small(row) for row in group.old])
        for group in spread(list(real_groups(options.folds)), options.groups)
    ]
    outcomes = list(Pool(DriftJob((), real=True), options.workers, MAP_SECONDS).run(tasks))
    verdicts = [verdict for outcome in outcomes for verdict in outcome.verdicts]
    print(f"\n### Real redesigns\n\n{len(tasks)} pairs of times, folds {options.folds}. Mean F1 by the labels.")
    figures = {"fields": _shares("real redesigns: F1", verdicts, lambda verdict: verdict.share), "pairs": len(tasks)}
    figures["ratios"] = _ratios(verdicts)
    broken = [outcome for outcome in outcomes if _is_broken(outcome)]
    figures["broken"] = len(broken)
    figures["broken_ratios"] = _ratios([verdict for outcome in broken for verdict in outcome.verdicts])
    print(f"\nOf what a map learned anew gets: {figures['ratios']}; ", end="")
    print(f"where the old map was broken ({len(broken)} pairs): {figures['broken_ratios']}.")
    failed = Counter(f"{name} {code}" for outcome in outcomes for name, code in outcome.failed)
    print(f"\nFailed: {', '.join(f'{name} {count}' for name, count in sorted(failed.items())) or 'none'}.")
    for outcome in outcomes[: options.show]:
        own = _means(outcome.verdicts, lambda verdict: verdict.share)
        print(f"- {outcome.name}: " + ", ".join(f"{n} {own[n, f]:.3f}" for n, f in own if f == ALL))
    return {**figures, "heals": _heals([healing for outcome in outcomes for healing in outcome.healings])}


def _is_broken(outcome: Outcome) -> bool:
    """Tell whether the old map reads much less than one learned anew: the site was redesigned in between."""
    return _ratios(outcome.verdicts).get(FIXED, 1.0) < BROKEN


def _ratios(verdicts: Iterable[Verdict]) -> dict[str, float]:
    """Return what contenders get of what a map learned anew gets, over all values."""
    cells = _means(verdicts, lambda verdict: verdict.share)
    anew = cells.get((ANEW, ALL), 0.0)
    return {name: round(cells[name, ALL] / anew, 4) for name in CONTENDERS if (name, ALL) in cells and anew}


PARTS: Mapping[str, Callable[[argparse.Namespace], Figures]] = {"made": made, "real": real}


def main() -> int:
    """Measure, print the tables and keep the figures."""
    options = _options(sys.argv[1:])
    figures: Figures = {}
    for part in options.only:
        started = time.perf_counter()
        figures[part] = {**PARTS[part](options), "seconds": round(time.perf_counter() - started, 1)}
        sys.stdout.flush()
    if not has_scrapling():
        print("\nScrapling is not installed (`pip install scrapling`): it was left out.")
    kinds = "" if set(options.strength) == set(STRENGTHS) else f"-{'-'.join(options.strength)}"
    keep(figures, "drift", options.folds, f"-{options.groups}-groups{kinds}" if options.groups else kinds)
    return 0


def _small(row: Row) -> Row:
    return {name: row[name] for name in ("site", "url", "html", "labels") if name in row}


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.drift", description=__doc__.split("\n")[0])
    parser.add_argument("--folds", type=int, nargs="+", default=[1])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--groups", type=int, metavar="N", help="at most so many groups, evenly over the folds")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--strength", nargs="+", choices=[*STRENGTHS, REBUILT], default=list(STRENGTHS))
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print so many values that healing lost")
    options = parser.parse_args(arguments)
    if options.show and VALIDATION in options.folds:
        parser.error("fold 0 is for validation: its pages are not looked at (--show goes with other folds)")
    if not has_shared():
        parser.error("the corpora are not there: ../shared/data")
    return options


if __name__ == "__main__":
    sys.exit(main())
