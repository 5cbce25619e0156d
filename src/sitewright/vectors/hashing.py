"""Word in, its bucket out: the same on every machine and in every process."""

import zlib
from functools import lru_cache


@lru_cache(maxsize=100_000)
def hash_word(word: str, buckets: int) -> int:
    """Return the bucket of a word, from 1 (0 stands for no word).

    >>> hash_word("bees", 8192), hash_word("half a pair \\ud83d", 8192) > 0
    (5586, True)
    """
    return 1 + zlib.crc32(word.encode("utf-8", "surrogatepass")) % (buckets - 1)
