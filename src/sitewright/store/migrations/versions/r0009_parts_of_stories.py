"""Stories of several pages: what each page says of its own, and which are still awaited."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0014"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the table of parts; stories of before have one page each."""
    op.create_table(
        "story_parts",
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id"), primary_key=True),
        sa.Column("signature", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("story", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("content", sa.JSON),
        sa.Column("found_at", _MOMENT, nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
    )
    op.create_index("ix_story_parts_site_id_story", "story_parts", ["site_id", "story"])
