"""What a line says of an update."""

import pytest

from sitewright.values.updates import of_publication, of_update, says_updated, word_of_update


@pytest.mark.parametrize(
    ("text", "rest", "word"),
    [
        ("6 May 2024, 10:30 | Last updated: 7 May 2024", "updated: 7 May 2024", "updated"),
        ("Publié le 06/05/24 • Mis à jour le 07/05/24", "Mis à jour le 07/05/24", "Mis"),
        ("Δημοσίευση: 8-1-2012, 10:54 Τελευταία ανανέωση: 8-1-2012, 11:14", "ανανέωση: 8-1-2012, 11:14", "ανανέωση"),
        ("28-12-2011 10:27 | zaktualizowano: 28-12-2011 11:04", "zaktualizowano: 28-12-2011 11:04", "zaktualizowano"),
        ("Updated: 7 May 2024", "", ""),
        ("6 May 2024", "", ""),
        ("6 May 2024, not updated", "", ""),
    ],
)
def test_the_update_stands_behind_the_publication(text: str, rest: str, word: str) -> None:
    assert (of_update(text), word_of_update(text)) == (rest, word)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Publié le 06/05/24 • Mis à jour le 07/05/24", "Publié le 06/05/24 • "),
        ("Mis à jour le 07/05/24 • Publié le 06/05/24", "Publié le 06/05/24"),
        ("最後更新: 2024-05-07 發佈日期: 2024-05-06", "發佈日期: 2024-05-06"),
        ("Updated 7 May 2024, published", ""),
        ("Updated and published: 7 May 2024", ""),
        ("Updated: 7 May 2024", ""),
        ("6 May 2024", ""),
    ],
)
def test_the_publication_stands_before_or_behind_the_update(text: str, said: str) -> None:
    assert of_publication(text) == said


def test_a_long_line_speaks_of_nothing() -> None:
    assert says_updated("Updated: 7 May 2024")
    assert not says_updated(f"{'x ' * 80} updated")
