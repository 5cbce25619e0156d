"""Logs of clicks that are made up: readers of two tastes, items that come and go, sets of which part is viewed."""

import csv
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

START = 1_700_000_000
HOUR = 3600


def two_tastes(readers: int = 60, hours: int = 24, seed: int = 1) -> list[dict[str, Any]]:
    """Return clicks of readers who like sport or film: an item of each appears every hour, and is read for three."""
    draw = random.Random(seed)
    clicks = []
    for hour in range(hours):
        for number in range(readers):
            taste = "sport" if number % 2 else "film"
            if draw.random() < 0.4:
                age = draw.choice([0, 0, 1, 2])
                item = f"{taste}-{max(0, hour - age)}"
                moment = START + hour * HOUR + draw.randrange(HOUR)
                clicks.append({"user": f"reader-{number}", "item": item, "time": moment})
    return sorted(clicks, key=lambda click: (click["time"], click["user"]))


def viewed_sets(readers: int = 30, sets: int = 12, seed: int = 2) -> list[dict[str, Any]]:
    """Return clicks on sets of pictures: who viewed how many of all, and when the set was published."""
    draw = random.Random(seed)
    clicks = []
    for number in range(readers):
        for item in draw.sample(range(sets), 5):
            published = START + item * HOUR
            clicks.append({
                "user": f"reader-{number}", "item": f"set-{item}", "time": published + draw.randrange(8 * HOUR),
                "viewed": draw.randint(1, 10), "total": 10, "published": published,
            })  # fmt: skip
    return clicks


def written(path: Path, clicks: Sequence[dict[str, Any]]) -> str:
    """Write clicks as CSV and return the name of the file."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(clicks[0]))
        writer.writeheader()
        writer.writerows(clicks)
    return str(path)


def ended(clicks: Iterable[dict[str, Any]]) -> int:
    """Return the moment after the last click."""
    return max(click["time"] for click in clicks) + 1
