"""What items cost and for how long, when they are visited again, where they are listed, which are the same."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0020"

_MOMENT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables; prices of before are in the records, and are kept from the next visit on."""
    op.create_table(
        "prices",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id", name="fk_prices_sites"), nullable=False),
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("since", _MOMENT, nullable=False),
        sa.Column("until", _MOMENT, nullable=False),
        sa.Column("amount", sa.Float),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("old_amount", sa.Float),
        sa.Column("stock", sa.Text, nullable=False),
        sa.Column("unstated", sa.Boolean, nullable=False),
    )
    op.create_index("ix_prices_site_id_id_since", "prices", ["site_id", "id", "since"])
    op.create_table(
        "offers",
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id", name="fk_offers_sites"), primary_key=True),
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("first_at", _MOMENT, nullable=False),
        sa.Column("checked_at", _MOMENT, nullable=False),
        sa.Column("next_due", _MOMENT, nullable=False),
        sa.Column("period_seconds", sa.Float, nullable=False),
        sa.Column("looks", sa.Integer, nullable=False),
        sa.Column("changes", sa.Integer, nullable=False),
    )
    op.create_index("ix_offers_site_id_next_due", "offers", ["site_id", "next_due"])
    op.create_table(
        "listings",
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id", name="fk_listings_sites"), primary_key=True),
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("trail", sa.Text, primary_key=True),
        sa.Column("first_seen", _MOMENT, nullable=False),
        sa.Column("amount", sa.Float),
    )
    op.create_table(
        "item_keys",
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id", name="fk_item_keys_sites"), primary_key=True),
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("rank", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(24), nullable=False),
    )
    op.create_index("ix_item_keys_key", "item_keys", ["key"])
