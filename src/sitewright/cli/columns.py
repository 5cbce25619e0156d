"""Sites of a store in, the fields and columns of a table of their records out."""

from collections import defaultdict
from collections.abc import Sequence

from sitewright.domains import DEFAULT_DOMAIN, Domain, load_domain
from sitewright.errors import InputError
from sitewright.store import columns_of
from sitewright.store.database import Store
from sitewright.store.entries import StoredSite
from sitewright.types import Rule


def fields_of(store: Store, sites: Sequence[StoredSite], wanted: str = "") -> list[str]:
    """Return the fields asked for (`A,B`), else all that records or newest maps of the sites have."""
    known = list(dict.fromkeys(name for site in sites for name in _own_fields(store, site)))
    asked = list(dict.fromkeys(name.strip() for name in wanted.split(",") if name.strip()))
    for name in asked:
        if name not in known:
            raise InputError(f"there is no field {name!r}; there are {', '.join(known) or 'none'}")
    return asked or known


def table_columns(
    store: Store, sites: Sequence[StoredSite], fields: Sequence[str], *, explain: bool = False
) -> dict[str, str]:
    """Return the columns with their types; where versions of maps, or sites, differ in a type, that is JSON."""
    kinds: dict[str, set[str]] = defaultdict(set)
    for site in sites:
        domain = load_domain(site.domain)
        own = [name for name in _own_fields(store, site) if name in fields]
        columns = columns_of(_rules(store, site, domain), domain, own)
        for name in own:
            kinds[name].add(columns[name])
    untyped = columns_of((), load_domain(DEFAULT_DOMAIN), fields, explain=explain)
    return untyped | {name: found.pop() for name, found in kinds.items() if len(found) == 1}


def _own_fields(store: Store, site: StoredSite) -> list[str]:
    """Return the fields of the newest map, in its order, then what else records have."""
    newest = store.load_map(site.name)
    mapped = newest.parsed().fields if newest is not None else ()
    return list(dict.fromkeys((*mapped, *(rate.field for rate in store.fill_rates(site.name)))))


def _rules(store: Store, site: StoredSite, domain: Domain) -> list[Rule]:
    """Return the rules of all versions of a map; where the tagger may have read, also how it reads a field."""
    rules = [rule for stored in store.map_versions(site.name) for rule in stored.parsed().rules]
    mapped = {rule.field for rule in rules}
    learned = any(rule.support is not None for rule in rules)
    usual = [Rule(field=spec.name, many=spec.many) for spec in domain.fields.values()]
    return [*rules, *(rule for rule in usual if learned or rule.field not in mapped)]
