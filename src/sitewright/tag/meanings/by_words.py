"""What is looked at of a page in, how likely each unit is a field out, by the domain's word lists alone.

For domains without trees: the paper's weights of words, with labels, looks, and what metadata states.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import FieldSpec, kinds
from sitewright.parse import fold_words
from sitewright.tag.features import DENSE
from sitewright.tag.meanings.beside import RIGHT_BEFORE, WITHIN, heading_level
from sitewright.tag.meanings.columns import COLUMNS, Seen

STATED, AS_STATED = 3.6, 3.2
"""What it counts that metadata states a value, and that a unit displays the same: the odds of the stated tagger."""
OWN, AROUND, LABEL, AGAINST, HEADING, OTHER_LABEL = 3.0, 2.5, 4.0, 3.0, 3.0, 2.0
"""What names of the nearest elements count, of those around, labels, names that speak against, headings, labels of
other fields. Set by hand on pages of the training folds, and not far from the paper's weights."""
_CUT_OFF = 0.5
"""What a label counts for the line that begins with it: what follows it is a unit of its own."""
_ONE = 0.25
"""One price, as that look is told."""
SAID = -1.0
"""From these odds on a phrase is likely to be said of the item; what people press then tells nothing more."""
SENTENCE = 1.0
"""What it counts against a line of a text that it does not end as sentences do: it is a time, a heading."""
EXACT = 5.0
"""What it counts to be what an exact source states: more than to be the main heading, which may say more."""
PHRASE, PRESSED, IN_ENTRY = 3.0, 2.5, 1.5
"""What it counts to be little but a phrase that the field knows, to be what people press, and to stand in an entry of
the page's main list."""
_RICH, _TELLING_LIST = 1, 0.4
"""How rich a list must be to be one of items: two paragraphs are a list as well, and score less than half of it."""
_NEARLY_ALL = 0.8
"""Where so much of what is stated is displayed word for word, that is all of it."""
SECTION = 1.6
"""What it counts to stand below a heading that is a label of the field: of lists and texts alone."""
_NOTHING, _NO_ENTRY = -3.5, -1.8
FORMER_NAMED, FORMER_LABELLED, FORMER_SUM, FORMER_STRUCK = 1.0, 1.5, 1.5, 1.0
"""What it counts against a price that its names, its label, or a sum with what is saved say that it was: trees have
seen too few reduced prices. Set by judgement on pages of the training folds."""
OPENS, COLON = 2.0, 3.0
"""What it counts to be what the heading begins with, and against a line that ends with a colon: a label itself."""
OTHERWISE = 4.0
"""What it counts against a value that its label says what else it is: as much as a label of its own counts for it."""
LABELLED_CODE, _MOSTLY = 1.5, 0.6
"""What it counts for a code that a label stands right before it ("SKU: WL-204"), where the text is little else."""
_CLEARLY = 0.2
SPREAD = 3.0
"""By how much the odds of entries of one list may differ: what is that much less likely is of another list, as notes on
the ingredients above their list."""
LEAST = 0.3
"""What is less likely is not said of fields that pages need not have."""
_PLACE = {name: number for number, name in enumerate(COLUMNS)}
_TITLE = DENSE.index("title_precision"), DENSE.index("title_recall")


def field_table(seen: Seen, spec: FieldSpec) -> NDArray[np.float32]:
    """Return all that is looked at for a field, and what the word lists make of it, as the last column."""
    table = seen.of_field(spec)
    return np.concatenate([table, word_odds(seen, spec, table)[:, None]], axis=1)


def by_words(seen: Seen, spec: FieldSpec) -> NDArray[np.float32]:
    """Return how likely each unit is a field."""
    odds = word_odds(seen, spec, seen.of_field(spec))
    if spec.kind == kinds.TEXT:
        odds -= SENTENCE * (1 - seen.look("ends_sentence"))
    likely = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    may = seen.may_be(spec)
    if spec.many or spec.kind == kinds.TEXT:
        may &= _entries(seen, spec, may & (likely >= LEAST))
        if spec.many:
            may &= odds >= odds[may].max(initial=0.0) - SPREAD
    return np.asarray(np.where(may, likely, 0.0), dtype=np.float32)


