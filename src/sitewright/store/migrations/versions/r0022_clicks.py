"""What readers did, by pseudonym; what they should see next."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0009"

_MOMENT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables; nothing was known of readers before but their marks."""
    op.create_table(
        "readers",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("source", sa.String(10), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.UniqueConstraint("source", "name", name="uq_readers_source_name"),
    )
    op.create_table(
        "reader_events",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("reader", sa.String(16), sa.ForeignKey("readers.id", ondelete="CASCADE"), nullable=False),
        sa.Column("what", sa.String(10), nullable=False),
        sa.Column("record", sa.BigInteger, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("received_at", _MOMENT, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("shown_in", sa.Text, nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("viewed", sa.Integer),
        sa.Column("total", sa.Integer),
        sa.UniqueConstraint("event", "reader", name="uq_reader_events_event_reader"),
    )
    op.create_index("ix_reader_events_reader_at", "reader_events", ["reader", "at"])
    op.create_index("ix_reader_events_day", "reader_events", ["day"])
    op.create_table(
        "event_counts",
        sa.Column("day", sa.Date, primary_key=True),
        sa.Column("why", sa.String(20), primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
    )
    op.create_table(
        "reader_lists",
        sa.Column("reader", sa.String(16), primary_key=True),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("listed", sa.JSON, nullable=False),
    )
    op.create_table(
        "related_items",
        sa.Column("record", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("listed", sa.JSON, nullable=False),
    )
    op.create_table(
        "refreshes",
        sa.Column("what", sa.String(20), primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("until", _MOMENT, nullable=False),
        sa.Column("made_at", _MOMENT),
    )
