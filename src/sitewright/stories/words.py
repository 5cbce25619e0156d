"""Text in, its words out as duplicates are told by: folded, cut to their stems, runs of ideographs in pairs."""

import re
import unicodedata

import regex

STEM = 5
"""Letters of a word that count, which folds inflection. On folds 1 and on the best F1 of word cosines was .81 on
Russian
headlines and .64 on SemEval, with whole words .75 and .61, with `simplemma` .77 and .61; in English all are alike."""
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*")
"""Vowel signs and accents are parts of words."""
_RUNS = re.compile(
    "([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+)|([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+)"
)
_PAIR, _TRIPLE = 2, 3
"""Scripts without spaces: ideographs in pairs (words of `jieba` told Sohu's pairs apart no better, .58 and .68 of F1
both
ways), letters of Thai, Lao, Burmese and Khmer in threes."""
_SENTENCE = re.compile(r"(?<=[.!?。！？…])\s*")
_SHORT, _LONG = 30, 300
_SEARCHED = 900
"""Characters in which the first sentence is looked for."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<![.!?:\"“”«»„] )(?<!^)\b[^\W\d_a-zß-öø-ÿа-яё][\w’-]+")


def folded(text: str) -> str:
    """Return a text as it is compared: compatible forms alike, letters small."""
    return unicodedata.normalize("NFKC", text).lower()


def words_of(text: str) -> list[str]:
    """Return the words of a folded text, in order.

    >>> words_of("elections in 北京市")
    ['elect', 'in', '北京', '京市']
    """
    words = _WORD.findall(text)
    if text.isascii() or not _RUNS.search(text):
        return [word[:STEM] for word in words]
    return [part for word in words for part in _parts(word)]


def _parts(word: str) -> list[str]:
    found: list[str] = []
    end = 0
    for run in _RUNS.finditer(word):
        found += [word[end : run.start()][:STEM]] if run.start() > end else []
        found += _grams(run[0], _PAIR if run[1] else _TRIPLE)
        end = run.end()
    return [*found, word[end:][:STEM]] if end < len(word) else found


def _grams(run: str, size: int) -> list[str]:
    return [run[start : start + size] for start in range(max(len(run) - size + 1, 1))]


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, with the next ones where it is very short.

    >>> first_sentence("A fire. It broke out in the old town hall. Nobody was hurt.")
    'A fire. It broke out in the old town hall.'
    """
    sentence = ""
    for part in _SENTENCE.split(text.strip()[:_SEARCHED]):
        sentence = f"{sentence} {part}" if sentence else part
        if len(sentence) > _SHORT:
            break
    return sentence[:_LONG]


def numbers_of(text: str) -> list[str]:
    """Return the numbers of a text.

    >>> numbers_of("On 4 May, 1,200 of them")
    ['4', '1,200']
    """
    return _NUMBER.findall(text)


def names_of(text: str) -> list[str]:
    """Return the words that are capital and begin no sentence, folded and cut; scripts without capitals have none.

    >>> names_of("The mayor, Anna Kowalska, left. Nobody saw her")
    ['anna', 'kowal']
    """
    return [folded(name)[:STEM] for name in _NAME.findall(text) if name[0] != name[0].lower()]