def _entries(seen: Seen, spec: FieldSpec, likely: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which units are whole entries: those that are stated and what displays them, else lines, no headings."""
    stated = seen.stated[:, seen.place(spec.name)]
    as_stated = seen.as_stated[:, seen.place(spec.name)] > 0
    if spec.many and (stated > 0).any():
        return np.asarray(stated == stated.max())
    shown = as_stated & (stated == 0)
    if shown.sum() > 1 and len(_texts(seen, shown)) >= _NEARLY_ALL * len(_texts(seen, stated == stated.max())):
        return as_stated
    labels = seen.domain.labels
    whole = [
        (unit.run == number or not likely[unit.run]) and not labels.columns_of(unit.text) and not heading_level(unit)
        for number, unit in enumerate(seen.units)
    ]
    return np.array(whole, dtype=bool)


def _texts(seen: Seen, which: NDArray[np.bool_]) -> set[str]:
    return {" ".join(fold_words(seen.units[n].text)) for n in np.flatnonzero(which).tolist()}


def word_odds(seen: Seen, spec: FieldSpec, table: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the log-odds of each unit, by words, labels, looks and what is stated."""

    def column(name: str) -> NDArray[np.float32]:
        return table[:, _PLACE[name]]

    displayed = np.array([unit.place is not None for unit in seen.units])
    names = OWN * column("own") + AROUND * np.maximum(column("around") - column("own"), 0)
    base = _NO_ENTRY if spec.many or spec.kind == kinds.TEXT else _NOTHING
    odds = (
        base
        + names
        - AGAINST * column("around_against")
        + LABEL * np.where(column("label") >= WITHIN, _CUT_OFF, column("label"))
    )
    odds += np.maximum(STATED * column("stated"), AS_STATED * column("as_stated"))
    odds -= OTHER_LABEL * (column("other_labels") > column("label"))
    if spec.match.look == "phrase":
        odds += PHRASE * column("phrase_share")
        odds += _of_pressed(seen, odds)
    if not spec.many and spec.kind != kinds.TEXT and seen.listing[_RICH] >= _TELLING_LIST:
        odds -= IN_ENTRY * column("in_entry")
    if spec.exact:
        odds += EXACT * _exact(seen, spec)
    if spec.kind == kinds.LINE:
        odds -= COLON * column("ends_colon")
    if spec.many or spec.kind == kinds.TEXT:
        odds += SECTION * column("section")
    if spec.means == "heading":
        likeness = table[:, _TITLE[0]] * table[:, _TITLE[1]]
        odds += HEADING * np.where(displayed, column("heading") + likeness, 0.0)
    if spec.kind == kinds.PRICE:
        odds += _price_odds(column, is_first=spec.name == seen.domain.price)
    return np.asarray(odds, dtype=np.float32)


def _of_pressed(seen: Seen, odds: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what it counts to be what people press, where the page says nothing else of the field."""
    others = odds[(seen.pressed == 0) & (seen.look("phrase") > 0)].max(initial=-np.inf)
    return np.asarray(PRESSED * seen.pressed if others < SAID else -PRESSED * (seen.pressed > 0), dtype=np.float32)


def _exact(seen: Seen, spec: FieldSpec) -> NDArray[np.float32]:
    """Tell which units say what a source states that states nothing but the value."""
    exact = {" ".join(fold_words(unit.text)) for unit in seen.units if unit.source in spec.exact and unit.place is None}
    same = [bool(exact) and " ".join(fold_words(unit.text)) in exact for unit in seen.units]
    return np.array(same, dtype=np.float32)


def former_price(table: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what speaks against each price because the page says that it is a former one: by name, label or sum.

    It counts as far as a price of which none of this is said stands beside it: of an item that has no other price than
    the one its maker recommends, that is the price.
    """

    def column(name: str) -> NDArray[np.float32]:
        return table[:, _PLACE[name]]

    named = (column("rival_own") - column("own") >= _CLEARLY) | (column("own_against") - column("own") >= _CLEARLY)
    labelled = column("rival_label") > column("label")
    former = (
        FORMER_NAMED * named
        + FORMER_LABELLED * labelled
        + FORMER_SUM * column("is_sum")
        + FORMER_STRUCK * column("struck")
    )
    plain = (former == 0) & (column("price") > 0) & ((column("is_rest") > 0) | (column("own") > 0))
    return np.asarray(former if plain.any() else np.zeros_like(former), dtype=np.float32)


def labelled_code(table: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what speaks for each code because its label says so."""
    is_labelled = table[:, _PLACE["label"]] >= RIGHT_BEFORE
    return np.asarray(LABELLED_CODE * (is_labelled & (table[:, _PLACE["code"]] >= _MOSTLY)), dtype=np.float32)


def _price_odds(column: Callable[[str], NDArray[np.float32]], *, is_first: bool) -> NDArray[np.float32]:
    """Return what speaks for a price: it is alone, near the heading, and struck through if it is a former one."""
    odds = (
        2.0 * column("price")
        - 1.5 * column("price_rank_after_title")
        - 3.0 * np.maximum(column("alike_prices") - 0.4, 0)
    )
    odds -= 3.0 * (column("prices") > _ONE) * (1 - column("range"))
    odds -= 1.0 * (column("price_rank_after_title") < 0) + 0.5 * column("percent")
    return np.asarray(odds + (-3.0 if is_first else 3.5) * column("struck") - (0.0 if is_first else 1.5))
