"""A domain's labels in, what a text that begins with one says of which field out ("Art. no.: AB-12")."""

import re
from collections.abc import Sequence

_EDGES = " \t:：#№.-–*()[]•"
LONGEST_LABEL = 40
_MOST_WORDS = 4
_PARTED = re.compile(r"\s*[:：#№]\s*|\s+[-–]\s+")
_NUMBERED = re.compile(r"^(\D{2,30}?)\.?\s+(?=\S*\d)")


def label_key(text: str) -> str:
    """Return a label as it is compared.

    >>> label_key("Art. No.: "), label_key("SKU#")
    ('art. no', 'sku')
    """
    return " ".join(text.split()).strip(_EDGES).casefold()


class Labels:
    """The labels of all fields of a domain."""

    def __init__(self, labels: Sequence[Sequence[str]]) -> None:
        """Index them; columns are the domain's fields, each with its labels."""
        self.width = len(labels)
        self._fields: dict[str, list[int]] = {}
        for column, own in enumerate(labels):
            for label in own:
                self._fields.setdefault(label_key(label), []).append(column)

    def __bool__(self) -> bool:
        return bool(self._fields)

    def columns_of(self, text: str) -> Sequence[int]:
        """Return the fields that a text is the label of."""
        return self._fields.get(label_key(text), ()) if len(text) <= LONGEST_LABEL else ()

    def columns_in(self, text: str) -> Sequence[int]:
        """Return the fields that a heading's first or last words are a label of ("Cooking Instructions")."""
        words = text.split() if len(text) <= LONGEST_LABEL else []
        sizes = range(min(len(words), _MOST_WORDS), 0, -1)
        ends = (" ".join(part) for size in sizes for part in (words[:size], words[-size:]))
        return next((columns for end in ends if (columns := self.columns_of(end))), ())

    def cut(self, text: str) -> tuple[str, Sequence[int]]:
        """Return what follows a label that a text begins with, and the fields that the label speaks of."""
        found = _PARTED.search(text[: LONGEST_LABEL + 5]) or _NUMBERED.search(text)
        if found is None:
            return "", ()
        label = found[1] if found.re is _NUMBERED else text[: found.start()]
        return text[found.end() :].strip(), self.columns_of(label)
