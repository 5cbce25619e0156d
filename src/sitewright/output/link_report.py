"""Judged links in, one HTML file out that shows them by decision, grouped by the cluster that they are in."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from sitewright.domains import DEFAULT_DOMAIN, Item, load_domain
from sitewright.output.markup import Markup, address, heading, join, page_head, refused, share, tag, warned
from sitewright.parse import host_of
from sitewright.types import LIST, NEXT, OTHER, Failure, Link, LinkSet, Role
from sitewright.values.words import counted

Roles = Mapping[Role, tuple[str, str]]
"""The roles, what several links of one are called, and their colours."""
_UNGROUPED = "In no cluster"
_SHOWN = 400
"""So many links of a group are written; the report is for looking, the output file for counting."""
_UNSURE = (0.2, 0.8)
_NAMED = 3
"""So many pages are named where something is the matter with several."""


def write_link_report(
    target: str, outcomes: Sequence[LinkSet | Failure], clusters: Mapping[str, str], domain: str = DEFAULT_DOMAIN
) -> None:
    """Write the report; `clusters` holds the selector of the cluster of links, by where they lead."""
    item = load_domain(domain).item
    roles = _roles(item)
    sites = [links for links in outcomes if isinstance(links, LinkSet)]
    failures = [failure for failure in outcomes if isinstance(failure, Failure)]
    title = f"{_site_of(sites, failures) or 'Sitewright'}: which links lead to {item.plural}"
    parts = [
        heading(title, _seen_at(sites), _introduction(item)),
        warned(list(_noticed(sites, failures, item))),
        _summary(sites, failures, roles),
        *_pages(sites, clusters, roles),
        *map(_failure, failures),
    ]
    try:
        with Path(target).open("w", encoding="utf-8", errors="replace") as file:  # half surrogates have no UTF-8
            file.write(page_head(title))
            file.writelines(f"{part}\n" for part in parts)
            file.write("</main>\n</body>\n</html>\n")
    except OSError as error:
        raise refused(target, error) from error


def _roles(item: Item) -> Roles:
    return {
        item.kind: (item.plural, "c4"),
        LIST: ("sections", "c0"),
        NEXT: ("next pages", "c2"),
        OTHER: ("other", "c7"),
    }


def _introduction(item: Item) -> str:
    return (
        f"Links that are marked up alike are one cluster. Figures say how likely a link leads to {item.called}; "
        f"between {_UNSURE[0]} and {_UNSURE[1]} that is unsure."
    )


def _site_of(sites: Sequence[LinkSet], failures: Sequence[Failure]) -> str:
    """Return whose pages these are."""
    addresses = [*(links.url for links in sites), *(failure.url for failure in failures)]
    hosts = list(dict.fromkeys(filter(None, map(host_of, addresses))))
    return f"{hosts[0]} and {counted(len(hosts) - 1, 'other')}" if len(hosts) > 1 else "".join(hosts)


def _seen_at(sites: Sequence[LinkSet]) -> datetime:
    """Return when the pages were seen, the last of them; where that is not known, now."""
    return max((_with_zone(links.time) for links in sites if links.time is not None), default=datetime.now(UTC))


def _with_zone(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _noticed(sites: Sequence[LinkSet], failures: Sequence[Failure], item: Item) -> Iterator[str]:
    """Yield what a person should look at."""
    if failures:
        codes = ", ".join(f"{code} {count:,}" for code, count in Counter(one.code for one in failures).most_common())
        yield f"{counted(len(failures), 'page')} of {len(sites) + len(failures):,} failed: {codes}"
    if barren := [found.url for found in sites if not any(link.is_item for link in found.links)]:
        yield f"No link to {item.called} on: {', '.join(barren[:_NAMED])}{' …' if len(barren) > _NAMED else ''}"
    if unsure := _count_unsure(sites):
        yield f"Unsure of {counted(unsure, 'link')}; they are marked below"


def _count_unsure(sites: Sequence[LinkSet]) -> int:
    return sum(map(_is_unsure, {link.url: link for found in sites for link in found.links}.values()))


def _is_unsure(link: Link) -> bool:
    return _UNSURE[0] < link.score < _UNSURE[1]


def _summary(sites: Sequence[LinkSet], failures: Sequence[Failure], roles: Roles) -> Markup:
    links = {link.url: link for found in sites for link in found.links}
    counts, unsure = Counter(link.role for link in links.values()), _count_unsure(sites)
    figures = [(len(sites), "page" if len(sites) == 1 else "pages"), (len(links), "links")]
    figures += [(counts[role], name) for role, (name, _) in roles.items() if counts[role]]
    figures += [(unsure, "unsure")] * bool(unsure) + [(len(failures), "failed")] * bool(failures)
    tiles = [tag("div", tag("b", f"{count:,}"), " ", name, class_="tile") for count, name in figures]
    legend = [tag("span", _explained(role, name), class_=f"label {colour}") for role, (name, colour) in roles.items()]
    return join([tag("section", tag("div", *tiles, class_="tiles")), tag("p", *legend, class_="legend")])


def _explained(role: Role, name: str) -> str:
    """Return a role as output files call it, and what that is where it does not say it itself."""
    return role if name.startswith(role) else f"{role} ({name})"


def _pages(sites: Sequence[LinkSet], clusters: Mapping[str, str], roles: Roles) -> Iterator[Markup]:
    """Yield a part for each index page; its snapshots together."""
    snapshots: dict[str, list[LinkSet]] = defaultdict(list)
    for links in sites:
        snapshots[links.url].append(links)
    for number, (url, own) in enumerate(snapshots.items(), 1):
        distinct = {link.url: link for found in own for link in found.links}
        groups: dict[str, list[Link]] = defaultdict(list)
        for link in distinct.values():
            groups[clusters.get(link.url.partition("#")[0].rstrip("/"), "")].append(link)
        several = [tag("span", f"{len(own):,} snapshots", class_="kind")] if len(own) > 1 else []
        head = tag("h3", tag("span", f"{number}", class_="number"), address(url), *several)
        ordered = sorted(groups.items(), key=lambda group: (not group[0], -_articles(group[1]), -len(group[1])))
        yield tag("article", head, *(_group(selector, found, roles) for selector, found in ordered))


def _articles(links: Sequence[Link]) -> int:
    return sum(link.is_item for link in links)


def _group(selector: str, links: Sequence[Link], roles: Roles) -> Markup:
    """Write the links of a cluster; one without articles is folded."""
    articles = _articles(links)
    name = tag("code", selector) if selector else _UNGROUPED
    counted = "1 link" if len(links) == 1 else f"{len(links):,} links"
    said = f": {counted}, " + (f"{articles:,} of them articles" if articles else "no article")
    rows = [_row(link, roles) for link in sorted(links, key=lambda link: -link.score)[:_SHOWN]]
    left = [tag("p", f"and {len(links) - _SHOWN:,} more", class_="missing")] if len(links) > _SHOWN else []
    table = tag("table", tag("tbody", *rows), class_="links")
    opened = {"open": ""} if articles else {}
    return tag("details", tag("summary", name, said), table, *left, class_="cluster", **opened)


def _row(link: Link, roles: Roles) -> Markup:
    name, colour = roles.get(link.role, (link.role, ""))
    label = tag("span", link.role, class_=f"label {colour}", title=name)
    text = tag("div", link.text or "(no text)", class_="line-text", dir="auto")
    return tag(
        "tr",
        tag("td", label),
        tag("td", share(link.score, f"{link.score:.2f}", "unsure" if _is_unsure(link) else "")),
        tag("td", text, tag("small", address(link.url))),
        tag("td", tag("small", link.reason)),
    )


def _failure(failure: Failure) -> Markup:
    told = (tag("code", failure.code), f" ({failure.stage}) {failure.detail}")
    return tag("article", tag("h3", address(failure.url)), tag("p", *told, class_="failure"))
