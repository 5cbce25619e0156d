"""Repaired maps that wait for a person."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_MOMENT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the table of proposals."""
    op.create_table(
        "proposals",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id"), nullable=False),
        sa.Column("based_on", sa.Integer, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("decided_at", _MOMENT),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("report", sa.JSON, nullable=False),
        sa.Index(None, "site_id", "state"),
    )
