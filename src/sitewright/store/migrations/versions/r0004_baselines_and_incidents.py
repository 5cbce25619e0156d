"""What pages usually are like, and what is no longer as it was."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_MOMENT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables of baselines and incidents."""
    op.create_table(
        "baselines",
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id"), primary_key=True),
        sa.Column("template", sa.Text, primary_key=True),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.Column("state", sa.JSON, nullable=False),
    )
    op.create_table(
        "incidents",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id"), nullable=False),
        sa.Column("template", sa.Text, nullable=False),
        sa.Column("field", sa.Text, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("since", _MOMENT, nullable=False),
        sa.Column("opened_at", _MOMENT, nullable=False),
        sa.Column("closed_at", _MOMENT),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.Column("evidence", sa.JSON, nullable=False),
        sa.Index(None, "site_id", "closed_at"),
    )
