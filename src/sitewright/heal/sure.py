"""What becomes of a field by a repair in, whether it may change by itself out."""

from collections.abc import Collection

from sitewright.store.entries import ProposedField

SURE = 0.9
"""A field changes by itself from this confidence on."""
LEAST_PAGES = 3
"""So many pages with remembered values must speak for a rule that is accepted by itself."""
_DEAD, _MEANWHILE = 0.5, 0.1
"""Where old rules are right on fewer pages, the tagger would read the field until a person decides: new rules need be
so much less sure, if they are right on more of the known pages than it is (one of seven articles may show its author in
a way of its own)."""


def is_sure(one: ProposedField, least: float, disputed: Collection[str] = ()) -> bool:
    """Tell whether a field may change by itself; `disputed` ones may not."""
    if one.edited or one.lost or one.field in disputed:
        return False
    if one.distinct < 2 and one.tagger < least:
        return False
    is_best = one.before < _DEAD and one.confidence > one.tagger
    enough = least - _MEANWHILE if is_best and least <= 1 else least  # above 1: never
    return one.judged >= LEAST_PAGES and one.confidence >= max(enough, one.before)
