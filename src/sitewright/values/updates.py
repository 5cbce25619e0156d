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


_PUBLISHED = one_of(
    "publi|veröffentl|erschienen|erstellt|gepubliceerd|geplaatst|posted|created|опубликован|опубліков|дата|发布|發布|發佈|公開|"
    "pubblicat|offentliggjort|udgivet|julkaistu|δημοσ|zveřejn|yayın|oluştur|등록|입력|نشر"
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


def of_publication(text: str) -> str:
    """Return what a line says of the publication beside what it says of an update; nothing where it says but one thing.

    >>> of_publication("6 May 2024, 10:30 | Updated: 7 May 2024"), of_publication("Updated: 7 May 2024")
    ('6 May 2024, 10:30 | ', '')
    >>> of_publication("Modifié le 7 mai 2024 - Publié le 6 mai 2024")
    'Publié le 6 mai 2024'
    """
    if rest := of_update(text):
        return text[: len(text) - len(rest)]
    updated = _UPDATED.search(text[:WORDED])
    published = _PUBLISHED.search(text[:WORDED], updated.end()) if updated is not None else None
    if updated is None or published is None or not _DIGIT.search(text[updated.end() : published.start()]):
        return ""
    return text[published.start() :] if _DIGIT.search(text[published.end() :]) else ""


def word_of_update(text: str) -> str:
    """Return the word for an update between two dates of a line; nothing where there is none.

    >>> word_of_update("6 May 2024, last updated: 7 May 2024"), word_of_update("Updated: 7 May 2024")
    ('updated', '')
    """
    rest = of_update(text)
    begun = _LETTER.match(text[: len(text) - len(rest)][::-1])
    return (begun[0][::-1] if begun else "") + _LETTER.match(rest)[0] if rest else ""  # type: ignore[index]
