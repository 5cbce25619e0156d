"""Word in, its bucket out: the same on every machine and in every process."""

import zlib


def hash_word(word: str, buckets: int) -> int:
    """Return the bucket of a word, from 1 (0 stands for no word)."""
    return 1 + zlib.crc32(word.encode()) % (buckets - 1)
