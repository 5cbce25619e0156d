"""Document in, Record out without a map: a tagger scores the page's units, decoding makes values of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from turbohtml import Element

from sitewright.domains import Domain, load_domain
from sitewright.parse import Document, host_of
from sitewright.tag.candidates import scored_page
from sitewright.tag.decode import Finding, decode
from sitewright.tag.images import images_of
from sitewright.tag.judge import Judge
from sitewright.tag.network import NetworkTagger
from sitewright.tag.scores import FIELDS, Scores, Tagger
from sitewright.tag.units import Unit, read_units
from sitewright.types import Label, Record, TaggedPage, Value
from sitewright.values import Context, zone_of_host

LABELLED = 0.05
"""Units that score less for a field are not worth a word."""


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was seen on a page: its units, their scores, and what was made of them."""

    document: Document
    units: Sequence[Unit]
    scores: Scores
    findings: Mapping[str, Finding]
    record: Record

    @property
    def tagged(self) -> TaggedPage:
        """The labels of the page's elements, best score an element and field."""
        best: dict[tuple[int, str], float] = {}
        for unit, row in zip(self.units, self.scores.units, strict=True):
            if unit.element is None or unit.place is None or row.max() < LABELLED:
                continue
            node = self.document.number_of(unit.element)
            for field, score in zip(FIELDS, row, strict=True):
                if score >= LABELLED:
                    best[node, field] = max(best.get((node, field), 0.0), round(float(score), 4))
        labels = tuple(Label(node=node, field=field, score=score) for (node, field), score in best.items())
        return TaggedPage(
            url=self.document.url, kind=self.scores.kind, kind_score=kind_score(self.scores), labels=labels
        )


def kind_score(scores: Scores) -> float:
    """Return how likely the likeliest kind is."""
    return round(float(scores.kinds.max()), 3)


class PageReader:
    """Reads any page of a domain."""

    def __init__(self, domain: str = "news", tagger: Tagger | None = None) -> None:
        """Load the domain's fields; without a tagger, the one that the package ships."""
        self._domain: Domain = load_domain(domain)
        self._tagger = tagger if tagger is not None else NetworkTagger()
        self._judge = Judge() if isinstance(self._tagger, NetworkTagger) else Judge.of({})

    def extract(self, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()) -> Record:
        """Read a page; `fields` limits what is read, `now` stands in where the page's fetch time is unknown."""
        return self.read(document, now, fields).record

    def read(self, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()) -> Reading:
        """Read a page and keep what was seen on the way."""
        moment = now or datetime.now(UTC)
        context = Context(
            document=document,
            now=document.fetched_at or moment,
            timezone=zone_of_host(host_of(document.url)),
            language=document.metadata.language,
        )
        units = read_units(document)
        scores = self._tagger.score(document, units)
        findings = decode(scored_page(units, scores, context), self._judge)
        values = {
            field: Value(found.value, found.confidence, explain(field, found, units))
            for field, found in findings.items()
        }
        if images := images_of(context, [units[number] for number in _units_of(findings, "text")]):
            values["images"] = images
        record = Record(
            site=host_of(document.url),
            urls=(document.url,),
            fields={
                name: values[name] for name in self._domain.fields if name in values and (not fields or name in fields)
            },
            domain=self._domain.name,
            language=context.language,
            kind=scores.kind,
            extracted_at=moment,
        )
        return Reading(document, units, scores, findings, record)


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
