"""The first tables: sites, maps, index pages, seen links, pages, records, photo sets, failures, metrics."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_MOMENT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    _make_sites()
    _make_index_pages()
    _make_pages()
    _make_records()
    _make_figures()


def _site(*, key: bool = False) -> "sa.Column[int]":
    return sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id"), primary_key=key, nullable=False)


def _make_sites() -> None:
    op.create_table(
        "sites",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("domain", sa.String(40), nullable=False),
        sa.Column("added_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "maps",
        _site(key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("made_by", sa.String(20), nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )


def _make_index_pages() -> None:
    op.create_table(
        "index_pages",
        sa.Column("id", sa.Integer, primary_key=True),
        _site(),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("weight", sa.Integer, nullable=False),
        sa.Column("period_seconds", sa.Float, nullable=False),
        sa.Column("last_fetched", _MOMENT),
        sa.Column("next_due", _MOMENT, nullable=False),
        sa.Column("etag", sa.Text, nullable=False),
        sa.Column("last_modified", sa.Text, nullable=False),
        sa.Column("state", sa.JSON, nullable=False),
        sa.Column("lease_owner", sa.Text),
        sa.Column("lease_until", _MOMENT),
        sa.UniqueConstraint("site_id", "url"),
        sa.Index(None, "next_due"),
    )
    op.create_table(
        "seen_links",
        _site(key=True),
        sa.Column("signature", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("first_seen", _MOMENT, nullable=False),
        sa.Column("stored_at", _MOMENT),
        sqlite_with_rowid=False,
    )


def _make_pages() -> None:
    op.create_table(
        "pages",
        sa.Column("warc_file", sa.String(200), primary_key=True),
        sa.Column("warc_offset", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("warc_length", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.String(80), nullable=False),
        _site(),
        sa.Column("signature", sa.BigInteger, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("fetched_at", _MOMENT),
        sa.Index(None, "site_id", "signature"),
    )


def _make_records() -> None:
    op.create_table(
        "records",
        sa.Column("number", _NUMBER, primary_key=True),
        _site(),
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("urls", sa.JSON, nullable=False),
        sa.Column("domain", sa.String(40), nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("kind", sa.String(20)),
        sa.Column("template", sa.Text, nullable=False),
        sa.Column("via", sa.String(20), nullable=False),
        sa.Column("map_version", sa.Integer),
        sa.Column("fields", sa.JSON, nullable=False),
        sa.Column("confidence", sa.JSON, nullable=False),
        sa.Column("rules", sa.JSON, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("shown_at", _MOMENT, nullable=False),
        sa.Column("extracted_at", _MOMENT),
        sa.Column("stored_at", _MOMENT, nullable=False),
        sa.Column("warc_file", sa.String(200)),
        sa.Column("warc_offset", sa.BigInteger),
        sa.ForeignKeyConstraint(["warc_file", "warc_offset"], ["pages.warc_file", "pages.warc_offset"]),
        sa.UniqueConstraint("site_id", "id"),
        sa.Index(None, "site_id", "shown_at"),
        sa.Index(None, "shown_at"),
    )
    op.create_table(
        "photo_sets",
        sa.Column("number", _NUMBER, primary_key=True),
        _site(),
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("urls", sa.JSON, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("photos", sa.JSON, nullable=False),
        sa.Column("stored_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("site_id", "id"),
    )


def _make_figures() -> None:
    op.create_table(
        "failures",
        _site(key=True),
        sa.Column("signature", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("stage", sa.String(40), primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("first_at", _MOMENT, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("times", sa.Integer, nullable=False),
    )
    op.create_table(
        "metrics",
        _site(key=True),
        sa.Column("template", sa.Text, primary_key=True),
        sa.Column("field", sa.Text, primary_key=True),
        sa.Column("day", sa.Date, primary_key=True),
        sa.Column("filled", sa.Integer, nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
    )
