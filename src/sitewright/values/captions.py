"""The text under a picture in, caption and credit out."""

import re
from typing import NamedTuple

_LONGEST_CREDIT = 200
"""How much of a caption's end is looked through for a credit."""
_MARK = (
    r"(?:photo(?:graph(?:er)?)?s?|images?|pictures?|credits?|courtesy|foto(?:graf)?s?|fotoğraf|bild(?:er|quelle)?|quelle|source|"
    r"crédits?(?: photo)?|immagine|imagen|fot\.|zdjęcie|ảnh|фото|снимок|источник|图片?|图源|圖|摄影?|写真|撮影|사진|صورة)"
)
_LINK = r"(?:\s+(?:by|of|via|von|de|par))"
_SIGN = r"(?:©|\(c\)|[（(][cｃ][)）])"
_ENDINGS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:{_MARK}{_LINK}?\s*[:：/]|{_MARK}\s+by\s|{_SIGN})\s*(?P<credit>[^\[\]]{{2,120}}?)[\])]?\s*$",
        r"\s*[(\[（](?P<credit>[^()\[\]（）]{2,60}/[^()\[\]（）]{2,60})[)\]）]\s*$",  # (Ann Lee/Lantern)
        r"(?<=[.!?。»”\"])(?<!\b\w\.)\s+(?P<credit>[^.!?/]{2,50}(?:/\s?[^!?/]{2,60}){1,3})$",  # …in Rome. Lantern/ A. Lee
        r"\s/\s(?P<credit>[^/]{3,60})$",  # …in Rome / Ann Lee
        r"[=＝](?P<credit>\S{1,20})$",
    )
)
"""How captions end in a credit, as on the pages of the picture corpus; the first that fits is taken.

They look at small letters: to ignore case takes four times as long.
"""
_MAY_END = re.compile(r"[:：/=＝©()（）\[\]]|\bby\b", re.IGNORECASE)
"""What every credit at the end of a caption has; a quick look, as most captions have none."""
_LEADING_MARK = re.compile(rf"^(?:{_MARK}(?:{_LINK}?\s*[:：/]|{_LINK}(?=\s|$))|{_SIGN})\s*", re.IGNORECASE)
_AGENCY = re.compile(
    r"^(?:.{2,40}[/|,(] ?)?(?:getty(?: images)?|reuters|afp|ap|a\.p\.|associated press|dpa|epa|pa|imago|shutterstock|istock|alamy|"
    r"keystone|ansa|efe|тасс|риа новости|xinhua|新华社|共同通信社|handout|archiv\w*)(?: (?:images|photo|pictures))?[ )/|]*(?:[/|].{2,40})?$",
    re.IGNORECASE,
)
"""Lines that are an agency's name, with that of a photographer before or behind it."""
_CAPTION_LABEL = re.compile(
    r"^(?:legende|légende|caption|bildunterschrift|bildtext|bildlegende)\s*[:：]\s*", re.IGNORECASE
)
_EDGES = " |/–—-"


class Caption(NamedTuple):
    """What is said about a picture, and whose it is."""

    text: str
    credit: str


def split_caption(text: str, credit: str = "") -> Caption:
    """Part a caption from the credit at its end; a credit that is known leaves the caption whole.

    >>> split_caption("The harbour at dawn. Photo: Ann Lee/Lantern")
    Caption(text='The harbour at dawn.', credit='Ann Lee/Lantern')
    >>> split_caption("The harbour at dawn. (Ann Lee/Lantern)")
    Caption(text='The harbour at dawn.', credit='Ann Lee/Lantern')
    >>> split_caption("İstanbul'da sabah. FOTOĞRAF: Ann Lee")
    Caption(text="İstanbul'da sabah.", credit='Ann Lee')
    >>> split_caption("The harbour at dawn", "© Bo Ek")
    Caption(text='The harbour at dawn', credit='Bo Ek')
    """
    bare = _CAPTION_LABEL.sub("", text)
    if credit:
        return Caption(bare.rstrip(_EDGES), bare_credit(credit))
    start = max(0, len(bare) - _LONGEST_CREDIT)
    if not _MAY_END.search(bare, start):
        return Caption(bare, "")
    small = bare.replace("İ", "I").lower()  # the one letter that would become two
    for ending in _ENDINGS:
        if found := ending.search(small, start):
            owner = bare[slice(*found.span("credit"))]
            return Caption(bare[: found.start()].rstrip(_EDGES + "(["), owner.strip(_EDGES))
    return Caption(bare, "")


def is_credit(text: str) -> bool:
    """Tell whether a line names nothing but whose a picture is.

    >>> is_credit("Photo: Ann Lee"), is_credit("© Bo Ek"), is_credit("Getty Images"), is_credit("The harbour at dawn")
    (True, True, True, False)
    """
    return len(text) <= _LONGEST_CREDIT and (_LEADING_MARK.match(text) is not None or _AGENCY.search(text) is not None)


def bare_credit(text: str) -> str:
    """Drop the word or sign before a credit.

    >>> bare_credit("Photo: Ann Lee (Lantern)"), bare_credit("© Bo Ek"), bare_credit("Photo by Ann Lee"), bare_credit("(AP)")
    ('Ann Lee (Lantern)', 'Bo Ek', 'Ann Lee', 'AP')
    """
    bare = text.strip(_EDGES)[:_LONGEST_CREDIT]
    bare = _LEADING_MARK.sub("", bare)
    whole = bare.startswith("(") and bare.endswith(")") and bare.count("(") == 1
    return (bare[1:-1] if whole else bare).strip(_EDGES)
