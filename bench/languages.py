"""The language of a page in, the group of scripts and languages it is reported under out."""

_GROUPS = {
    "English": "en pcm",
    "western European": "de fr es pt it nl no nn nb sv da ca gl la lb af fy is eu oc ext lij gcf ht fi cy gd ga mt",
    "eastern European, Latin script": "pl cs sk hu ro hr bs sl lt lv et sq",
    "Turkish, Vietnamese, Malay and other Latin script": "tr az vi id ms jv tl bcl sw yo zu xh fuv crh ig ha so uz",
    "Cyrillic": "ru uk bg sr mk be kk ky mn tg",
    "Greek": "el",
    "Chinese": "zh yue wuu",
    "Japanese": "ja",
    "Korean": "ko",
    "Thai": "th lo km my",
    "Arabic script": "ar fa ur ps sdh ckb ug arz",
    "Hebrew": "he yi",
    "Indic": "hi bn ml si ta te mr gu kn pa ne or as",
    "Armenian, Georgian and others": "hy ka am",
}
GROUPS = (*_GROUPS, "unknown")
"""The groups in the order of the table. Codes that are misread Latin text in the corpora (`lij`, `gcf`) go with it."""
_BY_CODE = {code: group for group, codes in _GROUPS.items() for code in codes.split()}


def group_of(language: str | None) -> str:
    """Return the group of a language code, of which only the first part counts.

    >>> group_of("zh-Hant"), group_of("uk"), group_of(None), group_of("zxx")
    ('Chinese', 'Cyrillic', 'unknown', 'unknown')
    """
    return _BY_CODE.get((language or "").replace("_", "-").partition("-")[0].lower(), "unknown")
