"""Texts in, a matrix of their characters out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def codes_of(texts: Sequence[str], width: int) -> NDArray[np.uint32]:
    """Return the characters of texts that are no longer than a width: a row a text, zeros behind its end.

    >>> codes_of(["ab", ""], 3).tolist()
    [[97, 98, 0], [0, 0, 0]]
    """
    padded = "".join([text.replace("\0", " ").ljust(width, "\0") for text in texts])
    # Of pages with broken escapes, halves of surrogate pairs come through.
    codes = np.frombuffer(padded.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return codes.astype(np.uint32, copy=False).reshape(len(texts), width)
