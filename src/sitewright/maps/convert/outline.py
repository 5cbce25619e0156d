"""What every writer asks of a map first: which template, what of the map no target keeps, rules by field."""

from collections.abc import Iterable, Iterator

from sitewright.domains import load_domain
from sitewright.errors import ConversionError
from sitewright.maps.convert.conversion import Losses
from sitewright.maps.convert.names import guess_domain
from sitewright.types import ExtractionMap, IndexPage, Rule, Template

_FACTS = ("learned_at", "language", "timezone", "date_formats", "min_confidence")
_OF_INDEX = ("seed", "banned", "category")
_MARKS = ("support", "edited", "fragile")


def first_template(extraction_map: ExtractionMap, lost: Losses) -> Template:
    """Return the one template that a target without templates can hold, and note the others as lost."""
    templates = checked_templates(extraction_map)
    for template in templates[1:]:
        lost.add(
            f"template {template.name}", f"{lost.target} has one kind of page; only {templates[0].name} is written"
        )
    chosen = templates[0]
    for entry in ("url", "probe", "parts", "render"):
        if getattr(chosen, entry):
            lost.no_counterpart(f"template {chosen.name}", f"{entry} has")
    return chosen


def note_index(page: IndexPage, lost: Losses) -> None:
    """Note what of an index page no target keeps."""
    for entry in ("weight", *_OF_INDEX):
        if getattr(page, entry) not in (1, (), ""):
            lost.no_counterpart(f"index {page.url}", f"{entry} has")


def checked_templates(extraction_map: ExtractionMap) -> tuple[Template, ...]:
    """Return the templates; a map without any cannot be converted."""
    if not extraction_map.templates:
        raise ConversionError(f"templates: the map of {extraction_map.site} has none; expected at least one to convert")
    return extraction_map.templates


def note_facts(extraction_map: ExtractionMap, lost: Losses) -> None:
    """Note the facts of a site that no target keeps."""
    for fact in _FACTS:
        if getattr(extraction_map, fact):
            lost.no_counterpart("map", f"{fact} has")
    if extraction_map.version != 1:
        lost.no_counterpart("map", f"version {extraction_map.version} has")
    if extraction_map.render != "static":
        lost.no_counterpart("map", f"render: {extraction_map.render} has")


def note_domain(extraction_map: ExtractionMap, template: Template, lost: Losses) -> None:
    """Note a domain that cannot be told from the fields when the file is read again."""
    if guess_domain(rule.field for rule in template.rules) != extraction_map.domain:
        lost.no_counterpart("map", f"domain: {extraction_map.domain} has")


def note_rules(template: Template, domain: str, lost: Losses) -> None:
    """Note what no target keeps of a template's rules: marks of learning, and parsers that are not the domain's."""
    note_marks(template, lost)
    parser_of = load_domain(domain).parser_of
    for place, rule in walk(template.rules, f"rule {template.name}"):
        if rule.parse and rule.parse != parser_of(rule.field):
            lost.no_counterpart(place, f"parse: {rule.parse} has")


def note_marks(template: Template, lost: Losses) -> None:
    """Note the marks of learning that rules bear."""
    for _, rule in walk(template.rules, ""):
        for mark in _MARKS:
            if getattr(rule, mark):
                lost.no_counterpart("map", f"{mark} of rules has")


def walk(rules: Iterable[Rule], place: str) -> Iterator[tuple[str, Rule]]:
    """Yield all rules with their place, those within others after them."""
    for rule in rules:
        here = f"{place}/{rule.field}"
        yield here, rule
        yield from walk(rule.fields, here)


def by_field(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    """Group rules by field; the rules of one field are alternatives in order."""
    grouped: dict[str, list[Rule]] = {}
    for rule in rules:
        grouped.setdefault(rule.field, []).append(rule)
    return grouped
