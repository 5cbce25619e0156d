"""What people want to be told of, and what is still to be told; tables for the same that were never used go."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0030"

_MOMENT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_ALERT = sa.ForeignKey("alerts.number", name="fk_notices_alerts", ondelete="CASCADE")


def upgrade() -> None:
    """Make the tables."""
    op.drop_table("webhooks")
    op.drop_column("saved_searches", "alert")
    op.create_table(
        "alerts",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("about", sa.JSON, nullable=False),
        sa.Column("way", sa.String(20), nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("made_at", _MOMENT, nullable=False),
        sa.Column("begun", sa.BigInteger, nullable=False),
        sa.Column("reached", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("next_at", _MOMENT),
        sa.Column("trouble", sa.Text, nullable=False),
    )
    op.create_index("ix_alerts_account", "alerts", ["account"])
    op.create_table(
        "notices",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("alert", _NUMBER, _ALERT, nullable=False),
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("about", sa.JSON, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("told_at", _MOMENT),
        sa.Column("trouble", sa.Text, nullable=False),
        sa.UniqueConstraint("name", name="uq_notices_name"),
        sa.UniqueConstraint("alert", "key", name="uq_notices_alert_key"),
    )
    op.create_index("ix_notices_state_alert_number", "notices", ["state", "alert", "number"])
