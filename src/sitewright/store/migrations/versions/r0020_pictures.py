"""Pictures: how many stories of a site show each, its true size; versions of photo sets, what they leave out."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0022"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table; pictures of stories of before count from when their pages are read once more."""
    op.create_table(
        "pictures",
        sa.Column("site_id", sa.Integer, sa.ForeignKey("sites.id"), primary_key=True),
        sa.Column("signature", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("stories", sa.Integer, nullable=False),
        sa.Column("due", _MOMENT),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("checked_at", _MOMENT),
        sa.Column("media_type", sa.String(40), nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("code", sa.String(40), nullable=False),
        sa.Column("file", sa.String(80), nullable=False),
        sa.Column("is_told", sa.Boolean, nullable=False),
    )
    op.create_index("ix_pictures_site_id_due", "pictures", ["site_id", "due"])
    op.add_column("photo_sets", sa.Column("version", sa.Integer, nullable=False, server_default=sa.text("1")))
    op.add_column("photo_sets", sa.Column("left_out", sa.JSON, nullable=False, server_default=sa.text("'[]'")))
