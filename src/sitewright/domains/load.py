"""A domain's name or the path of its file in, the domain out."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from sitewright.domains import kinds
from sitewright.domains.domain import (
    ATTRIBUTES,
    NO_MATCH,
    Distinct,
    Domain,
    FieldMatch,
    FieldSpec,
    FieldWords,
    Item,
)
from sitewright.errors import DomainInvalid, UnknownDomain
from sitewright.types import LIST

_SUFFIXES = (".yaml", ".yml")
_INNER = {"url": "url.v1", "image": "url.v1"}
_VOWELS = "aeiou"
_DISTINCT: Mapping[object, Distinct] = {True: "all", False: "no", "mostly": "mostly"}
USUAL_WEIGHT = 5.0
"""What a word weighs that has no weight of its own."""


@cache
def domain_names() -> tuple[str, ...]:
    """Return the names of the domains that the package has.

    >>> domain_names()
    ('jobs', 'news', 'recipe', 'shop')
    """
    found = (entry.name for entry in files("sitewright.domains").iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in found if name.endswith(".yaml")))


def load_domain(reference: str) -> Domain:
    """Return the domain of a name, or the one in a file of your own (`./bikes.yaml`).

    >>> load_domain("news").parser_of("published")
    'date.v1'
    """
    if reference in domain_names():
        return _packaged(reference)
    if not reference.endswith(_SUFFIXES):
        raise UnknownDomain(f"no such domain {reference!r}; expected one of {', '.join(domain_names())}")
    try:
        path = Path(reference).resolve()
        return _written(reference, path, path.stat().st_mtime_ns)
    except OSError as error:
        names = ", ".join(domain_names())
        why = error.strerror or error
        raise UnknownDomain(f"cannot read {reference!r}: {why}; expected one of {names}, or a file") from error


def lasting_reference(reference: str) -> str:
    """Return what a domain is found by from any folder: its name, or the whole path of its file."""
    return reference if reference in domain_names() else str(Path(reference).resolve())


@cache
def _packaged(name: str) -> Domain:
    text = files("sitewright.domains").joinpath(f"{name}.yaml").read_text("utf-8")
    return _domain(YAML(typ="safe", pure=True).load(text), name)


@lru_cache(maxsize=16)
def _written(reference: str, path: Path, _changed_at: int) -> Domain:
    """Return the domain in a file, read again when it was changed."""
    try:
        return parse_domain(path.read_text("utf-8"), reference)
    except UnicodeDecodeError as error:
        raise DomainInvalid([f"{reference}:1: not UTF-8 text: {error.reason} at byte {error.start}"]) from error


def domain_of(domain: Domain | str) -> Domain:
    """Return a domain, loaded where only its name or path is given."""
    return load_domain(domain) if isinstance(domain, str) else domain


def parse_domain(text: str, file: str) -> Domain:
    """Return the domain that a text states; `DomainInvalid` lists all that is wrong with it."""
    from sitewright.domains.check import checked  # noqa: PLC0415 -- the schema's library takes longer than all else here

    return _domain(checked(text, file), file)


def _domain(plain: Mapping[str, Any], reference: str) -> Domain:
    item = item_of(plain.get("item", {}))
    return Domain(
        name=plain["name"],
        fields={name: _field(name, spec or {}) for name, spec in plain["fields"].items()},
        item=item,
        inner=plain.get("inner", _INNER),
        levels=tuple(plain.get("levels", (LIST, item.kind))),
        types=tuple(plain.get("types", ())),
        of_other_types=tuple(plain.get("of_other_types", ())),
        designs=frozenset(plain.get("designs", ())),
        attributes=plain.get("attributes", ATTRIBUTES),
        actions=tuple(plain.get("actions", ())),
        same=tuple(map(tuple, plain.get("same", ()))),
        models=plain.get("models", ""),
        reference=reference,
    )


def item_of(plain: Mapping[str, str]) -> Item:
    """Return what the items are called; what is not said is made of their kind."""
    kind = plain.get("kind", "item")
    called = plain.get("called") or f"{'an' if kind[0] in _VOWELS else 'a'} {kind}"
    return Item(kind, called, plain.get("plural") or f"{kind}s")


def _field(name: str, plain: Mapping[str, Any]) -> FieldSpec:
    kind = plain.get("kind", kinds.LINE)
    words = plain.get("words", {})
    return FieldSpec(
        name=name,
        kind=kind,
        parse=plain.get("parse", kinds.USUAL[kind].parse),
        many=plain.get("many", kinds.USUAL[kind].many),
        required=plain.get("required", False),
        means=plain.get("means", ""),
        distinct=_DISTINCT[plain.get("distinct", False)],
        framed=plain.get("framed", False),
        opens=plain.get("opens", False),
        whole=plain.get("whole", False),
        rival=plain.get("rival", ""),
        words=FieldWords(words.get("for", ""), words.get("against", "")),
        match=_match(plain.get("match")),
        sources=tuple(plain.get("sources", ())),
        stated=plain.get("stated", "given"),
        unlike=tuple(plain.get("unlike", ())),
        not_before=plain.get("not_before", ""),
        not_site=plain.get("not_site", False),
        absent=tuple(plain.get("absent", ())),
        never=tuple(plain.get("never", ())),
        exact=tuple(plain.get("exact", ())),
        least=plain.get("least", 1),
        parts={part: _field(part, spec or {}) for part, spec in plain.get("parts", {}).items()},
        hints=tuple(plain.get("hints", ())),
    )


def _match(plain: Mapping[str, Any] | None) -> FieldMatch:
    if plain is None:
        return NO_MATCH
    return FieldMatch(
        names=_weights(plain.get("names", {})),
        against=_weights(plain.get("against", {})),
        labels=tuple(plain.get("labels", ())),
        other_labels=tuple(plain.get("other_labels", ())),
        look=plain.get("look", ""),
        phrases={meaning: tuple(phrases) for meaning, phrases in plain.get("phrases", {}).items()},
        there=tuple(plain.get("there", ())),
        unsaid=plain.get("unsaid", ""),
    )


def _weights(plain: Mapping[str, float] | Sequence[str]) -> Mapping[str, float]:
    """Return words with their weights; where only words are listed, all weigh the same."""
    return plain if isinstance(plain, Mapping) else dict.fromkeys(plain, USUAL_WEIGHT)
