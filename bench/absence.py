"""Pages known not to show a field in, the values invented for it out.

Two sets of pages. First, kinds of pages that cannot have a field, where their labels do not state it all the same:

    kind of page                              title subtitle published authors categories tags text
    front pages of newspapers (frontpages/)     .      x         x        x        x       x    x
    lists of wcxb (listing, collection)         .      .         x        x        .       x    .
    home, section and archive pages (metahtml)  .      .         x        x        .       x    .

x: asked. A front page tells of many stories and is none: its teasers have dates, bylines, standfirsts and topics, but
they are not the page's (categories: only home pages are asked; the front page of a section rightly names it). Not asked
are titles (a list may have a heading), and, of lists that are not front pages, subtitle and text (an introduction below
the heading; wcxb labels it) and categories (a section page names its section).

Second, article pages from which a labelled field was cut (bench.cutting): `text` leaves a page of nothing but
boilerplate, `published` one with the dates of comments and of other stories.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from bench.cutting import FIELDS, Cut, cut_field
from bench.labelled import Row, kind_of, spread
from sitewright.errors import PageError, SitewrightError
from sitewright.processes.pool import Pool
from sitewright.types import Page

ABSENT = {
    "frontpages": ("subtitle", "published", "authors", "categories", "tags", "text"),
    "wcxb_other": ("published", "authors", "tags"),
    "metahtml_nonarticle": ("published", "authors", "tags"),
}
SHORTEST_TEXT = 200
"""Shorter texts are no stories; a line or two of a page without a story does no harm."""
FAILED = "failed"
SURE = 0.8
"""False answers above this confidence are counted once more: few users would doubt them."""
_CUT_SECONDS = 60.0


class Question(NamedTuple):
    """A page and a field that is not on it."""

    kind: str
    field: str
    row: Row


class Answer(NamedTuple):
    """A value that was invented."""

    question: Question
    value: Any
    confidence: float


def kind_questions(rows: Iterable[Row]) -> Iterator[Question]:
    """Yield the fields that the kinds of pages cannot have."""
    for row in rows:
        if kind_of(row) == "list":
            for name in ABSENT.get(row["source"], ()):
                if not row["labels"].get(name) and (name != "categories" or _is_home(row)):
                    yield Question("kind", name, row)


def _is_home(row: Row) -> bool:
    """Tell home pages from the front pages of sections, which rightly name their section."""
    return urlsplit(row["url"]).path in {"", "/"}


class CutTask(NamedTuple):
    """What a worker needs to cut a field."""

    url: str
    html: str
    field: str
    label: Any
    language: str


@dataclass(frozen=True, slots=True)
class CutJob:
    """Cuts fields out of pages."""

    def start(self) -> Callable[[CutTask], Cut]:
        """Return the function that cuts one field."""
        return _cut

    def weigh(self, task: CutTask) -> int:
        """Return the size of a page."""
        return len(task.html)

    def fail(self, task: CutTask, error: PageError) -> Cut:  # noqa: ARG002 -- what a job has to have
        """Return the outcome of a page that took too long."""
        return Cut(task.url, "", FAILED)


def _cut(task: CutTask) -> Cut:
    try:
        return cut_field(Page(url=task.url, body=task.html), task.field, task.label, task.language)
    except (SitewrightError, RecursionError):
        return Cut(task.url, "", FAILED)


class CutPages(NamedTuple):
    """The questions of cut pages, and of each field how many pages were cut or why they were left out."""

    questions: list[Question]
    outcomes: dict[str, Counter[str]]


def cut_questions(rows: Sequence[Row], most: int | None, workers: int) -> CutPages:
    """Cut each labelled field out of the pages, of each field at most so many."""
    asked = [(name, row) for name in FIELDS for row in spread([row for row in rows if row["labels"].get(name)], most)]
    tasks = (CutTask(_url(row), row["html"], name, row["labels"][name], row["lang"] or "") for name, row in asked)
    questions, outcomes = [], defaultdict(Counter)
    for (name, row), done in zip(asked, Pool(CutJob(), workers, _CUT_SECONDS).run(tasks), strict=True):
        outcomes[name][done.trouble or "cut"] += 1
        if not done.trouble:
            questions.append(Question("cut", name, {**row, "url": done.url, "html": done.html}))
    return CutPages(questions, dict(outcomes))


def _url(row: Row) -> str:
    return row.get("url") or f"https://{row['site']}/page"


def answers(questions: Sequence[Question], records: Sequence[dict[str, Any]]) -> list[Answer]:
    """Return what was invented, the surest first."""
    found = [
        Answer(question, record[question.field], float((record.get("confidence") or {}).get(question.field, 1.0)))
        for question, record in zip(questions, records, strict=True)
        if is_answer(question.field, record.get(question.field))
    ]
    return sorted(found, key=lambda answer: -answer.confidence)


def is_answer(name: str, value: Any) -> bool:
    """Tell whether a value was given; a text is one from some length on.

    >>> is_answer("title", "Home"), is_answer("tags", []), is_answer("text", "Cookies help us.")
    (True, False, False)
    """
    return len(value or "") >= SHORTEST_TEXT if name == "text" else bool(value)


def counts(questions: Sequence[Question], found: Sequence[Answer]) -> dict[str, dict[str, dict[str, float]]]:
    """Return by field and set (`kind`, `cut`, `both`): pages asked, false answers, their share, and the sure ones."""
    asked = Counter((question.field, kind) for question in questions for kind in (question.kind, "both"))
    false: Counter[tuple[str, str]] = Counter()
    sure: Counter[tuple[str, str]] = Counter()
    for answer in found:
        for kind in (answer.question.kind, "both"):
            false[answer.question.field, kind] += 1
            sure[answer.question.field, kind] += answer.confidence >= SURE
    table: dict[str, dict[str, dict[str, float]]] = {}
    for name in FIELDS:
        table[name] = {
            kind: {
                "pages": asked[name, kind],
                "false": false[name, kind],
                "share": false[name, kind] / asked[name, kind],
                "sure": sure[name, kind] / asked[name, kind],
            }
            for kind in ("kind", "cut", "both")
            if asked[name, kind]
        }
    return table
