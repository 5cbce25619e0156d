"""Stored pages in, files of their records in a folder out, read by the tasks of a Spark cluster; resumable by piece."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import orjson

from sitewright.actions.extract import Extracted, ExtractOptions, prepare
from sitewright.actions.telling import Tell, nobody
from sitewright.errors import InputError, OutputError
from sitewright.fetch.pieces import Piece, pieces_of
from sitewright.processes.extract import ExtractJob
from sitewright.processes.shared_files import SharedFolder, is_remote, listed
from sitewright.processes.spark import Cluster, PieceWriter, part_name
from sitewright.values.words import counted

FORMATS = ("jsonl", "csv", "parquet")
"""What a folder may hold files of."""
_PLAN, _DONE = "_plan.json", "_done.json"


@dataclass(frozen=True, slots=True)
class Plan:
    """The pieces of a run, and what must be the same for another run to go on with it."""

    pieces: Sequence[Piece]
    mark: str
    now: datetime
    """What is today, for dates without a year: the same in all tasks, whenever they run."""


class SparkExtraction:
    """Has pages read by a cluster; what cannot end well is refused when it is made."""

    def __init__(self, sources: Sequence[str], options: ExtractOptions, master: str | None = None) -> None:
        """Check the options, and plan the work, or take up the plan that is there."""
        _refuse(sources, options)
        prepared = prepare(options)
        self._options, self._columns, self._master = options, prepared.columns, master
        self._folder = SharedFolder(options.output)
        mark = _mark(sources, options, prepared.job)
        names = self._folder.names()
        if options.resume and _PLAN in names:
            self._plan = _read_plan(self._folder, mark)
        elif names:
            raise OutputError(f"{options.output} is not empty; name a new folder, or go on in it with --resume")
        else:
            self._plan = _plan_of(sources, mark)
            self._folder.put_text(_PLAN, _written_plan(self._plan))
        self._job = replace(prepared.job, now=self._plan.now)

    def run(self, tell: Tell = nobody, progress: Tell = nobody) -> Extracted:
        """Read what is not read yet; `progress` hears how many pieces are done, `tell` what breaks off."""
        kind, names = self._options.format, self._folder.names()
        waiting = [
            (number, piece)
            for number, piece in enumerate(self._plan.pieces)
            if part_name(number, kind) not in names
        ]  # fmt: skip
        if there := len(self._plan.pieces) - len(waiting):
            tell(f"{counted(there, 'piece')} of {len(self._plan.pieces):,} there already")
        if not waiting:
            return Extracted(0, Counter())
        work = PieceWriter(job=self._job, folder=self._folder.place, format=kind, columns=self._columns)
        cluster = Cluster(self._master)
        try:
            done = cluster.read(waiting, work, lambda count: progress(f"{count:,} of {counted(len(waiting), 'piece')}"))
        finally:
            cluster.close()
        self._folder.drop_drafts()
        extracted = Extracted(sum(one.pages for one in done), sum((one.failures for one in done), Counter[str]()))
        for one in done:
            if one.broken:
                tell(f"{part_name(one.number, kind)} ends early: {one.broken}")
        told = {
            "pieces": len(self._plan.pieces),
            "last_run": {"pages": extracted.pages, "failures": extracted.failures},
        }
        self._folder.put_text(_DONE, orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
        if broken := [one for one in done if one.broken]:
            raise InputError(f"{counted(len(broken), 'piece')} could not be read to the end; all else is written")
        return extracted


def _refuse(sources: Sequence[str], options: ExtractOptions) -> None:
    if options.output == "-":
        raise OutputError("on Spark records go into a folder, a file a piece of the input; name one with -o")
    if options.format not in FORMATS:
        raise OutputError(f"on Spark --format is one of {', '.join(FORMATS)}")
    if options.report is not None or options.limit is not None:
        raise InputError("--report and --limit are for one machine: leave them out, or leave out --engine spark")
    if not sources or any(source == "-" or source.startswith(("http://", "https://")) for source in sources):
        raise InputError("on Spark pages are read from files; fetch them first: sitewright extract URL, or collect")


def _plan_of(sources: Sequence[str], mark: str) -> Plan:
    places = [place for source in sources for place in listed(source)]
    pieces = [piece for place in places for piece in ([Piece(place)] if is_remote(place) else pieces_of(place))]
    if not pieces:
        raise InputError(f"there is no page in {', '.join(sources)}")
    return Plan(pieces, mark, datetime.now(UTC))


def _mark(sources: Sequence[str], options: ExtractOptions, job: ExtractJob) -> str:
    """Return what differs where a run would write other records."""
    told: list[Any] = [list(sources), options.format, repr(job.extraction_map), sorted(job.fields), job.domain]
    told += [
        job.explain,
        job.parts,
        job.dated,
        job.tagger,
        job.min_confidence,
        job.stated,
        options.raw_csv,
        repr(job.limits),
    ]
    return hashlib.blake2b(orjson.dumps(told), digest_size=16).hexdigest()


def _written_plan(plan: Plan) -> str:
    told = {"mark": plan.mark, "now": plan.now, "pieces": [list(piece) for piece in plan.pieces]}
    return orjson.dumps(told, option=orjson.OPT_INDENT_2).decode()


def _read_plan(folder: SharedFolder, mark: str) -> Plan:
    try:
        told = orjson.loads(folder.text(_PLAN))
        plan = Plan([Piece(*one) for one in told["pieces"]], told["mark"], datetime.fromisoformat(told["now"]))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{folder.place}/{_PLAN} is damaged; begin anew in another folder") from error
    if plan.mark != mark:
        raise InputError(f"{folder.place} was begun with other pages or options; give the same, or another folder")
    return plan
