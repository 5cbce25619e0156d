"""Words in, their buckets out: the same on every machine and in every process."""

import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@lru_cache(maxsize=100_000)
def hash_word(word: str, buckets: int) -> int:
    """Return the bucket of a word, from 1 (0 stands for no word).

    >>> hash_word("bees", 8192), hash_word("half a pair \\ud83d", 8192) > 0
    (5586, True)
    """
    return 1 + zlib.crc32(word.encode("utf-8", "surrogatepass")) % (buckets - 1)


def hash_words(words: Sequence[str], buckets: int) -> NDArray[np.uint32]:
    """Return the buckets of many words at once; none of them has a zero character.

    >>> hash_words(["bees", "honey"], 8192).tolist() == [hash_word("bees", 8192), hash_word("honey", 8192)]
    True
    """
    if not words:
        return np.zeros(0, dtype=np.uint32)
    encoded = "\0".join(words).encode("utf-8", "surrogatepass").split(b"\0")
    sums = np.fromiter(map(zlib.crc32, encoded), dtype=np.uint32, count=len(encoded))
    return 1 + sums % np.uint32(buckets - 1)
