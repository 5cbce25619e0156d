"""Several machines share the work: who fetches a link now, and when a host may be asked again."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Add the claims of links, and the hosts."""
    op.add_column("seen_links", sa.Column("claim_owner", sa.Text))
    op.add_column("seen_links", sa.Column("claim_until", _MOMENT))
    op.create_table(
        "hosts",
        sa.Column("host", sa.Text, primary_key=True),
        sa.Column("free_at", _MOMENT, nullable=False),
    )
