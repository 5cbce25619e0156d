"""A map and pages of its site after a redesign in, the repaired map out, and how sure it is of each field."""

from collections.abc import Sequence
from datetime import datetime

from sitewright.heal.changed_site import look_at_site
from sitewright.heal.fields import merged_map, with_old_rules
from sitewright.heal.judging import better_fields, disputed_fields, read_by_others
from sitewright.heal.known import KnownPage
from sitewright.heal.outlook import proposed_fields
from sitewright.heal.repaired import RepairedMap
from sitewright.heal.sure import SURE
from sitewright.induce import learn_samples
from sitewright.parse import Document
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap


def heal(
    old: ExtractionMap,
    pages: Sequence[KnownPage[Document]],
    reader: PageReader,
    now: datetime,
    sure: float = SURE,
) -> RepairedMap:
    """Repair a map for what its site looks like now; fields change by themselves from a confidence of `sure` on."""
    site = look_at_site(old, pages, reader, now)
    learned = learn_samples([page.sample for page in site.pages], site.domain, now, told=site.warnings)
    left_out = read_by_others(site)
    merged = merged_map(site, site.pages, learned.extraction_map)
    healed = with_old_rules(old, merged, better_fields(site, merged, left_out))
    disputed = disputed_fields(site, healed)
    return RepairedMap(
        old=old,
        whole=healed,
        fields=tuple(proposed_fields(site, healed, left_out, sure, disputed)),
        disputed=disputed,
        warnings=learned.warnings,
    )
