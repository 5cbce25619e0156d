"""A price in, as pages say it out."""

from sitewright.store.offers import Money


def money(price: Money | None) -> str:
    """Say an amount.

    >>> money(Money(1234.5, "EUR")), money(None)
    ('1\\u202f234.50\\xa0EUR', '–')
    """
    if price is None:
        return "–"
    return f"{price.amount:,.2f}".replace(",", "\u202f") + (f"\u00a0{price.currency}" if price.currency else "")
