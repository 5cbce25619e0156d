"""Rules of a map in, their names out, and back: `template/field#n`, n from 0 among the rules of a field."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sitewright.types import ExtractionMap, Rule, Template

_NAME = re.compile(r"(?P<template>.+)/(?P<field>[^/#\s]+)#(?P<number>\d+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class RuleName:
    """The name under which records and comparisons speak of a rule.

    >>> str(RuleName("article", "title", 1))
    'article/title#1'
    """

    template: str
    field: str
    number: int

    def __str__(self) -> str:
        return f"{self.template}/{self.field}#{self.number}"

    @classmethod
    def read(cls, text: str) -> "RuleName | None":
        """Return the name that a text is; None where it is none.

        >>> RuleName.read("article/title#1"), RuleName.read("index https://example.com/ #0")
        (RuleName(template='article', field='title', number=1), None)
        """
        found = _NAME.fullmatch(text)
        return cls(found["template"], found["field"], int(found["number"])) if found is not None else None


def named_rules(template: Template) -> Iterator[tuple[RuleName, Rule]]:
    """Yield the rules of a template with their names."""
    numbers: Counter[str] = Counter()
    for rule in template.rules:
        yield RuleName(template.name, rule.field, numbers[rule.field]), rule
        numbers[rule.field] += 1


def find_rule(extraction_map: ExtractionMap, name: str) -> Rule | None:
    """Return the rule of a name; None where the map has none."""
    wanted = RuleName.read(name)
    named = (pair for template in extraction_map.templates for pair in named_rules(template))
    return next((rule for own, rule in named if own == wanted), None)


def what_it_does(rule: Rule) -> Rule:
    """Return a rule without what is known about it: how well it is founded, who wrote it."""
    inner = tuple(map(what_it_does, rule.fields))
    return replace(rule, support=None, edited=False, fragile=False, fields=inner)
