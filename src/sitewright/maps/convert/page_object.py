"""ExtractionMap in, the source of a web-poet page object out: one file that needs only web-poet."""

import keyword
import unicodedata

from sitewright.maps.convert.conversion import Conversion, Losses
from sitewright.maps.convert.names import class_name, identifier, unique
from sitewright.maps.convert.outline import by_field, checked_templates
from sitewright.maps.convert.python_source import call, quote, render, with_long_lines_allowed
from sitewright.maps.convert.reading_code import ReadingCode, carried_functions, note_code, probe_of
from sitewright.types import ExtractionMap, Rule, Template

_HEAD = '''"""A web-poet page object, written from a Sitewright map."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any

from parsel import Selector
from web_poet import WebPage, field, handle_urls


'''
_CLASS = '''@handle_urls({site})
class {class_name}(WebPage):
    """A page of the site; a field that is not on it is None."""

'''
_KIND = '''    @property
    def kind_of_page(self) -> str:
        """The first kind whose URL and probe fit; empty where none does."""
        address = str(self.response.url)
        for kind, url, probe in KINDS:
            if re.search(url, address) and (not probe or find(self.response.selector, probe)):
                return kind
        return ""

'''
_CARRIED = "\n\n# From here on the same in every such file: how a map's selectors are run.\n\n"
_TAKEN = frozenset(
    "field Any kind_of_page response selector css xpath jmespath html to_item urljoin base_url item_cls Processors "
    "_abc_impl _base_url _cached_base_url _get_skip_nonitem_fields _is_protocol _selector_input _skip_nonitem_fields "
    "_url_shortcuts_input _validate_input _web_poet_field_methods _web_poet_fields_info "
    "_web_poet_fields_info_temp _SelectableMixin__cached_selector".split()
)
"""Names that page objects need for themselves: those of web-poet's `WebPage`, and what our class refers to by name."""


def write_webpoet(extraction_map: ExtractionMap) -> Conversion[str]:
    """Write a page object with one field for each field of the map."""
    lost = Losses("a web-poet page object")
    templates = checked_templates(extraction_map)
    note_code(extraction_map, lost)
    if extraction_map.index:
        lost.no_counterpart("map", "index pages have")
    code = ReadingCode(lost)
    chosen = len(templates) > 1 or bool(templates[0].url or templates[0].probe)
    used = set(_TAKEN)
    names = dict.fromkeys(rule.field for template in templates for rule in template.rules)
    methods = [_method(_method_name(name, used, lost), name, templates, code, chosen=chosen) for name in names]
    parts = [
        _HEAD,
        "".join(f"{function}\n\n" for function in code.functions),
        _kinds(templates, lost) if chosen else "",
        _CLASS.format(site=quote(extraction_map.site), class_name=class_name(extraction_map.site, "Page")),
        _KIND if chosen else "",
        "\n".join(methods),
        _CARRIED,
        carried_functions(),
    ]
    return Conversion(with_long_lines_allowed("".join(parts)), lost.all())


def _kinds(templates: tuple[Template, ...], lost: Losses) -> str:
    rows = [
        render(call("", [quote(template.name), quote(template.url), quote(probe_of(template, lost))]), 4, after=",")
        for template in templates
    ]
    comment = '"""Of each kind of page: its name, how its URL looks, what is on it."""'
    return "KINDS = [\n" + "\n".join(rows) + f"\n]\n{comment}\n\n\n"


def _method_name(field: str, used: set[str], lost: Losses) -> str:
    """Return the name of a field's method: the field's own, where Python and web-poet allow it."""
    name = field if _can_be_method(field) else identifier(field)
    if keyword.iskeyword(name) or name in used:
        name = unique(f"{name}_", used)
    used.add(name)
    if name != field:
        lost.add(f"field {field}", f"its name cannot be that of a method of a page object; it is {name} there")
    return name


def _can_be_method(name: str) -> bool:
    """Tell whether Python takes a name as it stands, neither rewritten (NFKC) nor made private to its class."""
    return name.isidentifier() and unicodedata.is_normalized("NFKC", name) and not name.startswith("__")


def _method(method: str, field: str, templates: tuple[Template, ...], code: ReadingCode, *, chosen: bool) -> str:
    lines = ["    @field", f"    def {method}(self) -> Any:", f'        """Read the field {method}."""']
    for template in templates:
        rules: list[Rule] = by_field(template.rules).get(field, [])
        if not rules:
            continue
        # the page's own `selector` asks for its `url`, which may be one of the fields
        value = code.alternatives(rules, "self.response.selector", f"read_{template.name}_{field}")
        if chosen:
            lines.append(f"        if self.kind_of_page == {quote(template.name)}:")
        lines.append(render(value, 12 if chosen else 8, "return "))
    if chosen:
        lines.append("        return None")
    return "\n".join(lines) + "\n"
