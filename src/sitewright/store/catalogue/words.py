"""What a person looks for in, what the full-text search of a database understands out.

Scripts that are written without blanks are looked for character by character, one behind the other.
"""

import re
from dataclasses import dataclass

_UNSPACED = re.compile(
    r"([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])"
)
_PART = re.compile(r'(-?)(?:"([^"]*)"?|(\S+))')
_WORD = re.compile(r"\w+")
_PREFIX = 4
"""Words of so many letters also find longer ones: plurals, cases, endings."""
_MOST_PARTS = 20


@dataclass(frozen=True, slots=True)
class Sought:
    """Words that stand one behind the other; `longer`: the last of them may go on."""

    words: tuple[str, ...]
    longer: bool = False
    excluded: bool = False


def spaced(text: str) -> str:
    """Put blanks around characters of scripts that have none.

    >>> spaced("北京 news")
    ' 北  京  news'
    """
    return _UNSPACED.sub(r" \1 ", text)


def sought(text: str) -> list[Sought]:
    """Return the parts of what a person typed: words, phrases in quotation marks, and after `-` what is not wanted.

    >>> [(part.words, part.longer) for part in sought('harbour "old town" 北京')]
    [(('harbour',), True), (('old', 'town'), False), (('北', '京'), False)]
    """
    found = []
    for minus, phrase, word in _PART.findall(text)[:_MOST_PARTS]:
        words = tuple(_WORD.findall(spaced(phrase or word).lower()))
        if words:
            longer = not phrase and len(words) == 1 and len(words[0]) >= _PREFIX
            found.append(Sought(words, longer=longer, excluded=bool(minus)))
    return found


def fts5_query(parts: list[Sought], keys: list[str]) -> str:
    """Write it for SQLite: everything in quotation marks, so that nothing is taken for syntax.

    >>> fts5_query(sought("harbour -fire"), ["s1"])
    '(keys : "s1") AND ("harbour" *) NOT ("fire" *)'
    """
    wanted = [f'(keys : "{key}")' for key in keys]
    wanted += [f"({_fts5(part)})" for part in parts if not part.excluded]
    unwanted = [f" NOT ({_fts5(part)})" for part in parts if part.excluded]
    return " AND ".join(wanted) + "".join(unwanted) if wanted else ""


def _fts5(part: Sought) -> str:
    return f'"{" ".join(part.words)}"{" *" if part.longer else ""}'


def fts5_heading(part: Sought) -> str:
    """Write for SQLite that a part stands in the heading.

    >>> fts5_heading(sought("harbour")[0])
    'heading : ("harbour" *)'
    """
    return f"heading : ({_fts5(part)})"


def ts_heading(part: Sought) -> str:
    """Write it for PostgreSQL, which keeps the words of headings with the weight A.

    >>> ts_heading(sought("harbour")[0]), ts_heading(sought('"old town"')[0])
    ("'harbour':*A", "'old':A <-> 'town':A")
    """
    return " <-> ".join(f"'{word}':{'*' if part.longer else ''}A" for word in part.words)


def ts_query(parts: list[Sought], keys: list[str]) -> str:
    """Write it for PostgreSQL.

    >>> ts_query(sought('"old town" -fire'), ["s1"])
    "'s1' & ('old' <-> 'town') & !('fire':*)"
    """
    return " & ".join([*(f"'{key}'" for key in keys), *(f"{'!' if p.excluded else ''}({_ts(p)})" for p in parts)])


def _ts(part: Sought) -> str:
    return " <-> ".join(f"'{word}'" for word in part.words) + (":*" if part.longer else "")
