"""A moment and a language's calendar in, the date as that language's newspapers write it out."""

import re
from datetime import datetime

from sitewright.demo.words import Calendar

_DIRECTIVE = re.compile(r"%(-?[dmYHMBA])")


def format_date(calendar: Calendar, pattern: str, moment: datetime) -> str:
    """Format like `strftime`, but with the calendar's names and alike on every machine."""
    values = {
        "d": f"{moment.day:02}",
        "-d": str(moment.day),
        "m": f"{moment.month:02}",
        "-m": str(moment.month),
        "Y": str(moment.year),
        "H": f"{moment.hour:02}",
        "M": f"{moment.minute:02}",
        "B": calendar.months[moment.month - 1],
        "A": calendar.weekdays[moment.weekday()],
    }
    return _DIRECTIVE.sub(lambda match: values[match[1]], pattern)
