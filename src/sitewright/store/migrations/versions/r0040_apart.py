"""Since when somebody has a record shown apart from the others of its story."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0033"


def upgrade() -> None:
    """Add the column."""
    op.add_column("marks", sa.Column("apart_at", sa.DateTime(timezone=True)))
