"""Codes of characters in, hashed runs of them out; which runs are taken is for each model to say, as it was trained."""

import numpy as np
from numpy.typing import NDArray

MIXERS = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D], dtype=np.uint32)
"""What the characters of a run are multiplied by, one after the other; sums are meant to overflow."""


def with_digits_alike(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return codes in which all digits are the same: which year it is says nothing of what a text is."""
    digits = (codes >= ord("0")) & (codes <= ord("9"))
    return np.where(digits, np.uint32(ord("0")), codes)


def buckets_of(mixed: NDArray[np.uint32], buckets: int) -> NDArray[np.uint32]:
    """Return the buckets of sums of multiplied codes, from 1 (0 stands for no run).

    >>> buckets_of(np.array([97], dtype=np.uint32) * MIXERS[:1], 16384).tolist()
    [1599]
    """
    return np.asarray(1 + (mixed ^ (mixed >> np.uint32(15))) % np.uint32(buckets - 1), dtype=np.uint32)
