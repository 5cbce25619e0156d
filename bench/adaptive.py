"""A map and pages before a redesign in, what Scrapling's adaptive selectors read after it out.

Scrapling keeps the properties of the element that a selector found, and where the selector finds nothing any more, it
looks for the elements that are most like it. The kinder choices are made for it: what our map's rules still read stays
as it is, all rules of a field are tried, and what is found is read by our own value parsers.
"""

import importlib.util
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sitewright.domains import load_domain
from sitewright.extract import Extractor
from sitewright.parse import Document, is_xpath
from sitewright.types import ExtractionMap, Page, Record, Rule, Value
from sitewright.values import PARSERS, page_context


def has_scrapling() -> bool:
    """Tell whether Scrapling is installed."""
    return importlib.util.find_spec("scrapling") is not None


class Adaptive:
    """A map's selectors, remembered by Scrapling."""

    def __init__(self, extraction_map: ExtractionMap, pages: Sequence[Page], storage: Path) -> None:
        """Let Scrapling save what the selectors find on pages of the old design; the last page counts."""
        from scrapling.parser import Selector  # it may not be there

        logging.getLogger("scrapling").setLevel(logging.ERROR)
        self._map = extraction_map
        self._extractor = Extractor(extraction_map)
        self._selector = Selector
        self._storage = {"storage_file": str(storage), "url": f"https://{extraction_map.site}/"}
        for page in pages:
            tree = self._tree(str(page.body))
            for _, css in self._rules():
                tree.css(css, auto_save=True)

    def _tree(self, html: str) -> Any:
        return self._selector(html, url=self._storage["url"], adaptive=True, storage_args=self._storage)

    def _rules(self) -> Iterator[tuple[Rule, str]]:
        """Yield rules by what is displayed, and their selectors."""
        for rule in self._map.rules:
            for css in rule.select:
                if not is_xpath(css) and not css.startswith(("meta[", "head", "title", "link[")):
                    yield rule, css

    def extract(self, page: Page, document: Document, now: datetime) -> Record:
        """Read a page of the new design."""
        record = self._extractor.extract(document, now)
        fields = dict(record.fields)
        tree: Any = None
        for rule in dict.fromkeys(rule for rule, _ in self._rules()):
            if rule.field in fields:
                continue
            tree = tree if tree is not None else self._tree(str(page.body))
            found = [element for own, css in self._rules() if own == rule for element in tree.css(css, adaptive=True)]
            if (value := self._value(rule, found, document, now)) is not None:
                fields[rule.field] = value
        return replace(record, fields=fields)

    def _value(self, rule: Rule, found: Sequence[Any], document: Document, now: datetime) -> Value | None:
        texts = [text for element in found if (text := _taken(element, rule.take))]
        parse = PARSERS[rule.parse or load_domain(self._map.domain).parser_of(rule.field)]
        parsed = parse(texts if rule.many else texts[:1], rule.many, page_context(document, now)) if texts else None
        return Value(parsed.value, 1.0, "scrapling") if parsed is not None else None


def _taken(element: Any, take: str) -> str:
    if take.startswith("@"):
        return str(element.attrib.get(take[1:], ""))
    return str(element.attrib.get("datetime") or element.get_all_text(separator="\n", strip=True))
