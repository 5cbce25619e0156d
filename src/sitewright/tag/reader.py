"""Document in, Record out without a map: a tagger scores the page's units, decoding makes values of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from turbohtml import Element

from sitewright.domains import DEFAULT_DOMAIN, kinds, load_domain
from sitewright.parse import Document, host_of
from sitewright.tag.decode import Finding, Weighed, decode, line_scores, weigh
from sitewright.tag.images import images_of
from sitewright.tag.judge import Judge
from sitewright.tag.models import JUDGE, TAGGER, model_file
from sitewright.tag.network import NetworkTagger
from sitewright.tag.scored_page import ScoredPage, scored_page
from sitewright.tag.scores import Scores, Tagger
from sitewright.tag.stated_tagger import StatedTagger
from sitewright.tag.units import Unit, UnitKind, read_units
from sitewright.types import Label, Record, TaggedPage, TextLine, Value
from sitewright.values import page_context


@dataclass(frozen=True, slots=True)
class PageReading:
    """All that was seen on a page: its units, their scores, what they speak for, and what was made of them."""

    document: Document
    page: ScoredPage
    weighed: Mapping[str, Weighed]
    findings: Mapping[str, Finding]
    record: Record

    @property
    def units(self) -> Sequence[Unit]:
        """The units of the page."""
        return self.page.units

    @property
    def scores(self) -> Scores:
        """Their scores."""
        return self.page.scores

    @property
    def tagged(self) -> TaggedPage:
        """What rules are learned from: every value that units speak for, and every line with its say in the text."""
        lines = [
            TextLine(self.units[n].text, self._node(self.units[n]) or 0, round(score, 4))
            for n, score in line_scores(self.page, self.findings).items()
        ]
        return TaggedPage(
            url=self.document.url,
            kind=self.scores.kind,
            kind_score=kind_score(self.scores),
            labels=tuple(self._labels()),
            lines=tuple(lines),
        )

    def _labels(self) -> Iterator[Label]:
        for field, weighed in self.weighed.items():
            for candidate, likely in zip(weighed.candidates, weighed.likely, strict=True):
                score = round(float(likely), 4)
                for unit in (self.units[number] for number in candidate.units):
                    source = f"part of {unit.source}" if unit.source and unit.kind is UnitKind.PIECE else unit.source
                    yield Label(field=field, value=candidate.value, score=score, node=self._node(unit), source=source)

    def _node(self, unit: Unit) -> int | None:
        if unit.element is None or unit.place is None:
            return None
        return self.document.number_of(unit.element)


def kind_score(scores: Scores) -> float:
    """Return how likely the likeliest kind is."""
    return round(float(scores.kinds.max()), 3)


class PageReader:
    """Reads any page of a domain."""

    def __init__(self, domain: str = DEFAULT_DOMAIN, tagger: Tagger | None = None) -> None:
        """Load the domain; without a tagger, its models, or where it has none, what believes the page's metadata."""
        self._domain = load_domain(domain)
        models = self._domain.models
        if tagger is None:
            tagger = NetworkTagger(model_file(models, TAGGER)) if models else StatedTagger(self._domain)
        self._tagger = tagger
        is_fitted = models and isinstance(tagger, NetworkTagger)
        self._judge = Judge(model_file(models, JUDGE)) if is_fitted else Judge.of({})

    def extract(self, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()) -> Record:
        """Read a page; `fields` limits what is read, `now` stands in where the page's fetch time is unknown."""
        return self.read(document, now, fields).record

    def read(
        self, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()
    ) -> PageReading:
        """Read a page and keep what was seen on the way."""
        moment = now or datetime.now(UTC)
        context = page_context(document, moment)
        units = read_units(document, self._domain)
        scores = self._tagger.score(document, units)
        page = scored_page(units, scores, context, self._domain)
        weighed = weigh(page, self._judge)
        findings = decode(page, self._judge, weighed)
        values = {
            field: Value(found.value, found.confidence, explain(field, found, units))
            for field, found in findings.items()
        }
        text = [units[number] for number in _units_of(findings, self._domain.main_text)]
        for name in self._domain.fields_of_kind(kinds.IMAGES)[:1]:
            if images := images_of(context, text, self._domain.fields[name], self._domain):
                values[name] = images
        record = Record(
            site=host_of(document.url),
            urls=(document.url,),
            fields={
                name: values[name] for name in self._domain.fields if name in values and (not fields or name in fields)
            },
            domain=self._domain.reference,
            language=context.language,
            kind=scores.kind,
            extracted_at=moment,
        )
        return PageReading(document, page, weighed, findings, record)


def _units_of(findings: Mapping[str, Finding], field: str) -> tuple[int, ...]:
    return findings[field].units if field in findings else ()


def explain(field: str, finding: Finding, units: Sequence[Unit]) -> str:
    """Tell where a value was found, and whether what the page states agrees.

    The form is `tagger/title: h1.headline; agrees: jsonld:headline, meta:og:title`.
    """
    displayed = [_where(units[number]) for number in finding.units if units[number].place is not None]
    sources = {
        "": list(dict.fromkeys(displayed)),
        "agrees: " if displayed else "not displayed, stated: ": finding.agrees,
        "differs: ": finding.differs,
    }
    parts = [word + ", ".join(found[:_NAMED]) for word, found in sources.items() if found]
    return f"tagger/{field}: {'; '.join(parts)}"


_NAMED = 3


def _where(unit: Unit) -> str:
    """Return how a person would point at a unit's element."""
    element: Element | None = unit.element
    if element is None:
        return ""
    names = element.attr("class")
    first = (names if isinstance(names, str) else " ".join(names or ())).split()[:1]
    return f"{element.tag}.{first[0]}" if first else element.tag
