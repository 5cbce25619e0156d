"""A language in, the words of the pages in it out."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

LANGUAGES: Mapping[str, str] = {"en": "English", "ru": "Русский", "fr": "Français", "zh": "中文"}
"""What the pages are written in, each under its own name."""
DEFAULT = "en"


class Words:
    """The words of the pages in one language; what it lacks is said in English."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._own = catalogue(language)
        self._default = catalogue(DEFAULT)

    def __call__(self, key: str, **values: Any) -> str:
        """Return a text with values in it; `count` chooses its form."""
        text = self._own.get(key) or self._default[key]
        if not isinstance(text, str):
            text = text[_form(self.language, int(values["count"]), len(text))]
        return str(text.format(**values) if values else text)

    def has(self, key: str) -> bool:
        """Tell whether there is a text of this name."""
        return key in self._default


@cache
def words_of(language: str) -> Words:
    """Return the words of a language; of one that is not known, English ones."""
    return Words(language if language in LANGUAGES else DEFAULT)


@cache
def catalogue(language: str) -> Mapping[str, Any]:
    """Return the texts of a language by their names; a list has the forms of a text that counts."""
    loaded: Mapping[str, Any] = orjson.loads(files("sitewright.serve.words").joinpath(f"{language}.json").read_bytes())
    return loaded


def accepted(header: str) -> str:
    """Return the first language of a browser's list that there are words for.

    >>> accepted("zh-CN,zh;q=0.9,en;q=0.8"), accepted("de"), accepted("fr;q=0.4, ru")
    ('zh', 'en', 'ru')
    """
    ranked = sorted(map(_weighed, header.split(",")), reverse=True, key=lambda one: one[0])
    return next((name for _, name in ranked if name in LANGUAGES), DEFAULT)


def _weighed(part: str) -> tuple[float, str]:
    name, _, weight = part.partition(";q=")
    try:
        return float(weight or 1), name.strip().partition("-")[0].lower()
    except ValueError:
        return 0.0, ""


def _form(language: str, count: int, forms: int) -> int:
    """Return which form of a text goes with a number.

    >>> _form("en", 1, 2), _form("ru", 3, 3), _form("ru", 11, 3), _form("fr", 0, 2), _form("zh", 5, 1)
    (0, 1, 2, 0, 0)
    """
    if language == "ru":
        few = 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14
        number = 0 if count % 10 == 1 and count % 100 != 11 else 1 if few else 2
    elif language == "fr":
        number = 0 if count < 2 else 1
    else:
        number = 0 if count == 1 else 1
    return min(number, forms - 1)
