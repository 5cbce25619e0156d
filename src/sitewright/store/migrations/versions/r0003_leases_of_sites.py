"""Whole sites are leased, links wait until they are collected, and a link has the same signature everywhere."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from sitewright.store.statements import signature_of

revision = "0003"
down_revision = "0002"

_MOMENT = sa.DateTime(timezone=True)
_RECORDS = sa.table(
    "records",
    sa.column("site_id", sa.Integer),
    sa.column("urls", sa.JSON),
    sa.column("stored_at", _MOMENT),
)
_PAGES = sa.table(
    "pages",
    sa.column("warc_file", sa.String),
    sa.column("warc_offset", sa.BigInteger),
    sa.column("signature", sa.BigInteger),
    sa.column("url", sa.Text),
)
_FAILURES = sa.table(
    "failures",
    sa.column("site_id", sa.Integer),
    sa.column("signature", sa.BigInteger),
    sa.column("stage", sa.String),
    sa.column("url", sa.Text),
    sa.column("code", sa.String),
    sa.column("detail", sa.Text),
    sa.column("first_at", _MOMENT),
    sa.column("at", _MOMENT),
    sa.column("times", sa.Integer),
)


def upgrade() -> None:
    """Move the leases from index pages to sites, make the table of waiting links, and sign all links anew."""
    op.drop_table("hosts")
    _lease_sites()
    _make_waiting_links()
    _fill_seen_links(_make_seen_links())
    _sign_pages()
    _sign_failures()


def _lease_sites() -> None:
    op.drop_index("ix_index_pages_next_due", "index_pages")
    for name in ("lease_owner", "lease_until"):
        op.drop_column("index_pages", name)
    op.add_column("sites", sa.Column("next_due", _MOMENT))
    op.add_column("sites", sa.Column("lease_owner", sa.Text))
    op.add_column("sites", sa.Column("lease_until", _MOMENT))
    op.add_column("sites", sa.Column("state", sa.JSON, nullable=False, server_default=sa.text("'{}'")))
    op.create_index("ix_sites_next_due", "sites", ["next_due"])
    op.execute("UPDATE sites SET next_due = (SELECT min(next_due) FROM index_pages WHERE site_id = sites.id)")


def _link() -> "list[sa.Column[Any]]":
    return [
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id"), primary_key=True),
        sa.Column("signature", sa.BigInteger, primary_key=True, autoincrement=False),
    ]


def _make_waiting_links() -> None:
    op.create_table(
        "waiting_links",
        *_link(),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("found_at", _MOMENT, nullable=False),
        sa.Column("due", _MOMENT, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("published", _MOMENT),
        sa.Index(None, "site_id", "due", "signature"),
        sqlite_with_rowid=False,
    )


def _make_seen_links() -> sa.Table:
    """Make the table anew: of a link that has no record the old signature is all there is."""
    op.drop_table("seen_links")
    return op.create_table(
        "seen_links",
        *_link(),
        sa.Column("first_seen", _MOMENT, nullable=False),
        sa.Column("stored_at", _MOMENT, nullable=False),
        sqlite_with_rowid=False,
    )


def _fill_seen_links(seen_links: sa.Table) -> None:
    connection = op.get_bind()
    moments = {
        (record.site_id, signature_of(url)): record.stored_at
        for record in connection.execute(sa.select(_RECORDS))
        for url in record.urls
    }
    rows = [
        {"site_id": site, "signature": signature, "first_seen": moment, "stored_at": moment}
        for (site, signature), moment in moments.items()
    ]
    op.bulk_insert(seen_links, rows)


def _sign_pages() -> None:
    connection = op.get_bind()
    signing = (
        sa.update(_PAGES)
        .where(_PAGES.c.warc_file == sa.bindparam("file"), _PAGES.c.warc_offset == sa.bindparam("offset"))
        .values(signature=sa.bindparam("signed"))
    )
    rows = [
        {"file": page.warc_file, "offset": page.warc_offset, "signed": signature_of(page.url)}
        for page in connection.execute(sa.select(_PAGES))
    ]
    if rows:
        connection.execute(signing, rows)


def _sign_failures() -> None:
    """Sign failures; of two that were for spellings of one link the later is kept."""
    connection = op.get_bind()
    found = connection.execute(sa.select(_FAILURES).order_by(_FAILURES.c.at)).mappings()
    signed = [{**row, "signature": signature_of(row["url"])} for row in found]
    kept = {(row["site_id"], row["signature"], row["stage"]): row for row in signed}
    connection.execute(sa.delete(_FAILURES))
    op.bulk_insert(_FAILURES, list(kept.values()))
