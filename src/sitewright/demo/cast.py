"""Sentences with slots in, sentences about the people and places of one story out."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random

from sitewright.demo.words import Words

_UNITS = (0, 5, 6, 7, 8, 9)
"""Last digits after which a noun always has the same form (in Russian the genitive plural)."""

_ATTEMPTS = 40
"""How often a sentence is filled again when it was printed before: text that recurs is template, not content."""


class Cast:
    """Who and what one story is about; slots that are not about them are filled afresh each time."""

    def __init__(self, words: Words, dice: Random, place: str) -> None:
        """Choose the people and roles of a story that happens in this place."""
        self._words = words
        self._dice = dice
        self.place = place
        self._fixed = {
            "place": self.place,
            "org": dice.choice(words.organisations),
            **dict(zip(("person", "person2"), _names(words, dice, 2), strict=True)),
            **dict(zip(("role", "role2"), dice.sample(words.roles, 2), strict=True)),
        }

    def fill(self, template: str, **more: str) -> str:
        """Fill every slot of a template and begin it with a capital."""
        text = template.format_map(_Slots(self, more))
        return text[:1].upper() + text[1:]

    def slot(self, name: str) -> str:
        """Return what stands in a slot of this name."""
        return self._fixed[name] if name in self._fixed else _FRESH[name](self._words, self._dice)

    def other_place(self) -> str:
        """Return some place that is not where the story happens."""
        return self._dice.choice([place for place in self._words.places if place != self.place])


class _Slots:
    def __init__(self, cast: Cast, more: Mapping[str, str]) -> None:
        self._cast = cast
        self._more = more

    def __getitem__(self, name: str) -> str:
        if name in self._more:
            return self._more[name]
        return self._cast.other_place() if name == "other" else self._cast.slot(name)


def full_name(words: Words, dice: Random) -> str:
    """Return the name of somebody who works for the paper: every other last name is theirs."""
    return words.full_name.format(first=dice.choice(words.first_names), last=dice.choice(words.last_names[1::2]))


def number_text(words: Words, number: int) -> str:
    """Write a number with the language's mark between the thousands."""
    return f"{number:,}".replace(",", words.thousands)


def _names(words: Words, dice: Random, count: int) -> list[str]:
    """Return people the paper writes about; their last names are not those of its staff."""
    firsts, lasts = dice.sample(words.first_names, count), dice.sample(words.last_names[::2], count)
    return [words.full_name.format(first=first, last=last) for first, last in zip(firsts, lasts, strict=True)]


def _tens(_: Words, dice: Random) -> str:
    return str(dice.randrange(2, 10) * 10 + dice.choice(_UNITS))


def _hundreds(words: Words, dice: Random) -> str:
    return f"{dice.randrange(1, 10)}{_tens(words, dice)}"


_FRESH: dict[str, Callable[[Words, Random], str]] = {
    "few": lambda _, dice: str(dice.randrange(5, 10)),
    "tens": _tens,
    "hundreds": _hundreds,
    "thousands": lambda words, dice: number_text(words, dice.randrange(12, 900) * 100),
    "percent": _tens,
    "year": lambda _, dice: str(dice.randrange(1951, 2013)),
    "month": lambda words, dice: dice.choice(words.calendar.months),
    "weekday": lambda words, dice: dice.choice(words.calendar.weekdays),
}


class Notebook:
    """The words, the dice, and all that one newspaper has printed so far."""

    def __init__(self, words: Words, dice: Random) -> None:
        self.words = words
        self.dice = dice
        self._printed: set[str] = set()
        self._uses: Counter[str] = Counter()
        self._places: list[str] = []

    def cast(self) -> Cast:
        """Return the cast of another story; every place has its turn before one comes again."""
        self._places = self._places or self.dice.sample(self.words.places, len(self.words.places))
        return Cast(self.words, self.dice, self._places.pop())

    def one(self, cast: Cast, templates: Sequence[str]) -> str:
        """Fill one of the templates, if possible to something not printed yet."""
        ranked = self._rarest(templates)
        texts = [(template, self._fill(cast, template)) for template in ranked]
        chosen, text = next((pair for pair in texts if pair[1] not in self._printed), texts[0])
        return self._print(chosen, text)

    def several(self, cast: Cast, templates: Sequence[str], count: int) -> list[str]:
        """Fill this many different templates (or all there are), in random order."""
        chosen = self._rarest(templates)[:count]
        self.dice.shuffle(chosen)
        return [self._print(template, self._fill(cast, template)) for template in chosen]

    def _rarest(self, templates: Sequence[str]) -> list[str]:
        """Return the templates, those that were used least first."""
        shuffled = self.dice.sample(templates, len(templates))
        return sorted(shuffled, key=lambda template: self._uses[template])

    def _fill(self, cast: Cast, template: str) -> str:
        attempts = (cast.fill(template) for _ in range(_ATTEMPTS))
        return next((text for text in attempts if text not in self._printed), cast.fill(template))

    def _print(self, template: str, text: str) -> str:
        self._uses[template] += 1
        self._printed.add(text)
        return text
