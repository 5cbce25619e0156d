"""Units in, what the words of short ones and of their runs give away out, in the languages that we know words of."""

import re
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.features.table import UnitTable
from sitewright.values.authors import begins_with_by
from sitewright.values.lists import has_list_label
from sitewright.values.updates import WORDED, one_of, says_updated

WORDING = ("by", "by_run", "capitals", "person", "list_label", "updated", "published_word")
_PERSON_WORDS = range(2, 5)
_DIGIT = re.compile(r"\d")


_PUBLISHED = one_of(
    "publi|posted|veröffentlich|erstellt|pubblic|опубликован|发布|發布|公開|掲載|入力|입력|등록|نشر|dodano|yayın|"
    "geplaatst|julkais"
)


def is_label(text: str) -> bool:
    """Tell whether a short text announces what follows it.

    >>> is_label("Tags:"), is_label("Bees are back")
    (True, False)
    """
    return text.endswith((":", "：", "﹕"))


def wording_of(table: UnitTable) -> NDArray[np.float32]:
    """Return the wording of units: a row a unit, zeros for a long one."""
    texts, of_units = table.texts.distinct, table.texts.of_units
    of_runs = of_units[table.runs]
    short = table.lengths <= WORDED
    own, runs = set(of_units[short].tolist()), set(of_runs[short].tolist())
    by = _flags(len(texts), (n for n in own | runs if begins_with_by(texts[n])))
    dated = [n for n in runs if _DIGIT.search(texts[n])]
    columns = [
        by[of_units], by[of_units] | by[of_runs], *_capitals(texts, own)[:, of_units],
        _flags(len(texts), (n for n in own if has_list_label(texts[n])))[of_units],
        _flags(len(texts), (n for n in dated if says_updated(texts[n])))[of_runs],
        _flags(len(texts), (n for n in dated if _PUBLISHED.search(texts[n][:WORDED])))[of_runs],
    ]  # fmt: skip
    return np.stack([(column * short).astype(np.float32) for column in columns], axis=1)


def _flags(count: int, numbers: Iterable[int]) -> NDArray[np.bool_]:
    flags = np.zeros(count, dtype=np.bool_)
    flags[list(numbers)] = True
    return flags


def _capitals(texts: Sequence[str], numbers: Iterable[int]) -> NDArray[np.float64]:
    """Return the share of capitalised words, and whether some such words and nothing else could be a name."""
    found = np.zeros((2, len(texts)))
    for number in numbers:
        words = texts[number].split()
        capitals = sum([word[0].isupper() for word in words])
        if capitals:
            found[0, number] = capitals / len(words)
            could_be_name = capitals == len(words) and capitals in _PERSON_WORDS
            found[1, number] = could_be_name and _DIGIT.search(texts[number]) is None
    return found
