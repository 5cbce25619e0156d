"""A line in, what its words say of an update out, in the languages that we know words of."""

import re

WORDED = 120
"""A longer line is no label, name or line of dates."""
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]*")


def one_of(stems: str) -> re.Pattern[str]:
    """Return an expression that finds any of some stems; to test their first letters first halves its time."""
    firsts = "".join({stem[0] for stem in stems.split("|")})
    return re.compile(f"(?=[{firsts}])(?:{stems})", re.IGNORECASE)


_UPDATED = one_of(
    "updat|modif|aktualis|aktualiz|mis à jour|mise à jour|màj|ažurir|frissít|geändert|bewerkt|actuali[zs]|aggiorn|"
    "atualiz|обновл|изменен|zaktuali|güncel|更新|수정|تحديث|"
    "bijgewerkt|oppdater|opdater|uppdater|päivitet|ανανέωσ|ενημέρωσ|ενημερώθ|оновлен"
)


def says_updated(text: str) -> bool:
    """Tell whether a line speaks of an update rather than of the publication."""
    return _UPDATED.search(text[:WORDED]) is not None


def of_update(text: str) -> str:
    """Return what a line says of an update behind what it says of the publication; nothing where it says but one thing.

    >>> of_update("6 May 2024, 10:30 | Updated: 7 May 2024"), of_update("Updated: 7 May 2024")
    ('Updated: 7 May 2024', '')
    """
    found = _UPDATED.search(text[:WORDED])
    if found is None or not _DIGIT.search(text[: found.start()]) or not _DIGIT.search(text[found.end() :]):
        return ""
    return text[found.start() :]


def word_of_update(text: str) -> str:
    """Return the word for an update between two dates of a line; nothing where there is none.

    >>> word_of_update("6 May 2024, last updated: 7 May 2024"), word_of_update("Updated: 7 May 2024")
    ('updated', '')
    """
    rest = of_update(text)
    begun = _LETTER.match(text[: len(text) - len(rest)][::-1])
    return (begun[0][::-1] if begun else "") + _LETTER.match(rest)[0] if rest else ""  # type: ignore[index]
