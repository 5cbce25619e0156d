"""A process that leases sites, looks at what is due, and says on standard output what it looked at.

python leaser.py STORE OWNER SECONDS FOLDER [SITES]

Works until every index page was looked at once, by whomever. While it holds a site, a file of its name lies in the folder;
`clash` is said where one lies there already. With SITES it only takes so many sites and waits to be killed.
"""

import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sitewright.store.database import Store, open_store
from sitewright.store.entries import FoundLink, StoredSite


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def mark(held: Path) -> None:
    """Say so where another holds the site, too."""
    try:
        held.touch(exist_ok=False)
    except FileExistsError:
        say(f"clash {held.name}")


def look(store: Store, owner: str, site: StoredSite) -> None:
    """Look at the pages of a site, each of which lists two links."""
    for page in store.due_index_pages(site.name):
        links = [FoundLink(f"{page.url}/{number}") for number in range(2)]
        tomorrow = datetime.now(UTC) + timedelta(days=1)
        new = store.finish_look(owner, replace(page, last_fetched=datetime.now(UTC), next_due=tomorrow), links)
        say(f"looked {page.url}" if new == [link.url for link in links] else f"lost {page.url}")


def work(store: Store, owner: str, seconds: float, folder: Path) -> None:
    """Take sites in turn until all pages of all sites were looked at."""
    while any(page.last_fetched is None for site in store.sites() for page in store.index_pages(site.name)):
        taken = store.lease_sites(owner, seconds=seconds, limit=3)
        for site in taken:
            mark(folder / site.name)
        for site in taken:
            look(store, owner, site)
            (folder / site.name).unlink()
            store.release_site(owner, site.name, not_before=datetime.now(UTC) + timedelta(days=1))
        time.sleep(0.001)


def main(address: str, owner: str, seconds: float, folder: Path, sites: int) -> None:
    """Work, or take sites and wait."""
    with open_store(address) as store:
        if not sites:
            work(store, owner, seconds, folder)
            return
        taken = store.lease_sites(owner, seconds=seconds, limit=sites)
        look(store, owner, taken[0])
        say("holds " + " ".join(site.name for site in taken))
        time.sleep(600)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), Path(sys.argv[4]), int((*sys.argv, "0")[5]))
