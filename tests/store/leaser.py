"""A process that leases index pages, finishes them, and says on standard output which ones it had.

python leaser.py STORE OWNER PAGES
"""

import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sitewright.store.database import open_store


def main(address: str, owner: str, pages: int) -> None:
    """Work until every page has been fetched once, by whomever."""
    with open_store(address) as store:
        while any(page.last_fetched is None for page in store.index_pages("example.com")):
            for page in store.lease(owner, seconds=60, limit=pages // 20):
                now = datetime.now(UTC)
                if store.finish(owner, replace(page, last_fetched=now, next_due=now + timedelta(days=1))):
                    sys.stdout.write(f"{page.url}\n")
            time.sleep(0.001)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
