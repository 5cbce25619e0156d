"""What speaks most for an item in, a few words for the reader out."""

_NEW = 3600
"""Seconds since the first click, up to which an item is called new."""


def is_new(age: float) -> bool:
    """Tell whether an item of an age, in seconds of a portal's day, is called new."""
    return age < _NEW


def reason_of(because: str | None, age: float, section: str | None) -> str:
    """Say why an item is shown: what the reader read, or that it is new, or that many read it.

    >>> reason_of("bees", 90, None), reason_of(None, 90, "sport"), reason_of(None, 9000, None)
    ('readers of bees also read it', 'new in sport', 'many read it now')
    """
    if because is not None:
        return f"readers of {because} also read it"
    if is_new(age):
        return f"new in {section}" if section else "new, and read by many"
    return f"many read it now in {section}" if section else "many read it now"
