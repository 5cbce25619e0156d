"""People who read and look after sites: accounts, log-ins, what they marked, saved and hid, and what they changed."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0007"

_MOMENT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_SITE = "sites.id"


def upgrade() -> None:
    """Make the tables, and have sites know since when they are paused."""
    op.add_column("sites", sa.Column("paused_at", _MOMENT))
    op.create_index("ix_records_stored_at", "records", ["stored_at"])
    op.create_table(
        "accounts",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
    )
    op.create_table(
        "logins",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("account", sa.Text, sa.ForeignKey("accounts.name", ondelete="CASCADE"), nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
    )
    op.create_table(
        "changes",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("what", sa.String(60), nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("detail", sa.JSON, nullable=False),
    )
    op.create_table(
        "marks",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column(
            "record", _NUMBER, sa.ForeignKey("records.number", ondelete="CASCADE"), primary_key=True,
            autoincrement=False,
        ),
        sa.Column("site_id", sa.Integer, sa.ForeignKey(_SITE), nullable=False),
        sa.Column("read_at", _MOMENT),
        sa.Column("starred_at", _MOMENT),
        sa.Index(None, "account", "starred_at"),
    )  # fmt: skip
    op.create_table(
        "hidden",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("kind", sa.String(20), primary_key=True),
        sa.Column("what", sa.Text, primary_key=True),
        sa.Column("at", _MOMENT, nullable=False),
    )
    op.create_table(
        "saved_searches",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("alert", sa.JSON),
        sa.Index(None, "account"),
    )
    op.create_table(
        "preferences",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("chosen", sa.JSON, nullable=False),
    )
    op.create_table(
        "webhooks",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("sites", sa.JSON, nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("told_until", _MOMENT, nullable=False),
        sa.Column("told_record", _NUMBER, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("next_at", _MOMENT),
        sa.Column("trouble", sa.Text, nullable=False),
    )
