"""What a reader should see next in, why it is shown in words out; and the place where such a list goes on."""

import re
from collections.abc import Iterable

from sitewright.actions.next_reads import Suggestion
from sitewright.serve.words import Words
from sitewright.values.words import short_at_word

MOST_SHOWN = 300
"""So many cards a list can name as shown, in an address of some 2,000 characters; there it ends."""
LONGEST = 4_000
_HEADING = 60
"""Characters of a heading in a reason: a line of a phone."""
_PLACE = re.compile(r"\d{1,15}(\.\d{1,15})*", re.ASCII)


def reason(words: Words, one: Suggestion) -> str:
    """Say why a card is shown."""
    if one.because is not None:
        return words("for_you.because", heading=short_at_word(one.because.heading, _HEADING))
    if one.chance is None:
        return words("for_you.unknown")
    return words("for_you.new" if one.is_new else "for_you.many")


def written_shown(numbers: Iterable[int]) -> str:
    """Return cards that were shown as addresses have them.

    >>> written_shown([12, 7])
    '12.7'
    """
    return ".".join(map(str, numbers))


def read_shown(text: str) -> list[int]:
    """Return the cards that were shown; none where that cannot be understood.

    >>> read_shown("12.7"), read_shown(""), read_shown("1..2"), read_shown("-1")
    ([12, 7], [], [], [])
    """
    return [int(number) for number in text.split(".")][:MOST_SHOWN] if _PLACE.fullmatch(text) else []
