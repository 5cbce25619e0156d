"""Texts in, numbers out that are the same on every machine: hashed words and runs of characters, for models."""

from sitewright.vectors.characters import codes_of
from sitewright.vectors.grams import MIXERS, buckets_of, with_digits_alike
from sitewright.vectors.hashing import hash_word, hash_words

__all__ = ["MIXERS", "buckets_of", "codes_of", "hash_word", "hash_words", "with_digits_alike"]
