"""Numbers and texts in, words for people out."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "rule"), counted(2000, "rule")
    ('1 rule', '2,000 rules')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
