"""What becomes of a field by a repair in, whether it may change by itself out."""

from collections.abc import Collection

from sitewright.store.entries import ProposedField

SURE = 0.9
"""A field changes by itself from this confidence on."""
LEAST_PAGES = 3
"""So many pages with remembered values must speak for a rule that is accepted by itself."""


def is_sure(one: ProposedField, least: float, disputed: Collection[str] = ()) -> bool:
    """Tell whether a field may change by itself; `disputed` ones may not."""
    if one.edited or one.lost or one.field in disputed:
        return False
    if one.distinct < 2 and one.tagger < least:
        return False
    return one.judged >= LEAST_PAGES and one.confidence >= max(least, one.before)
